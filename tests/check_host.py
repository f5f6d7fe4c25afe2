"""The program and the machine it runs on: streams that it was started without, the CPUs it is bound to, the load that
others cause."""
import collections
import json
import os
import pathlib
import subprocess
import time

from checks import PROGRAM, check, run_checks

SWEEP = ["sweep", "--dwarf", "crc", "--size", "tiny", "--plan", "baseline", "--no-device-figures", "--budget"]


def sweep(out, *more, budget="1s", **options):
    """A short sweep into the folder `out`, done; its run.json."""
    done = subprocess.run([PROGRAM, *SWEEP, budget, "--out", str(out), *more], timeout=120, **options)
    file = out / "run.json"
    return done, json.loads(file.read_text()) if file.exists() else {}


def allowed():
    return sorted(os.sched_getaffinity(0))


def closed_streams(folder):
    """Without standard streams a sweep measures the same points, and its files hold nothing but results."""
    for closed in ([0], [1], [2], [0, 2], [1, 2], [0, 1, 2]):
        out = folder / ("closed_" + "".join(map(str, closed)))
        done, run = sweep(out, preexec_fn=lambda: [os.close(fd) for fd in closed])
        check(done.returncode == 0, f"without the streams {closed}: status {done.returncode}")
        check(run.get("points") == {"ok": 1}, f"without the streams {closed}: points {run.get('points')}")
        lines = (out / "log.jsonl").read_text().splitlines() if run else []
        check(lines and all(line.startswith("{") for line in lines), f"without the streams {closed}: the log has other lines")


def children_of(parent):
    children = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(fields[1]) == parent:
                    children.append(entry)
            except OSError:
                pass  # it has ended
    return children


def affinities(process):
    """Where each thread of each child was seen most, while the process runs. hwloc, by which PoCL looks at the machine,
    binds its thread to each CPU for a moment: threads seen only a few times do not count."""
    seen = collections.defaultdict(collections.Counter)
    while process.poll() is None:
        for child in children_of(process.pid):
            for thread in child.glob("task/*"):
                try:
                    seen[thread.name][frozenset(os.sched_getaffinity(int(thread.name)))] += 1
                except OSError:
                    pass
        time.sleep(0.02)
    return {cpus.most_common(1)[0][0] for cpus in seen.values() if cpus.total() >= 10}


def bound_workers(folder):
    """--cpus: the threads of the workers are on that CPU and no other, and the run says so."""
    cpu = allowed()[-1]
    out = folder / "bound"
    process = subprocess.Popen([PROGRAM, *SWEEP, "2s", "--out", out, "--cpus", str(cpu), "--cpu-reference"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seen = affinities(process)
    check(process.returncode == 0, f"--cpus {cpu}: status {process.returncode}")
    check(seen == {frozenset([cpu])}, f"--cpus {cpu}: the threads of the workers were on {seen}")
    run = json.loads((out / "run.json").read_text())
    check(run["host"]["cpus"]["allowed"] == str(cpu), f"the run's CPUs: {run['host']['cpus']}")
    check(run["host"]["threads"] == 1, f"threads of the host: {run['host']['threads']}")
    units = [device["info"]["compute_units"] for device in run["devices"] if device["info"]["type"] in ("cpu", "host")]
    check(units == [1] * len(units) and units, f"compute units on one CPU: {units}")

    # A run that goes on is bound as it was.
    resumed = subprocess.Popen([PROGRAM, "sweep", "--resume", out], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seen = affinities(resumed)
    check(seen <= {frozenset([cpu])}, f"resumed with --cpus {cpu}: the threads of the workers were on {seen}")


def wrong_lists(_):
    other = allowed()[-1] + 1
    for text, sentence in (("x", "must be a list of CPU numbers and ranges such as 0-7,16"), ("3-1", "must be a list"),
                           ("0,", "must be a list"), ("", "--cpus needs a value"),
                           (str(other), f"--cpus names CPU {other}, but this process may only use the CPUs")):
        done = subprocess.run([PROGRAM, "run", "--dwarf", "crc", "--cpus", text], capture_output=True, text=True)
        check(done.returncode == 2 and sentence in done.stderr and done.stderr.count("\n") == 1,
              f"--cpus '{text}': {done.returncode} {done.stderr!r}")


def load_from_others(folder):
    """A busy CPU is found and warned of, on the terminal and in the run."""
    cpu = allowed()[0]
    spinner = subprocess.Popen(["sh", "-c", "while :; do :; done"], preexec_fn=lambda: os.sched_setaffinity(0, [cpu]))
    try:
        done, run = sweep(folder / "loaded", "--cpus", str(cpu), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    finally:
        spinner.kill()
        spinner.wait()
    busy = run["host"]["cpus"]["busy_cpus"]
    check(busy > 0.8, f"busy CPUs beside an endless loop: {busy}")
    warnings = [line for line in done.stderr.splitlines() if "of the 1 CPUs busy" in line]
    check(len(warnings) == 2, f"a warning at the begin and one at the end: {done.stderr!r}")
    check(len(run["warnings"]) == 1 and run["warnings"][0] in warnings[0], f"warnings of the run: {run['warnings']}")


run_checks([closed_streams, bound_workers, wrong_lists, load_from_others])
