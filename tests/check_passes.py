"""In which order a sweep measures: every dwarf's baseline and defaults before any dwarf gets more; what the budget left
out is measured later; blocks of results to be published come from several processes.

Any argument names the checks to do."""
import csv
import json

from checks import check, listed_dwarfs, run_checks, share_of_seed, variants_of
from fault_sweep import run, totals_of


def records_of(out):
    return [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]


def variant_of(key):
    return key["config"].split(";")[0].removeprefix("variant=")


def passes(folder, _=None):
    """A quarter of the dwarfs, the others in the next days, with a budget that is not enough for the whole plan."""
    out = folder / "passes"
    dwarfs = dict(share_of_seed(list(listed_dwarfs().items()), parts=4))
    done = run("sweep", "--dwarf", ",".join(dwarfs), "--size", "tiny", "--budget", "15s", "--no-device-figures", "--out", out)
    check(done.returncode == 0, f"passes: {done.stderr}")
    defaults, blocks, rest = {}, {}, None
    for number, record in enumerate(records_of(out)):
        if record["type"] == "point" and record["preparation"]["status"] in ("ok", "not_run"):
            key = record["key"]
            is_default = defaults.setdefault((key["dwarf"], variant_of(key)), key) == key
            if not is_default and rest is None and record["preparation"]["status"] == "ok":
                rest = number
        if record["type"] == "visit":
            blocks.setdefault(json.dumps(record["key"]), number)
    for name, dwarf in dwarfs.items():
        baseline, variants = variants_of(dwarf)
        measured = [variant for variant in [baseline, *variants] if (name, variant) in defaults]
        check(json.dumps(defaults.get((name, baseline))) in blocks, f"{name}: the baseline is measured")
        for variant in measured:  # a machine that is busy with other things may not come to the rest
            first_block = blocks.get(json.dumps(defaults[name, variant]))
            check(rest is None or first_block is not None and first_block < rest,
                  f"{name}: {variant} is measured before any other point")
    rows = totals_of(out)
    check(all(row["status"] == "not_run" for row in rows if row["stop_reason"] == "budget" and not row["median_ns"]),
          "what the budget left out is not_run")
    left_out = sum(row["status"] == "not_run" for row in rows)
    check(not left_out or f"{left_out} not run" in done.stdout, f"the summary names what was left out: {done.stdout}")
    check(len(done.stdout.splitlines()) <= 40, f"the summary is short: {done.stdout}")


def left_out_is_measured_later(folder, _=None):
    """--resume measures what the budget left out."""
    out = folder / "later"
    arguments = ["sweep", "--dwarf", "crc", "--size", "tiny", "--axis", "work_group=64,128,256", "--no-device-figures", "--rounds",
                 3, "--out", out]
    run(*arguments, "--budget", "1ms")
    before = {row["work_group"]: row["status"] for row in totals_of(out)}
    check("not_run" in before.values(), f"left out: {before}")
    done = run("sweep", "--resume", out, "--budget", "0")
    after = {row["work_group"]: row["status"] for row in totals_of(out)}
    check(done.returncode == 0 and set(after) == set(before) and set(after.values()) == {"ok"}, f"later: {after} {done.stderr}")


def remeasured_to_precision(folder, _=None):
    """The best candidate is measured again until its interval is as narrow as asked for, or for all its rounds."""
    for precision, rounds, wanted in (("100%", 30, 3), ("0.001%", 7, 7)):
        out = folder / f"precision_{rounds}"
        done = run("sweep", "--dwarf", "crc", "--size", "tiny", "--axis", "variant=per_byte,interleaved", "--precision",
                   precision, "--rounds", rounds, "--pairs", 2, "--budget", 0,
                   "--no-device-figures", "--out", out)
        check(done.returncode == 0, f"precision: {done.stderr}")
        blocks = set()
        with open(out / "samples.csv", newline="") as file:
            for row in csv.DictReader(file):
                if row["confirmation"] == "true":
                    blocks.add(row["block"])
        check(wanted <= len(blocks) <= rounds, f"{precision}: {len(blocks)} blocks")
    check([row["stop_reason"] for row in totals_of(out) if row["variant"] == "interleaved"] == ["confirmed"], "confirmed")


def several_processes(folder, _=None):
    """--publish takes the blocks of a point in new processes, each with new buffers."""
    out = folder / "published"
    done = run("sweep", "--dwarf", "crc", "--size", "tiny", "--axis", "work_group=64,256", "--publish", "--blocks", 5,
               "--rounds", 5, "--pairs", 1, "--no-device-figures", "--out", out)
    check(done.returncode == 0, f"publish: {done.stderr}")
    processes = {}
    with open(out / "samples.csv", newline="") as file:
        for row in csv.DictReader(file):
            if row["role"] == "variant" and row["confirmation"] == "false":
                processes.setdefault(row["work_group"], set()).add(row["process"])
    check(len(processes) >= 2 and all(len(each) == 5 for each in processes.values()), f"publish: {processes}")
    check(all(row["status"] == "ok" for row in totals_of(out)), "publish: all are fine")


run_checks([passes, left_out_is_measured_later, remeasured_to_precision, several_processes])
