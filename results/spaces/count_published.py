#!/usr/bin/env python3
"""Counts what our kernels execute at the settings whose instructions the works print.

    count_published.py --icd FOLDER [--program dwarfsweep] [--out FILE] [--dwarf D]

runs each setting in results/published/counters that has `alu_instructions` or `loop_instructions` (those of one dwarf), on
Oclgrind at a small problem, and writes published-oclgrind.csv: LLVM IR instructions that all work-items of the kernel execute, the work-items of its launches, and the first
over the second. FOLDER has an .icd file that names Oclgrind's liboclgrind-rt-icd.so, and no other."""
import argparse
import csv
import json
import pathlib
import subprocess

from count_instructions import Worker, complete_problem, counts_of, value_of

HERE = pathlib.Path(__file__).resolve().parent
COUNTERS = ("alu_instructions", "loop_instructions")
SETTING = ["source", "dwarf", "kernel", "setting", "axis", "value"]
COLUMNS = [*SETTING, "problem", "ir_instructions", "work_items", "ir_per_work_item"]
# Large enough for all kernels and for several groups, small enough for a simulator.
PROBLEMS = {"lud": "n=64", "crc": "bytes=8192,code=crc8", "bfs": "nodes=1024", "matmul": "m=32,n=32,k=32"}


def settings(dwarf):
    """Each once, in the order of the files; those that are no setting of ours have no axis."""
    found = {}
    for path in sorted((HERE.parent / "published" / "counters").glob("*.csv")):
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                if row["counter"] in COUNTERS and row["axis"] and (not dwarf or row["dwarf"] == dwarf):
                    found[tuple(row[name] for name in SETTING)] = None
    return [dict(zip(SETTING, key)) for key in found]


def config_of(program, setting):
    """The dwarf's baseline with what the setting changes."""
    listed = subprocess.run([program, "list", "--dwarf", setting["dwarf"], "--json"], capture_output=True, text=True, check=True)
    config = {axis["name"]: axis["baseline"] for axis in json.loads(listed.stdout)[0]["axes"]}
    config.update(zip(setting["axis"].split(";"), map(value_of, setting["value"].split(";"))))
    return [[axis, value] for axis, value in config.items()]


def count(arguments, worker, setting):
    arguments.dwarf, arguments.problem = setting["dwarf"], PROBLEMS[setting["dwarf"]]
    point = {"dwarf": setting["dwarf"], "problem": {"size": "custom", "values": complete_problem(arguments)}, "files": [],
             "seed": 1, "config": config_of(arguments.program, setting), "host_threads": 0, "kernels": ""}
    _, printed = worker.ask({"do": "verify", "point": point}, 300)
    kernel = "" if setting["dwarf"] == "matmul" else setting["kernel"]
    counts = counts_of(printed, kernel=kernel)
    instructions, items = counts["ir_instructions"], counts["threads"]
    return {**setting, "problem": arguments.problem.replace(",", ";"), "ir_instructions": instructions, "work_items": items,
            "ir_per_work_item": f"{instructions / items:.4g}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--icd", type=pathlib.Path, required=True)
    parser.add_argument("--program", default="dwarfsweep")
    parser.add_argument("--out", type=pathlib.Path, default=HERE / "published-oclgrind.csv")
    parser.add_argument("--dwarf", default="", help="its settings alone")
    arguments = parser.parse_args()
    worker = Worker(arguments.program, arguments.icd)
    with open(arguments.out, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        for setting in settings(arguments.dwarf):
            writer.writerow(count(arguments, worker, setting))
            file.flush()
    worker.end()


if __name__ == "__main__":
    main()
