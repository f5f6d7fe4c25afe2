"""Devices that can do little, points that need too much, and what the program must never do: each dwarf that names such
settings (`list --json`) runs where a work-group has one work-item, and where local memory is 8 KiB; what does not fit
is refused with numbers; no shell is run, nothing is written elsewhere, no secret is stored. A third of the settings and problems that
the dwarfs name are tried, the others on the next days; `--long` tries all."""
import csv
import json
import os
import pathlib
import re
import resource
import subprocess

from checks import PROGRAM, check, listed_dwarfs, run_checks, share_of_seed

LAYER = os.environ["FAULT_LAYER"]


def run(*arguments, preexec_fn=None, **environment):
    env = dict(os.environ, OPENCL_LAYERS=LAYER, **environment)
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=600, env=env,
                          preexec_fn=preexec_fn)


def small_host():
    resource.setrlimit(resource.RLIMIT_DATA, (300_000_000, 300_000_000))


def totals_of(folder):
    with open(folder / "measurements.csv", newline="") as file:
        return [row for row in csv.DictReader(file) if row["kernel"] == "total"]


def stated(field):
    """(dwarf, problem or settings) of what the dwarfs state for these checks, a third of them; dwarfs without are named."""
    dwarfs = listed_dwarfs()
    print(f"{field}: none of", " ".join(name for name in dwarfs if not dwarfs[name]["checks"][field]) or "nobody")
    points = [(name, point) for name, dwarf in dwarfs.items() for point in dwarf["checks"][field]]
    check(points, f"no dwarf states {field}")
    return share_of_seed(points, parts=3)


BRIEF = ["--size", "tiny", "--budget", "0", "--rounds", "1", "--blocks", "1", "--pairs", "1", "--no-device-figures"]

# One step beyond, and what is said of it.
BEYOND = {"work_group=1": ("crc", "work_group=8", "a work-group of 8 work-items is more than the device's 1"),
          "local=8192": ("lud", "work_group=32", "12288 bytes of local memory are more than the device's 8192")}


def small_devices(folder):
    brief = ["--size", "tiny", "--budget", "0", "--rounds", "1", "--blocks", "1", "--pairs", "1"]
    for limits, field in (("work_group=1", "single_item_settings"), ("local=8192", "small_local_settings")):
        device = {"FAULT": "limits", "FAULT_LIMITS": limits}
        for dwarf, settings in stated(field):
            done = run("run", "--dwarf", dwarf, "--set", settings, *brief, **device)
            check(done.returncode == 0 and re.search("^result +correct", done.stdout, re.MULTILINE),
                  f"{limits}: {dwarf} with {settings}: {done.stdout}{done.stderr}")
        dwarf, settings, reason = BEYOND[limits]
        done = run("run", "--dwarf", dwarf, "--set", settings, *brief, **device)
        check(done.returncode == 1 and reason in done.stderr, f"{limits}: {dwarf} with {settings}: {done.stderr}")


def more_than_the_host_has(_):
    """Refused with numbers. Not with a sanitizer, whose `new` ends the process, and whose own memory is more than the
    limit."""
    if "SANITIZED" in os.environ:
        return
    for dwarf, problem in stated("refused_problems"):
        done = run("run", "--dwarf", dwarf, "--problem", problem, "--budget", "1s")
        # A problem that the dwarf does not take at all is a wrong option.
        refused = done.returncode == 2 and re.search(r"dwarfsweep: .*\d", done.stderr)
        check(refused or done.returncode == 1 and re.search(r"(out_of_memory|not applicable) on .*\d", done.stderr),
              f"{dwarf} with {problem}: {done.stderr}")
    # The host's memory appears as 300 MB, and the program itself and the driver need some of it.
    for dwarf, problem in stated("large_problems"):
        done = run("run", "--dwarf", dwarf, "--problem", problem, "--budget", "1s", preexec_fn=small_host)
        check(done.returncode == 1 and re.search(r"out_of_memory on .*(may hold 0.30 GB|\d+ bytes)", done.stderr),
              f"{dwarf} with {problem} on a small host: {done.stderr}")


def more_than_the_device_has(folder):
    out = folder / "small_memory"
    run("sweep", *BRIEF, "--plan", "baseline", "--out", out, FAULT="limits",
        FAULT_LIMITS="global=20000,allocation=10000")
    rows = totals_of(out)
    little = [row for row in rows if row["status"] == "out_of_memory"]
    check(little and all(row["status"] in ("ok", "out_of_memory", "rejected") for row in rows),
          f"20 kB: {[(row['dwarf'], row['status']) for row in rows]}")
    check(all(re.search(r"needs \d+ bytes .* allows \d+ in one buffer and \d+ in all", row["reason"])
              for row in little),
          f"20 kB: {[row['reason'] for row in little]}")


def memory_for_two_points(folder):
    """A device whose memory two points fill: a third has the others make room for it, and all are measured."""
    out = folder / "two_points"
    sweep = ["sweep", "--dwarf", "saxpy", *BRIEF, "--set", "variant=interleaved", "--axis", "granularity=1,2,4"]
    limits = {"FAULT": "memory", "FAULT_LIMITS": "memory=80000"}  # a point has three arrays of 8 KiB, and guards
    done = run(*sweep, "--out", out, **limits)
    rows = totals_of(out)
    check(done.returncode == 0 and len(rows) == 3 and all(row["status"] == "ok" for row in rows),
          f"two points: {[(row['granularity'], row['status'], row['reason']) for row in rows]} {done.stderr}")
    out = folder / "no_point"
    done = run(*sweep, "--axis", "work_group=64,128", "--out", out, **dict(limits, FAULT_LIMITS="memory=20000"))
    rows = totals_of(out)
    # The first point has its arrays before the layer begins to count. However many fail, each is tried: another might fit.
    check(done.returncode == 1 and all(row["status"] == "out_of_memory" for row in rows[1:]),
          f"no point fits: {[(row['granularity'], row['status'], row['reason']) for row in rows]} {done.stderr}")


def stays_in_its_folder(folder):
    place = folder / "place"
    place.mkdir()
    before = set(folder.rglob("*"))
    os.chdir(place)
    tricky = "o'; touch pwned; $(touch pwned) `touch pwned` \" | touch pwned"
    done = run("sweep", "--dwarf", "crc", *BRIEF, "--plan", "baseline", "--host", "$(touch pwned)../../x",
               "--out", tricky)
    check(done.returncode == 0, f"an odd name: {done.stderr}")
    run("sweep", "--dwarf", "$(touch pwned)")
    run("run", "--dwarf", "crc", "--input", "; touch pwned")
    run("sweep", "--dwarf", "crc", *BRIEF, "--plan", "baseline", "--host", "../../$(touch pwned)")
    os.chdir(folder)
    written = set(folder.rglob("*")) - before
    check(not any(path.name == "pwned" for path in written), f"a shell was run: {written}")
    allowed = (place / tricky, place / "results" / "runs")
    stray = [path for path in written if not any(path == top or top in path.parents for top in allowed) and
             path != place / "results"]
    check(not stray, f"written elsewhere: {stray}")
    check(len(list((place / "results" / "runs").iterdir())) == 1,
          "a host's name makes one folder, and no way out of it")


def foreign_folders(folder):
    foreign = folder / "foreign"
    foreign.mkdir()
    (foreign / "log.jsonl").write_text('{"time": 1, "level": "info"}\n')
    (foreign / "measurements.csv").write_text("a,b\n1,2\n")
    content = [path.read_bytes() for path in sorted(foreign.iterdir())]
    for arguments in (["--resume", foreign], ["--out", foreign, "--dwarf", "crc"]):
        done = run("sweep", *arguments)
        check(done.returncode == 2 and len(done.stderr.splitlines()) == 1, f"a foreign folder: {done.stderr}")
    check(content == [path.read_bytes() for path in sorted(foreign.iterdir())], "a foreign folder was touched")
    done = run("sweep", "--resume", folder / "nowhere")
    check(done.returncode == 2 and "there is no run folder" in done.stderr, f"no folder: {done.stderr}")


def known_exceptions(folder):
    """llvmpipe ends loops early without an error: its row is a wrong result, and names the reason."""
    vendors = pathlib.Path(os.environ["OCL_ICD_VENDORS"]).parent / "rusticl"
    if not vendors.exists():
        return
    out = folder / "exception"
    done = run("sweep", "--dwarf", "sgemv", "--problem", "m=3,n=70001", "--set", "variant=row_per_item,unroll=1",
               "--plan", "baseline", *BRIEF[2:], "--out", out, OCL_ICD_VENDORS=str(vendors), RUSTICL_ENABLE="llvmpipe")
    rows = totals_of(out)
    check(done.returncode == 1 and [row["status"] for row in rows] == ["wrong_result"] and
          "known: llvmpipe is wrong beyond 65,535 loop iterations" in rows[0]["reason"],
          f"llvmpipe: {rows} {done.stderr}")


def what_a_run_stores(folder):
    """The self-test's figures and the environment that steers drivers are stored, secrets are not."""
    out = folder / "stored"
    done = run("sweep", "--dwarf", "crc", *BRIEF[:-1], "--plan", "baseline", "--out", out,
               POCL_MAX_PTHREAD_COUNT="2", POCL_ACCESS_TOKEN="hush-hush", MY_PASSWORD="hush-hush",
               CUDA_API_KEY="hush-hush")
    if not check(done.returncode == 0, f"stored: {done.stderr}"):
        return
    stored = json.loads((out / "run.json").read_text())
    check(stored["environment"].get("POCL_MAX_PTHREAD_COUNT") == "2", f"environment: {stored['environment']}")
    files = [path for path in out.iterdir() if b"hush" in path.read_bytes()]
    check(not files, f"a secret is in {files}")
    figures = stored["devices"][0].get("selftest", {})
    check({"launch_ns", "linearity", "event_share", "harness_ns", "self_comparison", "half_width"} <= set(figures),
          f"self-test: {figures}")
    check(sum('"type":"selftest"' in line for line in open(out / "log.jsonl")) == 1,
          "the self-test is in the log, once")
    run("sweep", "--resume", out)
    check(json.loads((out / "run.json").read_text())["devices"][0]["selftest"] == figures, "and stays when resumed")


run_checks([small_devices, more_than_the_host_has, more_than_the_device_has, memory_for_two_points,
            stays_in_its_folder, foreign_folders, known_exceptions, what_a_run_stores])
