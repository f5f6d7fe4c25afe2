"""Reads the files of runs, finds the best settings, and names settings by what differs from the baseline."""

import csv
import gzip
import json
import re
import sys
import zlib
from collections import Counter
from pathlib import Path

import pandas as pd

AXES = ["work_group", "granularity", "vector_width", "unroll", "padding"]
IDENTITY = ["run_id", "device_id", "dwarf", "kernel", "size", "problem", "variant", *AXES, "options"]
MEASUREMENT_COLUMNS = [*IDENTITY, "host", "device", "device_type", "driver", "baseline", "status", "median_ns",
                       "ci_low_ns", "ci_high_ns", "bytes", "operations", "gop_per_s", "speedup", "speedup_low",
                       "speedup_high", "verdict", "stop_reason"]
SAMPLE_COLUMNS = [*IDENTITY, "round", "role", "ns", "fault"]
NUMBERS = ["median_ns", "ci_low_ns", "ci_high_ns", "bytes", "operations", "gop_per_s", "speedup", "speedup_low",
           "speedup_high", "ns", "round", "evaluation", "seconds", "time_ns", "best_ns"]

# Variants that compute only a part of the baseline's result (`partial_variants` of `dwarfsweep list --json`): never the
# best.
PARTIAL_VARIANTS = {"needle": ["score_only", "score_only_scan"]}


class PlotError(Exception):
    """What is wrong with the files or arguments, in one sentence for the user."""


def stored(path):
    """`path`, or the compressed file next to it where there is no `path`."""
    packed = path.with_name(path.name + ".gz")
    return packed if packed.exists() and not path.exists() else path


def read_cells(path):
    """Header and rows. Read without pandas, which fills up rows that are too short without an error."""
    try:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rt", newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file, strict=True))
    except FileNotFoundError:
        raise PlotError(f"{path}: there is no such file") from None
    except (csv.Error, UnicodeDecodeError, gzip.BadGzipFile, EOFError, zlib.error) as error:
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
    # Older runs do not name the code that they computed.
    table["problem"] = table["problem"].str.replace(r";code=crc32$", "", regex=True)
    table["config"] = config_column(table)
    table["device"] = short_names(table, compute_units(runs))
    table["column"] = table["run_id"] + "|" + table["device_id"]
    return table


def compute_units(runs):
    """{device id: number of compute units}, as far as the runs describe their devices."""
    units = {}
    for run in runs:
        path = measurements_path(run).parent / "run.json"
        if path.exists():
            for device in description_of(path).get("devices", []):
                units[device["info"]["id"]] = device["info"].get("compute_units", 0)
    return units


def short_names(table, units):
    """"H200", "EPYC 2 cores, PoCL 3.1": as the report names devices."""
    def name(row):
        text, pocl = row["device"], row.get("platform") == "Portable Computing Language"
        if pocl:
            text = re.sub(r"^.*?-(?=[A-Z])", "", text)
        text = re.sub(r"\((?:R|TM|tm)\)| @ .*", "", text)
        text = re.sub(r" Processor\b| CPU\b|NVIDIA |Intel |AMD ", "", text) or row["device"]
        if row["device_type"] != "cpu" or not row.get("platform"):
            return text
        cores = units.get(row["device_id"], 0)
        driver = ".".join(re.split(r"[+ ]", row["driver"])[0].split(".")[:2])
        return text + (f" {cores} cores" if cores else "") + f", {'PoCL' if pocl else re.split(r'[( ]', row['platform'])[0]} {driver}"
    known = {}
    keys = [column for column in ("device_id", "device", "platform", "driver", "device_type") if column in table]
    for values, group in table.groupby(keys, sort=False, dropna=False):
        known[values] = name(group.iloc[0])
    return [known[values] for values in zip(*(table[key] for key in keys))]


def read_samples(run):
    path = stored(measurements_path(run).parent / "samples.csv")
    if not path.exists():
        print(f"plot.py: there is no {path}: no plots of samples", file=sys.stderr)
        return None
    table = read_table(path, SAMPLE_COLUMNS)
    table["problem"] = table["problem"].str.replace(r";code=crc32$", "", regex=True)
    table["config"] = config_column(table)
    table["column"] = table["run_id"] + "|" + table["device_id"]
    return table[(table["role"] == "variant") & (table["fault"] == "")]


def read_peaks(runs):
    """{run_id|device_id: {name: value}} for the devices whose peaks were measured."""
    peaks = {}
    for run in runs:
        path = measurements_path(run).parent / "run.json"
        if not path.exists():
            continue
        content = description_of(path)
        try:
            for part in [content, *content.get("parts", [])]:
                for device in part.get("devices", []):
                    if device.get("peaks"):
                        peaks[f"{part['run_id']}|{device['info']['id']}"] = device["peaks"]
        except (KeyError, TypeError) as error:
            raise PlotError(f"{path}: is no description of a run: {error}") from None
    return peaks


def description_of(path):
    try:
        content = json.loads(path.read_text())
        if isinstance(content, dict):
            return content
        error = "it must be a JSON object"
    except ValueError as wrong:
        error = wrong
    raise PlotError(f"{path}: is no description of a run: {error}")


def what_differs(problems):
    """Of each problem the keys whose values are not the same in all, one per line."""
    keys = [values_of(problem) for problem in problems]
    return ["\n".join(f"{key}={value}" for key, value in own.items() if any(other.get(key) != value for other in keys))
            for own in keys]


def whole_results(table):
    """The rows of variants that compute the whole result."""
    partial = [variant in PARTIAL_VARIANTS.get(dwarf, []) for dwarf, variant in zip(table["dwarf"], table["variant"])]
    return table[[not each for each in partial]]


def best_rows(total):
    """For each device and problem the fastest setting that is more than noise, else the baseline: as in the program's
    tables (suite/output/best_settings.cpp) one that was measured again, unless another shard of a merged run has a faster one."""
    rows = []
    for _, group in whole_results(total).groupby(["column", "size", "problem"], sort=False):
        faster = group[group["verdict"] == "faster"]
        chosen = faster.loc[faster["speedup"].idxmax()] if len(faster) else None
        again = faster[faster["stop_reason"] == "confirmed"]
        if len(again):
            best = again.loc[again["speedup"].idxmax()]
            if not (best["run_id"].endswith("-merged") and chosen["speedup_low"] > best["speedup_high"]):
                chosen = best
        if chosen is None:
            base = group[group["baseline"]]
            chosen = base.iloc[0] if len(base) else group.loc[group["median_ns"].idxmin()]
        rows.append(chosen)
    return rows


def measurements_path(run):
    run = Path(run)
    return stored(run / "measurements.csv") if run.is_dir() else run


def config_column(table):
    def text(row):
        parts = [f"{axis}={row[axis]}" for axis in ["variant", *AXES] if row[axis] != ""]
        return ";".join(parts + ([row["options"]] if row["options"] else []))
    return table[["variant", *AXES, "options"]].apply(text, axis=1) if len(table) else ""


def device_names(table):
    """{run_id|device_id: a unique name}."""
    devices = table[table["device_type"] != "host"].drop_duplicates("column").set_index("column")
    names = devices["device"].copy()
    for extra in ["driver", "host", "run_id"]:
        twice = names.duplicated(keep=False)
        if devices[extra][twice].nunique() > 1:
            names[twice] = names[twice] + ", " + devices[extra][twice]
    return names.to_dict()


def values_of(config):
    """{axis: value}."""
    return dict(part.split("=", 1) for part in config.split(";") if "=" in part)


def _difference(config, base):
    return {axis: value for axis, value in config.items() if axis != "variant" and base.get(axis) != value}


def _most_typical(configs):
    """The one nearest to the most frequent value of every axis. In a plan that varies one axis at a time that is the
    default configuration of the variant."""
    counts = {}
    for config in configs:
        for axis, value in config.items():
            counts.setdefault(axis, Counter())[value] += 1
    typical = {axis: values.most_common(1)[0][0] for axis, values in counts.items()}
    return min(configs, key=lambda config: len(_difference(config, typical)))


def number_first(value):
    try:
        return (0, float(value), "")
    except ValueError:
        return (1, 0.0, value)


def label_settings(configs, baseline):
    """[(config, label)]: the baseline first, then variant by variant, each named by what differs from the default
    configuration of the variant."""
    variants = {}
    for config in configs:
        values = values_of(config)
        variants.setdefault(values.get("variant", ""), []).append((config, values))
    first = values_of(baseline).get("variant", "") if baseline else None
    labelled = []
    for variant in sorted(variants, key=lambda name: (name != first, list(variants).index(name))):
        members = variants[variant]
        base = _most_typical([values for _, values in members])
        if variant == first:
            base = values_of(baseline)
        order = list(base)

        def rank(member):
            difference = _difference(member[1], base)
            return (len(difference), [(order.index(axis) if axis in order else 99, number_first(value))
                                      for axis, value in difference.items()])
        for config, values in sorted(members, key=rank):
            difference = ", ".join(f"{axis}={value}" for axis, value in _difference(values, base).items())
            if variant == first:
                labelled.append((config, difference or "baseline"))
            else:
                labelled.append((config, f"{variant}: {difference}" if difference else f"variant={variant}"))
    return labelled
