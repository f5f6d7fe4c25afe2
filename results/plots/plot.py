#!/usr/bin/env python3
"""Plots of one or several runs: an overview of the best settings, speedups, samples, times against sizes, rooflines where
peaks were measured, which optimisation pays off, portability where there are two devices or more, and the course of searches.

    results/plots/plot.py results/runs/RUN... [--out DIR] [--dwarf lud,crc] [--format png|svg|pdf]

Needs pandas and matplotlib. Exit status: 0 done, 2 something is wrong with the files or the arguments.
"""

import argparse
import re
import sys
from pathlib import Path


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="folder of a run, or a measurements.csv")
    parser.add_argument("--out", type=Path, help="folder for the plots (default: plots in the first run's folder)")
    parser.add_argument("--dwarf", help="only these, separated by commas")
    parser.add_argument("--format", choices=["png", "svg", "pdf"], default="png")
    return parser.parse_args()


# Before pandas is needed: --help and a wrong argument are answered without it.
if __name__ == "__main__":
    parse_arguments()

try:
    import runs as run_files
    from style import STYLE, plt
except ModuleNotFoundError as error:
    sys.exit(f"plot.py: this Python has no {error.name}. Debian: apt install python3-pandas python3-matplotlib, then /usr/bin/python3 {__file__}")
from overview_plot import plot_overview
from payoff_plot import plot_payoff
from portability import ported_problems
from portability_plot import plot_cascade, plot_portability
from roofline_plot import plot_roofline
from sample_plot import plot_samples
from size_plot import plot_sizes
from speedup_plot import plot_speedups
from trace_plot import plot_trace, read_trace


class Plotter:
    """Draws all plots of the given runs and keeps the list of the files."""

    def __init__(self, arguments):
        self.out = arguments.out
        self.format = arguments.format
        self.written = []

    def save(self, figure, *name):
        if figure is None:
            return
        stem = "_".join(re.sub(r"[^A-Za-z0-9.-]+", "-", str(word)).strip("-") for word in name)
        path = self.out / f"{stem[:120]}.{self.format}"
        number = 2
        while path in self.written:
            path = self.out / f"{stem[:116]}_{number}.{self.format}"
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

    def plot_searches(self, run, dwarfs):
        trace = read_trace(run)
        if trace is None:
            return
        for names, search in trace[trace["dwarf"].isin(dwarfs)].groupby(["device", "dwarf", "size", "problem"], sort=False):
            device, dwarf, size, problem = names
            title = f"{dwarf}, {size} ({problem.replace(';', ', ')})\n{device}"
            self.save(plot_trace(search, title), "trace", dwarf, size, problem, device)

    def plot_devices(self, table, names):
        """What is about whole devices: what their best settings gain, by which axes, and whether settings travel."""
        self.save(plot_overview(table, names, "The best settings"), "overview")
        for column, name in names.items():
            self.save(plot_payoff(table[table["column"] == column], f"Which optimisation pays off\n{name}"), "payoff", name)
        ported = ported_problems(table)
        self.save(plot_portability(ported, names), "portability")
        self.save(plot_cascade(ported, names), "cascade")

    def plot_all(self, table, samples, peaks):
        names = run_files.device_names(table)
        for dwarf, dwarf_table in table.groupby("dwarf", sort=False):
            for _, problem in dwarf_table.groupby(["size", "problem"], sort=False):
                if (problem["device_type"] != "host").any():
                    self.plot_problem(problem, samples, names)
            self.save(plot_sizes(dwarf_table, names, f"{dwarf}: time against size"), "sizes", dwarf)
        self.plot_devices(table, names)
        for column, device_peaks in peaks.items():
            if column in names:
                own = table[table["column"] == column]
                self.save(plot_roofline(own, device_peaks, f"Roofline, {names[column]}"), "roofline", names[column])


def select_dwarfs(table, names):
    wanted = names.split(",")
    there = list(dict.fromkeys(table["dwarf"]))
    unknown = [name for name in wanted if name not in there]
    if unknown:
        raise run_files.PlotError(f"--dwarf {','.join(unknown)}: these runs have {', '.join(there)}")
    return table[table["dwarf"].isin(wanted)]


def main():
    arguments = parse_arguments()
    if arguments.out is None:
        arguments.out = run_files.measurements_path(arguments.runs[0]).parent / "plots"
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
        for run in arguments.runs:
            plotter.plot_searches(run, set(table["dwarf"]))
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
