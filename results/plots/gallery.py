#!/usr/bin/env python3
"""Draws the figures of docs/gallery.md from the reference runs.

    results/plots/gallery.py [--out docs/gallery]

Needs pandas and matplotlib. Exit status: 0 done, 2 something is wrong with the files or the arguments.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "gallery", help="folder for the figures (default: docs/gallery)")
    return parser.parse_args()


# Before pandas is needed: --help is answered without it.
if __name__ == "__main__":
    parse_arguments()

import runs as run_files
from overview_plot import plot_overview
from payoff_plot import plot_payoff
from plot import Plotter
from portability import ported_problems
from portability_plot import plot_portability
from roofline_plot import plot_roofline
from style import STYLE, plt

REFERENCE = ROOT / "results" / "reference"
LARGE = [REFERENCE / "nvidia-large"]
TRANSFER = [REFERENCE / f"transfer-{name}" for name in ("nvidia", "pocl", "pocl-2core", "intel-2core")]
NINE = "lud crc needle srad bfs sgemv kmeans des hotspot".split()


def read(runs):
    table = run_files.read_measurements(runs)
    table = table[table["dwarf"].isin(NINE)]
    return table, run_files.device_names(table)


def main():
    arguments = parse_arguments()
    arguments.format = "svg"
    plt.rcParams.update(STYLE)
    try:
        table, names = read(LARGE)
        (column, name), = names.items()
        arguments.out.mkdir(parents=True, exist_ok=True)
        plotter = Plotter(arguments)
        plotter.save(plot_overview(table, names, f"The best setting of each dwarf, {name}"), "overview")
        few = table[table["dwarf"].isin(["lud", "crc", "hotspot"])]
        plotter.save(plot_payoff(few, f"Which optimisation pays off, {name}"), "payoff")
        plotter.save(plot_roofline(table, run_files.read_peaks(LARGE)[column], f"Roofline, {name}"), "roofline")
        table, names = read(TRANSFER)
        plotter.save(plot_portability(ported_problems(table), names), "portability")
    except (run_files.PlotError, OSError) as error:
        print(f"gallery.py: {error}", file=sys.stderr)
        return 2
    for path in plotter.written:
        path.write_text("\n".join(line.rstrip() for line in path.read_text().splitlines()) + "\n")
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
