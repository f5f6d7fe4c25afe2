"""The property tests find what is planted: a read outside the data, a kernel that kills its process, one that never
ends. A failure is printed as a command that repeats it, and the other trials continue."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess

from checks import PROGRAM, check, run_checks

PROPERTIES = os.environ["DWARFSWEEP_PROPERTIES"]
KERNELS = pathlib.Path(__file__).resolve().parent.parent / "kernels_cl"


def properties(*options, **environment):
    return subprocess.run([PROPERTIES, "--elements", "3000", *options], capture_output=True, text=True, timeout=300,
                          env=dict(os.environ, **environment))


def commands_of(done):
    """The printed commands that repeat a failure, as lists of arguments."""
    return [shlex.split(line)[1:] for line in done.stdout.splitlines() if line.strip().startswith("dwarfsweep run")]


def tally_of(done, dwarf):
    """Column -> number, of the table at the end."""
    names = re.search(r"^dwarf +(.*)$", done.stdout, re.MULTILINE)
    numbers = re.search(rf"^{dwarf} +(.*)$", done.stdout, re.MULTILINE)
    if not check(names and numbers, f"no tally of {dwarf}: {done.stdout} {done.stderr}"):
        return {}
    return dict(zip(names[1].split(), map(int, numbers[1].split())))


def faults_of(where, fault):
    return {"OPENCL_LAYERS": os.environ["FAULT_LAYER"], "FAULT": fault, "FAULT_WHERE": where}


def nothing_planted(folder):
    done = properties("--dwarf", "saxpy", "--seconds", "6")
    tally = tally_of(done, "saxpy")
    check(done.returncode == 0, f"as it is: {done.returncode} {done.stdout} {done.stderr}")
    check(tally.get("trials", 0) >= 4 and tally["failures"] == 0 and tally["shapes"] >= 2, f"as it is: {tally}")


def a_read_beside_the_data(folder):
    """One term too many: its factor lies behind x, and is no longer x times almost zero."""
    kernels = folder / "kernels"
    shutil.copytree(KERNELS, kernels)
    rows = kernels / "sgemv" / "rows.cl"
    text = rows.read_text()
    check("x, terms, 0, 1)" in text, "sgemv's rows.cl has no 'x, terms, 0, 1)'; plant it elsewhere")
    rows.write_text(text.replace("x, terms, 0, 1)", "x, terms + 1, 0, 1)"))
    done = properties("--dwarf", "sgemv", "--seconds", "40", "--kernels", str(kernels))
    check(done.returncode == 1, f"a read outside the data: {done.returncode} {done.stdout} {done.stderr}")
    tally = tally_of(done, "sgemv")
    check(0 < tally["failures"] < tally["trials"], f"only one variant is wrong: {tally}")
    commands = commands_of(done)
    check(commands and all("variant=row_per_item" in command for command in [" ".join(each) for each in commands]),
          f"the variant is named: {commands}")
    check(any("m=1,n=1,lda=0" in word for word in commands[0]), f"the first failure is shrunk: {commands[0]}")
    for kernels_used, status in ((kernels, 1), (KERNELS, 0)):
        repeated = subprocess.run([PROGRAM, *commands[0], "--kernels", str(kernels_used), "--budget", "1ms"],
                                  capture_output=True, text=True, timeout=120)
        check(repeated.returncode == status, f"repeated with {kernels_used}: {repeated.stdout} {repeated.stderr}")


def a_crash(folder):
    done = properties("--dwarf", "saxpy", "--seconds", "12", **faults_of("GRANULARITY=4", "abort"))
    check(done.returncode == 1 and "crashed: the worker process was ended by signal SIGABRT" in done.stdout,
          f"a crash: {done.returncode} {done.stdout} {done.stderr}")
    tally = tally_of(done, "saxpy")
    check(0 < tally["failures"] < tally["trials"], f"the trials continue after a crash: {tally}")
    check(any("n=1,a=1.5" in " ".join(each) and ",granularity=4 " in " ".join(each) for each in commands_of(done)),
          f"a crash is shrunk: {commands_of(done)}")


def a_hang(folder):
    done = properties("--dwarf", "saxpy", "--seconds", "12", "--trial-limit", "3", **faults_of("GRANULARITY=4", "endless"))
    tally = tally_of(done, "saxpy")
    check(done.returncode == 0 and tally["timed_out"] > 0 and "timed_out: no answer within 3.0 s" in done.stdout,
          f"a hang: {done.returncode} {done.stdout} {done.stderr}")
    check(all("granularity=4" in " ".join(each) for each in commands_of(done)), f"its settings: {commands_of(done)}")


def wrong_options(folder):
    for options, message in ((["--seconds", "none"], "--seconds is 'none', but must be an integer from 1 to"),
                             (["--dwarf", "lud,nothing"], "there is no dwarf 'nothing'"),
                             (["--size", "tiny"], "there is no option '--size'; --help lists them"),
                             (["--seed"], "--seed needs a value")):
        done = subprocess.run([PROPERTIES, *options], capture_output=True, text=True, timeout=60)
        check(done.returncode == 2 and message in done.stderr, f"{options}: {done.returncode} {done.stderr}")


run_checks([nothing_planted, a_read_beside_the_data, a_crash, a_hang, wrong_options])
