"""The size that auto chooses for a device: printed, recorded, kept from run to run and by --resume, and never in the way of
sizes that are asked for."""
import csv
import json
import pathlib
import shutil
import subprocess

from checks import PROGRAM, check, run_checks

BRIEF = ["--plan", "baseline", "--rounds", "1", "--blocks", "1", "--pairs", "1", "--no-device-figures"]
SIZES = pathlib.Path("results/best/sizes.csv")


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=300)


def sweep(out, *arguments, dwarf="sgemv"):
    return run("sweep", "--dwarf", dwarf, *BRIEF, "--budget", "30s", "--out", out, *arguments)


def sizes_of(out):
    with open(out / "measurements.csv", newline="") as file:
        return {row["dwarf"]: row["size"] for row in csv.DictReader(file)}


def recorded(out):
    return {record["dwarf"]: record["size"] for record in json.loads((out / "run.json").read_text()).get("sizes", [])}


def change_known(**cells):
    with open(SIZES, newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row.update(cells)
    with open(SIZES, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def chosen_and_kept(folder):
    done = sweep(folder / "first", dwarf="sgemv,micro")
    sizes = sizes_of(folder / "first")
    check(done.returncode == 0 and sizes["sgemv"] in ("tiny", "small", "medium", "large"), f"first: {done.stderr}")
    check(sizes["micro"] == "small", f"a dwarf that states no demand: {sizes}")
    check(recorded(folder / "first") == sizes, f"first: {recorded(folder / 'first')} recorded, {sizes} measured")
    check("sgemv on " in done.stderr and f": size {sizes['sgemv']}: " in done.stderr, f"first: {done.stderr}")
    with open(SIZES, newline="") as file:
        check([(row["dwarf"], row["size"]) for row in csv.DictReader(file)] == [("sgemv", sizes["sgemv"])], "the file")
    # Another size in the file shows that it is used; another driver, that it is not.
    change_known(size="tiny", problem="m=96;n=96;lda=0;alpha=1;beta=0;transposed=0", target="tiny", sample_s="0.001")
    done = sweep(folder / "second")
    check(sizes_of(folder / "second") == {"sgemv": "tiny"}, f"the known size: {done.stderr}")
    listed = run("list", "--plan", "baseline", "--dwarf", "sgemv", "--json")
    check([group["size"] for group in json.loads(listed.stdout)] == ["tiny"], f"list --plan: {listed.stdout}")
    done = run("run", "--dwarf", "sgemv", "--budget", "1s")
    check("(tiny)" in done.stdout, f"run: {done.stdout} {done.stderr}")
    change_known(driver="another", reason="of another driver")
    sweep(folder / "third")
    check("of another driver" not in SIZES.read_text(), "the driver has changed")


def asked_for(folder):
    shutil.rmtree("results/best", ignore_errors=True)
    listed = run("list", "--plan", "baseline", "--dwarf", "sgemv", "--json")
    check([group["size"] for group in json.loads(listed.stdout)] == ["auto"], f"list --plan: {listed.stdout}")
    done = run("run", "--dwarf", "sgemv", "--budget", "1s")
    check("(small)" in done.stdout and not SIZES.exists(), f"run: {done.stdout} {done.stderr}")
    done = sweep(folder / "small", "--size", "small")
    check(sizes_of(folder / "small") == {"sgemv": "small"} and not recorded(folder / "small") and not SIZES.exists(),
          f"--size small: {done.stderr}")
    done = sweep(folder / "both", "--size", "auto,small")
    check(done.returncode == 2 and "--size auto stands alone" in done.stderr, f"auto and small: {done.stderr}")
    done = sweep(folder / "explicit", "--size", "auto")
    check(recorded(folder / "explicit") == sizes_of(folder / "explicit") != {}, f"--size auto: {done.stderr}")


def kept_by_resume(folder):
    """The log says which size; the file and a fresh choice do not count."""
    out = folder / "resumed"
    sweep(out)
    log = (out / "log.jsonl").read_text().splitlines(keepends=True)
    records = [json.loads(line) for line in log]
    kept = [record for record in records if record["type"] in ("run", "device", "peaks", "selftest", "size")]
    for record in kept:
        if record["type"] == "size":
            record["size"] = "tiny"
    (out / "log.jsonl").write_text("".join(json.dumps(record) + "\n" for record in kept))
    (out / "measurements.csv").unlink()
    done = run("sweep", "--resume", out)
    check(done.returncode == 0 and sizes_of(out) == {"sgemv": "tiny"}, f"resumed: {done.stderr}")
    check((out / "log.jsonl").read_text().count('"type":"size"') == 0 and
          sum(json.loads(line)["type"] == "size" for line in open(out / "log.jsonl")) == 1, "one choice in the log")


def unreadable_file(folder):
    SIZES.parent.mkdir(parents=True, exist_ok=True)
    SIZES.write_text("what,is,this\n1,2,3\n")
    done = sweep(folder / "unreadable")
    check(done.returncode == 0 and "warning: results/best/sizes.csv" in done.stderr, f"unreadable: {done.stderr}")
    check(SIZES.read_text() == "what,is,this\n1,2,3\n", "what cannot be read is left alone")


run_checks([chosen_and_kept, asked_for, kept_by_resume, unreadable_file])
