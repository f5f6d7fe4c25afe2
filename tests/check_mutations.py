"""Kernels with planted errors: a wrong formula, an off-by-one, a missing barrier, swapped axes. Each must be caught by
the check of its dwarf on a small odd problem, where the kernel as it is passes. PoCL optimises neither, as it is the checks
that are tested. A missing barrier hardly ever shows on PoCL, which runs the work-items between two barriers one after the
other: there it is Oclgrind that must see it.

tests/dwarfs/<name>_mutants.py holds a dwarf's planted errors. POINTS are problems and settings, by a name. MUTANTS are
(point, what is planted, text of a kernel file, what it becomes); the text is taken at its first place in the dwarf's
kernel files, of "A@@B" the first B behind A. Where the kernels no longer have the text, this says so, and the error has
to be planted elsewhere. Every 24th of them is run, the others in the next days, and all with `--long`; each is planted.
Other arguments are the dwarfs to do; none means all."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from checks import PROGRAM, check, file_of_dwarf, finish, listed_dwarfs, share_of_seed

KERNELS = pathlib.Path(__file__).resolve().parent.parent / "kernels_cl"
OCLGRIND = pathlib.Path(os.environ["OCL_ICD_VENDORS"]).parent / "oclgrind"
ENVIRONMENT = dict(os.environ, POCL_EXTRA_BUILD_FLAGS="-cl-opt-disable")


def run(dwarf, point, kernels, **environment):
    problem, settings = point
    return subprocess.run([PROGRAM, "run", "--dwarf", dwarf, "--problem", problem, "--set", settings, "--kernels",
                           str(kernels), "--budget", "1ms", "--rounds", "1", "--blocks", "1", "--pairs", "1",
                           "--point-timeout", "120s"],
                          capture_output=True, text=True, timeout=300, env=dict(ENVIRONMENT, **environment))


def plant(dwarf, kernels, place, replacement):
    """Changes the first of the dwarf's kernel files that has the place; says whether one has."""
    before, _, wanted = place.rpartition("@@")
    main = kernels / dwarf / f"{dwarf}.cl"
    for source in [main, *sorted(set(main.parent.glob("*.cl")) - {main})]:
        text = source.read_text()
        begin = text.find(before)
        at = text.find(wanted, begin + len(before)) if begin >= 0 else -1
        if at >= 0:
            source.write_text(text[:at] + replacement + text[at + len(wanted):])
            return True
    return False


def check_mutant(name, dwarf, planted, point, kernels):
    if planted == "missing barrier":
        if OCLGRIND.exists():
            done = run(dwarf, point, kernels, OCL_ICD_VENDORS=str(OCLGRIND), OCLGRIND_DATA_RACES="1")
            check("data race at local" in done.stderr, f"{name}: not seen: {done.stderr[-500:]}")
        return
    done = run(dwarf, point, kernels)
    print(f"{name:42} {done.stderr.strip().splitlines()[-1][:100] if done.stderr else 'not caught'}", flush=True)
    check(done.returncode == 1 and re.search(r"dwarfsweep: (wrong_result|crashed|timed_out) on", done.stderr),
          f"{name}: not caught: {done.stdout} {done.stderr}")
    check(not planted.endswith("past the end") or "a kernel wrote past the last element of" in done.stderr,
          f"{name}: the write beyond the buffer is not reported: {done.stderr}")


def check_dwarf(dwarf, errors, folder):
    run_today = set(share_of_seed(range(len(errors.MUTANTS)), parts=24))
    for label in {errors.MUTANTS[index][0]: None for index in run_today}:
        done = run(dwarf, errors.POINTS[label], KERNELS)
        check(done.returncode == 0, f"{dwarf} {label} as it is: {done.stderr}")
    for index, (label, planted, place, replacement) in enumerate(errors.MUTANTS):
        name = f"{dwarf} {label}, {planted}"
        kernels = folder / f"{dwarf}_{index}"
        shutil.copytree(KERNELS, kernels)
        planted_there = plant(dwarf, kernels, place, replacement)
        if check(planted_there, f"{name}: the kernels have no '{place}'; plant it elsewhere") and index in run_today:
            check_mutant(name, dwarf, planted, errors.POINTS[label], kernels)
        shutil.rmtree(kernels)


def main():
    wanted = [word for word in sys.argv[1:] if not word.startswith("-")]
    errors = {dwarf: module for dwarf in wanted or listed_dwarfs() if (module := file_of_dwarf(dwarf, "mutants"))}
    check(errors, "no dwarf has planted errors")
    with tempfile.TemporaryDirectory() as name:
        for dwarf, module in errors.items():
            check_dwarf(dwarf, module, pathlib.Path(name))
    if not wanted:
        print("without planted errors:", " ".join(name for name in listed_dwarfs() if name not in errors) or "none")
    finish()


main()
