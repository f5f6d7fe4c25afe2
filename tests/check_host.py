"""The program and the machine it runs on: streams that it was started without, the CPUs it is bound to, the load that
others cause."""
import collections
import json
import os
import pathlib
import re
import shutil
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
    binds its thread to each CPU for a moment, so threads seen only a few times do not count."""
    seen = collections.defaultdict(collections.Counter)
    while process.poll() is None:
        for child in children_of(process.pid):
            for thread in child.glob("task/*"):
                try:
                    seen[thread.name][frozenset(os.sched_getaffinity(int(thread.name)))] += 1
                except OSError:
                    pass
        time.sleep(0.002)  # a worker may live for a few tenths of a second
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

    # A resumed run is bound to the same CPUs.
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
    check(busy > 0.8, f"busy CPUs during an endless loop: {busy}")
    warnings = [line for line in done.stderr.splitlines() if "of the 1 CPUs busy" in line]
    check(len(warnings) == 2, f"a warning at the begin and one at the end: {done.stderr!r}")
    check(len(run["warnings"]) == 1 and run["warnings"][0] in warnings[0], f"warnings of the run: {run['warnings']}")


LAYER = os.environ.get("FAULT_LAYER", "")

# In the place of the C library's: a folder fails while its entries are read, behind the first .icd file.
UNREADABLE = """#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
static DIR* listed;
struct dirent64* readdir64(DIR* folder) {
  struct dirent64* (*real)(DIR*) = (struct dirent64* (*)(DIR*))dlsym(RTLD_NEXT, "readdir64");
  if (folder == listed) { errno = EIO; return 0; }
  struct dirent64* entry = real(folder);
  if (entry && strstr(entry->d_name, ".icd")) listed = folder;
  return entry;
}
struct dirent* readdir(DIR* folder) { return (struct dirent*)readdir64(folder); }
int closedir(DIR* folder) { if (folder == listed) listed = 0; return ((int (*)(DIR*))dlsym(RTLD_NEXT, "closedir"))(folder); }
"""


def drivers_that_cannot_be_read(folder):
    """The folder of ICD files fails while it is listed: that is a note."""
    compiler = shutil.which("cc")
    if os.environ.get("SANITIZED") or not compiler:
        return
    library = folder / "unreadable.so"
    subprocess.run([compiler, "-D_GNU_SOURCE", "-shared", "-fPIC", "-x", "c", "-", "-o", str(library)], input=UNREADABLE,
                   text=True, check=True)
    done = subprocess.run([PROGRAM, "devices"], capture_output=True, text=True, timeout=120,
                          env=dict(os.environ, LD_PRELOAD=str(library)))
    # The loader sees as little of the folder.
    check(done.returncode in (0, 3) and "cannot be read: Input/output error" in done.stdout,
          f"devices: status {done.returncode}: {done.stdout}{done.stderr}")


def kernel_files_that_include_each_other(folder):
    kernels = folder / "kernels"
    shutil.copytree(pathlib.Path(__file__).resolve().parent.parent / "kernels_cl", kernels)
    (kernels / "crc" / "crc.cl").write_text('#include "crc/slicing.cl"\n')
    (kernels / "crc" / "slicing.cl").write_text('#include "crc/crc.cl"\n')
    done = subprocess.run([PROGRAM, *SWEEP, "0", "--kernels", str(kernels), "--out", str(folder / "cycle")],
                          capture_output=True, text=True, timeout=120)
    check(done.returncode in (1, 2) and "include each other without end: crc/crc.cl -> crc/slicing.cl -> crc/crc.cl" in
          done.stdout + done.stderr, f"a cycle: status {done.returncode}: {done.stdout}{done.stderr}")


def no_compute_units(folder):
    """A device that says it has none is taken to have one, and is named."""
    environment = dict(os.environ, OPENCL_LAYERS=LAYER, FAULT="limits", FAULT_LIMITS="units=0")
    devices = subprocess.run([PROGRAM, "devices"], capture_output=True, text=True, timeout=120, env=environment)
    check(devices.returncode == 0 and "reports 0 compute units, taken as 1" in devices.stdout, f"devices: {devices.stdout}")
    for dwarf in ("bfs", "srad"):
        done = subprocess.run([PROGRAM, "run", "--dwarf", dwarf, "--size", "tiny", "--budget", "0", "--rounds", "1",
                               "--blocks", "1", "--pairs", "1"], capture_output=True, text=True, timeout=300,
                              env=environment)
        check(done.returncode == 0, f"{dwarf} without compute units: {done.stdout}{done.stderr}")
    plan = subprocess.run([PROGRAM, "list", "--plan", "auto"], capture_output=True, text=True, timeout=300,
                          env=environment)
    check(plan.returncode in (0, 2), f"list --plan: status {plan.returncode}: {plan.stderr}")


def peaks_with_a_lying_timer(folder):
    """A rate from timestamps that cannot be true is no peak."""
    done = subprocess.run([PROGRAM, "peaks", "--json"], capture_output=True, text=True, timeout=300,
                          env=dict(os.environ, OPENCL_LAYERS=LAYER, FAULT="timer_sometimes_reversed"))
    if not check(done.returncode == 0, f"peaks: status {done.returncode}: {done.stderr}"):
        return
    rates = [float(rate) for rate in re.findall(r'_per_s": *([-+.e\d]+)', done.stdout)]
    check(rates and all(0 < rate < 1e6 for rate in rates), f"peaks: {done.stdout}")


run_checks([closed_streams, bound_workers, wrong_lists, load_from_others,
            drivers_that_cannot_be_read, kernel_files_that_include_each_other, no_compute_units,
            peaks_with_a_lying_timer])
