"""Energy in a sweep on PoCL, by a folder in the place of Linux's powercap whose counter says that the CPU takes 50 W."""
import contextlib
import csv
import json
import os
import subprocess

from checks import PROGRAM, check, run_checks
from fake_powercap import WATTS, FakePowercap

SWEEP = ["sweep", "--dwarf", "crc", "--device", "pocl", "--size", "tiny", "--axis", "variant=per_byte,slicing",
         "--precision", "50%", "--no-device-figures"]


def sweep(powercap, *arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=300,
                          env={**os.environ, "DWARFSWEEP_POWERCAP": powercap})


def rows_of(run):
    with open(run / "measurements.csv", newline="") as file:
        return list(csv.DictReader(file))


def records_of(run, kind):
    with contextlib.suppress(FileNotFoundError):
        records = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
        return [record for record in records if record["type"] == kind]
    return []


def without_ends(log):
    """As if the sweep had been killed after its last measurement."""
    lines = [line for line in log.read_text().splitlines(keepends=True) if json.loads(line)["type"] != "end"]
    log.write_text("".join(lines))


def energy_per_run(folder):
    """Of the baseline and the re-measured best candidate, and of no other row; a resumed run does not repeat it."""
    run = folder / "measured"
    with FakePowercap(folder) as powercap:
        done = sweep(powercap, *SWEEP, "--budget", "20s", "--out", run)
        check(done.returncode == 0, f"a sweep with a counter: {done.returncode} {done.stderr!r}")
        records = {record["key"]["config"]: record for record in records_of(run, "energy")}
        without_ends(run / "log.jsonl")
        again = sweep(powercap, "sweep", "--resume", run, "--budget", "20s")
        check(again.returncode == 0, f"resumed: {again.returncode} {again.stderr!r}")
        check(len(records_of(run, "end")) > 0, "the resumed run had nothing to do")
        check(len(records_of(run, "energy")) == len(records), "a resumed run measures no energy again")
    told = json.loads((run / "run.json").read_text())["environment"].get("DWARFSWEEP_POWERCAP")
    check(told == powercap, f"the run does not record another folder of counters: {told}")
    rows = rows_of(run)
    check(len(records) == 2, f"energies of {list(records)}")
    for record in records.values():
        watts = record["joules"] / record["seconds"]
        check(record["meter"] == "rapl" and record["steps"] >= 5, f"{record}")
        check(0.7 * WATTS < watts < 1.3 * WATTS, f"{watts} W where the counter says {WATTS}: {record}")
    for row in rows:
        expected = row["kernel"] == "total" and row["status"] == "ok" and (row["baseline"] == "true" or row["stop_reason"] == "confirmed")
        check(bool(row["energy_j"]) == expected, f"energy '{row['energy_j']}' in {row}")
        check(row["clock_mhz"] == "" and row["throttled"] == "", f"PoCL reports no clock: {row}")
    energies = sorted(float(row["energy_j"]) for row in rows if row["energy_j"])
    expected = sorted(record["joules"] / record["runs"] for record in records.values())
    check(all(abs(a / b - 1) < 1e-9 for a, b in zip(energies, expected)), f"{energies} J in the rows, {expected} in the log")


def without_energy(folder):
    """Where there is no counter, none that can be read, too small a budget, or cold caches, the columns are empty and
    nothing fails."""
    unreadable = folder / "unreadable"
    (unreadable / "intel-rapl:0" / "energy_uj").mkdir(parents=True)
    (unreadable / "intel-rapl:0" / "name").write_text("package-0\n")
    with FakePowercap(folder) as powercap:
        # Emptying the caches takes long: as few samples as can be.
        for name, source, *more in (("none", folder / "nowhere", "--budget", "20s"),
                                    ("unreadable", unreadable, "--budget", "20s"), ("short", powercap, "--budget", "3s"),
                                    ("cold", powercap, "--budget", "20s", "--cache", "cold", "--pairs", "1", "--blocks", "1",
                                     "--rounds", "1")):
            run = folder / f"without_{name}"
            done = sweep(str(source), *SWEEP, *more, "--out", run)
            check(done.returncode == 0, f"{name}: {done.returncode} {done.stderr!r}")
            rows = rows_of(run)
            check(rows and all(row["status"] == "ok" for row in rows), f"{name}: {rows}")
            check(not any(row["energy_j"] or row["clock_mhz"] or row["throttled"] for row in rows), f"{name}: {rows}")
            check(not records_of(run, "energy"), f"{name}: energies in the log")


run_checks([energy_per_run, without_energy])
