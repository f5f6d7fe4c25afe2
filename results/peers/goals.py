#!/usr/bin/env python3
"""The goals of each dwarf, and how far a measured point has come: against the library where there is one, else against
what the device can do.

    results/peers/goals.py CSV...               the goals in these files of peers.py as a table in Markdown
    results/peers/goals.py --summary CSV...     a line for each dwarf and library instead: geometric mean, least, and the
                                                shapes behind. Also takes h200-same-clock.csv
"""
import csv
import statistics
import sys

from shapes import SHAPES

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


def edges_of_sectors(row):
    return row["keys"]["nodes"] * row["keys"]["degree"] / row["ours_ns"] * 1e9 / RANDOM_SECTORS


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
                    edges_of_sectors)
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


PEAK_OF = {"float": "gflop_per_s", "integer": "gop_per_s", "logic": "logic_gop_per_s"}


def share_of_limit(row, arithmetic):
    """`peak_fraction` of suite/record/roofline.cpp: the time that bytes or operations take at the peak, over ours."""
    peaks, size = row["peaks"], row["bytes"]
    rates = [peaks.get(f"{name}_gb_per_s", 0) for name in ("read", "copy", "triad")]
    if size <= peaks.get("last_level_cache_bytes", 0):
        rates += [peaks.get(f"cached_{name}_gb_per_s", 0) for name in ("read", "copy", "triad")]
    rates += [rate for name, rate in peaks.items() if name.endswith("_kib_gb_per_s") and 1024 * int(name.split("_")[1]) >= size]
    return max(size / max(rates), row["operations"] / peaks[PEAK_OF[arithmetic]]) / row["ours_ns"]


def elements_of(dwarf, problem, listed):
    keys = {each["name"]: each["default"] for each in listed["problem_keys"]} | keys_of(problem)
    return SHAPES[dwarf].elements(**{key: keys[key] for key in SHAPES[dwarf].ranges})


def shape_goal(kind, dwarf, problem, library, dwarfs):
    """Of random shapes. Limits apply from a tenth of the size large on; `dwarfs` is what `list --json` has of each."""
    if library:
        least = 0.7 if kind == "gpu" else 0.8
        return Goal(f"{least:g} of {library}, in the mean 1", least, ratio)
    large = next(size["problem"] for size in dwarfs[dwarf]["sizes"] if size["name"] == "large").replace(";", ",")
    if 10 * elements_of(dwarf, problem, dwarfs[dwarf]) < elements_of(dwarf, large, dwarfs[dwarf]):
        return None
    if dwarf == "bfs" and kind == "gpu" and keys_of(problem)["nodes"] >= 2**23:
        return Goal("60 % of random sectors", 0.6, edges_of_sectors)
    return Goal("60 % of the limit", 0.6, lambda row: share_of_limit(row, dwarfs[dwarf]["arithmetic"]))


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


def by_clock(row):
    """Pairs of clock and ratio."""
    if not row.get("ratio"):
        return [("limit", float(row["reached"]))]
    walls = [("wall", float(row["peer_wall_ns"]) / float(row["wall_ns"]))] if row.get("peer_wall_ns") else []
    return [("kernels" if walls else "one profiler", float(row["ratio"])), *walls]


def summary(paths):
    """By both clocks: "kernels" is each side's own clock, "wall" is the host's for both."""
    groups, uncounted = {}, []
    for path in paths:
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                if row.get("goal") == "":
                    uncounted.append(f"{row['dwarf']} {row['problem']}: {row['method'] or 'too small'}")
                    continue
                for clock, value in by_clock(row):
                    key = (row["device"], row["dwarf"], row.get("peer") or "the limit", clock)
                    groups.setdefault(key, []).append((value, row["problem"]))
    lines = ["| device | dwarf | against | clock | shapes | mean | least | under 0.7 | behind | under 0.85, of limits 0.6 |",
             "|---|---|---|---|--:|--:|--:|--:|--:|---|"]
    for key, ratios in groups.items():
        values = [value for value, _ in ratios]
        behind = [f"{problem} {value:.2f}" for value, problem in sorted(ratios) if value < (0.6 if key[-1] == "limit" else 0.85)]
        lines.append("| " + " | ".join([*key, str(len(values)), f"{statistics.geometric_mean(values):.3f}", f"{min(values):.3f}",
                                        str(sum(value < 0.7 for value in values)), str(len(behind)), ", ".join(behind)]) + " |")
    return "\n".join(lines + (["", "Not counted:", *uncounted] if uncounted else []))


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(__doc__)
        sys.exit(0)
    print(summary(sys.argv[2:]) if sys.argv[1:2] == ["--summary"] else table(sys.argv[1:]))
