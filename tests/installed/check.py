#!/usr/bin/env python3
"""What `cmake --install` installs works without the source tree: the program from any folder, and the harness as a
library for somebody else's kernel."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests"))
from checks import PROGRAM, check, run_checks

DEVICE = "portable computing"


def run(*command, cwd):
    result = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False)
    check(result.returncode == 0, f"{command} ended with {result.returncode}: {result.stdout}{result.stderr}")
    return result.stdout


def install(folder):
    prefix = folder / "prefix"
    run("cmake", "--install", pathlib.Path(PROGRAM).parent, "--prefix", prefix, cwd=folder)
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    return prefix, elsewhere


def the_program_runs_from_another_folder(folder, prefix, elsewhere):
    program = prefix / "bin" / "dwarfsweep"
    check("srad" in run(program, "list", cwd=elsewhere), "list names no srad")
    shutil.copytree(SOURCE / "results" / "reference" / "nvidia-paper", elsewhere / "reference")
    tables = run(program, "table", elsewhere / "reference", cwd=elsewhere)
    check("Published" in tables, "the tables have no published figures")
    output = run(program, "run", "--dwarf", "srad", "--size", "tiny", "--device", DEVICE, cwd=elsewhere)
    check(re.search(r"^  total +\d", output, re.M), f"a run of srad prints: {output}")


def manual_and_completions_are_installed(folder, prefix, elsewhere):
    program = prefix / "bin" / "dwarfsweep"
    for path, kind in (("man/man1/dwarfsweep.1", "--man"), ("bash-completion/completions/dwarfsweep", "--bash"),
                       ("zsh/site-functions/_dwarfsweep", "--zsh")):
        check((prefix / "share" / path).read_text() == run(program, "help", kind, cwd=elsewhere), f"share/{path}")


def another_project_measures_its_kernel(folder, prefix, elsewhere):
    if os.environ.get("SANITIZED"):
        return  # another project would have to be built with the same sanitizers
    example = elsewhere / "example"
    shutil.copytree(SOURCE / "tests" / "installed", example)
    run("cmake", "-S", example, "-B", elsewhere / "build", f"-DCMAKE_PREFIX_PATH={prefix}",
        "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror", cwd=elsewhere)
    run("cmake", "--build", elsewhere / "build", cwd=elsewhere)
    line = run(elsewhere / "build" / "example", DEVICE, cwd=elsewhere)
    found = re.fullmatch(r"scale on .*: verified; median (\d+) ns, 95 % interval (\d+) to (\d+) ns\n", line)
    if check(found, f"the example prints: {line}"):
        median, low, high = (int(group) for group in found.groups())
        check(0 < low <= median <= high, f"the median is not within its interval: {line}")


def the_harness_has_no_kernels_of_dwarfs(folder, prefix, elsewhere):
    """The library has the kernels that it needs itself; those of the dwarfs are in the program alone."""
    library = next(prefix.rglob("libharness.a")).read_bytes()
    program = (prefix / "bin" / "dwarfsweep").read_bytes()
    own, dwarfs = b"UNROLL_LOOP(n) PRAGMA_UNROLL(n)", b"VARIANT_INTERLEAVED"
    check(own in library and dwarfs not in library, "the harness library has kernels of dwarfs")
    check(own in program and dwarfs in program, "the program lacks kernels")


def the_package_can_be_moved(folder, prefix, elsewhere):
    for file in prefix.rglob("*.cmake"):
        for path in (SOURCE, folder):
            check(str(path) not in file.read_text(), f"{file.name} holds the path {path}")


if __name__ == "__main__":
    run_checks([the_program_runs_from_another_folder, manual_and_completions_are_installed, another_project_measures_its_kernel,
                the_harness_has_no_kernels_of_dwarfs, the_package_can_be_moved],
               prepare=install)
