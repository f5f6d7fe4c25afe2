"""The table of a check: a row for each kernel of each program, and what is wrong with it."""
import csv

from offline.compilers import LIMIT_S
from offline.occupancy import occupancy

COLUMNS = ("device", "dwarf", "variant", "setting", "kernel", "status", "seconds", "group_items", "simd", "registers",
           "scalar_registers", "spills", "scratch_bytes", "local_bytes", "occupancy")


def settings_of(config):
    return dict(part.split("=", 1) for part in config.split(";"))


def setting_of(point, default):
    """What sets a corner apart from its variant's default: "unroll=16"."""
    if point["default"]:
        return "default"
    here, there = settings_of(point["config"]), settings_of(default["config"])
    return " ".join(f"{axis}={value}" for axis, value in here.items() if there.get(axis) != value)


def uses(group):
    """For each program of a group, in order, the first point that uses it and what sets that apart."""
    defaults = {point["variant"]: point for point in group["points"] if point["default"]}
    seen = set()
    for point in sorted(group["points"], key=lambda point: not point["default"]):
        for program in point.get("programs", []):
            if program not in seen and point["variant"] in defaults:
                seen.add(program)
                yield program, point, setting_of(point, defaults[point["variant"]])


def rows_of(name, device, group, results):
    """`results`: by the program's id."""
    for program, point, setting in uses(group):
        result = results.get(program)
        if result is None:
            continue
        row = {"device": name, "dwarf": group["dwarf"], "variant": point["variant"], "setting": setting,
               "status": result["status"], "seconds": result["seconds"], "log": result["log"]}
        if result["status"] != "ok":
            yield row
        for kernel in result["kernels"]:
            items = kernel["group_items"] or point["group_items"]
            share = occupancy(device["offline"], kernel, items)
            yield {**row, **kernel, "group_items": items, "occupancy": round(share, 3)}


# Defaults that may spill: by dwarf and variant, or by device.
EXCUSED = {
    ("des", "bitslice"): "64 words of data, and what circuits and transposition need at a time, are as many as a thread "
                         "of Intel's has registers: on Arc some 200 spills beside more than 5000 operations",
    "gfx1100": "LLVM 15, the first that knows it, allots at most 128 of its 256 registers",
}


def is_excused(row):
    return row["device"] in EXCUSED or (row["dwarf"], row["variant"]) in EXCUSED


def problems(rows):
    """A sentence for each program that no device may be given."""
    told = set()
    for row in rows:
        where = f"{row['dwarf']} {row['variant']} ({row['setting']}) for {row['device']}"
        if row["status"] == "refused":
            sentence = f"{where} is refused by the compiler: {row['log'].strip()[:400]}"
        elif row["status"] == "too_long":
            sentence = f"{where} compiles for more than {LIMIT_S} s"
        elif row["spills"] and row["setting"] == "default" and not is_excused(row):
            sentence = f"{where}: the default spills registers in {row['kernel']}"
        elif row["occupancy"] == 0:
            sentence = f"{where}: not even one group of {row['kernel']} fits a compute unit"
        else:
            continue
        if sentence not in told:
            told.add(sentence)
            yield sentence


def write_csv(rows, path):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def summary(name, device, rows):
    programs = {(row["dwarf"], row["variant"], row["setting"], row["seconds"]): row for row in rows}.values()
    slowest = max(programs, key=lambda row: row["seconds"])
    spilled = [row for row in rows if row.get("spills")]
    return [name, device["name"], device["offline"]["compiler"], len(programs),
            sum(row["status"] == "refused" for row in programs), sum(row["status"] == "too_long" for row in programs),
            len({(row["dwarf"], row["variant"], row["setting"]) for row in spilled if row["setting"] == "default"}),
            len({(row["dwarf"], row["variant"], row["setting"]) for row in spilled if row["setting"] != "default"}),
            f"{sum(row['seconds'] for row in programs):.0f} s",
            f"{slowest['seconds']:.1f} s ({slowest['dwarf']} `{slowest['variant']}` {slowest['setting']})"]


def cell(rows):
    """Of a default's kernel with the most registers or, among equals, the least occupancy."""
    if not rows:
        return ""
    worst = min(rows, key=lambda row: (-row["registers"], row["occupancy"]))
    spilled = ", spills" if any(row["spills"] for row in rows) else ""
    return f"{worst['registers']}, {worst['occupancy']:.0%}{spilled}"


def markdown_table(head, lines):
    body = [head, ["---"] * len(head), *lines]
    return "\n".join("| " + " | ".join(str(each) for each in line) + " |" for line in body) + "\n"


def write_markdown(rows, devices, path, compilers):
    names = [name for name in devices if any(row["device"] == name for row in rows)]
    of_device = {name: [row for row in rows if row["device"] == name] for name in names}
    ok = [row for row in rows if row["status"] == "ok"]
    variants = list(dict.fromkeys((row["dwarf"], row["variant"]) for row in rows))
    defaults = [[dwarf, f"`{variant}`"] + [
        cell([row for row in ok if (row["device"], row["dwarf"], row["variant"], row["setting"]) ==
              (name, dwarf, variant, "default")]) for name in names] for dwarf, variant in variants]
    path.write_text("".join([
        "# Compiled for devices that were not there\n\n",
        "Written by `tests/check_offline.py` ([tests/README.md](../../tests/README.md)); every row is in `kernels.csv`."
        " Compilers: ", "; ".join(sorted(compilers)), ".\n\n",
        markdown_table(["device", "", "compiler", "programs", "refused", f"over {LIMIT_S} s", "defaults that spill",
                        "corners that spill", "processor time", "longest"],
                       [summary(name, devices[name], of_device[name]) for name in names]),
        "\n## Defaults\n\nRegisters of a work-item (AMD) or of a thread (Intel, always all), and the occupancy, of the "
        "kernel with the most registers.\n\n",
        markdown_table(["dwarf", "variant", *names], defaults)]))
