"""`compare --bisect` from outside, on PoCL: the fault layer plants wrong results, failing builds and slower kernels from
one rung on, and the command has to name that rung. Ladder files that make no sense get one sentence. With --long ten
ladders with a slowdown of 10 %, of which nine must be right, and more failures."""
import json
import os
import random
import subprocess
import sys
import time

from checks import PROGRAM, check, run_checks

# Factor 1 waits for each launch as the others do.
UNCHANGED = "FAULT=slower FAULT_SLOWER=1"
ALLOWANCE = 20  # what docs/compare-and-ci.md states: seconds


def run(*arguments, limit=600):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=limit)


def write_ladder(file, rungs, changed_from, fault):
    base = f"OCL_ICD_VENDORS={os.environ['OCL_ICD_VENDORS']} OPENCL_LAYERS={os.environ['FAULT_LAYER']}"
    lines = [f"v{rung} {base} {fault if rung >= changed_from else UNCHANGED}\n" for rung in range(rungs)]
    file.write_text("# planted\n" + "".join(lines))
    return file


def bisected(folder, name, rungs, changed_from, fault, *more, budget=120):
    """The exit status, what bisect.json says, and the folder."""
    ladder = write_ladder(folder / f"{name}.txt", rungs, changed_from, fault)
    out = folder / name
    begin = time.monotonic()
    done = run("compare", "--bisect", ladder, "--dwarf", "saxpy", "--budget", f"{budget}s", "--out", out, *more)
    took = time.monotonic() - begin
    print(f"{name}: {took - budget:+.1f} s to the budget of {budget} s")
    check(took < budget + ALLOWANCE, f"{name}: {took:.0f} s with a budget of {budget} s")
    if not check(done.returncode in (0, 1, 5), f"{name}: {done.returncode} {done.stdout}{done.stderr}"):
        return done.returncode, {}, out
    return done.returncode, json.loads((out / "bisect.json").read_text()), out


def finds_failure(folder, name, rungs, changed_from, fault, *more):
    status, result, out = bisected(folder, name, rungs, changed_from, fault, "--size", "tiny", *more)
    found = (result.get("found"), result.get("before"), result.get("after"))
    check(status == 1 and found == ("fails", f"v{changed_from - 1}", f"v{changed_from}"), f"{name}: {status} {result}")
    return result, out


def wrong_results(folder):
    result, out = finds_failure(folder, "wrong", 5, 3, "FAULT=wrong_result")
    check(result.get("reason", "").startswith("wrong_result: "), f"reason: {result}")
    # What a bug report needs: both builds' sources, options, logs and binaries, the samples, the command.
    for rung in ("v2", "v3"):
        files = {file.name.rsplit(".", 1)[-1] for file in (out / "programs" / rung).iterdir()}
        check({"cl", "options", "log", "binary"} <= files, f"programs of {rung}: {files}")
    check("wrong_result: " in (out / "programs" / "v3" / "failure.txt").read_text(), "failure.txt")
    check("compare --bisect" in (out / "report.txt").read_text(), "the command")
    check((out / "ladder.txt").exists() and not (out / "caches").exists(), "ladder.txt, and no caches")
    check(all((pair / "samples.csv").exists() for pair in (out / "pairs").iterdir()), "samples of each pair")


def slowdown(folder, factor, number=0, seed=1):
    """On a busy machine it may stay open, but no other rung is named for certain."""
    draw = random.Random(seed + number)
    rungs = draw.randint(4, 9)
    planted = draw.randint(1, rungs - 1)
    status, result, _ = bisected(folder, f"slow{number}", rungs, planted, f"FAULT=slower FAULT_SLOWER={factor}",
                                 "--size", "small", budget=240)
    right = (result.get("found"), result.get("after")) == ("slower", f"v{planted}")
    print(f"slowdown {number}: {rungs} rungs, planted v{planted}, {'right' if right else 'NOT right'}: status {status}, {result}")
    return right, status


def slowdowns(folder):
    right, status = slowdown(folder, 1.6)  # less takes longer
    check(right or status != 1, "the wrong rung")


def slowdowns_long(folder):
    right = sum(slowdown(folder, 1.1, number, 20780)[0] for number in range(1, 11))
    check(right >= 9, f"{right} of 10 slowdowns found")


def failures_long(folder):
    finds_failure(folder, "build", 6, 1, "FAULT=build_failure")
    finds_failure(folder, "crash", 6, 5, "FAULT=abort")
    finds_failure(folder, "hang", 4, 2, "FAULT=driver_hang", "--point-timeout", "5s")
    # Upwards or downwards.
    ladder = write_ladder(folder / "down.txt", 4, 2, UNCHANGED)
    text = ladder.read_text().replace("v0 ", "v0 FAULT_WHERE=VARIANT ")
    lines = [line.replace("FAULT=slower", "FAULT=wrong_result") if line.startswith(("v0", "v1")) else line
             for line in text.splitlines()]
    ladder.write_text("\n".join(lines) + "\n")
    out = folder / "down"
    done = run("compare", "--bisect", ladder, "--good", "v3", "--bad", "v0", "--dwarf", "saxpy", "--size", "tiny", "--out", out)
    result = json.loads((out / "bisect.json").read_text())
    check(done.returncode == 1 and (result["before"], result["after"]) == ("v2", "v1"), f"downwards: {done.stdout}{result}")


def missing_rungs(folder):
    """A driver that does not start is skipped and named; an end that does not start is an error."""
    ladder = write_ladder(folder / "gap.txt", 3, 2, "FAULT=wrong_result")
    lines = ladder.read_text().splitlines()
    lines[2] = f"v1 OCL_ICD_VENDORS={folder}/nothing"
    ladder.write_text("\n".join(lines) + "\n")
    done = run("compare", "--bisect", ladder, "--dwarf", "saxpy", "--size", "tiny", "--out", folder / "gap")
    check(done.returncode == 1 and "'v1' has no device" in done.stdout and "between 'v0'" in done.stdout,
          f"a gap: {done.returncode} {done.stdout}{done.stderr}")
    done = run("compare", "--bisect", ladder, "--bad", "v1", "--dwarf", "saxpy", "--size", "tiny", "--out", folder / "end")
    check(done.returncode == 3 and "the bad rung 'v1' cannot be used" in done.stderr, f"an end: {done.returncode} {done.stderr}")


def wrong_ladders(folder):
    ladder = folder / "ladder.txt"
    for text, words in (("", "at least two rungs"), ("a A=1\nb\n", "ladder.txt, line 2: the rung 'b' has no variable"),
                        ("a A=1\na A=2\n", "line 2: line 1 has the name 'a' already"), ("A=1\nB=2\n", "line 1: 'A=1' has no name"),
                        ("a A=1\nb /opt/x\n", "line 2: '/opt/x' has no '='"), ("a A=1\n\xff=2 B=1\n", "line 2: ")):
        ladder.write_text(text, encoding="latin-1")
        done = run("compare", "--bisect", ladder)
        check(done.returncode == 2 and words in done.stderr and done.stderr.count("\n") == 1, f"{text!r}: {done.returncode} {done.stderr}")
    ladder.write_text("a A=1\nb A=2\n")
    for more, words in ((["--good", "x"], "--good is 'x', which is no rung of the ladder; it has a, b"),
                        (["--good", "a", "--bad", "a"], "both the good and the bad rung"), (["--json"], "--bisect"),
                        (["--threshold", "0%"], "threshold"), (["RUN"], "no folders of runs"), (["--device", "a,b"], "one device")):
        done = run("compare", "--bisect", ladder, *more)
        check(done.returncode == 2 and words in done.stderr and done.stderr.count("\n") == 1, f"{more}: {done.returncode} {done.stderr}")
    for wrong in (folder / "missing", folder, "/dev/zero"):
        done = run("compare", "--bisect", wrong)
        check(done.returncode == 2 and done.stderr.count("\n") == 1, f"{wrong}: {done.returncode} {done.stderr}")
    done = run("compare", "a", "b", "--good", "x")
    check(done.returncode == 2 and "needs --bisect" in done.stderr, f"--good alone: {done.stderr}")


LONG = [slowdowns_long, failures_long]
run_checks([wrong_ladders, missing_rungs, wrong_results, slowdowns] + (LONG if "--long" in sys.argv else []))
