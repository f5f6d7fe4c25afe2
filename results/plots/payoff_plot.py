"""Which optimisation pays off, from matched pairs: two points of one problem on one device that differ in one axis alone.

A context is everything that stays the same. In each, the value of the baseline (or the smallest measured) is what the
others are compared with, and the one that gains most is drawn. The intervals follow from those of the two speedups over
the baseline, as if these were independent; the report's, from rounds that have both points, are narrower."""

import math

import runs
from style import COLOURS, add_legend, handles_of, panels_above_legend, ratio_axis, set_title

VARIANTS = "variant, defaults"


def gain(before, after):
    """(ratio, low, high) of the speedups, or of the times where these are missing; low and high may be NaN."""
    ratio = after["speedup"] / before["speedup"]
    if not math.isfinite(ratio):
        return before["median_ns"] / after["median_ns"], math.nan, math.nan
    spread = 0.0
    for row in (before, after):
        if row["baseline"]:
            continue  # by definition 1
        if not (math.isfinite(row["speedup_high"]) and row["speedup_low"] > 0):
            return ratio, math.nan, math.nan
        spread += (math.log(row["speedup_high"] / row["speedup_low"]) / 2) ** 2
    factor = math.exp(math.sqrt(spread))
    return ratio, ratio / factor, ratio * factor


def contexts_of(points, axis):
    """[[(value, row)...]...]: the points that differ in this axis alone."""
    contexts = {}
    for values, row in points:
        if axis in values:
            rest = tuple((name, value) for name, value in values.items() if name != axis)
            contexts.setdefault(rest, []).append((values[axis], row))
    return [members for members in contexts.values() if len(members) > 1]


def best_gain(members, baseline_value):
    reference = next((row for value, row in members if value == baseline_value), None)
    if reference is None:
        reference = min(members, key=lambda member: runs.number_first(member[0]))[1]
    return max(gain(reference, row) for _, row in members if row is not reference)


def effects_of(problem):
    """{axis: [gain by context]} of one problem on one device."""
    points = [(runs.values_of(row["config"]), row) for _, row in problem.iterrows()]
    base = next(((values, row) for values, row in points if row["baseline"]), None)
    found = {}
    for axis in dict.fromkeys(axis for values, _ in points for axis in values):
        for members in contexts_of(points, axis):
            found.setdefault(axis, []).append(best_gain(members, base[0].get(axis) if base else None))
    if base is not None:
        for config, label in runs.label_settings([row["config"] for _, row in points], base[1]["config"]):
            values = runs.values_of(config)
            if label == f"variant={values.get('variant')}":
                after = next(row for _, row in points if row["config"] == config)
                found.setdefault(VARIANTS, []).append(gain(base[1], after))
    return found


def axis_effects(table):
    """[(dwarf, axis, [gains])] of one device."""
    total = runs.whole_results(table[(table["kernel"] == "total") & (table["status"] == "ok")])
    lines = []
    for dwarf, own in total.groupby("dwarf", sort=False):
        effects = {}
        for _, problem in own.groupby(["size", "problem"], sort=False):
            for axis, gains in effects_of(problem).items():
                effects.setdefault(axis, []).extend(gains)
        lines += [(dwarf, axis, gains) for axis, gains in effects.items()]
    return lines


def draw_effect(axis, gains, y):
    for ratio, low, high in gains:
        helped = low > 1
        colour = COLOURS[0] if helped else COLOURS[1] if high < 1 else "#8a8a8a"
        if math.isfinite(low):
            axis.plot([low, high], [y, y], color="#202020", linewidth=0.9, alpha=0.7)
        axis.plot(ratio, y, "o", color=colour, markersize=4.5, markerfacecolor="white" if len(gains) == 1 else colour)


def plot_payoff(table, title):
    """The effects of all axes of all dwarfs on one device; None where nothing is paired."""
    lines = axis_effects(table)
    if not lines:
        return None
    figure, (axis,), legend_axis = panels_above_legend(8.2, 1.5 + 0.19 * len(lines), 1)
    axis.set_xscale("log")
    axis.axvline(1, color="#404040", linewidth=0.9, zorder=1)
    for y, (_, _, gains) in enumerate(lines):
        draw_effect(axis, gains, y)
    low, high = axis.get_xlim()
    axis.set_xlim(min(low, 0.8), max(high, 1.25))
    ratio_axis(axis)
    axis.set_yticks(range(len(lines)), [f"{dwarf}  {name}" for dwarf, name, _ in lines], fontsize=7.5)
    for y in range(1, len(lines)):
        if lines[y][0] != lines[y - 1][0]:
            axis.axhline(y - 0.5, color="#c0c0c0", linewidth=0.7)
    axis.set_ylim(len(lines) - 0.4, -0.6)
    axis.grid(axis="y", visible=False)
    axis.set_xlabel("gain of the best other value over the baseline's, a dot for each context")
    for colour, label in [(COLOURS[0], "helps"), ("#8a8a8a", "within noise"), (COLOURS[1], "every other value hurts")]:
        axis.plot([], [], "o", color=colour, markersize=4.5, label=label)
    axis.plot([], [], "o", color="#404040", markerfacecolor="white", markersize=4.5, label="a single context")
    set_title(figure, title)
    add_legend(legend_axis, handles_of([axis]), 4)
    return figure
