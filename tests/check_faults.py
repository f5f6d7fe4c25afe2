"""A sweep meets everything that can go wrong on a device: an OpenCL layer makes PoCL misbehave. After each fault the
sweep has ended, the row says what happened, all other rows are there and right, and --resume completes the run.

`check_faults.py --long` does more of what is random. Any other argument names the checks to do."""
import collections
import csv
import ctypes
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

from checks import PROGRAM, check, run_checks
from fault_sweep import (LONG, SWEEP, check_same, environment, hit_rows, is_hit, name_of, rows_of, run, sweep, totals_of,
                         undisturbed_rows)


PTRACE_SEIZE = 0x4206

# fault: status of the points it hits, what their reason says, what else
FAULTS = {
    "wild_store": ("crashed", "ended by signal SIGSEGV", {}),
    "abort": ("crashed", "ended by signal SIGABRT (Aborted); end of stderr: .../driver.cc: assertion 'work < worth' failed", {}),
    "silent_exit": ("crashed", "exited with status 0", {}),
    "half_line": ("crashed", "in the middle of an answer", {}),
    "not_json": ("crashed", "sent something that is not an answer", {}),
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
    "wrong_result": ("wrong_result", "expected 0x", {}),
    # As after an invalid access on a GPU: all that follows in this process fails.
    "lost_context": ("crashed", "end of stderr: the device no longer answers this process after: launching failed", {}),
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
        hit = hit_rows(rows, undisturbed, fault)
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
        hit = [row["status"] for row in hit_rows(rows, undisturbed, f"{fault} in a block")]
        check(status in hit and set(hit) <= {status, "ok"}, f"{fault} in a block: {hit}")
        run("sweep", "--resume", out)
        check_same(rows_of(out), rows, f"{fault} in a block, resumed")


def no_buffer(folder, undisturbed):
    """One allocation fails, once: the points prepared before make room, and every point is as ever."""
    out = folder / "no_buffer"
    marker = folder / "no_buffer_marker"
    done = run(*SWEEP, "--out", out, env=environment("allocation", nth=15, once=marker))
    check(marker.exists(), "no buffer: the fault struck")
    check(done.returncode == 0, f"no buffer: {done.stderr} {[(row['status'], row['reason']) for row in rows_of(out)]}")
    check_same(rows_of(out), undisturbed, "no buffer")


def endless_launch(folder, undisturbed):
    """A kernel that never ends takes what the fastest point allows, not the limit of a point: it is not run, and its row says
    why. A search screens it, and keeps its time."""
    out = folder / "endless_launch"
    done = run(*sweep(budget="2m"), "--out", out, env=environment("endless"))
    rows = rows_of(out)
    hit = hit_rows(rows, undisturbed, "endless launch")
    check(len(hit) == 1 and all(row["status"] == "not_run" and row["stop_reason"] == "screened" and
                                "its first launches had not ended after 10s on top of the slowest preparation; a sample of variant=" in row["reason"]
                                for row in hit),
          f"endless launch: {done.returncode} {done.stderr} {[(row['status'], row['reason']) for row in hit]}")
    again = run("sweep", "--resume", out)
    check_same(rows_of(out), rows, f"endless launch, resumed: {again.stderr}")

    if LONG:  # Each new worker takes longer than a point's first launches may: the points after the endless one run all the same.
        out = folder / "endless_launch_slow_worker"
        done = run(*sweep(budget="3m"), "--out", out, env=environment("endless", pause=12))
        lost = [row["reason"] for row in rows_of(out) if row["status"] != "ok"]
        check(len(lost) == len(hit), f"endless launch, workers that begin slowly: {done.returncode} {done.stderr} {lost}")

    out = folder / "endless_search"
    run("tune", "--dwarf", "crc", "--size", "tiny", "--set", "variant=slicing", "--axis", "work_group=64,128,256", "--axis",
        "granularity=1,2", "--budget", "45s", "--no-device-figures", "--out", out, env=environment("endless"))
    records = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    outcomes = [each["outcome"] for each in records if each["type"] == "evaluation" and "work_group=128" in each["key"]["config"]]
    check("screened" in outcomes and set(outcomes) <= {"screened", "failed"}, f"endless search: {outcomes}")
    seconds = [each["seconds"] for each in records if each["type"] == "answer"]
    check(seconds and seconds[0] < 1.1 * 45, f"endless search: {seconds} s of 45")


def time_is_up(folder, _):
    """A point's limit covers all of its measurement blocks: one that would be measured for hours ends by it, and stands."""
    out = folder / "time_is_up"
    measuring = sweep(rounds="10000", blocks="10000", point_timeout="5s")
    done = run("sweep", "--dwarf", "crc", "--size", "tiny", "--plan", "baseline", *measuring[measuring.index("--budget"):],
               "--out", out)
    totals = totals_of(out)
    check(done.returncode == 0 and [row["stop_reason"] for row in totals] == ["point-timeout"] and totals[0]["median_ns"],
          f"time is up: {done.stderr} {totals}")


def budget_is_up(folder, _):
    """A budget that ends while the first dwarf is measured leaves out the others; a resumed run measures them."""
    out = folder / "budget_is_up"
    run("sweep", "--dwarf", "crc,srad,lud", "--size", "tiny", "--plan", "baseline", *sweep(budget="1ms")[SWEEP.index("--budget"):],
        "--out", out)
    status = [row["status"] for row in totals_of(out)]
    check(status == ["ok", "not_run", "not_run"], f"budget is up: {status}")
    run("sweep", "--resume", out, "--budget", "2m")
    status = [row["status"] for row in totals_of(out)]
    check(status == ["ok"] * 3, f"budget is up, resumed: {status}")


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
    told = [row for row in rows if "a retry in a new one succeeded" in row["reason"]]
    check(len(told) == 2 or len(told) == 3, f"the row reports the crash: {[row['reason'] for row in rows]}")
    for row in told:
        row["reason"] = ""
    check_same(rows, undisturbed, "a crash that does not come again")


def crash_in_the_last_check(folder, undisturbed):
    """The worker dies while the output of the last sample is verified. A new one has no such output: it verifies a new
    launch, and if it dies of that, too, the point has failed."""
    out = folder / "last_check"  # a result is read after one launch or two when a point is prepared, after many at the end
    done = run(*SWEEP, "--out", out, env=environment("read_crash", nth=5))
    hit = hit_rows(rows_of(out), undisturbed, "a crash in the last check")
    check(done.returncode == 1 and hit and all(row["status"] == "crashed" and row["median_ns"] == "" for row in hit),
          f"a crash in the last check: {done.returncode} {[(row['status'], row['reason']) for row in hit]}")
    out = folder / "last_check_once"
    done = run(*SWEEP, "--out", out, env=environment("read_crash", nth=5, once=folder / "last_check_marker"))
    hit = [row for row in rows_of(out) if is_hit(row)]
    check(done.returncode == 0 and all(row["status"] == "ok" and "a retry in a new one succeeded" in row["reason"]
                                       for row in hit), f"a crash in the last check, once: {done.stderr} {hit}")


def baseline_fails_after_a_crash(folder, _):
    """A point kills the worker in a block, once, and the baseline does not run in the next one: that is the baseline's
    failure, and the point is measured alone."""
    out = folder / "baseline_then"
    marker = folder / "baseline_then_marker"
    done = run(*SWEEP, "--out", out, env=environment("abort", run=2, once=marker, then="WORK_GROUP=256"))
    check(done.returncode == 1 and marker.exists(), f"baseline after a crash: {done.stderr}")
    totals = totals_of(out)
    told = [(row["baseline"], row["work_group"], row["status"], row["reason"]) for row in totals]
    check(told[0][0] == "true" and "launch_failed" in told[0][2] + told[0][3], f"baseline after a crash: {told}")
    check([row["status"] for row in totals if is_hit(row)] == ["ok"], f"baseline after a crash: {told}")


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
        check(done.returncode == 1 and counts["crashed"] == failing and counts["not_run"] == 5 - failing,
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
    """The device goes with the second dwarf's baseline: every later call says so, in new processes too. Nothing is
    retried for ever, and what was measured stands."""
    arguments = ["sweep", "--dwarf", "crc,srad", "--size", "tiny", "--axis", "granularity=1,16",
                 *SWEEP[SWEEP.index("--budget"):]]
    for nth in (1, 60):
        out = folder / f"vanished_{nth}"
        marker = folder / f"vanished_marker_{nth}"
        done = run(*arguments, "--out", out, env=environment("vanish", where="VARIANT_BRANCHES", nth=nth, once=marker))
        told = [(row["dwarf"], row["status"], row["reason"]) for row in totals_of(out)]
        check(done.returncode == 1 and told[0][:2] == ("crc", "ok"), f"vanished: {told} {done.stderr}")
        check([dwarf for dwarf, status, reason in told if status == "launch_failed" and
               reason.find("CL_DEVICE_NOT_AVAILABLE") >= 0] == ["crc", "srad", "srad"], f"vanished: {told}")
        check(told[0][2] == "" or told[0][2].startswith("not measured further: launch_failed: "), f"vanished: {told}")
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


def timer_that_no_longer_passes(folder, _):
    """A run that was timed by the device continues by the host's clock only as a new part."""
    brief = sweep(budget="1ms")
    for attempt in range(5):  # a busy machine's timer may fail by chance
        out = folder / f"passes_{attempt}"
        run(*brief, "--out", out)
        old = {name_of(row): row for row in rows_of(out) if row["median_ns"]}
        if all(row["timer"] == "device" for row in old.values()):
            break
    refused = run("sweep", "--resume", out, env=environment("timer_zero"))
    check(refused.returncode == 2 and "the timer of" in refused.stderr and "small integers" in refused.stderr and
          "--new-part" in refused.stderr, f"timer on resume: {refused.returncode} {refused.stderr}")
    done = run("sweep", "--resume", out, "--new-part", "--budget", "0", env=environment("timer_zero"))
    rows = rows_of(out)
    new = [row for row in rows if row["run_id"].endswith("-part2")]
    check(done.returncode == 0 and new and all(row["timer"] == "host" for row in new), f"timer, new part: {done.stderr}")
    kept = [row for row in rows if row not in new]
    check(kept and all(row["timer"] == "device" and row["median_ns"] == old[name_of(row)]["median_ns"] for row in kept),
          "timer, new part: what was measured before stays")


def hold(process):
    """Traces the process until this thread detaches: when it is killed, its parent cannot wait for it, as if a driver
    held it within the kernel. False where the system does not allow it."""
    return ctypes.CDLL(None).ptrace(PTRACE_SEIZE, process, 0, 0) == 0


def second_interrupt(folder, _):
    """A worker that does not die keeps the program busy for seconds after Ctrl-C; the second Ctrl-C ends it at once."""
    out = folder / "second_interrupt"
    env = environment("endless")
    with subprocess.Popen([PROGRAM, *sweep(point_timeout="60s"), "--out", str(out)], env=env, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        begin = time.monotonic()
        while time.monotonic() - begin < 60 and not (out / "log.jsonl").exists():
            time.sleep(0.05)
        time.sleep(3)
        worker = int(children.read_text().split()[0])
        if hold(worker):
            process.send_signal(signal.SIGINT)
            time.sleep(1)
            check(process.poll() is None, "the first Ctrl-C waits for the worker to die")
            begin = time.monotonic()
            process.send_signal(signal.SIGINT)
            process.wait(60)
            took = time.monotonic() - begin
            check(process.returncode == 130 and took < 2, f"the second Ctrl-C: {process.returncode} after {took:.1f} s")
            os.kill(worker, signal.SIGKILL)
            os.waitpid(worker, 0x40000000)  # __WALL: reaps what was traced
        process.kill()


run_checks([second_interrupt, faults, endless_launch, fault_in_a_block, no_buffer, time_is_up, budget_is_up, leftover_budget, ended_baseline,
            innocent_points, crash_in_the_last_check, baseline_fails_after_a_crash, baseline_fails, skipped_after_failures,
            vanishing_device, device_that_does_not_open, lying_timers, timer_that_fails_later,
            timer_that_no_longer_passes], undisturbed_rows, at_once=3)
