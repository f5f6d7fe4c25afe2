"""Builders in a sweep: they change no row, a program that crashes or hangs one costs its point alone, and none is left
when the sweep ends, however it ends. The faults are those of check_faults.py."""
import functools
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import time

from checks import PROGRAM, check, run_checks
from fault_sweep import SWEEP, check_same, environment, hit_rows, rows_of, run, sweep, totals_of, undisturbed_rows

BUILDERS = ["--builders", "2"]
MARK = "DWARFSWEEP_CHECK_BUILDERS"

# fault: status of the points it hits, what their reason says, what else
FAULTS = {
    "build_crash": ("crashed", "the builder process was ended by signal SIGABRT (Aborted); end of stderr: LLVM ERROR", {}),
    "build_hang": ("timed_out", "while doing 'build'; the builder process was killed", {"point_timeout": "20s"}),
    "build_failure": ("build_failed", "no_such_word", {}),
}


def with_cache(folder, **more):
    """The environment of a sweep with a program cache of its own, and a mark by which its processes are known."""
    return dict(environment(**more), DWARFSWEEP_CACHE=str(folder / "cache"), **{MARK: str(folder)})


def processes(folder):
    """The numbers of the processes that carry the folder's mark, by what they are."""
    found = {}
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={folder}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                words = (entry / "cmdline").read_bytes().split(b"\0")
                found[int(entry.name)] = words[1].decode() if len(words) > 1 else ""
        except OSError:
            continue
    return found


def none_is_left(folder, what):
    for _ in range(100):
        left = processes(folder)
        if not left:
            break
        time.sleep(0.1)
    check(not left, f"{what}: processes are left: {left}")


def in_its_folder(function):
    """A check's processes and its cache are known by its folder, so that others may run at the same time."""
    @functools.wraps(function)
    def inside(folder, undisturbed):
        own = folder / function.__name__
        own.mkdir()
        function(own, undisturbed)
    return inside


def same_rows(folder, undisturbed):
    out = folder / "same_rows"
    done = run(*SWEEP, *BUILDERS, "--out", out, env=with_cache(folder))
    check(done.returncode == 0, f"builders: {done.returncode} {done.stderr}")
    check_same(rows_of(out), undisturbed, "with builders")
    check(len({row["program_id"] for row in rows_of(out) if row["kernel"] == "total"}) == 6, "six programs")
    check(len(list((folder / "cache").glob("*.program"))) >= 6, "their builds are in the cache")
    none_is_left(folder, "with builders")


def second_run(folder, undisturbed):
    """With everything in the cache, rows have the same build times, and damaged entries are made again."""
    out = [folder / "first", folder / "second", folder / "third"]
    env = with_cache(folder)
    for number, each in enumerate(out):
        if number == 2:
            for entry in (folder / "cache").glob("*.program"):
                os.truncate(entry, entry.stat().st_size // 2)
        done = run(*SWEEP, *BUILDERS, "--out", each, env=env)
        check(done.returncode == 0, f"run {number}: {done.stderr}")
    check_same(rows_of(out[1]), undisturbed, "second run")
    check_same(rows_of(out[2]), undisturbed, "with damaged entries")
    times = [[row["build_ns"] for row in rows_of(each) if row["kernel"] == "total"] for each in out]
    check(times[0] == times[1], f"build times come from the cache: {times[0]} {times[1]}")
    check(all(a != b for a, b in zip(times[1], times[2])), f"damaged entries are not used: {times[1]} {times[2]}")


def faults(folder, undisturbed):
    for fault, (status, reason, options) in FAULTS.items():
        out = folder / fault
        env = with_cache(folder, fault=fault)
        done = run(*sweep(**options), *BUILDERS, "--out", out, env=env)
        if not check(done.returncode == 1, f"{fault}: exit status {done.returncode}: {done.stderr}"):
            continue
        rows = rows_of(out)
        hit = hit_rows(rows, undisturbed, fault)
        check(len(hit) == 1 and all(row["status"] == status and reason in row["reason"] for row in hit),
              f"{fault}: {[(row['status'], row['reason']) for row in hit]}")
        none_is_left(folder, fault)
        again = run("sweep", "--resume", out)
        check(again.returncode == 1, f"{fault}: resumed: {again.returncode} {again.stderr}")
        check_same(rows_of(out), rows, f"{fault}, resumed")
        shutil.rmtree(folder / "cache")


def innocent_program(folder, undisturbed):
    """A crash that does not recur is reported, and costs nothing."""
    out = folder / "once"
    done = run(*SWEEP, *BUILDERS, "--out", out, env=with_cache(folder, fault="build_crash", once=folder / "marker"))
    rows = rows_of(out)
    told = [row for row in rows if "crashed one builder; a retry succeeded" in row["reason"]]
    crashed = [row for row in rows if row["status"] == "crashed"]
    # The first program of a builder is at fault at once.
    check(len(told) + len(crashed) >= 1 and done.returncode == (1 if crashed else 0), f"once: {done.stderr}")
    hit_rows(rows, undisturbed, "once")


def too_few_files(folder, undisturbed):
    """Not all builders have the files that they need to start: the others do their work, or the worker."""
    for files in (11, 12, 13, 15):
        out = folder / str(files)
        limit = functools.partial(resource.setrlimit, resource.RLIMIT_NOFILE, (files, files))
        try:
            done = run(*SWEEP, "--builders", "3", "--out", out, env=with_cache(folder), preexec_fn=limit)
            check(done.returncode in (0, 1, 2), f"{files} files: {done.returncode} {done.stderr}")
        except subprocess.TimeoutExpired:
            check(False, f"{files} files: the sweep does not end")
        none_is_left(folder, f"{files} files")
        shutil.rmtree(folder / "cache", ignore_errors=True)


def groups_that_cannot_wait(folder, _):
    """Builders build for the device as the worker has tested it: here groups must not wait for each other."""
    kernels = folder / "kernels"
    shutil.copytree(pathlib.Path(__file__).resolve().parent.parent / "kernels_cl", kernels)
    (kernels / "progress.cl").write_text("#error no test\n")
    with open(kernels / "prelude.cl", "a", encoding="utf-8") as prelude:
        prelude.write("\n#if GROUPS_WAIT\n#error groups must not wait\n#endif\n")
    out = folder / "out"
    done = run("sweep", "--dwarf", "srad", "--size", "tiny", "--set", "variant=fused_rows", "--axis", "granularity=4,16",
               "--plan", "full", "--budget", "0", "--rounds", "1", "--blocks", "1", "--pairs", "1", "--no-device-figures",
               "--kernels", kernels, *BUILDERS, "--out", out, env=with_cache(folder))
    rows = [(row["status"], row["reason"]) for row in totals_of(out)]
    check(done.returncode == 0 and rows and all(status in ("ok", "rejected") for status, _ in rows), f"{rows} {done.stderr}")


def ended_in_the_middle(folder, undisturbed):
    """Ctrl-C, a request to end, and the death of the parent end the builders, a hanging one too; --resume completes."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        out = folder / number.name
        env = with_cache(folder, fault="build_hang")
        with subprocess.Popen([PROGRAM, *SWEEP, *BUILDERS, "--out", str(out)], env=env, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            for _ in range(1200):
                if list(processes(folder).values()).count("builder") == 2:
                    break
                time.sleep(0.05)
            check(list(processes(folder).values()).count("builder") == 2, f"{number.name}: two builders")
            time.sleep(1)
            process.send_signal(number)
            process.wait(60)
        none_is_left(folder, number.name)
        shutil.rmtree(folder / "cache", ignore_errors=True)
        done = run("sweep", "--resume", out, env=with_cache(folder))
        check(done.returncode == 0, f"{number.name}, resumed: {done.returncode} {done.stderr}")
        check_same(rows_of(out), undisturbed, f"{number.name}, resumed")


def workers_at_once(folder, *options, resumed=False):
    """The most workers that a sweep has at a time, and its points. Only a new one finds the driver's cache empty."""
    out = folder / "out"
    if not resumed:
        for each in ("out", "pocl", "cache"):
            shutil.rmtree(folder / each, ignore_errors=True)
    what = ["--resume", str(out)] if resumed else ["--dwarf", "needle,srad", "--rounds", "3", "--no-device-figures",
                                                   "--out", str(out)]
    env = dict(with_cache(folder), POCL_CACHE_DIR=str(folder / "pocl"))
    most = 0
    with subprocess.Popen([PROGRAM, "sweep", *what, *options], env=env, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            most = max(most, list(processes(folder).values()).count("worker"))
            time.sleep(0.02)
    return most, totals_of(out)


def compiled_on_all_cores(folder, _):
    """Where the driver compiles in the first launch, what is left after the first pass is launched ahead, once."""
    most, rows = workers_at_once(folder, "--size", "tiny", "--budget", "40s")
    check(most >= 3, f"two more workers compile: {most}")
    check(rows and all(row["status"] in ("ok", "rejected", "not_run") for row in rows), "and their points are measured")
    most, _ = workers_at_once(folder, "--budget", "8s")
    check(most >= 3, f"two more workers compile the defaults while sizes are chosen: {most}")
    most, rows = workers_at_once(folder, "--size", "tiny", "--budget", "2s")
    check(any(row["status"] == "not_run" for row in rows), "a short budget leaves points out")
    most, _ = workers_at_once(folder, "--budget", "40s", resumed=True)
    check(most >= 3, f"two more workers compile what a resumed sweep has left: {most}")
    most, _ = workers_at_once(folder, "--size", "tiny", "--budget", "8s", "--builders", "0")
    check(most <= 2, f"--builders 0: {most}")  # one may begin while another ends


run_checks(list(map(in_its_folder, [faults, same_rows, second_run, innocent_program, too_few_files,
                                   groups_that_cannot_wait, ended_in_the_middle, compiled_on_all_cores])),
           undisturbed_rows, at_once=2)
