#!/usr/bin/env python3
"""The goals of each dwarf, and how far a measured point has come: against the library where there is one, else against
what the device can do.

    results/peers/goals.py CSV...     the goals in these files of peers.py as a table in Markdown
"""
import csv
import sys

RANDOM_SECTORS = 170e9  # a second, of 32 bytes, on an H200: edges of a graph that no cache holds


class Goal:
    """`reached(row)` is to be at least `least`; a goal that does not apply to a problem says so by None."""

    def __init__(self, text, least, reached):
        self.text, self.least, self.reached = text, least, reached
        self.needs_peaks = reached is not ratio


def ratio(row):
    return row.get("ratio")


def rate(unit, work="items"):
    return lambda row: row[work] / row["ours_ns"] / unit


def of_reading(row):
    keys, peaks = row["keys"], row["peaks"]
    points = 4 * keys["points"] * keys["features"]
    return points / peaks["read_gb_per_s"] / row["ours_ns"]


def of_arithmetic(row):
    keys = row["keys"]
    return 3 * keys["points"] * keys["features"] * keys["clusters"] / row["ours_ns"] / row["peaks"]["gflop_per_s"]


def keys_of(problem):
    """Those that are numbers."""
    return {key: int(value) for key, value in (each.split("=") for each in problem.split(",")) if value.isdigit()}


def gpu_goal(dwarf, problem, library):
    keys = keys_of(problem)
    if library and dwarf in ("sgemv", "lud", "matmul"):
        return Goal(*{"sgemv": ("0.97 of cuBLAS", 0.97), "lud": ("ahead of cuSOLVER", 1.0),
                      "matmul": ("0.95 of cuBLAS", 0.95)}[dwarf], ratio)
    if dwarf == "lud":
        return Goal("40 TFLOP/s at 8192", 40, rate(1e3, "operations")) if keys["n"] == 8192 else None
    if dwarf == "kmeans":
        if keys["clusters"] <= 16:
            return Goal("within 1.5 x of reading the points (0.67)", 1 / 1.5, of_reading)
        if keys["clusters"] >= 64:
            return Goal("60 % of the fp32 peak", 0.6, of_arithmetic)
    if dwarf == "needle" and keys["m"] >= 32768:
        return Goal("70 % of the write peak", 0.7, lambda row: row["bytes"] / row["ours_ns"] / row["peaks"]["write_gb_per_s"])
    if dwarf == "srad" and keys["rows"] == 8192:
        return Goal("400 G pixel iterations/s", 400, rate(1))
    if dwarf == "hotspot" and keys["rows"] == 8192:
        return Goal("2.0 T cell steps/s", 2.0, rate(1e3))
    if dwarf == "saxpy" and library is None:
        return Goal("97 % of triad", 0.97, lambda row: row["bytes"] / row["ours_ns"] / row["peaks"]["triad_gb_per_s"])
    if dwarf == "backprop" and keys["inputs"] >= 2**20:
        return Goal("60 % of copy", 0.6, lambda row: row["bytes"] / row["ours_ns"] / row["peaks"]["copy_gb_per_s"])
    if dwarf == "stencil_3d" and keys["nx"] >= 512:
        return Goal("80 % of copy", 0.8, lambda row: row["bytes"] / row["ours_ns"] / row["peaks"]["copy_gb_per_s"])
    if dwarf == "bfs" and keys["nodes"] >= 2**23:
        return Goal("70 % of random sectors (119 G edges/s)", 0.7,
                    lambda row: row["keys"]["nodes"] * row["keys"]["degree"] / row["ours_ns"] * 1e9 / RANDOM_SECTORS)
    if dwarf == "crc" and keys["bytes"] >= 10**8:
        return Goal("85 % of copy", 0.85, lambda row: row["bytes"] / row["ours_ns"] / row["peaks"]["copy_gb_per_s"])
    if dwarf == "des" and keys["blocks"] >= 10**7 and "mode" not in problem:
        return Goal("80 G blocks/s", 80, rate(1))
    return None


def cpu_goal(dwarf, _, library):
    if library is None:
        return None
    least = {"sgemv": 0.95, "lud": 0.8, "matmul": 0.8}.get(dwarf, 1.0)
    if library == "meep":
        least = 10.0
    if library == "libtomcrypt":
        from cpu_libraries import has_avx512  # which needs NumPy; this file's own table does not
        least = 10.0 if has_avx512() else 4.0
    return Goal(f"{least:g} of {library}", least, ratio)


def goal_of(kind, dwarf, problem, library):
    return (gpu_goal if kind == "gpu" else cpu_goal)(dwarf, problem, library)


def judge(row, goal):
    """The columns of the goal; empty where there is none."""
    if goal is None:
        return {"goal": "", "reached": "", "met": ""}
    reached = goal.reached(row)
    return {"goal": goal.text, "reached": float(reached), "met": "yes" if reached >= goal.least else "no"}


def table(paths):
    """Device by device, and the problems of a dwarf together."""
    rows = []
    for path in paths:
        with open(path, newline="") as file:
            rows += [row for row in csv.DictReader(file) if row["goal"]]
    devices, dwarfs = ([*dict.fromkeys(row[key] for row in rows)] for key in ("device", "dwarf"))
    rows.sort(key=lambda row: (devices.index(row["device"]), dwarfs.index(row["dwarf"])))
    lines = ["| device | dwarf | problem | ours | library | ratio | goal | reached | met |", "|---|---|---|--:|---|--:|---|--:|---|"]
    for row in rows:
        cells = [row["device"], row["dwarf"], row["problem"], f"{float(row['ours_ns']) / 1e6:.4g} ms", row["peer"],
                 row["ratio"], row["goal"], row["reached"], row["met"]]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(__doc__)
        sys.exit(0)
    print(table(sys.argv[1:]))
