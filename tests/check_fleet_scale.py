"""A merged run of many nodes, by logs of a fleet that does not exist: the merge and its tables stay within a bound of memory,
kinds have their quantiles, and the planted nodes are named, those and no others.

`check_fleet_scale.py --long` does it with 10,000 nodes of 400 points (30 GB of disk); else with 200 of 80."""
import csv
import os
import subprocess
import sys
import time

from checks import PROGRAM, check, run_checks
from simulated_fleet import KINDS, write_fleet

LONG = "--long" in sys.argv
NODES, POINTS = (10_000, 400) if LONG else (200, 80)
# Of the process: what a program of this size takes empty, and some hosts at a time; with --long the values of all nodes, 24
# bytes each for 4 million points, in vectors that grow by doubling, and the nodes' records.
MEMORY_MIB = 1200 if LONG else 150


def measured(*command):
    """Output, and the most memory in MiB."""
    begin = time.monotonic()
    with open("output", "w+") as output:
        process = subprocess.Popen([PROGRAM, *map(str, command)], stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    print(f"{command[0]}: {time.monotonic() - begin:.0f} s, {usage.ru_utime:.0f} s of a processor, "
          f"{usage.ru_maxrss / 1024:.0f} MiB")
    check(process.returncode == 0, f"{command[0]}: {process.returncode} {text}")
    return text, usage.ru_maxrss / 1024


def whole_fleet(folder):
    planted = write_fleet(folder / "nodes", NODES, POINTS)
    runs = sorted((folder / "nodes").iterdir())
    text, memory = measured("merge", *runs, "--out", folder / "merged")
    # A sanitizer's own memory is no measure.
    bound = float("inf") if "SANITIZED" in os.environ else MEMORY_MIB
    check(memory < bound, f"the merge took {memory:.0f} MiB")
    check(f"{NODES} runs on {NODES} hosts merged; all of them are complete" in text, f"merged: {text}")
    tables, memory = measured("table", folder / "merged", "--format", "markdown")
    check(memory < bound, f"the tables took {memory:.0f} MiB")
    rows = 0
    with open(folder / "merged" / "measurements.csv", newline="") as file:
        rows = sum(1 for _ in csv.reader(file)) - 1
    check(rows == NODES * POINTS, f"{rows} rows")
    return planted, tables


def kinds_and_deviations(folder):
    planted, tables = whole_fleet(folder)
    for kind, (name, _) in enumerate(KINDS):
        count = len(range(kind, NODES, len(KINDS)))
        check(f"{name} (gpu; Made-up platform; driver 1.0), {count} nodes" in tables, f"{name} with {count} nodes")
    section = tables.split("Nodes that deviate from their kind")[1].split("## Summary")[0]
    named = {line[2:].split(":")[0]: line for line in section.splitlines() if line.startswith("- ")}
    for node in planted["slow"]:
        check("every dwarf" in named.get(node, ""), f"{node} is slower throughout: {named.get(node)}")
    for node in planted["slow_in_one"]:
        check(named.get(node, "").endswith("in sgemv"), f"{node} is slower in sgemv: {named.get(node)}")
    failing = POINTS // 8 - 1
    for node in planted["failing"]:
        check(f"{failing} points of des" in named.get(node, ""), f"{node} fails: {named.get(node)}")
    check(set(named) == set(sum(planted.values(), [])), f"others are named: {set(named)}")


run_checks([kinds_and_deviations])
