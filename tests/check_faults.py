"""A sweep meets everything that can go wrong: the OpenCL layer tests/faults/fault_layer.cpp makes PoCL misbehave, and
this script kills, interrupts and starves the program. After each fault the sweep has ended, the row says what happened,
all other rows are there and right, and --resume completes the run.

`check_faults.py --long` does more of what is random. Any other argument names the checks to do."""
import collections
import csv
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

from checks import PROGRAM, check, run_checks

LAYER = os.environ["FAULT_LAYER"]
LONG = "--long" in sys.argv

# Six points, of which the fault hits the one of work-group 128 unless said otherwise. Measured briefly, and never
# converged, so that two runs have the same number of samples.
SWEEP = ["sweep", "--dwarf", "crc", "--size", "tiny", "--set", "variant=slicing", "--axis", "work_group=64,128,256",
         "--axis", "granularity=1,2", "--budget", "0", "--rounds", "2", "--blocks", "2", "--pairs", "1", "--precision",
         "0.001%", "--point-timeout", "60s", "--no-device-figures"]
HIT = "WORK_GROUP=128"

# What two runs of the same points need not have in common. The timer's self-test judges a busy machine now so, now so.
TIMES = re.compile(r".*_ns|.*_per_s|timer|timestamp|run_id|samples|launches|peak_fraction|bound|speedup.*|verdict")



def environment(fault=None, where=HIT, **settings):
    result = dict(os.environ, OPENCL_LAYERS=LAYER)
    if fault:
        result.update(FAULT=fault, FAULT_WHERE=where)
    result.update({f"FAULT_{name.upper()}": str(value) for name, value in settings.items()})
    return result


def sweep(**changes):
    """The arguments of SWEEP, with some options changed."""
    arguments = list(SWEEP)
    for name, value in changes.items():
        arguments[arguments.index("--" + name.replace("_", "-")) + 1] = value
    return arguments


def run(*arguments, env=None, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=600,
                          env=env or environment(), **options)


def rows_of(folder):
    with open(folder / "measurements.csv", newline="") as file:
        return list(csv.DictReader(file))


def totals_of(folder):
    return [row for row in rows_of(folder) if row["kernel"] == "total"]


def name_of(row):
    return "|".join(row[column] for column in ("dwarf", "kernel", "size", "problem", "variant", "work_group",
                                               "granularity", "vector_width", "unroll", "padding", "options"))


def untimed(row):
    """The row without its times. A point ends by its last round, or by the rounds that confirm the winner."""
    kept = {column: value for column, value in row.items() if not TIMES.fullmatch(column)}
    kept["stop_reason"] = kept["stop_reason"].replace("confirmed", "rounds")
    return kept


def is_hit(row, where=HIT):
    options = [f"{axis.upper()}={row[axis]}" for axis in ("variant", "work_group", "granularity")]
    return where in options


def check_same(rows, wanted, what):
    """The same rows in the same order, but for times; none twice."""
    got = [untimed(row) for row in rows]
    wanted = [untimed(row) for row in wanted]
    if check([name_of(row) for row in rows] == list(dict.fromkeys(name_of(row) for row in rows)), f"{what}: a row twice"):
        for one, other in zip(got, wanted if len(got) == len(wanted) else got):
            different = {column: (one[column], other[column]) for column in one if one[column] != other[column]}
            check(not different, f"{what}: {name_of(one)}: {different}")
    check(len(got) == len(wanted), f"{what}: {len(got)} rows instead of {len(wanted)}")


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


# --- one fault in one point ---------------------------------------------------------------------------------------

# fault: status of the points it hits, what their reason says, what else
FAULTS = {
    "wild_store": ("crashed", "ended by signal SIGSEGV", {}),
    "abort": ("crashed", "ended by signal SIGABRT (Aborted); end of stderr: .../driver.cc: assertion 'work < worth' failed", {}),
    "silent_exit": ("crashed", "exited with status 0", {}),
    "half_line": ("crashed", "in the middle of an answer", {}),
    "rubbish": ("crashed", "sent something that is not an answer", {}),
    "strange_answer": ("crashed", "is not of the expected form", {}),
    "strange_error": ("crashed", "sent something that is not an answer", {}),
    "endless": ("timed_out", "the point's limit of 2s was reached while doing 'prepare'", {"point_timeout": "2s"}),
    "driver_hang": ("timed_out", "the worker process was killed", {"point_timeout": "2s"}),
    "thread_hang": ("timed_out", "the worker process was killed", {"point_timeout": "2s"}),
    "build_crash": ("crashed", "end of stderr: LLVM ERROR: cannot select", {}),
    "build_hang": ("timed_out", "the point's limit of 2s was reached", {"point_timeout": "2s"}),
    "build_slow": ("timed_out", "the point's limit of 2s was reached", {"point_timeout": "2s"}),
    "build_failure": ("build_failed", "no_such_word", {}),
    "late_allocation": ("out_of_memory", "CL_MEM_OBJECT_ALLOCATION_FAILURE", {}),
    "refused_launch": ("launch_failed", "CL_INVALID_KERNEL_ARGS", {}),
    "wrong_result": ("wrong_result", "wanted 0x", {}),
}


def faults(folder, undisturbed):
    for fault, (status, reason, options) in FAULTS.items():
        out = folder / fault
        done = run(*sweep(**options), "--out", out, env=environment(fault))
        if "point_timeout" in options and any(row["status"] == "timed_out" for row in rows_of(out) if not is_hit(row)):
            # A machine that is busy with other things, where a point that is fine takes so long.
            shutil.rmtree(out)
            done = run(*sweep(point_timeout="20s"), "--out", out, env=environment(fault))
            reason = reason.replace("2s", "20s")
        if not check(done.returncode == 1, f"{fault}: exit status {done.returncode}: {done.stderr}"):
            continue
        rows = rows_of(out)
        check_same([row for row in rows if not is_hit(row)], [row for row in undisturbed if not is_hit(row)], fault)
        hit = [row for row in rows if is_hit(row)]
        check(len(hit) == 1 and all(row["status"] == status and reason in row["reason"] for row in hit),
              f"{fault}: {[(row['status'], row['reason']) for row in hit]}")
        check(all(row["median_ns"] == "" and row["speedup"] == "" for row in hit), f"{fault}: a failed row has no times")
        again = run("sweep", "--resume", out)
        check(again.returncode == 1, f"{fault}: resumed: {again.returncode} {again.stderr}")
        check_same(rows_of(out), rows, f"{fault}, resumed")


def fault_in_a_block(folder, undisturbed):
    """The fault comes when all is prepared and measuring has begun: the rows before it and after it stand."""
    # Verifying and warming up are at least eight launches. A crash must also come in a new worker, in its first block.
    for fault, status, nth, options in (("abort", "crashed", 9, {}), ("half_line", "crashed", 9, {}),
                                        ("endless", "timed_out", 12, {"point_timeout": "10s"}),
                                        ("late_allocation", "out_of_memory", 12, {}), ("wrong_result", "wrong_result", 12, {})):
        out = folder / f"block_{fault}"
        done = run(*sweep(**options), "--out", out, env=environment(fault, nth=nth))
        check(done.returncode == 1, f"{fault} in a block: {done.returncode} {done.stderr}")
        rows = rows_of(out)
        check_same([row for row in rows if not is_hit(row)], [row for row in undisturbed if not is_hit(row)],
                   f"{fault} in a block")
        hit = [row["status"] for row in rows if is_hit(row)]
        check(status in hit and set(hit) <= {status, "ok"}, f"{fault} in a block: {hit}")
        run("sweep", "--resume", out)
        check_same(rows_of(out), rows, f"{fault} in a block, resumed")


def no_buffer(folder, undisturbed):
    """One allocation fails, once: one point lacks memory, all others are as ever."""
    out = folder / "no_buffer"
    done = run(*SWEEP, "--out", out, env=environment("allocation", nth=15, once=folder / "no_buffer_marker"))
    rows = rows_of(out)
    lacking = [row for row in rows if row["status"] == "out_of_memory"]
    check(done.returncode == 1 and len(lacking) == 1 and "CL_MEM_OBJECT_ALLOCATION_FAILURE" in lacking[0]["reason"],
          f"no buffer: {done.stderr} {[(row['status'], row['reason']) for row in rows]}")
    others = {name_of(row) for row in rows if row["status"] == "ok"}
    check_same([row for row in rows if row["status"] == "ok"], [row for row in undisturbed if name_of(row) in others],
               "no buffer")
    check({row["work_group"] + row["granularity"] for row in rows} ==
          {row["work_group"] + row["granularity"] for row in undisturbed}, "no buffer: every point has a row")
    run("sweep", "--resume", out)
    check_same(rows_of(out), rows, "no buffer, resumed")


def time_is_up(folder, _):
    """A point's limit covers all of its measurement blocks: one that would be measured for hours ends by it, and stands."""
    out = folder / "time_is_up"
    measuring = sweep(rounds="10000", blocks="10000", point_timeout="5s")
    done = run("sweep", "--dwarf", "crc", "--size", "tiny", "--plan", "baseline", *measuring[measuring.index("--budget"):],
               "--out", out)
    totals = totals_of(out)
    check(done.returncode == 0 and [row["stop_reason"] for row in totals] == ["point-timeout"] and totals[0]["median_ns"],
          f"time is up: {done.stderr} {totals}")


def leftover_budget(folder, _):
    """What one dwarf leaves of the budget is for the points of another, which are paired with their baseline though that
    has ended. crc's baseline takes 12 s once, and its share of 24 s, of which the last quarter is for measuring, ends."""
    arguments = ["sweep", "--dwarf", "crc,srad", "--size", "tiny", "--axis", "granularity=1,16", *sweep(
        budget="24s")[SWEEP.index("--budget"):]]
    out = folder / "leftover"
    done = run(*arguments, "--out", out, env=environment("slow", where="VARIANT_PER_BYTE", once=folder / "slow_marker"))
    totals = totals_of(out)
    check(done.returncode == 0 and [row["status"] for row in totals] == ["ok"] * 4,
          f"leftover budget: {done.stderr} {[row['reason'] for row in totals]}")
    check(all(row["speedup"] for row in totals if row["baseline"] == "false"), f"leftover budget: {totals}")


def ended_baseline(folder, _):
    """A resumed run pairs its points with a baseline that has ended before."""
    out = folder / "ended_baseline"
    run(*SWEEP, "--out", out)
    log = (out / "log.jsonl").read_text().splitlines(keepends=True)
    kept = [line for line in log if '"granularity=2' not in line and "granularity=2;" not in line]
    check(len(kept) < len(log), "the log names its points' settings")
    (out / "log.jsonl").write_text("".join(kept))
    done = run("sweep", "--resume", out)
    again = [row for row in totals_of(out) if row["granularity"] == "2"]
    check(done.returncode == 0 and again and all(row["speedup"] for row in again),
          f"ended baseline: {done.stderr} {again}")


def innocent_points(folder, undisturbed):
    """What kills a worker once only was done to it by something before: the point is asked about again."""
    out = folder / "once"
    done = run(*SWEEP, "--out", out, env=environment("abort", once=folder / "once_marker"))
    check(done.returncode == 0, f"a crash that does not come again: {done.stderr}")
    rows = rows_of(out)
    told = [row for row in rows if "a new one did not" in row["reason"]]
    check(len(told) == 2 or len(told) == 3, f"the row tells of the crash: {[row['reason'] for row in rows]}")
    for row in told:
        row["reason"] = ""
    check_same(rows, undisturbed, "a crash that does not come again")


def baseline_fails(folder, _):
    """Without a baseline the others are measured alone."""
    out = folder / "baseline"
    done = run(*SWEEP, "--out", out, env=environment("abort", where="WORK_GROUP=256"))
    check(done.returncode == 1, f"baseline fails: {done.stderr}")
    totals = totals_of(out)
    check(totals[0]["baseline"] == "true" and totals[0]["status"] == "crashed", f"baseline: {totals[0]}")
    alone = [row for row in totals if row["work_group"] != "256"]
    check(len(alone) == 4 and all(row["status"] == "ok" and row["speedup"] == "" and row["median_ns"] for row in alone),
          f"without a baseline: {alone}")


def skipped_after_failures(folder, _):
    """A variant that fails three times in a row is left alone; another variant is not touched by that."""
    arguments = ["sweep", "--dwarf", "crc", "--size", "tiny", "--axis", "variant=slicing,per_byte", "--axis",
                 "work_group=64,128,256", "--axis", "granularity=1,2"] + SWEEP[SWEEP.index("--budget"):]
    for limit, failing in ((None, 3), (1, 1), (0, 5)):
        out = folder / f"skipped_{limit}"
        more = [] if limit is None else ["--give-up-after", limit]
        done = run(*arguments, *more, "--out", out, env=environment("abort", where="VARIANT=VARIANT_SLICING"))
        totals = totals_of(out)
        slicing = [row for row in totals if row["variant"] == "slicing"]
        others = [row for row in totals if row["variant"] != "slicing"]
        counts = collections.Counter(row["status"] for row in slicing)
        check(done.returncode == 1 and counts["crashed"] == failing and counts["rejected"] == 5 - failing,
              f"give up after {limit}: {counts} {done.stderr}")
        for row in slicing:
            check(row["status"] == "crashed" or row["stop_reason"] == "skipped" and
                  f"failed {failing} times in a row on this device; the last: crashed: the worker" in row["reason"],
                  f"a skipped row says why: {row['reason']}")
        check(len(others) == 4 and all(row["status"] == "ok" for row in others), "the other variant is measured")
        rows = rows_of(out)
        run("sweep", "--resume", out)
        check_same(rows_of(out), rows, "skipped points, resumed")


def vanishing_device(folder, _):
    """The device goes with the second dwarf: every later call says so, in new processes too. Nothing is retried for
    ever, and what was measured stands."""
    arguments = ["sweep", "--dwarf", "crc,srad", "--size", "tiny", "--axis", "granularity=1,16",
                 *SWEEP[SWEEP.index("--budget"):]]
    for nth in (1, 60):
        out = folder / f"vanished_{nth}"
        marker = folder / f"vanished_marker_{nth}"
        done = run(*arguments, "--out", out, env=environment("vanish", where="VARIANT_BRANCHES", nth=nth, once=marker))
        told = [(row["dwarf"], row["status"], row["reason"]) for row in totals_of(out)]
        check(done.returncode == 1 and [status for dwarf, status, _ in told if dwarf == "crc"] == ["ok", "ok"],
              f"vanished: {told} {done.stderr}")
        check([dwarf for dwarf, status, reason in told if status == "launch_failed" and
               reason.find("CL_DEVICE_NOT_AVAILABLE") >= 0] == ["srad", "srad"], f"vanished: {told}")
        rows = rows_of(out)
        again = run("sweep", "--resume", out, env=environment("vanish", once=marker))
        check(again.returncode == 1, f"vanished, resumed: {again.stderr}")
        check_same(rows_of(out), rows, "vanished, resumed")


def device_that_does_not_open(folder, _):
    """It is tried once, however many dwarfs there are."""
    for fault, status in (("open_crash", "crashed"), ("open_hang", "timed_out"))[:2 if LONG else 1]:
        out = folder / fault
        done = run("sweep", "--dwarf", "crc,lud", "--size", "tiny", "--plan", "baseline", "--point-timeout", "1s", "--out",
                   out, env=environment(fault))
        totals = totals_of(out)
        check(done.returncode == 1 and len(totals) == 2, f"{fault}: {done.stderr}")
        check(all(row["status"] == status and row["reason"].startswith("opening the device: ") for row in totals),
              f"{fault}: {[(row['status'], row['reason']) for row in totals]}")
        check((out / "workers.log").read_text().count("layer: opening") == 1, f"{fault}: tried once")


def lying_timers(folder, undisturbed):
    """The host's clock instead, said in every row; the rest is as ever."""
    for fault, says in (("timer_0123", "small integers"), ("timer_zero", "small integers"),
                        ("timer_same", "no time for a kernel that does work"), ("timer_reversed", "END lies before START"),
                        ("timer_billions", "ns of the host's time"), ("timer_refused", "a profiling query failed")):
        out = folder / fault
        done = run(*SWEEP, "--out", out, env=environment(fault))
        if not check(done.returncode == 0, f"{fault}: {done.stderr}"):
            continue
        rows = rows_of(out)
        check(all(row["timer"] == "host" and row["median_ns"] for row in rows), f"{fault}: timed by the host")
        device = json.loads((out / "run.json").read_text())["devices"][0]
        check(says in device["timer"]["reason"], f"{fault}: {device['timer']['reason']}")
        check_same(rows, undisturbed, fault)


def timer_that_fails_later(folder, _):
    """Samples with impossible timestamps are dropped and counted."""
    # The self-test before may judge the timer of a busy machine as unfit; then there are no timestamps to reverse.
    for attempt in range(5):
        out = folder / f"sometimes_{attempt}"
        done = run(*sweep(pairs="10"), "--out", out, env=environment("timer_sometimes_reversed", where="VARIANT"))
        check(done.returncode == 0, f"sometimes reversed: {done.stderr}")
        rows = rows_of(out)
        if rows[0]["timer"] == "device":
            break
    check(any(re.match(r"\d+ of \d+ samples dropped: START", row["reason"]) for row in rows), "dropped samples are counted")
    check(all(float(row["min_ns"]) > 0 for row in rows if row["min_ns"]), "no sample below zero is counted")
    with open(out / "samples.csv", newline="") as file:
        samples = list(csv.DictReader(file))
    check(any(row["fault"] for row in samples), "dropped samples are kept in samples.csv")


# --- what happens to the program itself ---------------------------------------------------------------------------

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
            check(f"go on with: dwarfsweep sweep --resume {out}" in error, f"interrupted: {error}")
            check((out / "measurements.csv").exists(), "an interrupted run has its files")
        done = run("sweep", "--resume", out)
        check(done.returncode == 0, f"interrupted, resumed: {done.stderr}")
        check_same(rows_of(out), undisturbed, "interrupted, resumed")
    no_worker_left("interrupted")


def small_disk(file_bytes):
    """For subprocess: no file grows beyond so many bytes. The layer takes the limit off the worker."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, resource.RLIM_INFINITY))
    return limit


def full_disk(folder, undisturbed):
    """The disk fills at any byte of the log, or when all is measured and the tables are written."""
    whole = len((folder / "undisturbed" / "log.jsonl").read_bytes())
    for share in (0, 0.2, 0.5, 0.8):  # a run without a winner to measure again has a log of nine tenths
        out = folder / f"full_{share}"
        done = run(*SWEEP, "--out", out, preexec_fn=small_disk(int(whole * share)))
        check(done.returncode == 1 and "cannot write" in done.stderr and "File too large" in done.stderr and
              len(done.stderr.splitlines()) == 1, f"full disk: {done.returncode} {done.stderr}")
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


def undisturbed_rows(folder):
    """The rows of the sweep to which no fault is done."""
    out = folder / "undisturbed"
    first = run(*SWEEP, "--out", out)
    if first.returncode != 0:
        sys.exit(f"FAILED: undisturbed: {first.stderr}")
    clean = rows_of(out)
    check(len({name_of(row) for row in clean if row["kernel"] == "total"}) == 6, "six points")
    check(all(row["status"] == "ok" for row in clean), f"undisturbed: {clean}")
    return [clean]


run_checks([faults, fault_in_a_block, no_buffer, time_is_up, leftover_budget, ended_baseline, innocent_points,
            baseline_fails, skipped_after_failures, vanishing_device, device_that_does_not_open, lying_timers,
            timer_that_fails_later, killed, interrupted, full_disk, two_at_once], undisturbed_rows)
