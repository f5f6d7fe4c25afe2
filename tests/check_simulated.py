"""Devices that this machine lacks, as the OpenCL layer tests/faults/fault_layer.cpp simulates them on top of a driver
that it has: an AMD-like, an Intel-GPU-like and a Mali-like one, with their capabilities, limits and timers. Every
variant of every dwarf gives the right result there, or its row says in words why it cannot run.

On each device every twelfth dwarf runs, the others on the next days. `--long` runs all, and varies each axis of each variant. Any
other argument names the devices to simulate."""
import csv
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

from checks import PROGRAM, check, finish, listed_dwarfs, share_of_seed, variants_of

LONG = "--long" in sys.argv
BRIEF = ["--size", "tiny", "--budget", "0", "--rounds", "1", "--blocks", "1", "--pairs", "1", "--no-device-figures",
         "--builders", "0", "--give-up-after", "0", "--point-timeout", "300s"]
RIGHT = {"ok"}
# Rows that say in words why the point cannot run there.
DECLINED = {"rejected", "unsupported"}

# Driver, device. Intel's CPU runtime has what PoCL 3.1 lacks, sub-groups: there, dwarfs whose work-items shuffle.
DEVICES = [("pocl", "amd"), ("pocl", "intel"), ("pocl", "mali"), ("intel", "amd"), ("intel", "intel")]
# What the log says of how lanes pass values there, in every dwarf that shuffles.
LANES = {("intel", "amd"): "lanes shuffle in sub-groups of 64", ("intel", "intel"): "lanes shuffle in sub-groups of"}
NO_SHUFFLES = "lanes pass values through local memory"


def shuffles(dwarf):
    return any("shuffle" in axis["values"] for axis in dwarf["axes"])


def environment(driver, device):
    vendors = pathlib.Path(os.environ["OCL_ICD_VENDORS"]).parent / driver
    if not vendors.exists():
        return None
    env = dict(os.environ, OPENCL_LAYERS=os.environ["FAULT_LAYER"], FAULT_DEVICE=device, OCL_ICD_VENDORS=str(vendors))
    if not LONG:
        env["POCL_EXTRA_BUILD_FLAGS"] = "-cl-opt-disable"  # paths are tested here, not compilers: a third of the time
    return env


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def sweep(dwarf, out, env):
    """The rows of the whole points: each variant's default, and with --long each axis varied from there."""
    baseline, others = variants_of(dwarf)
    axis = ["--axis", "variant=" + ",".join([baseline, *others])] if baseline and not LONG else []
    done = subprocess.run([PROGRAM, "sweep", "--dwarf", dwarf["name"], *axis, *BRIEF, "--out", out], env=env,
                          capture_output=True, text=True, timeout=3000)
    if not check(done.returncode in (0, 1), f"{dwarf['name']}: {done.returncode} {done.stderr}"):
        return []
    with open(out / "measurements.csv", newline="") as file:
        return [row for row in csv.DictReader(file) if row["kernel"] == "total"]


def judge(rows, dwarf, where):
    for row in rows:
        point = " ".join(row[column] for column in ("dwarf", "variant", "work_group", "granularity", "vector_width",
                                                    "unroll", "padding", "options"))
        check(row["status"] in RIGHT | DECLINED, f"{where}: {point}: {row['status']}: {row['reason']}")
        check(row["status"] in RIGHT or row["reason"], f"{where}: {point}: {row['status']} without a reason")
        # A kernel that seemed to take ages was dropped; one that took no tick counts half of one.
        if row["median_ns"]:
            check(0 < float(row["median_ns"]) < 100 * float(row["wall_ns"]), f"{where}: {point}: {row['median_ns']} ns of "
                  f"{row['wall_ns']}")
    baseline, others = variants_of(dwarf)
    missing = {baseline, *others} - {None} - {row["variant"] for row in rows}
    check(not missing, f"{where}: {dwarf['name']}: no row of {missing}")
    check(any(row["status"] in RIGHT for row in rows), f"{where}: {dwarf['name']} runs in no variant")


def judge_paths(log, lanes, where):
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    paths = {path for entry in entries for path in entry.get("preparation", {}).get("paths", [])}
    check(any(path.startswith(lanes) for path in paths), f"{where}: no path '{lanes}' among {paths}")


def check_device(driver, device, folder):
    env = environment(driver, device)
    if env is None:
        print(f"{device} on {driver}: {driver} is not among the test devices")
        return
    where = f"{device} on {driver}"
    ran, declined, begin = 0, [], cpu_seconds()
    # Shifted by one from device to device, so that today's devices together run most dwarfs.
    able = [entry for entry in listed_dwarfs().items() if driver != "intel" or shuffles(entry[1])]
    shift = DEVICES.index((driver, device))
    for name, dwarf in share_of_seed(able[shift:] + able[:shift], parts=12):
        out = folder / f"{driver}_{device}_{name}"
        rows = sweep(dwarf, out, env)
        judge(rows, dwarf, where)
        if rows and shuffles(dwarf):
            judge_paths(out / "log.jsonl", LANES.get((driver, device), NO_SHUFFLES), f"{where}: {name}")
        ran += sum(row["status"] in RIGHT for row in rows)
        declined += [f"  {row['dwarf']} {row['variant']}: {row['reason']}" for row in rows if row["status"] in DECLINED]
    print(f"{where}: {ran} points right, {len(declined)} declined, in {cpu_seconds() - begin:.0f} s of CPU",
          *([] if LONG else declined), sep="\n", flush=True)


with tempfile.TemporaryDirectory() as name:
    wanted = [word for word in sys.argv[1:] if not word.startswith("-")]
    for driver, device in DEVICES:
        if not wanted or device in wanted:
            check_device(driver, device, pathlib.Path(name))
finish()
