"""Does a setting travel? Performance portability of each dwarf, and a cascade: how efficiency falls from a setting's best
device to its worst (Sewall et al., 10.1109/P3HPC51967.2020.00007)."""

import math
import textwrap

import matplotlib.pyplot as plt

import portability
from style import COLOURS, GREY, MARKERS, add_legend, handles_of, panels_above_legend, set_title


def draw_spread(axis, setting, y, colour, filled):
    """From the least efficiency to the largest; a dot for each device, a diamond for the portability."""
    efficiencies = setting["efficiencies"]
    axis.plot([min(efficiencies), max(efficiencies)], [y, y], color=colour, linewidth=1, alpha=0.6)
    axis.plot(efficiencies, [y] * len(efficiencies), "|", color=colour, markersize=7, clip_on=False)
    axis.plot(portability.mean(efficiencies), y, "o", color=colour, markersize=4, markerfacecolor="white", clip_on=False)
    axis.plot(setting["portability"], y, "D", color=colour, markersize=5.5, markerfacecolor=colour if filled else "white",
              clip_on=False)


def plot_portability(ported, names):
    """None for no dwarf with two devices."""
    if not ported:
        return None
    devices = dict.fromkeys(names[column] for each in ported for column in each["columns"])
    figure, (axis,), legend_axis = panels_above_legend(8.2, 1.3 + 0.42 * len(ported), 2)
    for y, each in enumerate(ported):
        single = portability.most_portable(each)
        for setting in each["settings"]:
            if setting["baseline"]:
                draw_spread(axis, setting, y + 0.17, GREY, True)
        if single is not None:
            draw_spread(axis, single, y - 0.17, COLOURS[0], True)
    axis.set_yticks(range(len(ported)), [f"{each['dwarf']} ({each['size']})" for each in ported])
    axis.set_ylim(len(ported) - 0.45, -0.55)
    axis.set_xlim(0, 1)
    axis.grid(axis="y", visible=False)
    axis.set_xlabel("efficiency: the device's shortest time over the setting's")
    axis.plot([], [], "D", color=COLOURS[0], label="best single setting: performance portability")
    axis.plot([], [], "D", color=GREY, label="baseline: performance portability")
    axis.plot([], [], "o", color="#404040", markerfacecolor="white", markersize=4, label="arithmetic mean")
    axis.plot([], [], "|", color="#404040", markersize=7, label="a device")
    set_title(figure, "Performance portability on " + "; ".join(devices))
    add_legend(legend_axis, handles_of([axis]), 2)
    return figure


def draw_cascade(axis, ported, names):
    count = len(ported["columns"])
    for i, (name, setting) in enumerate(portability.notable_settings(ported)):
        falling = sorted(setting["efficiencies"], reverse=True)
        running = [portability.portability_of(falling[:k + 1]) for k in range(count)]
        colour = GREY if name == "baseline" else COLOURS[i % len(COLOURS)]
        axis.plot(range(1, count + 1), falling, MARKERS[i % len(MARKERS)] + "-", color=colour, markersize=4.5, clip_on=False,
                  label=name)
        axis.plot(range(1, count + 1), running, ":", color=colour, linewidth=1.1)
    axis.set_title(f"{ported['dwarf']} ({ported['size']})")
    axis.set_xticks(range(1, count + 1))
    axis.set_xlim(0.8, count + 0.2)
    axis.set_ylim(0, 1.03)


def plot_cascade(ported, names):
    """A panel for each dwarf. None for no dwarf with two devices."""
    if not ported:
        return None
    across = min(3, len(ported))
    down = math.ceil(len(ported) / across)
    columns = list(dict.fromkeys(column for each in ported for column in each["columns"]))
    figure, axes, legend_axis = panels_above_legend(max(6.4, 2.9 * across), 0.4 + 2.3 * down, len(columns) + 4, down, across)
    for axis, each in zip(axes, ported):
        draw_cascade(axis, each, names)
    for axis in axes[len(ported):]:
        axis.axis("off")
    for axis in axes[::across]:
        axis.set_ylabel("efficiency")
    for place, axis in enumerate(axes[:len(ported)]):
        if place + across >= len(ported):
            axis.set_xlabel("devices, from best to worst")
    handles = handles_of(axes)
    handles["performance portability so far"] = plt.Line2D([], [], linestyle=":", color="#404040")
    numbers = "\n".join(textwrap.fill(f"device {i + 1}: {names[column]}", 90) for i, column in enumerate(columns))
    set_title(figure, "Cascade: how the efficiency of a setting falls from device to device")
    add_legend(legend_axis, handles, 3, title=numbers)
    return figure
