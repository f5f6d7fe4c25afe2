#!/usr/bin/env python3
"""Compares the best known point of each dwarf with libraries and programs that do the same, in turn on one machine.

    results/peers/peers.py build/release/dwarfsweep --device nvidia --out peers.csv
    results/peers/peers.py build/release/dwarfsweep --device pocl --dwarf crc,lud --sizes fixed
    results/peers/peers.py build/release/dwarfsweep --device pocl --sizes random --seed 7 --tune 60s --work tuned
    results/peers/peers.py build/release/dwarfsweep --device nvidia --sizes shapes --seed 7 --out shapes.csv

`--sizes fixed` are those at which other programs are known, `random` three for each dwarf by the seed, log-uniform. With
`--tune` each problem is searched first, and what is found is measured; it stays in the folder `--work`. `shapes` are
those of `shapes.py`; `goals.py --summary` prints their means. They start without the best points of this folder.

A comparison library (`peer` in the CSV) that is not installed is left out, with a message; where the problem has no
library, our point is measured alone against the goal. In every round the library and our point (`--plan best`) take
turns. A ratio is the library's time / our time, above 1 we are faster: the median over the rounds, with the minimum and
the maximum. `ours_timed` and `peer_timed` say what the times are of; `wall_ns` and `peer_wall_ns` are from the first
enqueue, or from the call, to the finish. Where PyTorch's profiler times a library, and it takes at most 0.2 ms, the
profiler also times our kernels (`same_clock.py`). `OpenMP` and `serial` are the dwarf's CPU reference, part of the program.
"""
import argparse
import csv
import math
import pathlib
import re
import shlex
import statistics
import sys
import tempfile
import time


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the built dwarfsweep")
    parser.add_argument("--device", required=True, help="part of the platform's or device's name")
    parser.add_argument("--dwarf", help="only these, separated by commas")
    parser.add_argument("--peer", help="only these comparison libraries, separated by commas; 'none': the goals that are "
                        "held to the device alone")
    parser.add_argument("--set", help="our settings (axis=value,..) instead of the best known ones")
    parser.add_argument("--sizes", choices=("fixed", "random", "all", "shapes"), default="all")
    parser.add_argument("--seed", type=int, default=1, help="of the random sizes and shapes (default 1)")
    parser.add_argument("--count", type=int, default=12, help="shapes of each dwarf (default 12)")
    parser.add_argument("--most-elements", type=float, help="of a shape's largest array (default 1e9, on CPUs 1e8)")
    parser.add_argument("--most-seconds", type=float,
                        help="that two CPU cores would take for a shape, roughly (default 10, on CPUs 0.05)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--budget", default="1s", help="of our side, in each round (default 1s)")
    parser.add_argument("--tune", help="search each problem for so long before, such as 10m")
    parser.add_argument("--work", help="folder in which what --tune finds is kept (default: a temporary one)")
    parser.add_argument("--limit", type=float, help="seconds after which no further problem is begun")
    parser.add_argument("--out", help="CSV file (default: standard output)")
    arguments = parser.parse_args()
    arguments.program = str(pathlib.Path(arguments.program).resolve())
    return arguments


# Before numpy is needed: --help and a wrong argument are answered without it.
if __name__ == "__main__":
    parse_arguments()

import same_clock
from gpu_libraries import KERNELS
from goals import goal_of, judge, keys_of, shape_goal
from ours import NotHere, Ours, device_named, last_line, listed, peaks_of
from problems import CPU, GPU, LIBRARIES, random_problems, shape_problems
from shapes import CPU_LEAST_NS, GPU_LEAST_NS

COLUMNS = ["device", "dwarf", "problem", "point", "ours_ns", "wall_ns", "peer", "peer_ns", "ratio", "ratio_low",
           "ratio_high", "rounds", "peer_wall_ns", "sizes", "origin", "tuned_s", "ours_timed", "peer_timed", "method",
           "goal", "reached", "met", "command"]


replays = same_clock.Child()


def compare(ours, library, problem, rounds):
    """The columns of both times; without a library those of ours."""
    once = LIBRARIES[library](keys_of(problem), ours) if library else None
    profiled = library and LIBRARIES[library].of_what.startswith(KERNELS)
    ours_ns, walls, peers_ns, peer_walls = [], [], [], []
    for number in range(rounds):
        if once:
            answer = once()
            peer_ns, peer_wall = answer if isinstance(answer, tuple) else (answer, answer)
            peers_ns.append(peer_ns)
            peer_walls.append(peer_wall)
        if profiled and number == 0:
            profiled = peer_ns < same_clock.LONGEST_NS
        with tempfile.TemporaryDirectory() as folder:
            dump = folder if profiled and number == 0 else None
            kernels, wall = ours.time(dump)
            if profiled:
                try:
                    kernels = replays.kernels_ns(dump)
                except NotHere as reason:
                    print(f"{ours.dwarf} {problem} is timed by events: {reason}", file=sys.stderr)
                    profiled = False
        ours_ns.append(kernels)
        walls.append(wall)
    row = {"point": ours.point, "origin": ours.origin, "ours_ns": statistics.median(ours_ns),
           "wall_ns": statistics.median(walls), "rounds": rounds,
           "ours_timed": same_clock.TIMED if profiled else ours.timed}
    if not once:
        return row
    ratios = [peer_ns / own for peer_ns, own in zip(peers_ns, ours_ns)]
    return {**row, "peer": library, "peer_ns": statistics.median(peers_ns), "ratio": statistics.median(ratios),
            "ratio_low": min(ratios), "ratio_high": max(ratios), "peer_wall_ns": statistics.median(peer_walls),
            "peer_timed": LIBRARIES[library].of_what, "method": LIBRARIES[library].method}


def measure(ours, library, arguments, goal, peaks, least_ns):
    """A row of the table. The goal applies if a side takes at least so long."""
    tuned = 0.0
    if arguments.tune:
        begin = time.monotonic()
        ours.tune(arguments.tune)
        tuned = time.monotonic() - begin
    row = compare(ours, library, ours.problem, arguments.rounds)
    if max(row["ours_ns"], row.get("peer_ns", math.inf)) < least_ns:
        goal = None
    work = {key: ours.work_done[key] for key in ("bytes", "operations", "items")}
    return {**row, "tuned_s": tuned, **judge({**row, **work, "keys": keys_of(ours.problem), "peaks": peaks}, goal)}


def chosen_problems(arguments, kind):
    fixed = [(*each, "fixed") for each in (GPU if kind == "gpu" else CPU)]
    drawn = [(*each, f"random, seed {arguments.seed}") for each in random_problems(kind, arguments.seed)]
    shapes = shape_problems(kind, arguments.seed, arguments.count, arguments.most_elements, arguments.most_seconds)
    problems = {"fixed": fixed, "random": drawn, "all": fixed + drawn, "shapes": shapes}[arguments.sizes]
    dwarfs = arguments.dwarf.split(",") if arguments.dwarf else None
    peers = arguments.peer.split(",") if arguments.peer else None
    return [each for each in problems
            if (dwarfs is None or each[0] in dwarfs) and (peers is None or (each[2] or "none") in peers)]


def cell(value):
    return f"{value:.4g}" if isinstance(value, float) else value


def write_table(table, file, arguments, device, work):
    kind = "gpu" if device["type"] == "gpu" else "cpu"
    peaks = {}
    shapes = arguments.sizes == "shapes"
    least_ns = (CPU_LEAST_NS if kind == "cpu" else GPU_LEAST_NS) if shapes else 0
    dwarfs = listed(arguments.program) if shapes else {}
    command = shlex.join(re.sub(r"[^=]*/", "", word) for word in sys.argv)  # without the paths of this machine
    begin = time.monotonic()
    for dwarf, problem, library, sizes in chosen_problems(arguments, kind):
        goal = shape_goal(kind, dwarf, problem, library, dwarfs) if shapes else goal_of(kind, dwarf, problem, library)
        if library is None and goal is None and arguments.sizes == "fixed":
            continue
        name = f"{dwarf} {problem} against {library or 'the limit'}"
        if arguments.limit and time.monotonic() - begin > arguments.limit:
            print(f"left out: {name}: the time limit of {arguments.limit:g} s is over", file=sys.stderr)
            continue
        ours = Ours(arguments.program, arguments.device, dwarf, problem, arguments.set, work, arguments.budget,
                    device["name"])
        try:
            if goal and goal.needs_peaks and not peaks:
                peaks = peaks_of(arguments.program, arguments.device)
            row = measure(ours, library, arguments, goal, peaks, least_ns)
        except (NotHere, MemoryError, RuntimeError) as reason:  # the last ones: a library that lacks memory
            print(f"left out: {name}: {reason}", file=sys.stderr)
            if not shapes:
                continue
            row = {"peer": library, "method": f"left out: {last_line(str(reason))}"}
        row = {key: cell(value) for key, value in row.items()}
        table.writerow({"device": device["name"], "dwarf": dwarf, "problem": problem.replace(",", ";"), "sizes": sizes,
                        "command": command, **row})
        file.flush()


def main():
    arguments = parse_arguments()
    device = device_named(arguments.program, arguments.device)
    file = open(arguments.out, "w", newline="") if arguments.out else sys.stdout
    table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    table.writeheader()
    with tempfile.TemporaryDirectory() as scratch:
        # Without a search the points are those of the folder in which this was called, but those of shapes.
        work = arguments.work or (scratch if arguments.tune or arguments.sizes == "shapes" else None)
        if work:
            pathlib.Path(work).mkdir(parents=True, exist_ok=True)
        write_table(table, file, arguments, device, work)


if __name__ == "__main__":
    main()
