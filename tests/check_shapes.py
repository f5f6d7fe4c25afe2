"""The random shapes of results/peers/shapes.py: legal, distinct, the same for a seed, and the unusual ones among them. Also
the ratios that goals.py --summary prints, and the registers that same_clock.py replaces."""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

from checks import PROGRAM, ROOT, check, finish

sys.path.insert(0, str(ROOT / "results/peers"))
from goals import elements_of, keys_of, share_of_limit, shape_goal, summary  # noqa: E402
from ours import NotHere  # noqa: E402
from same_clock import launchable  # noqa: E402
from shapes import LEAST_ELEMENTS, MOST_ELEMENTS, SHAPES, random_shapes  # noqa: E402

LISTED = {dwarf["name"]: dwarf for dwarf in json.loads(
    subprocess.run([PROGRAM, "list", "--json"], capture_output=True, text=True, check=True).stdout)}


def is_legal(dwarf, problem):
    bounds = {key["name"]: key for key in LISTED[dwarf]["problem_keys"]}
    return all(key in bounds and bounds[key]["minimum"] <= value <= bounds[key]["maximum"]
               and (not bounds[key].get("power_of_two") or value & (value - 1) == 0) for key, value in keys_of(problem).items())


def shapes_are_right(kind, dwarf, seed):
    name = f"{kind} {dwarf} seed {seed}"
    shapes = random_shapes(kind, dwarf, seed)
    kinds = [what for _, what in shapes]
    check(len({problem for problem, _ in shapes}) == 12, f"{name}: twelve distinct shapes: {shapes}")
    check(shapes == random_shapes(kind, dwarf, seed) != random_shapes(kind, dwarf, seed + 1), f"{name}: the seed decides")
    check(kinds.count("drawn") >= 7 and all(kinds.count(what) == 1 for what in SHAPES[dwarf].special), f"{name}: {kinds}")
    for problem, what in shapes:
        elements = elements_of(dwarf, problem, LISTED[dwarf])
        check(is_legal(dwarf, problem), f"{name}: {problem} is not legal")
        check((elements < LEAST_ELEMENTS) == (what == "tiny" and kind == "gpu") and elements <= MOST_ELEMENTS[kind],
              f"{name}: {what} {problem} has {elements} elements")
        check(what != "transposed" or "transposed=1" in problem, f"{name}: {problem} is not transposed")


def ratios_are_right(folder):
    rows = [{"device": "d", "dwarf": "saxpy", "peer": "L", "goal": "0.7 of L", "problem": f"n={n}", "ratio": ratio, "method": "",
             "peer_wall_ns": 300, "wall_ns": 200} for n, ratio in ((1, 0.5), (2, 2))]
    rows.append({**rows[0], "problem": "n=3", "goal": "", "method": "left out: no L"})
    path = pathlib.Path(folder) / "shapes.csv"
    with open(path, "w", newline="") as file:
        table = csv.DictWriter(file, rows[0])
        table.writeheader()
        table.writerows(rows)
    text = summary([path])
    check("| d | saxpy | L | kernels | 2 | 1.000 | 0.500 | 1 | 1 | n=1 0.50 |" in text, text)
    check("| d | saxpy | L | wall | 2 | 1.500 | 1.500 | 0 | 0 |  |" in text and "saxpy n=3: left out: no L" in text, text)


for kind in ("gpu", "cpu"):
    for dwarf in SHAPES:
        for seed in range(5):
            shapes_are_right(kind, dwarf, seed)
row = {"bytes": 1000, "operations": 10, "ours_ns": 20,
       "peaks": {"read_gb_per_s": 10, "read_1_kib_gb_per_s": 100, "gflop_per_s": 1}}
check(share_of_limit(row, "float") == 0.5, "data in a cache is read at the cache's rate")
check(share_of_limit({**row, "bytes": 2000}, "float") == 10, "other data at the memory's")
check(shape_goal("gpu", "crc", "bytes=13000000", None, LISTED) is None, "limits are for a tenth of the large size")
check(shape_goal("gpu", "crc", "bytes=14000000", None, LISTED).least == 0.6, "or more")
with tempfile.TemporaryDirectory() as scratch:
    ratios_are_right(scratch)
check(launchable(b"mov.b32 \t%r8, %envreg0;\nmov.b32 \t%r9, %envreg7;\n\0") ==
      b"mov.b32 \t%r8, 0;\nmov.u32 \t%r9, %nctaid.y;\n", "CUDA's number of groups replaces OpenCL's")
try:
    launchable(b"mov.b32 \t%r8, %envreg10;")
    check(False, "a register that is not known is refused")
except NotHere:
    pass
check(not is_legal("fft_1d", "n=3") and not is_legal("saxpy", "m=3"), "illegal shapes are seen")
finish()
