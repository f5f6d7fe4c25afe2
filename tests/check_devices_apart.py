"""Two GPUs of a machine that share nothing are measured at the same time, by `sweep` and by `tune`: the OpenCL layer
tests/faults/fault_layer.cpp lets two devices of PoCL say that they are such. Any argument names the checks to do."""
import collections
import json
import os
import pathlib
import subprocess

from checks import PROGRAM, check, run_checks

POINTS = ["--dwarf", "crc", "--size", "tiny", "--set", "variant=slicing", "--axis", "work_group=64,128,256", "--axis",
          "granularity=1,2,4,8", "--no-device-figures"]
TOGETHER = "at the same time, as they share nothing: Sim-Twin (pci-62:00), Sim-Twin (pci-70:00)"


def environment(**more):
    vendors = pathlib.Path(os.environ["OCL_ICD_VENDORS"]).parent / "pocl"
    return {**os.environ, "OPENCL_LAYERS": os.environ["FAULT_LAYER"], "FAULT_DEVICE": "twin", "OCL_ICD_VENDORS": str(vendors),
            "POCL_DEVICES": "basic pthread", "POCL_MEMORY_LIMIT": "2", **more}


def run(*arguments, env):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=200, env=env)


def lines_of(out, kind):
    lines = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    return [line for line in lines if line["type"] == kind]


def check_both(out, kind, what):
    """Each device has as many ends; how often records of the two take turns."""
    devices = [line["key"]["device_id"] for line in lines_of(out, kind)]
    counts = collections.Counter(devices)
    same = kind == "visit" or len(set(counts.values())) == 1
    check(set(counts) == {"pci-62:00", "pci-70:00"} and same, f"{what}: {counts}")
    return sum(one != other for one, other in zip(devices, devices[1:]))


def swept(folder):
    out = folder / "sweep"
    done = run("sweep", *POINTS, "--plan", "full", "--budget", "0", "--rounds", "2", "--blocks", "2", "--pairs", "2", "--out", out,
               env=environment())
    check(done.returncode == 0 and TOGETHER in done.stderr, f"sweep: {done.returncode} {done.stderr}")
    check_both(out, "end", "sweep")
    changes = check_both(out, "visit", "sweep")
    check(changes > 1, f"sweep: the devices took turns {changes} times")
    log = (out / "log.jsonl").read_bytes()
    again = run("sweep", "--resume", out, env=environment())
    check(again.returncode == 0 and (out / "log.jsonl").read_bytes() == log, f"nothing is left to do: {again.stderr}")


def tuned(folder):
    longer = ["small" if word == "tiny" else word for word in POINTS]
    # A fast machine has finished one device's evaluations before the other's begin, but not the visits that confirm them.
    for attempt in range(4):
        out = folder / f"tune_{attempt}"
        done = run("tune", *longer, "--budget", "0", "--evaluations", "10", "--target", "30%", "--out", out,
                   env=environment())
        check(done.returncode == 0 and TOGETHER in done.stderr, f"tune: {done.returncode} {done.stderr}")
        check_both(out, "evaluation", "tune")
        changes = check_both(out, "visit", "tune")
        if changes > 1:
            break
    check(changes > 1, f"tune: the devices took turns {changes} times")
    check({line["best"]["device_id"] for line in lines_of(out, "answer")} == {"pci-62:00", "pci-70:00"}, "tune: two answers")


def one_after_the_other(folder):
    """Where there is one core for both, and CPU devices in any case."""
    for what, more, env in (("one core", ["--cpus", "0"], environment()), ("CPUs", [], environment(OPENCL_LAYERS=""))):
        out = folder / what.replace(" ", "_")
        done = run("sweep", *POINTS, "--plan", "baseline", "--budget", "0", "--rounds", "1", "--blocks", "1", *more,
                   "--out", out, env=env)
        check(done.returncode == 0 and "at the same time" not in done.stderr, f"{what}: {done.returncode} {done.stderr}")
        devices = [line["key"]["device_id"] for line in lines_of(out, "visit")]
        changes = sum(one != other for one, other in zip(devices, devices[1:]))
        check(len(set(devices)) == 2 and changes == 1, f"{what}: {devices}")


run_checks([swept, tuned, one_after_the_other])
