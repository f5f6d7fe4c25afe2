#!/usr/bin/env python3
"""Writes the generated pages: docs/dwarfs/README.md, docs/dwarfs/<name>.md, docs/devices.md, the claims in docs/papers.md, and the
tables in docs/intel-cpu-runtime.md.

    docs/make_pages.py PROGRAM [--check]

They are made from `PROGRAM list --json`, the head comments of the kernels, and the runs in results/reference and results/peers.
The claims are what `PROGRAM table --format claims` prints for results/reference.
With --check nothing is written. Exit status: 0 done or fresh, 1 stale pages (they are named), 2 wrong usage.
"""
import argparse
import collections
import csv
import gzip
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOTE = "<!-- Made by docs/make_pages.py; do not edit. -->\n"


def escaped(text):
    return str(text).replace("|", "\\|").replace("_", "\\_").replace("*", "\\*")


def table(header, rows, align=None):
    align = align or ["---"] * len(header)
    lines = ["| " + " | ".join(header) + " |", "|" + "|".join(align) + "|"]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def duration(ns):
    for unit, factor in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= factor:
            return f"{ns / factor:.4g} {unit}"
    return f"{ns:.4g} ns"


def head_comment(name):
    """The comment at the head of kernels_cl/<name>/<name>.cl, as lines without slashes."""
    lines = []
    for line in (ROOT / "kernels_cl" / name / f"{name}.cl").read_text().splitlines():
        if not line.startswith("//"):
            break
        lines.append(line[2:].removeprefix(" ").rstrip())
    return lines


def first_paragraph(lines):
    end = lines.index("") if "" in lines else len(lines)
    return " ".join(line.strip() for line in lines[:end])


def rows_of(path):
    opened = gzip.open(path, "rt", newline="") if path.suffix == ".gz" else open(path, newline="")
    with opened as file:
        return list(csv.DictReader(file))


def reference_rows():
    """All rows of whole executions in the committed runs, with the name of the run's folder."""
    rows = []
    for path in sorted((ROOT / "results/reference").glob("*/measurements.csv*")):
        rows += [dict(row, folder=path.parent.name) for row in rows_of(path) if row["kernel"] == "total"]
    return rows


def units_by_device():
    """Compute units of each device, by run folder, name and driver."""
    units = {}
    for path in sorted((ROOT / "results/reference").glob("*/run.json")):
        run = json.loads(path.read_text())
        for part in run.get("parts") or [run]:
            for device in part.get("devices", run.get("devices", [])):
                info = device["info"]
                units[(path.parent.name, info["name"], info["driver"])] = info.get("compute_units", 0)
    return units


def short_name(device, platform, driver, kind, units):
    """As the report names a device (short_device_name in suite/report/report_data.cpp): "EPYC 2 cores, PoCL 3.1"."""
    pocl = platform == "Portable Computing Language"
    name = re.sub(r"^.*?-(?=[A-Z])", "", device) if pocl else device
    name = name.split(" @ ")[0]
    for part in ("(R)", "(TM)", "(tm)", " Processor", " CPU", "NVIDIA ", "Intel ", "AMD "):
        name = name.replace(part, "")
    if kind != "cpu":
        return name
    if units:
        name += f" {units} core{'' if units == 1 else 's'}"
    number = re.match(r"\d+(\.\d+)?", driver)
    return f"{name}, {'PoCL' if pocl else re.split(r'[( ]', platform)[0]} {number[0] if number else driver}"


def name_devices(rows):
    """Gives each row `short`, the short name of its device."""
    units = units_by_device()
    for row in rows:
        row["short"] = short_name(row["device"], row["platform"], row["driver"], row["device_type"],
                                  units.get((row["folder"], row["device"], row["driver"]), 0))
    return rows


def setting_of(row, axes):
    """The values of the row that differ from the baseline."""
    baseline = {axis["name"]: str(axis["baseline"]) for axis in axes}
    values = [(axis, row[axis]) for axis in ("variant", "work_group", "granularity", "vector_width", "unroll", "padding") if row[axis]]
    values += [tuple(part.split("=", 1)) for part in row["options"].split(";") if "=" in part]
    return ", ".join(f"{axis}={value}" for axis, value in values if baseline.get(axis) != value) or "baseline"


def best_rows(rows, dwarf):
    """Of each device, size and problem the confirmed row with the least time; partial variants are not confirmed."""
    best = {}
    for row in rows:
        if row["dwarf"] != dwarf or row["status"] != "ok" or row["stop_reason"] != "confirmed" or row.get("schema_version") == "1":
            continue
        key = (row["short"], row["problem"])
        if key not in best or float(row["median_ns"]) < float(best[key]["median_ns"]):
            best[key] = row
    return [best[key] for key in sorted(best)]


def peer_rows(dwarf):
    rows = []
    for path in sorted((ROOT / "results/peers").glob("*.csv")):
        rows += [row for row in rows_of(path) if row.get("dwarf") == dwarf and row.get("ratio") and row.get("peer")]
    return rows


def library_ratios(peers, row):
    """Each library that was measured on the row's device and problem, with the ratio or the range of several."""
    ratios = {}
    for peer in peers:
        if (peer["device"], peer["problem"]) == (row["device"], row["problem"]):
            ratios.setdefault(peer["peer"], []).append(float(peer["ratio"]))
    texts = []
    for name, values in ratios.items():
        low, high = f"{min(values):.3g}", f"{max(values):.3g}"
        texts.append(f"{low if low == high else f'{low} to {high}'} ({name})")
    return "; ".join(texts)


ARITHMETIC = {"float": ("floating-point operations", "gflop_per_s"), "integer": ("integer operations", "gop_per_s"),
              "logic": ("logic operations", "logic_gop_per_s")}
LIMITS = {"memory": "memory", "compute": "compute", "launch": "launches"}


def amount(value, unit):
    for prefix, factor in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= factor:
            return f"{value / factor:.3g} {prefix}{unit}"
    return f"{value:.3g} {unit}"


def peaks_by_device():
    """The measured peaks of each device, by name and driver; those of the last run that has them."""
    found = {}
    for path in sorted((ROOT / "results/reference").glob("*/run.json")):
        run = json.loads(path.read_text())
        for part in run.get("parts") or [run]:
            for device in part.get("devices", run.get("devices", [])):
                if device.get("peaks"):
                    found[(device["info"]["name"], device["info"]["driver"])] = device["peaks"]
    return found


def share_of_peak(row):
    share = 100 * float(row["peak_fraction"] or "nan")
    return "" if share != share else f"{share:.0f} %" if share >= 10 else f"{share:.2g} %"


def roofline(dwarf, best):
    """What an execution moves and computes, and which of the two limits it on each device."""
    what, peak = ARITHMETIC[dwarf["arithmetic"]]
    peaks = peaks_by_device()
    lines = []
    for row in best:
        moved, computed = float(row["bytes"] or 0), float(row["operations"] or 0)
        if not moved or not computed or not row["bound"]:
            continue
        known = peaks.get((row["device"], row["driver"]), {})
        memory = max(known.get(name, 0) for name in ("read_gb_per_s", "copy_gb_per_s", "triad_gb_per_s"))
        balance = f"{known[peak] / memory:.3g}" if memory and peak in known else ""
        lines.append((escaped(row["short"]), f"`{row['problem']}`", amount(moved, "B"), amount(computed, "op"),
                      f"{computed / moved:.3g}", balance, LIMITS.get(row["bound"], row["bound"]),
                      share_of_peak(row)))
    if not lines:
        return ""
    text = f"\n## Roofline\n\nOne execution reads each input once, writes each output once, and computes the {what} of the algorithm. "
    text += "Operations per byte are its arithmetic intensity. A device's balance is its measured peak of operations over its peak of memory. "
    text += "If the intensity is above the balance, computing limits the dwarf, otherwise memory. If both would take less time than starting the kernels, launches do."
    if any(float(row["peak_fraction"] or 0) > 1 for row in best):
        text += " [Why some points exceed the peak](../faq.md#how-can-a-point-exceed-100--of-peak)."
    text += "\n\n"
    return text + table(("device", "problem", "moved", "computed", "operations per byte", "balance", "limit", "of peak"), lines,
                        ["---", "---", "--:", "--:", "--:", "--:", "---", "--:"])


def variants_table(axis):
    """The variants with what the axis says of each: "tiled: ...; blocked: ..."."""
    said = dict(re.findall(r"(?:^|; )((?:\w+)(?:, \w+)*): (.*?)(?=; \w+(?:, \w+)*: |$)", axis["meaning"]))
    meaning = {}
    for names, text in said.items():
        for name in names.split(", "):
            meaning[name] = text
    marks = {axis["baseline"]: " (baseline)", **{value: " (published code, by name only)" for value in axis["by_name"]}}
    rows = [(f"`{value}`" + marks.get(value, ""), escaped(meaning.get(value, ""))) for value in axis["values"]]
    return table(("variant", "what it does"), rows) if any(text for _, text in rows) else escaped(axis["meaning"]) + "\n\n" + table(
        ("variant",), [(name,) for name, _ in rows])


def by_name_note(axis):
    """Which values only the paper plan, --axis and --set reach."""
    names = ", ".join(str(value) for value in axis["by_name"])
    return f" ({names}: only by --plan paper, --axis and --set)" if names else ""


def axes_table(axes):
    rows = []
    for axis in axes:
        if axis["name"] == "variant":
            continue
        values = " ".join(f"**{value}**" if value == axis["baseline"] else str(value) for value in axis["values"])
        meaning = axis["meaning"] + by_name_note(axis)
        rows.append((f"`{axis['name']}`", escaped(values).replace("\\*\\*", "**"), escaped(meaning),
                     escaped(", ".join(axis["variants"])) or "all"))
    return table(("axis", "values (baseline in bold)", "meaning", "variants"), rows)


def dwarf_page(dwarf, rows):
    name = dwarf["name"]
    comment = head_comment(name)
    text = NOTE + f"\n# {name}: {dwarf['title']}\n\n"
    text += f"Class: {dwarf['pattern']}. Operations are counted as {dwarf['arithmetic']}. "
    text += f"Kernels: {', '.join(f'`{kernel}`' for kernel in dwarf['kernels'])}.\n\n"
    text += escaped(first_paragraph(comment)) + "\n\n"
    text += "## Variants\n\n" + variants_table(next(axis for axis in dwarf["axes"] if axis["name"] == "variant"))
    if dwarf["partial_variants"]:
        text += f"\nOnly part of the result: {', '.join(f'`{each}`' for each in dwarf['partial_variants'])}. These are never named the best.\n"
    text += "\n## Axes\n\n" + axes_table(dwarf["axes"])
    if dwarf.get("constraints"):
        text += "\nA configuration is not applicable if it violates one of these:\n\n" + "".join(f"- {escaped(each)}\n" for each in dwarf["constraints"])
    text += "\n## Problem\n\n" + table(("key", "meaning", "default", "least", "most"), [
        (f"`{key['name']}`", escaped(key["meaning"]), escaped(key.get("default", "")), f"{key['minimum']:g}" if "minimum" in key else "",
         f"{key['maximum']:g}" if "maximum" in key else "") for key in dwarf["problem_keys"]])
    text += "\n" + table(("size", "problem"), [(size["name"], f"`{size['problem']}`") for size in dwarf["sizes"]])
    if dwarf["input_formats"]:
        text += f"\n`--input` takes {escaped(dwarf['input_formats'])}.\n"
    best = best_rows(rows, name)
    text += roofline(dwarf, best)
    peers = peer_rows(name)
    if best:
        text += "\n## Best points in the reference runs\n\n"
        if any(library_ratios(peers, row) for row in best):
            text += "A ratio to a library is its time over ours. It comes from its own measurement (below), whose setting may be another.\n\n"
        text += table(
            ("device", "problem", "setting", "time", "over the baseline", "ratio to a library"),
            [(escaped(row["short"]), f"`{row['problem']}`", f"`{setting_of(row, dwarf['axes'])}`", duration(float(row["median_ns"])),
              f"{float(row['speedup']):.3g}x [{float(row['speedup_low']):.3g}, {float(row['speedup_high']):.3g}]" if row["speedup"] else "",
              escaped(library_ratios(peers, row))) for row in best],
            ["---", "---", "---", "--:", "--:", "---"])
    if peers:
        names = {row["device"]: row["short"] for row in rows if row["device_type"] != "host"}
        text += "\n## Compared with libraries\n\nA ratio above 1 means that our kernel is faster.\n\n" + table(
            ("device", "problem", "library", "ours", "library's", "ratio"),
            [(escaped(names.get(row["device"], row["device"])), f"`{row['problem']}`", escaped(row["peer"]), duration(float(row["ours_ns"])),
              duration(float(row["peer_ns"])), f"{float(row['ratio']):.3g}") for row in peers], ["---", "---", "---", "--:", "--:", "--:"])
    text += f"\n## The kernel's own description\n\nThe head of `kernels_cl/{name}/{name}.cl`:\n\n```text\n" + "\n".join(comment) + "\n```\n"
    return text


def index_page(dwarfs):
    text = NOTE + "\n# The dwarfs\n\nThe first nine are in the default sweep. The others run when you name them, their class, or `all`.\n\n"
    return text + table(("dwarf", "what it computes", "class", "variants"), [
        (f"[{dwarf['name']}]({dwarf['name']}.md)", escaped(dwarf["title"]), dwarf["pattern"],
         escaped(" ".join(next(axis for axis in dwarf["axes"] if axis["name"] == "variant")["values"]))) for dwarf in dwarfs])


def devices_page(rows):
    text = NOTE + "\n# Devices in the reference runs\n\nWhat was measured on each device, and the peaks that dwarfsweep measured there.\n\n"
    found = {}
    for path in sorted((ROOT / "results/reference").glob("*/run.json")):
        run = json.loads(path.read_text())
        parts = run.get("parts") or [run]
        for part in parts:
            for device in part.get("devices", run.get("devices", [])):
                info = device["info"]
                if info["type"] == "host":
                    continue
                key = (info["name"], info["platform"], info["driver"], info.get("compute_units", 0))
                entry = found.setdefault(key, {"type": info["type"], "peaks": {}, "runs": []})
                entry["runs"].append(path.parent.name)
                peaks = device.get("peaks") or {}
                if peaks:
                    entry["peaks"] = peaks
    lines = []
    for (name, platform, driver, units), entry in sorted(found.items(), key=lambda each: tuple(str(part) for part in each[0])):
        peaks = entry["peaks"]
        value = lambda key: f"{peaks[key]:.4g}" if key in peaks else ""
        lines.append((escaped(short_name(name, platform, driver, entry["type"], units)), escaped(name), entry["type"], escaped(f"{platform} {driver}"), value("copy_gb_per_s"), value("read_gb_per_s"),
                      value("gflop_per_s"), ", ".join(f"`{run}`" for run in sorted(set(entry["runs"])))))
    text += table(("device", "full name", "type", "driver", "copy GB/s", "read GB/s", "GFLOP/s", "runs in results/reference"), lines,
                  ["---", "---", "---", "---", "--:", "--:", "--:", "---"])
    text += "\nIntel's and AMD's GPUs were compiled for, not run: [results/offline](../results/offline/README.md).\n"
    return text


TABLES_BEGIN = "<!-- Made by docs/make_pages.py from here -->\n"
TABLES_END = "<!-- to here -->\n"
COMPARISONS = re.compile(r"(\w+_\d{4}) on ([\w ()]+): (\d+) of (\d+) the same on A")  # of `table`
LADDER_AXES = ("work_group", "granularity", "vector_width", "unroll", "padding")
LADDER_CHANGE = 1.15  # of a time, to be named
LADDER_SAMPLES = 5  # fewest of a time that counts


def claims_table(program):
    """The papers' claims with a verdict for each device of the reference runs; not of --plan transfer, whose points are chosen."""
    runs = [path.parent for path in sorted((ROOT / "results/reference").glob("*/measurements.csv.gz"))]
    runs = [run for run in runs if not run.name.startswith("transfer-")]
    printed = subprocess.run([program, "table", *runs, "--format", "claims"], check=True, capture_output=True, text=True).stdout
    rows = list(csv.DictReader(printed.splitlines()))
    devices = list(dict.fromkeys(row["device"] for row in rows))
    lines, evidence = {}, []
    for row in rows:
        cells = lines.setdefault(row["claim"], [row["claim"], row["work"].replace("_", " "), row["rule"], *([""] * len(devices))])
        cells[3 + devices.index(row["device"])] = row["verdict"] or "–"
        if row["verdict"]:
            evidence.append((row["claim"], row["device"], row["verdict"], row["evidence"]))
    text = table(("claim", "work", "rule", *map(escaped, devices)), [[escaped(cell) for cell in line] for line in lines.values()])
    text += "\n" + table(("claim", "device", "verdict", "evidence"), [[escaped(cell) for cell in line] for line in evidence])
    return text


def comparisons_table(program, rows):
    """For each work and device of then: how many published comparisons have the same direction in each paper run."""
    columns, lines = [], {}
    for run in sorted((ROOT / "results/reference").glob("*-paper*")):
        text = subprocess.run([program, "table", run], check=True, capture_output=True, text=True).stdout
        device = next(row["short"] for row in rows if row["folder"] == run.name and row["device_type"] != "host")
        column = f"{escaped(device)}: `{run.name}`"
        found = COMPARISONS.findall(" ".join(text.split()))
        if found:  # none is at a size that the papers do not have
            columns.append(column)
        for work, then, same, all_of_them in found:
            lines.setdefault((work.replace("_", " "), then), {})[column] = f"{same} of {all_of_them}"
    rows = [(*key, *(counts.get(column, "") for column in columns)) for key, counts in sorted(lines.items())]
    return table(("work", "measured then on", *columns), rows, ["---", "---"] + ["--:"] * len(columns))


def with_tables(name, *tables):
    """The page, with these tables, each between two marks."""
    before, *rest = (ROOT / name).read_text().split(TABLES_BEGIN)
    return before + "".join(TABLES_BEGIN + made + TABLES_END + old.split(TABLES_END)[1] for made, old in zip(tables, rest, strict=True))


def point_of(row):
    return (row["dwarf"], row["problem"], row["variant"], *(row[axis] for axis in LADDER_AXES), row["options"])


def sharpest_split(times):
    """Where these times, in order, fall into a slow and a fast part of at least three each that do not overlap, and whose
    medians differ by LADDER_CHANGE: (first of the second part, median before, median after). Noise alone divides 16 times
    like this in at most 2 of 560 cases."""
    splits = [(at, times[:at], times[at:]) for at in range(3, len(times) - 2)]
    splits = [(at, statistics.median(before), statistics.median(after)) for at, before, after in splits
              if max(before) < min(after) or min(before) > max(after)]
    splits = [split for split in splits if abs(math.log(split[1] / split[2])) > math.log(LADDER_CHANGE)]
    return max(splits, key=lambda split: abs(math.log(split[1] / split[2])), default=None)


def ladder_tables():
    """The versions of one driver in results/reference/intel-ladder: each version, and each point that changed."""
    folder = ROOT / "results/reference/intel-ladder"
    runs = {path.name: {point_of(row): row for row in rows_of(path / "measurements.csv.gz") if row["kernel"] == "total"}
            for path in sorted(folder.iterdir()) if path.is_dir()}
    points = sorted(set().union(*runs.values()))
    time = lambda version, point: float(runs[version][point]["median_ns"])
    is_right = lambda version, point: point in runs[version] and runs[version][point]["status"] == "ok"
    works = lambda version, point: is_right(version, point) and int(runs[version][point]["samples"]) >= LADDER_SAMPLES
    lines = []
    for version in runs:
        statuses = collections.Counter(row["status"] for row in runs[version].values())
        failed = sorted({f"{row['dwarf']} ({row['status'].replace('_', ' ')})" for row in runs[version].values()
                         if row["status"] not in ("ok", "not_run", "rejected")})
        driver = next(row["driver"] for row in runs[version].values()).split("_")[0]
        timed = sum(works(version, point) for point in points)
        lines.append((version.replace("-again", ", again"), driver, statuses["ok"], timed, ", ".join(map(escaped, failed))))
    text = table(("`intel-opencl-rt`", "driver version", "correct", "timed", "failed"), lines, ["---", "---", "--:", "--:", "---"])
    text += "\n"

    lines = []
    for point in points:
        times = [(version, time(version, point)) for version in runs if works(version, point)]
        split = sharpest_split([ns for _, ns in times])
        if split is None:
            continue
        at, before, after = split
        row = runs[times[-1][0]][point]
        setting = "baseline" if row["baseline"] == "true" else row["variant"]
        between = " to ".join(times[place][0].replace("-again", "") for place in (at - 1, at))
        lines.append((before / after, (escaped(row["dwarf"]), escaped(setting), duration(before), duration(after), f"{before / after:.2f}", between)))
    lines = [line for _, line in sorted(lines, reverse=True)]
    text += table(("dwarf", "point", "median before", "median after", "speedup", "between"), lines, ["---", "---", "--:", "--:", "--:", "---"])
    return text + f"\nNo such change was found in the {len(points) - len(lines)} other points.\n"


def pages(program):
    dwarfs = json.loads(subprocess.run([program, "list", "--json"], check=True, capture_output=True, text=True).stdout)
    rows = name_devices(reference_rows())
    made = {"docs/dwarfs/README.md": index_page(dwarfs), "docs/devices.md": devices_page(rows), "docs/papers.md": with_tables("docs/papers.md", comparisons_table(program, rows), claims_table(program)),
            "docs/intel-cpu-runtime.md": with_tables("docs/intel-cpu-runtime.md", ladder_tables())}
    for dwarf in dwarfs:
        made[f"docs/dwarfs/{dwarf['name']}.md"] = dwarf_page(dwarf, rows)
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--check", action="store_true", help="write nothing; name the pages that are stale")
    options = parser.parse_args()
    stale = []
    for name, text in pages(options.program).items():
        path = ROOT / name
        if path.exists() and path.read_text() == text:
            continue
        stale.append(name)
        if not options.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    if options.check and stale:
        print(f"stale: {', '.join(stale)}; run: docs/make_pages.py {options.program}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
