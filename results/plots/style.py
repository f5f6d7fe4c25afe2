"""Colours, axes, titles and names that all plots share."""

import math
import textwrap

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, NullFormatter

# Okabe and Ito's colours, which colour-blind readers can distinguish, without their yellow, which is too pale for thin
# lines; the last two are Paul Tol's.
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
    """A colour for each device, the same in all plots of a call."""
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
    """Formats a logarithmic x axis of ratios, with ticks at round numbers."""
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
    """Above all panels, aligned left, wrapped to the width of the figure."""
    letters = int(figure.get_size_inches()[0] * 11)
    lines = [part for line in text.split("\n") for part in textwrap.wrap(line, letters)]
    figure.suptitle("\n".join(lines), x=0.01, ha="left", fontweight="bold", fontsize=10)


def panels_above_legend(width, height, legend_lines, down=1, across=1):
    """A figure of panels, row by row, and below them an empty one for the legend of all."""
    legend_height = 0.15 + 0.18 * legend_lines
    figure = plt.figure(figsize=(width, height + legend_height), layout="constrained")
    grid = figure.add_gridspec(down + 1, across, height_ratios=[height / down] * down + [legend_height])
    axes = [figure.add_subplot(grid[i // across, i % across]) for i in range(down * across)]
    legend_axis = figure.add_subplot(grid[down, :])
    legend_axis.axis("off")
    return figure, axes, legend_axis


def add_legend(legend_axis, handles, columns, **options):
    """`handles`: {label: handle}."""
    legend_axis.legend(handles.values(), handles.keys(), loc="upper left", ncols=columns, borderaxespad=0, alignment="left",
                       **options)


def handles_of(axes):
    """{label: handle} of several panels, each label once."""
    handles = {}
    for axis in axes:
        for handle, label in zip(*axis.get_legend_handles_labels()):
            handles.setdefault(label, handle)
    return handles


def name_settings(axis, settings):
    """A label at each place of the y axis; a long one in smaller letters on two lines."""
    names = ["\n".join(textwrap.wrap(label, max(36, len(label) // 2 + 8))) for _, label in settings]
    axis.set_yticks(range(len(names)), names)
    for text, name in zip(axis.get_yticklabels(), names):
        if "\n" in name:
            text.set(fontsize=6.5, linespacing=1)
