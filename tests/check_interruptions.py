"""What happens to a sweep itself: it is killed, interrupted, started twice, and its disk fills. --resume completes the
run with nothing lost and nothing twice.

`check_interruptions.py --long` does more of what is random. Any other argument names the checks to do."""
import collections
import csv
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import time

from checks import PROGRAM, check, run_checks
from fault_sweep import LONG, SWEEP, altered_copy, check_same, environment, name_of, rows_of, run, undisturbed_rows


def no_worker_left(what):
    """A worker of a dead parent dies with it."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        left = []
        for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if entry.read_bytes() == b"dwarfsweep\0worker\0" and os.getcwd() in os.readlink(entry.parent / "cwd"):
                    left.append(entry)
            except OSError:
                pass
        if not left:
            return
        time.sleep(0.05)
    check(False, f"{what}: workers are left: {left}")


def killed(folder, undisturbed):
    """SIGKILL at random moments until the run is complete; again and again."""
    generator = random.Random(7)
    kills = 0
    wanted = 100 if LONG else 8
    number = 0
    while kills < wanted:
        number += 1
        out = folder / f"killed_{number}"
        starts = 0
        while True:
            begun = (out / "log.jsonl").exists() and b'"type":"run"' in (out / "log.jsonl").read_bytes()
            if out.exists() and not begun:
                shutil.rmtree(out)  # killed before there was a run
            arguments = ["sweep", "--resume", out] if begun else [*SWEEP, "--out", out]
            process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                       text=True, env=environment())
            starts += 1
            try:
                # Later and later, so that every run comes to its end.
                process.wait(generator.uniform(0, 0.25 + 0.05 * starts))
            except subprocess.TimeoutExpired:
                process.kill()
                kills += 1
            error = process.communicate()[1]
            if process.returncode != -signal.SIGKILL:
                break
        check(process.returncode == 0, f"killed run {number}: {process.returncode} {error}")
        check_same(rows_of(out), undisturbed, f"run {number}, killed {starts - 1} times")
        check_process_numbers(out)
    no_worker_left("killed")
    print(f"killed {kills} times, in {number} runs")


def check_process_numbers(out):
    """A measurement block belongs to one worker, and a resumed run's workers are others than those before."""
    with open(out / "samples.csv", newline="") as file:
        samples = list(csv.DictReader(file))
    blocks = collections.defaultdict(set)
    for row in samples:
        blocks[name_of(dict(row, kernel="")), row["block"]].add((row["round"], row["process"]))
    check(all(len(each) == 1 for each in blocks.values()), f"{out.name}: blocks are mixed")


def interrupted(folder, undisturbed):
    generator = random.Random(11)
    for number in range(20 if LONG else 3):
        out = folder / f"interrupted_{number}"
        process = subprocess.Popen([PROGRAM, *SWEEP, "--out", str(out)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, env=environment())
        while not (out / "log.jsonl").exists() and process.poll() is None:
            time.sleep(0.005)
        time.sleep(generator.uniform(0, 0.4))
        process.send_signal(signal.SIGINT if number % 2 == 0 else signal.SIGTERM)
        error = process.communicate(timeout=60)[1]
        check(process.returncode in (0, 130), f"interrupted: {process.returncode} {error}")
        if process.returncode == 130:
            check(f"continue with: dwarfsweep sweep --resume {out}" in error, f"interrupted: {error}")
            check((out / "measurements.csv").exists(), "an interrupted run has its files")
        done = run("sweep", "--resume", out)
        check(done.returncode == 0, f"interrupted, resumed: {done.stderr}")
        check_same(rows_of(out), undisturbed, "interrupted, resumed")
    no_worker_left("interrupted")


def said(done):
    """What a command said on stderr, without warnings of a busy machine."""
    return [line for line in done.stderr.splitlines() if "warning: " not in line]


def small_disk(file_bytes):
    """For subprocess: no file grows beyond so many bytes. The layer takes the limit off the worker."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, resource.RLIM_INFINITY))
    return limit


def full_disk(folder, undisturbed):
    """The disk fills at any byte of the log, or when all is measured and the tables are written."""
    whole = len((folder / "undisturbed" / "log.jsonl").read_bytes())
    for share in (0, 0.2, 0.5, 0.8):  # a run without a best candidate to measure again has a log of nine tenths
        out = folder / f"full_{share}"
        done = run(*SWEEP, "--out", out, preexec_fn=small_disk(int(whole * share)))
        check(done.returncode == 1 and "cannot write" in done.stderr and "File too large" in done.stderr and
              len(said(done)) == 1, f"full disk: {done.returncode} {done.stderr}")
        if share == 0:
            continue
        again = run("sweep", "--resume", out)
        if check(again.returncode == 0, f"full disk, resumed: {again.stderr}"):
            check_same(rows_of(out), undisturbed, "full disk, resumed")
    tables = {path: path.read_bytes() for path in out.glob("*.csv")}
    done = run("sweep", "--resume", out, preexec_fn=small_disk(len(tables[out / "samples.csv"]) - 1))
    check(done.returncode == 1 and "samples.csv: File too large" in done.stderr, f"no place for tables: {done.stderr}")
    check(tables == {path: path.read_bytes() for path in out.glob("*.csv")}, "tables that cannot be replaced stay")


def two_at_once(folder, undisturbed):
    out = folder / "two"
    both = [subprocess.Popen([PROGRAM, *SWEEP, "--out", str(out)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                             text=True, env=environment()) for _ in range(2)]
    errors = [process.communicate(timeout=120)[1] for process in both]
    codes = sorted(process.returncode for process in both)
    check(codes == [0, 2], f"two sweeps into one folder: {codes} {errors}")
    check(any("another process" in error or "holds a run already" in error for error in errors), f"two: {errors}")
    check_same(rows_of(out), undisturbed, "two sweeps into one folder")
    resumed = [subprocess.Popen([PROGRAM, "sweep", "--resume", str(out)], stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True, env=environment()) for _ in range(2)]
    errors = [process.communicate(timeout=120)[1] for process in resumed]
    check(all(process.returncode in (0, 2) for process in resumed), f"two resume one run: {errors}")
    check_same(rows_of(out), undisturbed, "two resume one run")


def resumed_elsewhere(folder, _):
    """What differs from the run is refused by name; as a new part it is measured and kept apart."""
    whole = folder / "left_out"
    arguments = list(SWEEP)
    arguments[arguments.index("--budget") + 1] = "1ms"
    run(*arguments, "--out", whole)
    check(sum(row["status"] == "not_run" for row in rows_of(whole)) >= 3, "some are left out")

    def changed(record, part, **values):
        def change(line):
            if line["type"] == record:
                (line[part] if part else line).update(values)
            if record == "device" and line["type"] == "point" and "driver" in values:
                line["driver"] = values["driver"]
        return change

    for name, says, change in (("driver", "the driver of", changed("device", "info", driver="0.9")),
                               ("host", "the host was 'far'", changed("run", "host", name="far")),
                               ("processor", "the processor was 'slow'", changed("run", "host", processor="slow")),
                               ("revision", "the revision was 'older'", changed("run", None, revision="older")),
                               ("kernels", "the hash of the kernels was '00'", changed("run", None, kernels="00")),
                               ("device", "is not here", changed("device", "info", id="gone")),
                               ("old", "not recorded", lambda line: line.pop("kernels", None))):
        out = altered_copy(whole, f"elsewhere_{name}", change)
        log = (out / "log.jsonl").read_bytes()
        done = run("sweep", "--resume", out)
        check(done.returncode == 2 and says in done.stderr and "--new-part" in done.stderr and
              len(said(done)) == 1,
              f"elsewhere, {name}: {done.returncode} {done.stderr}")
        check((out / "log.jsonl").read_bytes() == log, f"elsewhere, {name}: nothing is written")
        if name not in ("driver", "host"):
            continue
        old = {name_of(row): row["median_ns"] for row in rows_of(whole) if row["median_ns"]}
        done = run("sweep", "--resume", out, "--new-part", "--budget", "0")
        rows = rows_of(out)
        check(done.returncode == 0, f"new part, {name}: {done.returncode} {done.stderr}")
        column, value = {"driver": ("driver", "0.9"), "host": ("host", "far")}[name]
        for row in rows:
            is_new = row["run_id"].endswith("-part2")
            check((row[column] == value) != is_new, f"new part, {name}: {row['run_id']} has {row[column]}")
            check(is_new or row["median_ns"] == old.get(name_of(row), ""), f"new part, {name}: old rows stay")
        check(old and any(row["run_id"].endswith("-part2") for row in rows), f"new part, {name}: both parts have rows")
        check(all(row["status"] == "ok" for row in rows), f"new part, {name}: all is measured")
        check(len({name_of(row) for row in rows if row["kernel"] == "total"}) == 6, f"new part, {name}: six points")
        again = run("sweep", "--resume", out)
        check(again.returncode == 0 and rows_of(out) == rows, f"new part, {name}, resumed: {again.stderr}")


run_checks([killed, interrupted, full_disk, two_at_once, resumed_elsewhere], undisturbed_rows)
