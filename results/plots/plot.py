#!/usr/bin/env python3
"""Plots of one or several runs: speedups, samples, times against sizes, and rooflines where peaks were measured.

    results/plots/plot.py results/runs/RUN... [--out DIR] [--dwarf lud,crc] [--format png|svg|pdf]

Needs pandas and matplotlib. Exit status: 0 done, 2 something is wrong with the files or the arguments.
"""

import argparse
import math
import re
import sys
import textwrap
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

import runs as run_files

# Okabe and Ito's colours, which colour-blind readers can tell apart, but for their yellow, too pale for thin lines; the
# last two are Tol's.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999933", "#882255"]
GREY = "#8a8a8a"
MARKERS = "osD^vP*X<>"

STYLE = {
    "figure.dpi": 150, "savefig.dpi": 150, "font.size": 9, "axes.titlesize": 10, "axes.titleweight": "bold",
    "axes.titlelocation": "left", "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": "#606060",
    "axes.grid": True, "grid.color": "#e4e4e4", "grid.linewidth": 0.7, "axes.axisbelow": True,
    "legend.frameon": False, "legend.fontsize": 8.5, "xtick.color": "#404040", "ytick.color": "#202020",
    "svg.hashsalt": "dwarfsweep", "font.family": "DejaVu Sans",
}


def colours_of(names):
    return {column: COLOURS[i % len(COLOURS)] for i, column in enumerate(names)}


def time_unit(ns):
    for unit, size in [("s", 1e9), ("ms", 1e6), ("us", 1e3)]:
        if ns >= size:
            return unit, size
    return "ns", 1.0


def seconds_text(ns, _=None):
    unit, size = time_unit(ns)
    return f"{ns / size:g} {unit}"


def ratio_axis(axis):
    """A logarithmic axis of ratios with a tick at each plain number that fits."""
    low, high = axis.get_xlim()
    decades = math.log10(high / low)
    steps = (1, 2, 5) if decades < 2.2 else (1, 3) if decades < 3.2 else (1,)
    ticks = [step * 10.0**power for power in range(-4, 6) for step in steps]
    if decades < 0.6:
        ticks = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.5, 1.75, 2, 2.5]
    ticks = [tick for tick in ticks if low <= tick <= high]
    axis.set_xticks(ticks)
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}×"))
    axis.xaxis.set_minor_formatter(NullFormatter())
    axis.tick_params(axis="x", which="minor", length=0)


def set_title(figure, text):
    """Above all panels, from the left edge on, and no wider than the figure."""
    letters = int(figure.get_size_inches()[0] * 11)
    lines = [part for line in text.split("\n") for part in textwrap.wrap(line, letters)]
    figure.suptitle("\n".join(lines), x=0.01, ha="left", fontweight="bold", fontsize=10)


def name_settings(axis, settings):
    """A name at each place of the y axis; a long one in two smaller lines."""
    names = ["\n".join(textwrap.wrap(label, max(36, len(label) // 2 + 8))) for _, label in settings]
    axis.set_yticks(range(len(names)), names)
    for text, name in zip(axis.get_yticklabels(), names):
        if "\n" in name:
            text.set(fontsize=6.5, linespacing=1)


def kernels_in_order(table):
    """Those that have speedups; what the baseline does not launch has none."""
    kernels = list(dict.fromkeys(table.loc[table["speedup"].notna(), "kernel"]))
    shown = ["total"] + [kernel for kernel in kernels if kernel != "total"]
    if len(shown) == 2:  # one kernel is the total
        shown = ["total"]
    return shown[:4]


def draw_speedup(axis, row, y, height, colour):
    """A bar from 1 to the speedup, and its interval."""
    known = math.isfinite(row["speedup_high"]) and row["speedup_low"] > 0
    noise = row["verdict"] == "within_noise"
    axis.barh(y, row["speedup"] - 1, left=1, height=height, color=colour, alpha=0.35 if noise else 0.9, linewidth=0)
    if known:
        axis.plot([row["speedup_low"], row["speedup_high"]], [y, y], color="#202020", linewidth=1.1,
                  solid_capstyle="butt")
    axis.plot(row["speedup"], y, "|" if known else "o", color="#202020", markersize=4 if known else 2.5)


def declined_everywhere(problem):
    """Settings that no device measured: not legal, not possible, or their turn never came."""
    total = problem[problem["kernel"] == "total"]
    declined = total["status"].isin(["rejected", "unsupported"]).groupby(total["config"]).all()
    return set(declined.index[declined])


def plot_speedups(problem, names, title, settings):
    declined = declined_everywhere(problem)
    settings = [(config, label) for config, label in settings if config not in declined]
    kernels = kernels_in_order(problem)
    columns = [c for c in names if (problem["column"] == c).any()]
    colours = colours_of(names)
    height = 0.8 / len(columns)
    rows = len(settings)
    figure, axes, legend_axis = speedup_panels(len(kernels), rows, len(columns))
    lookup = problem.set_index(["column", "config", "kernel"])
    for axis, kernel in zip(axes, kernels):
        axis.set_xscale("log")
        axis.axvline(1, color="#404040", linewidth=0.9, zorder=1)
        notes = []
        for place, (config, _) in enumerate(settings):
            for i, column in enumerate(columns):
                y = place - 0.4 + height * (i + 0.5)
                key = (column, config, kernel)
                row = lookup.loc[key] if key in lookup.index else None
                if row is not None and math.isfinite(row["speedup"]):
                    draw_speedup(axis, row, y, height * 0.86, colours[column])
                    continue
                failed = (column, config, "total")
                if kernel == "total" and failed in lookup.index and lookup.loc[failed]["status"] != "ok":
                    notes.append((y, lookup.loc[failed]["status"].replace("_", " "), colours[column]))
        for y, text, colour in notes:
            axis.annotate(text, (1, y), xytext=(4, 0), textcoords="offset points", va="center", fontsize=6.5,
                          color=colour, style="italic")
        axis.set_title("all kernels" if kernel == "total" else kernel)
        axis.grid(axis="y", visible=False)
    low, high = axes[0].get_xlim()
    axes[0].set_xlim(min(low, 0.8), max(high, 1.25))
    for axis in axes:
        ratio_axis(axis)
    name_settings(axes[0], settings)
    axes[0].set_ylim(rows - 0.45, -0.55)
    set_title(figure, title)
    words = "speedup over the baseline; black line: 95 % interval; pale bar: within noise"
    if declined:
        words += f"\nnot measured, and left out: {len(declined)} settings; measurements.csv says why"
    handles = [plt.Rectangle((0, 0), 1, 1, color=colours[c]) for c in columns]
    legend_axis.axis("off")
    legend_axis.legend(handles, [names[c] for c in columns], loc="upper left", ncols=min(3, len(columns)),
                       borderaxespad=0, alignment="left", title=words)
    return figure


def speedup_panels(kernels, settings, devices):
    """A panel for each kernel, all to the same scale, and below them room for the legend."""
    legend_height = 0.25 + 0.2 * math.ceil(devices / 3)
    height = 0.6 + settings * max(0.24, 0.13 * devices)
    figure = plt.figure(figsize=(3.4 + 2.9 * kernels, 0.7 + height + legend_height), layout="constrained")
    grid = figure.add_gridspec(2, kernels, height_ratios=[height, legend_height])
    axes = [figure.add_subplot(grid[0, 0])]
    for i in range(1, kernels):
        axes.append(figure.add_subplot(grid[0, i], sharex=axes[0], sharey=axes[0]))
        axes[i].tick_params(labelleft=False, left=False)
    return figure, axes, figure.add_subplot(grid[1, :])


def plot_samples(samples, settings, title, baseline):
    """Every sample of every setting, its colour the round: a drift of the whole run shows as a rainbow."""
    present = [(config, label) for config, label in settings if (samples["config"] == config).any()]
    figure, axis = plt.subplots(figsize=(8.2, max(2.8, 1.6 + 0.3 * len(present))), layout="constrained")
    scatter = None
    random = np.random.default_rng(1)
    last_round = max(1, samples["round"].max())
    for place, (config, _) in enumerate(present):
        own = samples[samples["config"] == config]
        jitter = place + random.uniform(-0.26, 0.26, len(own))
        scatter = axis.scatter(own["ns"], jitter, c=own["round"], cmap="viridis", vmin=0, vmax=last_round, s=9,
                               alpha=0.75, linewidths=0)
        q1, median, q3 = np.percentile(own["ns"], [25, 50, 75])
        axis.plot([q1, q3], [place, place], color="#202020", linewidth=1.2)
        axis.plot(median, place, "|", color="#d00000", markersize=11, markeredgewidth=1.6)
    own = samples[samples["config"] == baseline]
    if len(own):
        axis.axvline(np.median(own["ns"]), color="#d00000", linewidth=0.7, linestyle=":", zorder=1)
    if samples["ns"].max() > 4 * samples["ns"].min():
        axis.set_xscale("log")
        decades = math.log10(samples["ns"].max() / samples["ns"].min())
        axis.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if decades < 2 else (1,)))
        axis.xaxis.set_minor_formatter(NullFormatter())
        axis.xaxis.set_major_formatter(FuncFormatter(seconds_text))
        axis.set_xlabel("time of all kernels")
    else:
        unit, size = time_unit(samples["ns"].median())
        axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value / size:g}"))
        axis.set_xlabel(f"time of all kernels, {unit}")
    name_settings(axis, present)
    axis.set_ylim(len(present) - 0.5, -0.5)
    axis.grid(axis="y", visible=False)
    set_title(figure, title)
    if last_round > 1:
        height = figure.get_size_inches()[1] - 1
        bar = figure.colorbar(scatter, ax=axis, pad=0.01, aspect=20, shrink=min(1, 2.4 / height), anchor=(0, 1))
        bar.set_label("round")
        bar.solids.set_alpha(1)
        bar.outline.set_visible(False)
    return figure


def best_rows(total):
    """For each device and problem the fastest setting that is more than noise, else the baseline."""
    rows = []
    for _, group in run_files.whole_results(total).groupby(["column", "size", "problem"], sort=False):
        faster = group[group["verdict"] == "faster"]
        chosen = faster.loc[faster["speedup"].idxmax()] if len(faster) else None
        if chosen is None:
            base = group[group["baseline"]]
            chosen = base.iloc[0] if len(base) else group.loc[group["median_ns"].idxmin()]
        rows.append(chosen)
    return rows


def size_of(row):
    """What the x axis shows: bytes touched if the dwarf tells, else the first number of the problem."""
    if math.isfinite(row["bytes"]) and row["bytes"] > 0:
        return row["bytes"]
    found = re.search(r"=(\d+)", row["problem"])
    return float(found.group(1)) if found else math.nan


def plot_sizes(dwarf_table, names, title):
    total = dwarf_table[(dwarf_table["kernel"] == "total") & (dwarf_table["status"] == "ok")
                        & dwarf_table["median_ns"].notna()].copy()
    if total.empty:
        return None
    total["x"] = total.apply(size_of, axis=1)
    by_problem = total.groupby("problem")["x"].max()  # the host tells no bytes
    total["x"] = total["problem"].map(by_problem)
    devices = total[total["device_type"] != "host"]
    if devices["problem"].nunique() < 2 or devices["x"].nunique() < 2:
        return None
    figure, axis = plt.subplots(figsize=(9.4, 4.6), layout="constrained")
    colours = colours_of(names)
    for column in names:
        own = devices[devices["column"] == column]
        if own.empty:
            continue
        base = own[own["baseline"]].sort_values("x")
        axis.plot(base["x"], base["median_ns"], "o-", color=colours[column], markersize=4.5, label=names[column])
        best = sorted(best_rows(own), key=lambda row: row["x"])
        axis.plot([row["x"] for row in best], [row["median_ns"] for row in best], "D--", color=colours[column],
                  markersize=4, markerfacecolor="white", linewidth=1.2)
    host = total[total["device_type"] == "host"]
    for variant, label, style in [("serial", "host, one thread", ":"), ("openmp", "host, all threads", "-.")]:
        own = host[host["variant"] == variant].sort_values("x")
        if len(own):
            axis.plot(own["x"], own["median_ns"], style, color=GREY, linewidth=1.3, label=label)
    axis.plot([], [], "o-", color="#404040", markersize=4.5, label="baseline")
    axis.plot([], [], "D--", color="#404040", markerfacecolor="white", markersize=4, label="best setting")
    axis.set_xscale("log", base=2)
    axis.set_yscale("log")
    axis.yaxis.set_major_formatter(FuncFormatter(seconds_text))
    ticks = devices.drop_duplicates("x").sort_values("x")
    words = [f"{size}\n{text}" for size, text in zip(ticks["size"], run_files.what_differs(list(ticks["problem"])))]
    axis.set_xticks(ticks["x"], words, fontsize=7.5)
    axis.xaxis.set_minor_formatter(NullFormatter())
    axis.tick_params(axis="x", which="minor", length=0)
    axis.set_ylabel("time of all kernels (median)")
    set_title(figure, title)
    handles, labels = axis.get_legend_handles_labels()
    axis.legend(handles, [textwrap.fill(label, 34) for label in labels], loc="upper left", bbox_to_anchor=(1.01, 1))
    return figure


def plot_roofline(table, peaks, title):
    """Operations a second against operations a byte, under the roof of what the device reached at best, from memory
    and, dotted, from its last cache."""
    bandwidth = max(peaks.get("read_gb_per_s", 0), peaks.get("copy_gb_per_s", 0))
    cached = max(peaks.get("cached_read_gb_per_s", 0), peaks.get("cached_copy_gb_per_s", 0))
    floating, whole = peaks.get("gflop_per_s", 0), peaks.get("gop_per_s", 0)
    points = table[(table["status"] == "ok") & (table["kernel"] == "total") & table["gop_per_s"].notna()
                   & (table["bytes"] > 0) & (table["operations"] > 0)].copy()
    if bandwidth <= 0 or max(floating, whole) <= 0 or points.empty:
        return None
    points["intensity"] = points["operations"] / points["bytes"]
    figure, axis = plt.subplots(figsize=(7.6, 5.0), layout="constrained")
    x = np.geomspace(min(points["intensity"].min() / 4, 0.05), max(points["intensity"].max() * 4, 50), 200)
    for peak, other, label, style in [(floating, whole, "floating point", "-"), (whole, floating, "whole numbers", "--")]:
        if peak > 0:
            axis.plot(x, np.minimum(bandwidth * x, peak), style, color="#303030", linewidth=1.4)
            above = peak >= other  # the lower roof has its name below, so that the two never meet
            axis.annotate(f"{peak:,.0f} Gop/s, {label}", (x[-1], peak), xytext=(0, 3 if above else -3),
                          textcoords="offset points", ha="right", va="bottom" if above else "top", fontsize=8)
    if cached > bandwidth:
        roof = cached * x
        axis.plot(x[roof < max(floating, whole)], roof[roof < max(floating, whole)], ":", color=GREY, linewidth=1.2)
    axis.set_xscale("log")
    axis.set_yscale("log")
    for i, (dwarf, group) in enumerate(points.groupby("dwarf", sort=False)):
        colour, marker = COLOURS[i % len(COLOURS)], MARKERS[i % len(MARKERS)]
        base = group[group["baseline"]]
        axis.plot(base["intensity"], base["gop_per_s"], marker, markerfacecolor="white", markeredgecolor=colour,
                  markersize=6, linestyle="none")
        for row in best_rows(group):
            start = base.loc[base["problem"] == row["problem"], ["intensity", "gop_per_s"]].values[:1]
            for x0, y0 in start:
                axis.plot([x0, row["intensity"]], [y0, row["gop_per_s"]], color=colour, linewidth=0.8, alpha=0.6)
            axis.plot(row["intensity"], row["gop_per_s"], marker, color=colour, markersize=6.5)
        axis.plot([], [], marker, color=colour, linestyle="none", label=dwarf)
    axis.plot([], [], "o", markerfacecolor="white", markeredgecolor="#404040", linestyle="none",
              label="baseline (filled: best)")
    axis.annotate(f"{bandwidth:,.0f} GB/s", (x[30], bandwidth * x[30]), xytext=(7, -2), textcoords="offset points",
                  va="top", fontsize=8)
    if cached > bandwidth:
        axis.annotate(f"{cached:,.0f} GB/s, cached", (x[30], cached * x[30]), xytext=(-7, 2), color="#606060",
                      textcoords="offset points", ha="right", fontsize=8)
    axis.set_xlabel("operations per byte of input and output")
    axis.set_ylabel("Gop/s")
    set_title(figure, title)
    axis.legend(loc="lower right", ncols=2)
    return figure


class Plotter:
    def __init__(self, arguments):
        self.out = arguments.out
        self.format = arguments.format
        self.written = []

    def save(self, figure, *name):
        if figure is None:
            return
        words = "_".join(re.sub(r"[^A-Za-z0-9.-]+", "-", str(word)).strip("-") for word in name)
        path = self.out / f"{words[:120]}.{self.format}"
        number = 2
        while path in self.written:
            path = self.out / f"{words[:116]}_{number}.{self.format}"
            number += 1
        metadata = {"Date": None} if self.format == "svg" else {"CreationDate": None} if self.format == "pdf" else {}
        figure.savefig(path, metadata=metadata)
        plt.close(figure)
        self.written.append(path)

    def plot_problem(self, problem, samples, names):
        dwarf, size, text = problem.iloc[0][["dwarf", "size", "problem"]]
        title = f"{dwarf}, {size} ({text.replace(';', ', ')})"
        devices = problem[problem["device_type"] != "host"]
        base = devices.loc[devices["baseline"], "config"]
        baseline = base.iloc[0] if len(base) else None
        settings = run_files.label_settings(list(dict.fromkeys(devices["config"])), baseline)
        if devices["speedup"].notna().any():
            self.save(plot_speedups(devices, names, title, settings), "speedups", dwarf, size, text)
        if samples is None:
            return
        own = samples[(samples["dwarf"] == dwarf) & (samples["size"] == size) & (samples["problem"] == text)
                      & (samples["kernel"] == "total")]
        for column, group in own.groupby("column", sort=False):
            if column in names:
                heading = f"{title}\n{names[column]}"
                self.save(plot_samples(group, settings, heading, baseline), "samples", dwarf, size, text, names[column])

    def plot_all(self, table, samples, peaks):
        names = run_files.device_names(table)
        for dwarf, dwarf_table in table.groupby("dwarf", sort=False):
            for _, problem in dwarf_table.groupby(["size", "problem"], sort=False):
                if (problem["device_type"] != "host").any():
                    self.plot_problem(problem, samples, names)
            self.save(plot_sizes(dwarf_table, names, f"{dwarf}: time against size"), "sizes", dwarf)
        for column, device_peaks in peaks.items():
            if column in names:
                own = table[table["column"] == column]
                self.save(plot_roofline(own, device_peaks, f"Roofline, {names[column]}"), "roofline", names[column])


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="folder of a run, or a measurements.csv")
    parser.add_argument("--out", type=Path, help="folder for the plots (default: plots in the first run's folder)")
    parser.add_argument("--dwarf", help="only these, separated by commas")
    parser.add_argument("--format", choices=["png", "svg", "pdf"], default="png")
    arguments = parser.parse_args()
    if arguments.out is None:
        arguments.out = run_files.measurements_path(arguments.runs[0]).parent / "plots"
    return arguments


def select_dwarfs(table, words):
    wanted = words.split(",")
    there = list(dict.fromkeys(table["dwarf"]))
    unknown = [word for word in wanted if word not in there]
    if unknown:
        raise run_files.PlotError(f"--dwarf {','.join(unknown)}: these runs have {', '.join(there)}")
    return table[table["dwarf"].isin(wanted)]


def main():
    arguments = parse_arguments()
    plt.rcParams.update(STYLE)
    try:
        table = run_files.read_measurements(arguments.runs)
        if arguments.dwarf:
            table = select_dwarfs(table, arguments.dwarf)
        sample_tables = [s for s in map(run_files.read_samples, arguments.runs) if s is not None]
        samples = run_files.pd.concat(sample_tables, ignore_index=True) if sample_tables else None
        arguments.out.mkdir(parents=True, exist_ok=True)
        plotter = Plotter(arguments)
        plotter.plot_all(table, samples, run_files.read_peaks(arguments.runs))
    except (run_files.PlotError, OSError) as error:
        print(f"plot.py: {error}", file=sys.stderr)
        return 2
    for path in plotter.written:
        print(path)
    if not plotter.written:
        print("plot.py: nothing to plot: no point was measured", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
