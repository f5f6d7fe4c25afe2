#!/usr/bin/env python3
"""Compares `tune --replay` with Kernel Tuner's strategies in its simulation mode, on recorded spaces.

    python3 -m venv kt && kt/bin/pip install kernel_tuner==1.5.0 scikit-optimize pyatf
    kt/bin/python results/spaces/compare_tuners.py --work DIR [--out table.csv] results/spaces/*.csv.gz

DIR/searches.csv gets a line for each search and number of evaluations. An interrupted command continues where it was;
more --repeats and --kernel-tuner-repeats continue, too.

Both sides search the same points: an evaluation is a distinct legal point, failed ones included. Illegal points and
points asked for again are free. A search that ends early keeps what it has. Kernel Tuner gets the space as a cache file
of the points with a restriction to them, text values as their places in the order, and no parameters that never vary.
Each strategy has its default options, except those after a colon:

    genetic_algorithm                                  as Kernel Tuner ships it
    pyatf_strategies:searchtechnique=pattern_search    with this option
    adaptive_tabu_greywolf:budget=evaluations          with the number of evaluations as its budget

Columns of the table:

    evaluations        100, 200 and 400; 25, 50 and 100 in spaces of fewer than 1,000 points
    repeats            searches, each with its own seed
    median_over_best   median of the best time found / the best time there is
    within_2_percent   share of the searches that end so near to the best; within_5_percent likewise
    score              0 for random search, 1 for the optimum at once, as in `tune --replay`
    early, stuck, over_time, errors   shares of the searches that ended before their last evaluation: by themselves,
                       after 5,000 known points in a row, after --limit seconds, by an error
"""
import argparse
import collections
import contextlib
import csv
import functools
import gzip
import io
import json
import multiprocessing
import os
import pathlib
import random
import re
import signal
import statistics
import subprocess
import sys
import warnings

SEARCH = ["space", "tuner", "strategy", "seed", "evaluations", "made", "over_best", "score", "ended"]
TABLE = ["space", "tuner", "strategy", "evaluations", "repeats", "median_over_best", "within_2_percent",
         "within_5_percent", "score", "early", "stuck", "over_time", "errors"]
# All that kernel_tuner.interface offers, and options without which a part of that would be left out.
WITH_OPTIONS = [f"pyatf_strategies:searchtechnique={technique}" for technique in
                ("auc_bandit", "differential_evolution", "pattern_search", "round_robin", "torczon")]
# It cools down by this share; hybrid_vndx has the same option, but only ends by it.
WITH_OPTIONS += ["adaptive_tabu_greywolf:budget=evaluations"]
KNOWN_IN_A_ROW = 5_000


class Ended(BaseException):
    """Ends a search from outside. No strategy may catch it."""


class Space:
    """A recorded space as Kernel Tuner sees it, and what random search finds in it."""

    def __init__(self, path):
        self.path, self.name = path, pathlib.Path(path).name.split(".")[0]
        with gzip.open(path, "rt") if str(path).endswith(".gz") else open(path) as file:
            rows = list(csv.reader(file))
        time = rows[0].index("time_ms")
        columns = [self.values_of([row[i] for row in rows[1:]]) for i in range(time)]
        varying = [i for i in range(time) if len(set(columns[i])) > 1]
        points = zip(*(columns[i] for i in varying))
        self.parameters = {rows[0][i]: sorted(set(columns[i])) for i in varying}
        self.times = {point: float(row[time]) if row[time] else None for point, row in zip(points, rows[1:])}
        self.sorted_times = sorted(each for each in self.times.values() if each is not None)
        self.evaluations = (100, 200, 400) if len(self.times) >= 1000 else (25, 50, 100)
        names = ", ".join(self.parameters)
        scope = {"points": frozenset(self.times)}
        exec(f"def legal({names}): return ({names},) in points", scope)  # pyATF reads the parameters' names
        self.legal = scope["legal"]

    @staticmethod
    def values_of(cells):
        """Numbers, or the places of texts in their order: Kernel Tuner's continuous strategies need numbers."""
        try:
            return [int(cell) if re.fullmatch(r"-?\d+", cell) else float(cell) for cell in cells]
        except ValueError:
            order = sorted(set(cells))
            return [order.index(cell) for cell in cells]

    def write_cache(self, path):
        names = list(self.parameters)
        cache = {",".join(map(str, point)): {**dict(zip(names, point)), "time": "RuntimeFailedConfig" if time is None else time}
                 for point, time in self.times.items()}
        text = json.dumps({"device_name": "recorded", "kernel_name": self.name, "problem_size": [1], "objective": "time",
                           "tune_params_keys": names, "tune_params": self.parameters, "cache": cache})
        path.write_text(text)

    @functools.lru_cache(maxsize=None)
    def expected_random(self, draws):
        """The expected best of so many distinct points; the slowest time there is while all of them failed."""
        none_before, expected, count = 1.0, 0.0, len(self.times)
        for k, time in enumerate(self.sorted_times):
            none = none_before * max(0, count - k - draws) / (count - k)
            expected += (none_before - none) * time
            none_before = none
            if none < 1e-18:
                return expected
        return expected + none_before * self.sorted_times[-1]

    def score(self, best):
        """As replay_score in suite/search/replay.cpp; linear in `best`, so that the mean over searches is that of the
        mean curve."""
        optimum, median = self.sorted_times[0], statistics.median(self.sorted_times)
        near_optimum = median - 0.95 * (median - optimum)
        gains, last = [], 0
        for t, found in enumerate(best, 1):
            expected = self.expected_random(t)
            if not expected > optimum:
                break
            last = (expected - found) / (expected - optimum)
            if expected > median:
                continue
            gains.append(last)
            if expected <= near_optimum:
                break
        return statistics.fmean(gains) if gains else last

    def line(self, strategy, seed, evaluations, times, ended):
        """The line of a search that measured these times (None: failed), cut after so many evaluations."""
        best, found = [], self.sorted_times[-1]
        for time in times[:evaluations]:
            found = min(found, time if time is not None else found)
            best.append(found)
        made = len(best)
        best += [found] * (evaluations - made)
        return {"space": self.name, "tuner": "kernel_tuner", "strategy": strategy, "seed": seed, "evaluations": evaluations,
                "made": made, "over_best": f"{found / self.sorted_times[0]:.6g}", "score": f"{self.score(best):.6g}",
                "ended": "" if made == evaluations else ended}


@functools.lru_cache(maxsize=None)
def space_of(path):
    return Space(path)


def ours(task):
    program, path, strategy, seed, _, _ = task
    space = space_of(path)
    done = subprocess.run([program, "tune", "--replay", path, "--strategy", strategy, "--repeats", "1", "--seed", str(seed),
                           "--evaluations", ",".join(map(str, space.evaluations)), "--format", "csv"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"compare_tuners.py: {done.stderr.strip()}")
    return [{"space": row["space"], "tuner": "dwarfsweep", "strategy": strategy, "seed": seed,
             "evaluations": row["evaluations"], "made": row["evaluations"], "over_best": row["median_over_best"],
             "score": row["score"], "ended": ""} for row in csv.DictReader(io.StringIO(done.stdout))]


@functools.lru_cache(maxsize=None)
def recorder():
    """Kernel Tuner's simulation that also keeps the times of new points, even of a search that is ended from outside."""
    from kernel_tuner.runners import simulation

    class Recorder(simulation.SimulationRunner):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            Recorder.times, self.known, self.known_in_a_row = [], set(), 0

        def run(self, parameter_space, tuning_options):
            points = [tuple(each) for each in parameter_space]
            results = super().run(points, tuning_options)
            self.known_in_a_row += max(1, len(points))
            for point, result in zip(points, results):
                if result and point not in self.known:
                    self.known.add(point)
                    self.known_in_a_row = 0
                    Recorder.times.append(None if "__error__" in result else result["time"])
            if self.known_in_a_row > KNOWN_IN_A_ROW:
                raise Ended("stuck")
            return results

    simulation.SimulationRunner = Recorder
    return Recorder


def options_of(strategy, evaluations):
    name, *options = strategy.split(":")
    given = {} if name == "brute_force" else {"max_fevals": evaluations}  # which takes no options
    for option in options:
        key, value = option.split("=")
        given[key] = evaluations if value == "evaluations" else int(value) if value.isdigit() else value
    return name, given


def give_pyatf_the_restriction(space):
    """Kernel Tuner translates only restrictions that are text, into parameters that no pyATF on PyPI has."""
    from kernel_tuner.searchspace import Searchspace

    def translate(self):
        from pyatf import TP, Set
        last = list(self.tune_params)[-1]
        return [TP(name, Set(*values), space.legal if name == last else None) for name, values in self.tune_params.items()]

    Searchspace.get_tune_params_pyatf = translate


def search(space, cache, strategy, seed, evaluations, limit):
    """The times of the distinct points in the order in which a strategy of Kernel Tuner asked for them, and what ended
    it early."""
    import kernel_tuner
    import numpy
    name, options = options_of(strategy, evaluations)
    runner = recorder()
    runner.times = []
    give_pyatf_the_restriction(space)
    random.seed(seed)
    numpy.random.seed(seed)
    ended = "early"

    def stop(*_):
        raise Ended("over_time")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(limit)
    try:
        kernel_tuner.tune_kernel(space.name, "", 1, [], dict(space.parameters), restrictions=[space.legal], lang="C",
                                 strategy=name, strategy_options=options, cache=str(cache), simulation_mode=True, quiet=True,
                                 seed=seed)
    except Ended as reason:
        ended = str(reason)
    except Exception as error:  # of the strategy: what it found so far counts
        ended = f"{type(error).__name__}: {error}".replace("\n", " ")[:80]
    finally:
        signal.alarm(0)
    return runner.times, ended


def theirs(task):
    _, path, strategy, seed, work, limit = task
    space = space_of(path)
    cache = work / f"{space.name}.json"
    # Only these look at the number of evaluations before they reach it. All others are one search, cut at each number.
    follows_number = strategy == "simulated_annealing" or "=evaluations" in strategy
    lines = []
    with open(os.devnull, "w") as nothing, contextlib.redirect_stdout(nothing), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if follows_number:
            for evaluations in space.evaluations:
                lines.append(space.line(strategy, seed, evaluations, *search(space, cache, strategy, seed, evaluations, limit)))
        else:
            times, ended = search(space, cache, strategy, seed, space.evaluations[-1], limit)
            lines = [space.line(strategy, seed, evaluations, times, ended) for evaluations in space.evaluations]
    return lines


def run_task(task):
    return (ours if task[0] else theirs)(task)


def read_searches(path):
    if not path.exists():
        return []
    with open(path, newline="") as file:
        # A line that the interruption cut has no end.
        text = file.read()
    whole = text[:text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole)
    return list(csv.DictReader(io.StringIO(whole)))


def tasks_of(arguments, known):
    """Those not known, all spaces and strategies with the first seed, then with the second, and so on."""
    for seed in range(1, max(arguments.repeats, arguments.kernel_tuner_repeats) + 1):
        for path in arguments.spaces:
            space = space_of(path)
            for program, tuner, strategies, repeats in (
                    (arguments.program, "dwarfsweep", arguments.ours, arguments.repeats),
                    (None, "kernel_tuner", arguments.strategies, arguments.kernel_tuner_repeats)):
                for strategy in strategies if seed <= repeats else []:
                    if strategy == "brute_force" and seed > 1:  # which draws nothing
                        continue
                    if any((space.name, tuner, strategy, str(seed), str(evaluations)) not in known
                           for evaluations in space.evaluations):
                        yield program, path, strategy, seed, arguments.work, arguments.limit


def make_searches(arguments, journal):
    searches = read_searches(journal)
    known = {tuple(row[name] for name in SEARCH[:5]) for row in searches}
    tasks = list(tasks_of(arguments, known))
    for path in arguments.spaces if any(not task[0] for task in tasks) else []:
        space_of(path).write_cache(arguments.work / f"{space_of(path).name}.json")
    with open(journal, "a", newline="") as file, multiprocessing.Pool(arguments.processes) as pool:
        writer = csv.DictWriter(file, SEARCH, lineterminator="\n")
        if not searches and file.tell() == 0:
            writer.writeheader()
        for done, lines in enumerate(pool.imap_unordered(run_task, tasks), 1):
            writer.writerows(line for line in lines if tuple(str(line[name]) for name in SEARCH[:5]) not in known)
            file.flush()
            if done % 100 == 0:
                print(f"{done} of {len(tasks)} searches", file=sys.stderr)


def table_of(searches):
    groups = collections.defaultdict(list)
    for row in searches:
        groups[row["space"], row["tuner"], row["strategy"], int(row["evaluations"])].append(row)
    reasons = ("early", "stuck", "over_time")
    table = []
    for key, rows in sorted(groups.items()):
        over = [float(row["over_best"]) for row in rows]

        def share(of):
            return sum(map(bool, of)) / len(rows)
        table.append(dict(zip(TABLE, (
            *key, len(rows), statistics.median(over), share(each <= 1.02 for each in over),
            share(each <= 1.05 for each in over), statistics.fmean(float(row["score"]) for row in rows),
            *(share(row["ended"] == reason for row in rows) for reason in reasons),
            share(row["ended"] not in ("", *reasons) for row in rows)))))
    return table


def print_lines(title, rows):
    """rows: (name, score, four shares), printed with the highest score first."""
    print(f"\n{title}\n{'':62} score   middle number of    largest number of\n{'':70} within 2 %  5 %  within 2 %  5 %")
    for name, score, *shares in sorted(rows, key=lambda row: -row[1]):
        print(f"{name:<62} {score:5.2f}   {shares[0]:7.0%}   {shares[1]:5.0%}   {shares[2]:7.0%}   {shares[3]:5.0%}")


def print_table(table):
    by_space = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in sorted(table, key=lambda row: row["evaluations"]):
        by_space[row["space"]][f"{row['tuner']} {row['strategy']}"].append(row)
    means = collections.defaultdict(list)
    for space, strategies in by_space.items():
        numbers = [row["evaluations"] for row in next(iter(strategies.values()))]
        rows = []
        for name, lines in strategies.items():
            shares = [lines[i][column] for i in (-2, -1) for column in ("within_2_percent", "within_5_percent")]
            rows.append((f"{name} ({lines[-1]['repeats']} searches)", lines[-1]["score"], *shares))
            means[name].append(rows[-1][1:])
        print_lines(f"{space}: {numbers[-2]} and {numbers[-1]} evaluations", rows)
    rows = [(f"{name} ({len(values)} spaces)", *map(statistics.fmean, zip(*values))) for name, values in means.items()]
    print_lines("mean over the spaces", rows)


def arguments_of():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("spaces", nargs="+", help="CSV files of recorded spaces, which may be compressed (.gz)")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder of the searches, to continue in")
    parser.add_argument("--out", type=pathlib.Path, help="CSV file of the table")
    parser.add_argument("--program", default="build/release/dwarfsweep")
    parser.add_argument("--ours", default="auto", help="our strategies (default auto)")
    parser.add_argument("--strategies", help="Kernel Tuner's strategies (default all)")
    parser.add_argument("--repeats", type=int, default=100, help="searches of ours for each strategy and space")
    parser.add_argument("--kernel-tuner-repeats", type=int, default=20, help="searches of Kernel Tuner's, likewise")
    parser.add_argument("--processes", type=int, default=1, help="searches at a time (default 1)")
    parser.add_argument("--limit", type=int, default=300, help="seconds for a search of Kernel Tuner (default 300)")
    arguments = parser.parse_args()
    arguments.ours = arguments.ours.split(",") if arguments.ours else []
    if arguments.strategies is None:
        try:
            from kernel_tuner.interface import strategy_map
        except ImportError:
            parser.error("Kernel Tuner is not installed for this Python. Install it as --help shows, or pass --strategies ''.")
        arguments.strategies = [*strategy_map, *WITH_OPTIONS]
    else:
        arguments.strategies = arguments.strategies.split(",") if arguments.strategies else []
    for path in [path for path in arguments.spaces if not os.path.isfile(path)]:
        parser.error(f"there is no '{path}'")
    return arguments


def main():
    arguments = arguments_of()
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # a search is one thread; --processes are the others
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    arguments.work.mkdir(parents=True, exist_ok=True)
    journal = arguments.work / "searches.csv"
    make_searches(arguments, journal)
    table = table_of(read_searches(journal))
    if arguments.out:
        with open(arguments.out, "w", newline="") as file:
            writer = csv.DictWriter(file, TABLE, lineterminator="\n")
            writer.writeheader()
            writer.writerows({name: f"{value:.4g}" if isinstance(value, float) else value for name, value in row.items()}
                             for row in table)
    print_table(table)


if __name__ == "__main__":
    main()
