"""A sweep where the baseline is slow: other points are paired with an anchor, and the rows say so. It is chosen once, before
any sample that counts; resuming, merging and comparing keep what follows from it.

Any argument names the checks to do."""
import json
import shutil

from checks import check, run_checks
from fault_sweep import run, totals_of

# crc's `per_byte` is many times slower than `interleaved`, also at a tiny problem.
SWEEP = ["sweep", "--device", "pocl", "--dwarf", "crc", "--problem", "bytes=100000", "--axis",
         "variant=per_byte,slicing,interleaved", "--axis", "work_group=64,128", "--no-device-figures", "--rounds", "4",
         "--pairs", "2", "--budget", "0"]


def records_of(out):
    return [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]


def anchors_of(out):
    return [record for record in records_of(out) if record["type"] == "anchor"]


def config_of(row):
    axes = ("variant", "work_group", "granularity", "vector_width", "unroll", "padding")
    return ";".join([f"{axis}={row[axis]}" for axis in axes if row[axis]] + [row["options"]] * bool(row["options"]))


def paired_with_anchor(folder):
    out = folder / "run"
    done = run(*SWEEP, "--out", out)
    check(done.returncode == 0, f"run: {done.stderr}")
    records = records_of(out)
    kinds = [record["type"] for record in records]
    check(kinds.count("anchor") == 1 and kinds.index("anchor") < kinds.index("visit"), f"one anchor, before samples: {kinds}")
    anchor = anchors_of(out)[0]
    check(anchor["baseline_ns"] > 4 * anchor["anchor_ns"], f"the baseline is slow: {anchor}")
    config = anchor["key"]["config"]
    check("variant=per_byte" not in config, f"the anchor: {config}")
    baseline = next(record["key"]["config"] for record in records if record["type"] == "point" and record["baseline"])
    for record in records:
        if record["type"] != "visit":
            continue
        own = record["key"]["config"]
        direct = own in (config, baseline) or record["confirmation"]
        check(record.get("opponent", "") == ("" if direct else config), f"{own} is paired with {record.get('opponent')}")
    rows = totals_of(out)
    joined = [row for row in rows if row["reference"] == config]
    check(list(rows[0])[-1] == "reference" and joined, f"the last column: {[row['reference'] for row in rows]}")
    for row in rows:
        direct = row["baseline"] == "true" or config_of(row) == config or row["stop_reason"] == "confirmed"
        check(row["reference"] == ("baseline" if direct else config), f"{config_of(row)}: {row['reference']}")
        check(float(row["speedup_low"]) <= float(row["speedup"]) <= float(row["speedup_high"]), f"{row}")

    # Made again from the log, byte by byte.
    files = {path: path.read_bytes() for path in out.glob("*.csv")}
    for path in files:
        path.unlink()
    done = run("sweep", "--resume", out)
    check(done.returncode == 0 and all(path.read_bytes() == text for path, text in files.items()), f"again: {done.stderr}")

    # The same run as an earlier version writes it.
    older = folder / "older"
    shutil.copytree(out, older)
    (older / "log.jsonl").unlink()
    for name in ("measurements.csv", "speedups.csv"):
        lines = (out / name).read_text().splitlines()
        (older / name).write_text("".join(line.rsplit(",", 1)[0] + "\n" for line in lines))
    done = run("compare", older, out)
    check(done.returncode == 0, f"compare: {done.stdout} {done.stderr}")


def kept_by_resume(folder):
    """A run that was killed after some blocks keeps its anchor, though another would be the fastest at a second look."""
    out = folder / "killed"
    check(run(*SWEEP, "--out", out).returncode == 0, "run")
    anchor = anchors_of(out)[0]["key"]["config"]
    kept, visits, baseline_ns = [], 0, anchors_of(out)[0]["baseline_ns"]
    for record in records_of(out):
        if record["type"] == "point" and record["key"]["config"] != anchor and not record["baseline"]:
            record["preparation"]["run_ns"] = 1e-3 * baseline_ns / (1 + len(kept))
        visits += record["type"] == "visit"
        if record["type"] == "end" or visits > 6:
            continue
        kept.append(json.dumps(record) + "\n")
    (out / "log.jsonl").write_text("".join(kept))
    done = run("sweep", "--resume", out)
    check(done.returncode == 0, f"resumed: {done.stderr}")
    check([each["key"]["config"] for each in anchors_of(out)] == [anchor], f"{anchors_of(out)} after {anchor}")
    check({row["reference"] for row in totals_of(out)} <= {"baseline", anchor}, "one anchor")
    check(all(row["speedup"] for row in totals_of(out)), "each has a speedup")


def merged(folder):
    """Each shard has an anchor of its own; after merging each point keeps its speedup."""
    shards, before = [], {}
    for index in (1, 2):
        shards.append(folder / f"shard_{index}")
        done = run(*SWEEP, "--shard", f"{index}/2", "--out", shards[-1])
        check(done.returncode == 0, f"shard: {done.stderr}")
        before.update({config_of(row): (row["speedup"], row["reference"]) for row in totals_of(shards[-1])
                       if row["baseline"] == "false"})
    out = folder / "merged"
    done = run("merge", *shards, "--out", out)
    check(done.returncode == 0, f"merge: {done.stderr}")
    after = {config_of(row): (row["speedup"], row["reference"]) for row in totals_of(out) if row["baseline"] == "false"}
    check(after == before, f"merged: {after} of {before}")
    check(len(anchors_of(out)) == sum(len(anchors_of(shard)) for shard in shards), "all anchors")


run_checks([paired_with_anchor, kept_by_resume, merged])
