"""What a search has found, over its evaluations and over its seconds."""

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, NullFormatter

import runs
from style import COLOURS, GREY, seconds_text, set_title

COLUMNS = ["device", "dwarf", "size", "problem", "evaluation", "seconds", "proposer", "outcome", "time_ns", "best_ns"]
# Outcome -> its marker, colour and label; failed points have no time and stand at the upper edge.
OUTCOMES = {"faster": ("o", COLOURS[1], "faster than the best so far"),
            "tied": ("o", COLOURS[0], "not told apart from it"),
            "dropped": ("o", GREY, "not faster"),
            "screened": (".", "#c4c4c4", "more than twice its time"),
            "failed": ("x", COLOURS[3], "failed")}


def read_trace(run):
    """trace.csv beside the measurements; None where the run is not of a search."""
    path = runs.measurements_path(run).parent / "trace.csv"
    return runs.read_table(path, COLUMNS) if path.exists() else None


def draw(axis, search, x, top):
    for outcome, (marker, colour, label) in OUTCOMES.items():
        own = search[search["outcome"] == outcome]
        if len(own):
            height = own["time_ns"].fillna(top).clip(upper=top)
            axis.scatter(own[x], height, s=16, marker=marker, color=colour, linewidths=1, label=label, zorder=3,
                         clip_on=False)
    known = search[search["best_ns"].notna()]
    axis.step(known[x], known["best_ns"], where="post", color="#202020", linewidth=1.3, label="best so far", zorder=2)
    axis.set_yscale("log")
    axis.yaxis.set_major_formatter(FuncFormatter(seconds_text))
    axis.yaxis.set_minor_formatter(NullFormatter())
    low = known["best_ns"].min()
    # Of a scale of less than two octaves, decades alone would leave no label.
    ticks = [step * 10.0**power for power in range(0, 13) for step in (1, 1.5, 2, 3, 5, 7) if low * 0.9 <= step * 10.0**power <= top]
    axis.set_yticks(ticks if len(ticks) < 9 else ticks[::2])
    axis.set_ylim(low * 0.93, top * 1.05)


def plot_trace(search, title):
    """None where no point ran."""
    if search["best_ns"].isna().all():
        return None
    first = search["best_ns"].dropna().iloc[0]
    top = max(first, search["time_ns"].quantile(0.5)) * 1.6  # what is slower is drawn there
    figure, axes = plt.subplots(1, 2, figsize=(9.4, 4.2), sharey=True, layout="constrained")
    draw(axes[0], search, "evaluation", top)
    draw(axes[1], search, "seconds", top)
    axes[0].set_xlabel("evaluations")
    axes[1].set_xlabel("seconds of the search")
    axes[0].set_ylabel("time of a run")
    set_title(figure, title)
    handles, labels = axes[0].get_legend_handles_labels()
    axes[1].legend(handles, labels, loc="upper left", bbox_to_anchor=(1.01, 1))
    return figure
