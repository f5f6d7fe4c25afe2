"""What the best setting of each dwarf gains, on every device."""

import math
import textwrap

import portability
import runs
from style import add_legend, colours_of, handles_of, panels_above_legend, ratio_axis, set_title


def best_lines(table):
    """[(dwarf, size, column, best row)]: dwarf by dwarf, only where the best setting has a speedup."""
    total = table[(table["kernel"] == "total") & (table["status"] == "ok") & (table["device_type"] != "host")]
    lines = []
    for dwarf, own in total.groupby("dwarf", sort=False):
        lines += [(dwarf, row["size"], row["column"], row) for row in runs.best_rows(own) if math.isfinite(row["speedup"])]
    return lines


def draw_line(axis, row, y, colour):
    axis.plot([1, row["speedup"]], [y, y], color=colour, linewidth=1.2, alpha=0.5)
    axis.plot(1, y, "o", color="#606060", markersize=3)
    if math.isfinite(row["speedup_high"]) and row["speedup_low"] > 0:
        axis.plot([row["speedup_low"], row["speedup_high"]], [y, y], color="#202020", linewidth=1.6)
    axis.plot(row["speedup"], y, "o", color=colour, markersize=5.5)


def single_rows(table):
    """{(dwarf, size, column): row} of the best single setting for all devices."""
    found = {}
    for ported in portability.ported_problems(table):
        single = portability.most_portable(ported)
        if single is None:
            continue
        for column, row in single["rows"].items():
            found[row["dwarf"], row["size"], column] = row
    return found


def plot_overview(table, names, title):
    """None where no setting has a speedup."""
    lines = best_lines(table)
    if not lines:
        return None
    singles = single_rows(table)
    colours = colours_of(names)
    figure, (axis,), legend_axis = panels_above_legend(8.6, 1 + 0.26 * len(lines), len(names) + 1)
    axis.set_xscale("log")
    axis.axvline(1, color="#404040", linewidth=0.9, zorder=1)
    shown = False
    for y, (dwarf, size, column, row) in enumerate(lines):
        draw_line(axis, row, y, colours[column])
        single = singles.get((dwarf, size, column))
        if single is not None and single["config"] != row["config"] and math.isfinite(single["speedup"]):
            axis.plot(single["speedup"], y, "D", markerfacecolor="white", markeredgecolor=colours[column], markersize=5)
            shown = True
    low, high = axis.get_xlim()
    axis.set_xlim(min(low, 0.9), max(high, 1.25))
    ratio_axis(axis)
    axis.set_yticks(range(len(lines)), [f"{dwarf} ({size})" for dwarf, size, _, _ in lines])
    axis.set_ylim(len(lines) - 0.4, -0.6)
    axis.grid(axis="y", visible=False)
    axis.set_xlabel("speedup of the best setting over the baseline; black line: 95 % interval")
    for column in dict.fromkeys(column for _, _, column, _ in lines):
        axis.plot([], [], "o", color=colours[column], label=textwrap.fill(names[column], 60))
    if shown:
        axis.plot([], [], "D", markerfacecolor="white", markeredgecolor="#404040", label="best single setting for all devices")
    set_title(figure, title)
    add_legend(legend_axis, handles_of([axis]), 1)
    return figure
