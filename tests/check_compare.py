"""`compare` from outside: exit statuses, forms that other tools read, known regressions, histories, two environments by
turns, and the plan for CI. Runs on PoCL; the pairs are PoCL against itself."""
import datetime
import json
import os
import subprocess
import xml.etree.ElementTree

from checks import PROGRAM, check, run_checks

CI = ["sweep", "--plan", "ci", "--dwarf", "crc,lud", "--size", "tiny", "--device", "pocl"]


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120)


def make_run(folder):
    """A run of the plan for CI, fewer blocks than it has by itself."""
    done = run(*CI, "--blocks", 24, "--rounds", 24, "--out", folder / "old")
    check(done.returncode == 0, f"the plan ci: {done.stderr}")
    return [folder / "old"]


def altered(old, new, change, run_id=None):
    """The old run under another name, with `change(line)` of each line of its log."""
    lines = [json.loads(line) for line in (old / "log.jsonl").read_text().splitlines()]
    if run_id:
        for line in lines:
            if line["type"] == "run":
                line.update(run_id=run_id[0], timestamp=run_id[1])
    new.mkdir()
    changed = [change(line) or line for line in lines]
    (new / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in changed if line != "drop"))
    return new


def slower_by(factor, config=""):
    def change(line):
        if config in json.dumps(line.get("key", "")):
            for taken in line.get("samples", []):
                taken["sample"]["span_ns"] *= factor
                taken["sample"]["wall_ns"] *= factor
    return change


def plan_is_fixed(folder, old):
    """Baseline and best known point of each dwarf, all with the same number of blocks, the best not chosen by them."""
    rows = [line.split(",") for line in (old / "measurements.csv").read_text().splitlines()]
    head = rows[0]
    totals = [dict(zip(head, row)) for row in rows[1:] if ",total," in ",".join(row)]
    check(len(totals) == 4, f"{len(totals)} points")
    check(not any("confirmed" in row for row in rows), "nothing is re-measured")
    again = run(*CI, "--blocks", 1, "--rounds", 1, "--out", folder / "again")
    check(again.returncode == 0, again.stderr)
    points = [{line.split(",total,")[1].split(",ok,")[0] for line in (each / "measurements.csv").read_text().splitlines()
               if ",total," in line} for each in (old, folder / "again")]
    check(points[0] == points[1], f"another plan: {points}")
    first = altered(old, folder / "first", lambda line: "drop" if line.get("round", 0) > 0 else None)
    one = run("compare", old, first)
    check(one.returncode == 5 and "\nnext: dwarfsweep sweep --device " in one.stdout, f"one block: {one.returncode} {one.stdout}")
    command = next(line for line in one.stdout.splitlines() if line.startswith("next: ")).split("  #")[0]
    words = subprocess.run(["sh", "-c", f"for word in {command.removeprefix('next: dwarfsweep ')}; do echo \"$word\"; done"],
                           capture_output=True, text=True, check=True).stdout.splitlines()
    done = run(*words, "--out", folder / "next")
    check(done.returncode == 0, f"the next command: {done.stderr}")
    report = json.loads(run("compare", old, folder / "next", "--format", "json").stdout)
    check(any(point["blocks_now"] >= 5 for point in report["points"]) or
          # On a busy machine the timer's test may fail by chance, in one of the runs.
          all(point["change"] == "incomparable" for point in report["points"]), f"decides: {report}")


def statuses(folder, old):
    check(run("compare", old, old, "--threshold", "5%").returncode == 0, "a run against itself")
    new = altered(old, folder / "slower", slower_by(3, "variant=tiled"))
    # For a threshold of 100 %: the noise of a busy machine does not bring its interval near that.
    slowest = altered(old, folder / "slowest", slower_by(10, "variant=tiled"))
    for more, status in ((["--threshold", "5%"], 1), (["--threshold", "5%", "--adjust", "holm"], 1),
                         (["--min-count", "2"], 0), (["--filter", "^crc"], 0), (["--filter", "^lud"], 1),
                         (["--only", "best"], 1), (["--threshold", "100%", "--adjust", "none"], 1),
                         (["--filter", "nothing like it"], 3), (["--filter", "("], 2), (["--adjust", "some"], 2),
                         (["--threshold", "-1%"], 2), (["--format", "latex"], 2), (["--blocks", "3"], 2)):
        done = run("compare", old, slowest if "100%" in more else new, *more)
        check(done.returncode == status, f"{more}: {done.returncode} {done.stdout}{done.stderr}")
    check(run("compare", new, old).returncode == 0, "faster is fine")


def forms(folder, old):
    new = altered(old, folder / "shown", slower_by(3, "variant=tiled"))
    tree = xml.etree.ElementTree.fromstring(run("compare", old, new, "--format", "junit").stdout)
    cases = list(tree.iter("testcase"))
    check(len(cases) == 4 and len({case.get("name") for case in cases}) == 4, f"{len(cases)} cases")
    failed = [case for case in cases if case.find("failure") is not None]
    check(len(failed) == 1 and failed[0].get("name").startswith("lud "), f"failed: {failed}")
    check(tree.get("failures") == "1" and tree.get("tests") == "4", f"counts: {tree.attrib}")
    report = json.loads(run("compare", old, new, "--format", "json").stdout)
    check(report == json.loads(run("compare", old, new, "--json").stdout), "--json is --format json")
    check(report["exit_status"] == 1 and report["points"][0]["ratio"] < 0.4, f"json: {report['points'][0]}")
    check(report["points"][0]["blocks_now"] == 24, f"blocks: {report['points'][0]}")
    text = run("compare", old, new, "--format", "markdown").stdout
    check(text.startswith("## dwarfsweep: Regression: 1 slower"), f"markdown: {text}")
    name = '<b>"GPU"</b> & \\u0007\\u2028 ]]>'
    hostile = altered(old, folder / "hostile", lambda line: json.loads(json.dumps(line).replace("pthread-", name.replace('"', '\\"'))))
    done = run("compare", hostile, hostile, "--format", "junit")
    suites = [suite.get("name") for suite in xml.etree.ElementTree.fromstring(done.stdout).iter("testsuite")]
    check(done.returncode == 0 and any('<b>"GPU"</b> & ' in suite for suite in suites), f"hostile names: {suites}")


def known_regressions(folder, old):
    new = altered(old, folder / "known", slower_by(3, "variant=tiled"))
    today = datetime.datetime.now(datetime.timezone.utc).date()
    allow = folder / "allow.txt"
    allow.write_text(f"# known\n{today}  ^lud.*variant=tiled  bug 12\n")
    done = run("compare", old, new, "--allow", allow)
    check(done.returncode == 0 and "bug 12" in done.stdout, f"allowed: {done.returncode} {done.stdout}")
    allow.write_text(f"{today - datetime.timedelta(days=1)}  ^lud  bug 12\n")
    done = run("compare", old, new, "--allow", allow)
    check(done.returncode == 1 and "line 1: expired on" in done.stdout, f"expired: {done.returncode} {done.stdout}")
    allow.write_text("next week lud x\n")
    done = run("compare", old, new, "--allow", allow)
    check(done.returncode == 2 and "line 1" in done.stderr, f"no date: {done.returncode} {done.stderr}")


def hostile_patterns(folder, old):
    """Patterns and lists without a sensible end: one sentence, soon."""
    for pattern, words in (("a" * 100_000, "at most 1000"), ("(" * 20_000, "at most 1000"), ("[" * 20_000, "at most 1000"),
                           ("(" * 900, "nested too deeply"), ("(a)\\1", "is no regular expression"), ("a{1000}{1000}", "nothing to repeat")):
        done = run("compare", old, old, "--filter", pattern)
        check(done.returncode == 2 and words in done.stderr and done.stderr.count("\n") == 1, f"{pattern[:20]}: {done.returncode} {done.stderr}")
    done = run("compare", old, old, "--filter", "(.*)*(.*)*(.*)*x$")
    check(done.returncode == 3, f"a pattern that backtracks: {done.returncode} {done.stderr}")
    for file in ("/dev/zero", folder):
        done = run("compare", old, old, "--allow", file)
        check(done.returncode == 2 and "is neither a file nor a pipe" in done.stderr, f"--allow {file}: {done.returncode} {done.stderr}")
    read, write = os.pipe()
    os.write(write, b"2000-01-01 ^lud old\n")
    os.close(write)
    done = subprocess.run([PROGRAM, "compare", old, old, "--allow", f"/dev/fd/{read}"], pass_fds=[read], capture_output=True, text=True, timeout=60)
    check(done.returncode == 0 and "no point that '^lud' matches" in done.stdout, f"a list from a pipe: {done.returncode} {done.stdout}{done.stderr}")


def slow_drifts(folder, old):
    """1 % each night: none of them shows it."""
    nights, statuses_of = folder / "nights", []
    before = old
    for night in range(16):
        new = altered(old, folder / f"night{night}", slower_by(1.01 ** night, "variant=tiled"),
                      (f"night{night}", f"2026-02-{night + 1:02}T00:00:00Z"))
        done = run("compare", before, new, "--threshold", "5%", "--history", nights)
        statuses_of.append(done.returncode)
        before = new
    check(statuses_of[0] == 0 and statuses_of[-1] == 1 and "times as long as at first, over 16 runs" in done.stdout,
          f"drift: {statuses_of} {done.stdout}")
    check(len((nights / "history.jsonl").read_text().splitlines()) == 16, "each run once")


def by_turns(folder, old):
    """PoCL against itself, then with variables that end its workers."""
    icd = f"OCL_ICD_VENDORS={os.environ['OCL_ICD_VENDORS']}"
    points = ["--dwarf", "crc", "--size", "tiny", "--blocks", 12, "--threshold", "50%"]
    done = run("compare", "--pairs", icd, f"{icd} DWARFSWEEP_TEST=1", *points, "--out", folder / "pairs", "--format", "json")
    # Undecided where other programs disturb so few blocks.
    if check(done.returncode in (0, 5), f"pairs: {done.returncode} {done.stdout}{done.stderr}"):
        report = json.loads(done.stdout)
        check(report["paired"] and {each["blocks_now"] for each in report["points"]} == {12}, f"pairs: {report}")
        rows = (folder / "pairs" / "samples.csv").read_text()
        check("@old" in rows and "@new" in rows, "one run has both sides")
    # A program from the cache would not be built.
    fault = f"{icd} OPENCL_LAYERS={os.environ['FAULT_LAYER']} FAULT=build_failure DWARFSWEEP_CACHE={folder}/programs"
    done = run("compare", "--pairs", icd, fault, *points, "--out", folder / "failing")
    check(done.returncode == 1 and " failing now" in done.stdout, f"a driver that fails: {done.returncode} {done.stdout}{done.stderr}")
    for wrong, words in ((["--pairs", icd], "two environments"), (["--pairs", "x", icd], "'x' has no '='"),
                         (["--pairs", icd, icd, "--device", "a,b,c"], "one selector, or two")):
        done = run("compare", *wrong)
        check(done.returncode == 2 and words in done.stderr, f"{wrong}: {done.returncode} {done.stderr}")


run_checks([plan_is_fixed, statuses, forms, known_regressions, hostile_patterns, slow_drifts, by_turns], make_run)
