"""Kernels under Oclgrind's check for uninitialised memory, local and private: no word of a point below may be read before
it is written, and a kernel that reads local memory nobody wrote must be told. README.md says which points are missing."""
import concurrent.futures
import os
import pathlib
import subprocess
import tempfile

from checks import PROGRAM, check, finish

KERNELS = pathlib.Path(__file__).resolve().parent.parent / "kernels_cl"
# Oclgrind's plugin does not know the instructions of optimised kernels, nor that a fill initialises.
ENVIRONMENT = dict(os.environ, OCLGRIND_UNINITIALIZED="1", OCLGRIND_BUILD_OPTIONS="-cl-opt-disable",
                   OCLGRIND_MAX_ERRORS="3", OPENCL_LAYERS=os.environ["FAULT_LAYER"], FAULT="visible_fills",
                   OCL_ICD_VENDORS=str(pathlib.Path(os.environ["OCL_ICD_VENDORS"]).parent / "oclgrind"))
POINTS = [("lud", "tiled", "n=20"), ("lud", "blocked", "n=20"), ("crc", "per_byte", "bytes=500"),
          ("needle", "wavefront", "m=20,n=20"), ("srad", "branches", "rows=5,cols=7"),
          ("sgemv", "row_per_item", "m=20,n=20"), ("sgemv", "split_k", "m=20,n=20"),
          ("kmeans", "assign_only", "points=30,features=4,clusters=3"),
          ("hotspot", "single_step", "rows=5,cols=7")]


def run(dwarf, variant, problem, kernels=KERNELS):
    return subprocess.run([PROGRAM, "run", "--dwarf", dwarf, "--problem", problem, "--set", f"variant={variant}",
                           "--kernels", str(kernels), "--budget", "0", "--rounds", "1", "--blocks", "1", "--pairs", "1"],
                          capture_output=True, text=True, timeout=300, env=ENVIRONMENT)


with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(2) as pool:
    for point, done in zip(POINTS, pool.map(lambda each: run(*each), POINTS)):
        check(done.returncode == 0 and "Uninitialized" not in done.stderr, f"{point}: {done.stderr[:700]}")
    planted = pathlib.Path(name)
    for source in KERNELS.glob("*.cl"):
        text = source.read_text()
        if source.name.startswith("lud"):
            text = text.replace("tile[i][row] = matrix[element(offset + i, offset + row, stride)];", ";")
        (planted / source.name).write_text(text)
    done = run("lud", "tiled", "n=20", planted)
    check("Uninitialized" in done.stderr, f"a tile that nobody wrote: {done.stdout}{done.stderr[-700:]}")
finish()
