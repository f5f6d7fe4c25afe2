"""Reads the files of runs, and names settings by what differs from the baseline."""

import csv
import json
import sys
from collections import Counter
from pathlib import Path

import pandas as pd

AXES = ["work_group", "granularity", "vector_width", "unroll", "padding"]
IDENTITY = ["run_id", "device_id", "dwarf", "kernel", "size", "problem", "variant", *AXES, "options"]
MEASUREMENT_COLUMNS = [*IDENTITY, "host", "device", "device_type", "driver", "baseline", "status", "median_ns",
                       "ci_low_ns", "ci_high_ns", "bytes", "operations", "gop_per_s", "speedup", "speedup_low",
                       "speedup_high", "verdict"]
SAMPLE_COLUMNS = [*IDENTITY, "round", "role", "ns", "fault"]
NUMBERS = ["median_ns", "ci_low_ns", "ci_high_ns", "bytes", "operations", "gop_per_s", "speedup", "speedup_low",
           "speedup_high", "ns", "round"]

# Variants that leave out part of the baseline's result, as `dwarfsweep list --json` names them: never the best.
PARTIAL_VARIANTS = {"needle": ["score_only", "score_only_scan"]}


class PlotError(Exception):
    """One sentence for the person who called."""


def read_cells(path):
    """Header and rows. pandas would fill up rows that are too short without a word."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file, strict=True))
    except FileNotFoundError:
        raise PlotError(f"{path}: there is no such file") from None
    except (csv.Error, UnicodeDecodeError) as error:
        raise PlotError(f"{path}: is no table: {error}") from None
    if not rows:
        raise PlotError(f"{path}: is empty; expected a header line")
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(rows[0]):
            raise PlotError(f"{path}, row {number}: has {len(row)} cells where the header has {len(rows[0])}")
    return rows[0], rows[1:]


def read_table(path, columns):
    header, rows = read_cells(path)
    table = pd.DataFrame(rows, columns=header, dtype=str)
    missing = [column for column in columns if column not in table.columns]
    if missing:
        raise PlotError(f"{path}: lacks the columns {', '.join(missing)}")
    if table.empty:
        raise PlotError(f"{path}: holds no rows")
    for column in NUMBERS:
        if column not in table.columns:
            continue
        numbers = pd.to_numeric(table[column], errors="coerce")
        wrong = numbers.isna() & ~table[column].isin(["", "NaN"])
        if wrong.any():
            line = wrong.idxmax()
            raise PlotError(f"{path}, row {line + 2}, column {column}: expected a number, found "
                            f"'{table[column][line]}'")
        table[column] = numbers
    if "baseline" in table.columns:
        table["baseline"] = table["baseline"].str.lower() == "true"
    return table


def read_measurements(runs):
    tables = [read_table(measurements_path(run), MEASUREMENT_COLUMNS) for run in runs]
    table = pd.concat(tables, ignore_index=True)
    table["config"] = config_column(table)
    table["column"] = table["run_id"] + "|" + table["device_id"]
    return table


def read_samples(run):
    path = measurements_path(run).parent / "samples.csv"
    if not path.exists():
        print(f"plot.py: {path} is not there: no plots of samples", file=sys.stderr)
        return None
    table = read_table(path, SAMPLE_COLUMNS)
    table["config"] = config_column(table)
    table["column"] = table["run_id"] + "|" + table["device_id"]
    return table[(table["role"] == "variant") & (table["fault"] == "")]


def read_peaks(runs):
    """{run_id|device_id: {name: value}}, of the devices whose peaks were measured."""
    peaks = {}
    for run in runs:
        path = measurements_path(run).parent / "run.json"
        if not path.exists():
            continue
        try:
            content = json.loads(path.read_text())
            for device in content.get("devices", []):
                if device.get("peaks"):
                    peaks[f"{content['run_id']}|{device['info']['id']}"] = device["peaks"]
        except (ValueError, KeyError, TypeError) as error:
            raise PlotError(f"{path}: is no description of a run: {error}") from None
    return peaks


def what_differs(problems):
    """Of each problem the keys that are not the same in all, one a line."""
    keys = [_values(problem) for problem in problems]
    return ["\n".join(f"{key}={value}" for key, value in own.items() if any(other.get(key) != value for other in keys))
            for own in keys]


def whole_results(table):
    """The rows of variants that leave out nothing."""
    partial = [variant in PARTIAL_VARIANTS.get(dwarf, []) for dwarf, variant in zip(table["dwarf"], table["variant"])]
    return table[[not each for each in partial]]


def measurements_path(run):
    run = Path(run)
    return run / "measurements.csv" if run.is_dir() else run


def config_column(table):
    def text(row):
        parts = [f"{axis}={row[axis]}" for axis in ["variant", *AXES] if row[axis] != ""]
        return ";".join(parts + ([row["options"]] if row["options"] else []))
    return table[["variant", *AXES, "options"]].apply(text, axis=1) if len(table) else ""


def device_names(table):
    """{run_id|device_id: a name that no other has}."""
    devices = table[table["device_type"] != "host"].drop_duplicates("column").set_index("column")
    names = devices["device"].copy()
    for extra in ["driver", "host", "run_id"]:
        twice = names.duplicated(keep=False)
        if devices[extra][twice].nunique() > 1:
            names[twice] = names[twice] + ", " + devices[extra][twice]
    return names.to_dict()


def _values(config):
    return dict(part.split("=", 1) for part in config.split(";") if "=" in part)


def _difference(config, base):
    return {axis: value for axis, value in config.items() if axis != "variant" and base.get(axis) != value}


def _start(configs):
    """The one nearest to the most frequent value of every axis: with the axes varied one at a time, what they were
    varied from."""
    counts = {}
    for config in configs:
        for axis, value in config.items():
            counts.setdefault(axis, Counter())[value] += 1
    typical = {axis: values.most_common(1)[0][0] for axis, values in counts.items()}
    return min(configs, key=lambda config: len(_difference(config, typical)))


def _number_first(value):
    try:
        return (0, float(value), "")
    except ValueError:
        return (1, 0.0, value)


def label_settings(configs, baseline):
    """[(config, label)]: the baseline first, then variant by variant, each named by what differs from where the
    variant starts."""
    variants = {}
    for config in configs:
        values = _values(config)
        variants.setdefault(values.get("variant", ""), []).append((config, values))
    first = _values(baseline).get("variant", "") if baseline else None
    labelled = []
    for variant in sorted(variants, key=lambda name: (name != first, list(variants).index(name))):
        members = variants[variant]
        start = _start([values for _, values in members])
        if variant == first:
            start = _values(baseline)
        order = list(start)

        def rank(member):
            difference = _difference(member[1], start)
            return (len(difference), [(order.index(axis) if axis in order else 99, _number_first(value))
                                      for axis, value in difference.items()])
        for config, values in sorted(members, key=rank):
            difference = ", ".join(f"{axis}={value}" for axis, value in _difference(values, start).items())
            if variant == first:
                labelled.append((config, difference or "baseline"))
            else:
                labelled.append((config, f"{variant}: {difference}" if difference else f"variant={variant}"))
    return labelled
