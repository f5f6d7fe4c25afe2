"""Speedups over the baseline: a bar for each setting and device, a panel for each kernel."""

import math

import matplotlib.pyplot as plt

from style import colours_of, name_settings, ratio_axis, set_title


def kernels_in_order(table):
    """"total" and at most three kernels that have speedups: those that the baseline launches too."""
    kernels = list(dict.fromkeys(table.loc[table["speedup"].notna(), "kernel"]))
    shown = ["total"] + [kernel for kernel in kernels if kernel != "total"]
    if len(shown) == 2:  # the times of a single kernel are the total
        shown = ["total"]
    return shown[:4]


def draw_speedup(axis, row, y, height, colour):
    """A bar from 1 to the speedup, and a line for its interval. A speedup without an interval ends in a dot."""
    known = math.isfinite(row["speedup_high"]) and row["speedup_low"] > 0
    noise = row["verdict"] == "within_noise"
    axis.barh(y, row["speedup"] - 1, left=1, height=height, color=colour, alpha=0.35 if noise else 0.9, linewidth=0)
    if known:
        axis.plot([row["speedup_low"], row["speedup_high"]], [y, y], color="#202020", linewidth=1.1,
                  solid_capstyle="butt")
    axis.plot(row["speedup"], y, "|" if known else "o", color="#202020", markersize=4 if known else 2.5)


def unmeasured_everywhere(problem):
    """Settings that no device measured: not legal, not supported, or left out for lack of time."""
    total = problem[problem["kernel"] == "total"]
    unmeasured = total["status"].isin(["rejected", "unsupported", "not_run"]).groupby(total["config"]).all()
    return set(unmeasured.index[unmeasured])


def draw_panel(axis, lookup, kernel, settings, colours):
    """The bars of one kernel; in the panel of all kernels a point that failed gets its status as text instead."""
    axis.set_xscale("log")
    axis.axvline(1, color="#404040", linewidth=0.9, zorder=1)
    height = 0.8 / len(colours)
    for place, (config, _) in enumerate(settings):
        for i, (column, colour) in enumerate(colours.items()):
            y = place - 0.4 + height * (i + 0.5)
            key = (column, config, kernel)
            row = lookup.loc[key] if key in lookup.index else None
            if row is not None and math.isfinite(row["speedup"]):
                draw_speedup(axis, row, y, height * 0.86, colour)
                continue
            failed = (column, config, "total")
            if kernel == "total" and failed in lookup.index and lookup.loc[failed]["status"] != "ok":
                axis.annotate(lookup.loc[failed]["status"].replace("_", " "), (1, y), xytext=(4, 0),
                              textcoords="offset points", va="center", fontsize=6.5, color=colour, style="italic")
    axis.set_title("all kernels" if kernel == "total" else kernel)
    axis.grid(axis="y", visible=False)


def draw_legend(axis, names, colours, unmeasured):
    text = "speedup over the baseline; black line: 95 % interval; pale bar: within noise"
    if unmeasured:
        text += f"\nnot measured, and left out: {unmeasured} settings; measurements.csv says why"
    handles = [plt.Rectangle((0, 0), 1, 1, color=colour) for colour in colours.values()]
    axis.axis("off")
    axis.legend(handles, [names[column] for column in colours], loc="upper left", ncols=min(3, len(colours)),
                borderaxespad=0, alignment="left", title=text)


def plot_speedups(problem, names, title, settings):
    """`problem`: the rows of one problem; `names`: of the devices by column; `settings`: [(config, label)]."""
    unmeasured = unmeasured_everywhere(problem)
    settings = [(config, label) for config, label in settings if config not in unmeasured]
    kernels = kernels_in_order(problem)
    present = set(problem["column"])
    colours = {column: colour for column, colour in colours_of(names).items() if column in present}
    figure, axes, legend_axis = speedup_panels(len(kernels), len(settings), len(colours))
    lookup = problem.set_index(["column", "config", "kernel"])
    for axis, kernel in zip(axes, kernels):
        draw_panel(axis, lookup, kernel, settings, colours)
    low, high = axes[0].get_xlim()
    axes[0].set_xlim(min(low, 0.8), max(high, 1.25))
    for axis in axes:
        ratio_axis(axis)
    name_settings(axes[0], settings)
    axes[0].set_ylim(len(settings) - 0.45, -0.55)
    set_title(figure, title)
    draw_legend(legend_axis, names, colours, len(unmeasured))
    return figure


def speedup_panels(kernels, settings, devices):
    """The figure, a panel for each kernel, all to the same scale, and below them one for the legend."""
    legend_height = 0.25 + 0.2 * math.ceil(devices / 3)
    height = 0.6 + settings * max(0.24, 0.13 * devices)
    figure = plt.figure(figsize=(3.4 + 2.9 * kernels, 0.7 + height + legend_height), layout="constrained")
    grid = figure.add_gridspec(2, kernels, height_ratios=[height, legend_height])
    axes = [figure.add_subplot(grid[0, 0])]
    for i in range(1, kernels):
        axes.append(figure.add_subplot(grid[0, i], sharex=axes[0], sharey=axes[0]))
        axes[i].tick_params(labelleft=False, left=False)
    return figure, axes, figure.add_subplot(grid[1, :])
