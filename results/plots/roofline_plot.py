"""Rooflines: what the points reach, under the peaks that were measured on the device."""

import matplotlib.pyplot as plt
import numpy as np

import runs
from style import COLOURS, GREY, MARKERS, set_title


KINDS = [("gflop_per_s", "floating point", "-"), ("gop_per_s", "integer", "--"), ("logic_gop_per_s", "logic", "-.")]


def draw_roofs(axis, x, bandwidth, roofs):
    """Operations per second that the bandwidth of the memory and each kind of arithmetic allow at x operations per byte.
    Kinds whose peaks are within 5 % share a roof."""
    shared = []
    for peak, label, style in sorted(roofs, reverse=True):
        if shared and peak > 0.95 * shared[-1][0]:
            shared[-1][1].append(label)
        else:
            shared.append((peak, [label], style))
    for i, (peak, labels, style) in enumerate(shared):
        axis.plot(x, np.minimum(bandwidth * x, peak), style, color="#303030", linewidth=1.4)
        above = i == 0  # the lower roofs have their names below, so that no two meet
        axis.annotate(f"{peak:,.0f} Gop/s, {' and '.join(labels)}", (x[-1], peak), xytext=(0, 3 if above else -3),
                      textcoords="offset points", ha="right", va="bottom" if above else "top", fontsize=8)


def draw_bandwidths(axis, x, bandwidth, cached, highest):
    """The names of the slopes, and the slope of the cache up to the highest roof."""
    axis.annotate(f"{bandwidth:,.0f} GB/s", (x[30], bandwidth * x[30]), xytext=(7, -2), textcoords="offset points",
                  va="top", fontsize=8)
    if cached <= bandwidth:
        return
    slope = cached * x
    axis.plot(x[slope < highest], slope[slope < highest], ":", color=GREY, linewidth=1.2)
    axis.annotate(f"{cached:,.0f} GB/s, cached", (x[30], cached * x[30]), xytext=(-7, 2), color="#606060",
                  textcoords="offset points", ha="right", fontsize=8)


def draw_dwarf(axis, dwarf, group, colour, marker):
    """White: the baseline of each problem; filled: the best setting; a line joins the two."""
    base = group[group["baseline"]]
    axis.plot(base["intensity"], base["gop_per_s"], marker, markerfacecolor="white", markeredgecolor=colour,
              markersize=6, linestyle="none")
    for row in runs.best_rows(group):
        baseline = base.loc[base["problem"] == row["problem"], ["intensity", "gop_per_s"]].values[:1]
        for x0, y0 in baseline:
            axis.plot([x0, row["intensity"]], [y0, row["gop_per_s"]], color=colour, linewidth=0.8, alpha=0.6)
        axis.plot(row["intensity"], row["gop_per_s"], marker, color=colour, markersize=6.5)
    axis.plot([], [], marker, color=colour, linestyle="none", label=dwarf)


def plot_roofline(table, peaks, title):
    """Operations per second against operations per byte, under the roof of the measured peaks: solid for data in
    memory, dotted for data in the last-level cache. None where peaks or points are missing."""
    bandwidth = max(peaks.get("read_gb_per_s", 0), peaks.get("copy_gb_per_s", 0))
    cached = max(peaks.get("cached_read_gb_per_s", 0), peaks.get("cached_copy_gb_per_s", 0))
    roofs = [(peaks[name], label, style) for name, label, style in KINDS if peaks.get(name, 0) > 0]
    points = table[(table["status"] == "ok") & (table["kernel"] == "total") & table["gop_per_s"].notna()
                   & (table["bytes"] > 0) & (table["operations"] > 0)].copy()
    if bandwidth <= 0 or not roofs or points.empty:
        return None
    points["intensity"] = points["operations"] / points["bytes"]
    figure, axis = plt.subplots(figsize=(7.6, 5.0), layout="constrained")
    x = np.geomspace(min(points["intensity"].min() / 4, 0.05), max(points["intensity"].max() * 4, 50), 200)
    axis.set_xscale("log")
    axis.set_yscale("log")
    draw_roofs(axis, x, bandwidth, roofs)
    draw_bandwidths(axis, x, bandwidth, cached, max(roofs)[0])
    for i, (dwarf, group) in enumerate(points.groupby("dwarf", sort=False)):
        draw_dwarf(axis, dwarf, group, COLOURS[i % len(COLOURS)], MARKERS[i % len(MARKERS)])
    axis.plot([], [], "o", markerfacecolor="white", markeredgecolor="#404040", linestyle="none",
              label="baseline (filled: best)")
    axis.set_xlabel("operations per byte of input and output")
    axis.set_ylabel("Gop/s")
    set_title(figure, title)
    axis.legend(loc="lower right", ncols=2)
    return figure
