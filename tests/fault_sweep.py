"""What check_faults and check_interruptions share: a small sweep, run with the OpenCL layer tests/faults/fault_layer.cpp,
and the comparison of its rows with those of an undisturbed one."""
import csv
import json
import os
import re
import subprocess
import sys

from checks import PROGRAM, check

LAYER = os.environ["FAULT_LAYER"]
LONG = "--long" in sys.argv

# Six points; the fault hits the one of work-group 128 unless said otherwise. Measured briefly, and never
# converged, so that two runs have the same number of samples.
SWEEP = ["sweep", "--dwarf", "crc", "--size", "tiny", "--set", "variant=slicing", "--axis", "work_group=64,128,256",
         "--axis", "granularity=1,2", "--budget", "0", "--rounds", "2", "--blocks", "2", "--pairs", "1", "--precision",
         "0.001%", "--point-timeout", "60s", "--no-device-figures"]
HIT = "WORK_GROUP=128"

# What two runs of the same points need not have in common. The timer's self-test judges a busy machine now so, now so,
# and the point that a fast one is measured against is one that was fast.
TIMES = re.compile(r".*_ns|.*_per_s|timer|timestamp|run_id|samples|launches|peak_fraction|bound|(wall_)?speedup.*|verdict|"
                   r"reference|energy_j|clock_mhz|throttled")


def environment(fault=None, where=HIT, **settings):
    result = dict(os.environ, OPENCL_LAYERS=LAYER)
    if fault:
        result.update(FAULT=fault, FAULT_WHERE=where)
    result.update({f"FAULT_{name.upper()}": str(value) for name, value in settings.items()})
    return result


def sweep(**changes):
    """The arguments of SWEEP, with some options changed."""
    arguments = list(SWEEP)
    for name, value in changes.items():
        arguments[arguments.index("--" + name.replace("_", "-")) + 1] = value
    return arguments


def run(*arguments, env=None, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=600,
                          env=env or environment(), **options)


def rows_of(folder):
    with open(folder / "measurements.csv", newline="") as file:
        return list(csv.DictReader(file))


def totals_of(folder):
    return [row for row in rows_of(folder) if row["kernel"] == "total"]


def name_of(row):
    return "|".join(row[column] for column in ("dwarf", "kernel", "size", "problem", "variant", "work_group",
                                               "granularity", "vector_width", "unroll", "padding", "options"))


def untimed(row):
    """The row without its times. A point ends by its last round, or by those in which the best candidate is re-measured."""
    kept = {column: value for column, value in row.items() if not TIMES.fullmatch(column)}
    kept["stop_reason"] = kept["stop_reason"].replace("confirmed", "rounds")
    return kept


def is_hit(row, where=HIT):
    options = [f"{axis.upper()}={row[axis]}" for axis in ("variant", "work_group", "granularity")]
    return where in options


def altered_copy(out, name, change):
    """The run in a folder next to it, with each record of its log changed."""
    copy = out.parent / name
    copy.mkdir()
    lines = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    for line in lines:
        change(line)
    (copy / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return copy


def check_same(rows, wanted, what):
    """The same rows in the same order, but for times; none twice."""
    got = [untimed(row) for row in rows]
    wanted = [untimed(row) for row in wanted]
    if check([name_of(row) for row in rows] == list(dict.fromkeys(name_of(row) for row in rows)), f"{what}: a row twice"):
        for one, other in zip(got, wanted if len(got) == len(wanted) else got):
            different = {column: (one[column], other[column]) for column in one if one[column] != other[column]}
            check(not different, f"{what}: {name_of(one)}: {different}")
    check(len(got) == len(wanted), f"{what}: {len(got)} rows instead of {len(wanted)}")


def check_merged(rows, wanted, what):
    """The same points with the same kernels, but for times. A point is there once; a baseline once for each part of
    the run, and parts differ by host or by timer: on a busy machine a shard may be timed by another clock than the next."""
    once = {}
    for row in rows:
        part = (row["run_id"],) if row["baseline"] == "true" else ()
        check((name_of(row), part) not in once, f"{what}: {name_of(row)} is there twice")
        once[name_of(row), part] = row
    got = {name: row for (name, _), row in once.items()}
    expected = {name_of(row): row for row in wanted}
    check(set(got) == set(expected), f"{what}: lost {set(expected) - set(got)}, too many {set(got) - set(expected)}")
    for name in set(got) & set(expected):
        one, other = untimed(got[name]), untimed(expected[name])
        # A shard that is killed and continues elsewhere has its baseline here, as far as it got.
        cut = one["baseline"] == "true" and one["stop_reason"] == "interrupted"
        apart = ("host", "device_id", "reason", *(["stop_reason"] if cut else []))
        different = {column: (one[column], other[column]) for column in one
                     if one[column] != other[column] and column not in apart}
        check(not different, f"{what}: {name}: {different}")


def hit_rows(rows, undisturbed, what):
    """The rows of the point that the fault hits; all others are those of the undisturbed sweep."""
    check_same([row for row in rows if not is_hit(row)], [row for row in undisturbed if not is_hit(row)], what)
    return [row for row in rows if is_hit(row)]


def undisturbed_rows(folder):
    """The rows of the sweep to which no fault is done."""
    out = folder / "undisturbed"
    first = run(*SWEEP, "--out", out)
    if first.returncode != 0:
        sys.exit(f"FAILED: undisturbed: {first.stderr}")
    clean = rows_of(out)
    check(len({name_of(row) for row in clean if row["kernel"] == "total"}) == 6, "six points")
    check(all(row["status"] == "ok" for row in clean), f"undisturbed: {clean}")
    return [clean]
