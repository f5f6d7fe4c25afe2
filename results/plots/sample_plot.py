"""Every sample of every setting of one problem on one device."""

import math

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from style import name_settings, seconds_text, set_title, time_unit


def time_axis(axis, times):
    """Logarithmic with units at the ticks where the times differ much; else linear in one unit."""
    if times.max() <= 4 * times.min():
        unit, size = time_unit(times.median())
        axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value / size:g}"))
        axis.set_xlabel(f"time of all kernels, {unit}")
        return
    axis.set_xscale("log")
    decades = math.log10(times.max() / times.min())
    axis.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if decades < 2 else (1,)))
    axis.xaxis.set_minor_formatter(NullFormatter())
    axis.xaxis.set_major_formatter(FuncFormatter(seconds_text))
    axis.set_xlabel("time of all kernels")


def add_round_scale(figure, axis, scatter):
    height = figure.get_size_inches()[1] - 1
    bar = figure.colorbar(scatter, ax=axis, pad=0.01, aspect=20, shrink=min(1, 2.4 / height), anchor=(0, 1))
    bar.set_label("round")
    bar.solids.set_alpha(1)
    bar.outline.set_visible(False)


def plot_samples(samples, settings, title, baseline):
    """The colour of a sample is its round: a drift over the whole run shows as a sequence of colours. Black line:
    quartiles; red mark: median; dotted: median of the baseline."""
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
    time_axis(axis, samples["ns"])
    name_settings(axis, present)
    axis.set_ylim(len(present) - 0.5, -0.5)
    axis.grid(axis="y", visible=False)
    set_title(figure, title)
    if last_round > 1:
        add_round_scale(figure, axis, scatter)
    return figure
