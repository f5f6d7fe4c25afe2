"""Times of one dwarf against the size of its problems."""

import math
import re
import textwrap

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, NullFormatter

import runs
from style import GREY, colours_of, seconds_text, set_title


def size_of(row):
    """What the x axis shows: the bytes read and written where the dwarf states them, else the first number of the
    problem."""
    if math.isfinite(row["bytes"]) and row["bytes"] > 0:
        return row["bytes"]
    found = re.search(r"=(\d+)", row["problem"])
    return float(found.group(1)) if found else math.nan


def timed_totals(table):
    """The rows of all kernels together that have a time, with their place on the x axis."""
    total = table[(table["kernel"] == "total") & (table["status"] == "ok") & table["median_ns"].notna()].copy()
    if total.empty:
        return None
    total["x"] = total.apply(size_of, axis=1)
    by_problem = total.groupby("problem")["x"].max()  # rows of the CPU reference have no bytes
    total["x"] = total["problem"].map(by_problem)
    return total


def draw_devices(axis, devices, names):
    colours = colours_of(names)
    for column in names:
        own = devices[devices["column"] == column]
        if own.empty:
            continue
        base = own[own["baseline"]].sort_values("x")
        axis.plot(base["x"], base["median_ns"], "o-", color=colours[column], markersize=4.5, label=names[column])
        best = sorted(runs.best_rows(own), key=lambda row: row["x"])
        axis.plot([row["x"] for row in best], [row["median_ns"] for row in best], "D--", color=colours[column],
                  markersize=4, markerfacecolor="white", linewidth=1.2)


def draw_cpu_reference(axis, reference):
    for variant, label, style in [("serial", "host, one thread", ":"), ("openmp", "host, all threads", "-.")]:
        own = reference[reference["variant"] == variant].sort_values("x")
        if len(own):
            axis.plot(own["x"], own["median_ns"], style, color=GREY, linewidth=1.3, label=label)


def scale_axes(axis, devices):
    axis.set_xscale("log", base=2)
    axis.set_yscale("log")
    axis.yaxis.set_major_formatter(FuncFormatter(seconds_text))
    ticks = devices.drop_duplicates("x").sort_values("x")
    labels = [f"{size}\n{text}" for size, text in zip(ticks["size"], runs.what_differs(list(ticks["problem"])))]
    axis.set_xticks(ticks["x"], labels, fontsize=7.5)
    axis.xaxis.set_minor_formatter(NullFormatter())
    axis.tick_params(axis="x", which="minor", length=0)
    axis.set_ylabel("time of all kernels (median)")


def plot_sizes(dwarf_table, names, title):
    """None where fewer than two sizes were measured."""
    total = timed_totals(dwarf_table)
    if total is None:
        return None
    devices = total[total["device_type"] != "host"]
    if devices["problem"].nunique() < 2 or devices["x"].nunique() < 2:
        return None
    figure, axis = plt.subplots(figsize=(9.4, 4.6), layout="constrained")
    draw_devices(axis, devices, names)
    draw_cpu_reference(axis, total[total["device_type"] == "host"])
    axis.plot([], [], "o-", color="#404040", markersize=4.5, label="baseline")
    axis.plot([], [], "D--", color="#404040", markerfacecolor="white", markersize=4, label="best setting")
    scale_axes(axis, devices)
    set_title(figure, title)
    handles, labels = axis.get_legend_handles_labels()
    axis.legend(handles, [textwrap.fill(label, 34) for label in labels], loc="upper left", bbox_to_anchor=(1.01, 1))
    return figure
