"""Bundles: the same run gives the same bytes, nothing in them names the machine, its user or their folders, and `intake`
finds what forgers do (docs/sharing.md has the table).

`check_sharing.py --long` damages a thousand bundles. Any other argument names the checks to do."""
import copy
import csv
import getpass
import gzip
import hashlib
import io
import json
import os
import pathlib
import random
import re
import socket
import subprocess
import sys
import tarfile

from checks import PROGRAM, check, run_checks

HOST = "secret-host-77.example.org"
USER = "jdoe-private"
# Briefly: what is measured does not matter.
SWEEP = ["sweep", "--dwarf", "crc,hotspot", "--size", "tiny", "--plan", "one-at-a-time", "--budget", "40s", "--rounds", "3",
         "--host", HOST]


def run(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=600, **options)


def share(runs, out):
    return run("share", *runs, "--out", out, env=dict(os.environ, USER=USER))


def files_of(bundle):
    """Name -> bytes of the files of a bundle."""
    with tarfile.open(bundle) as tar:
        return {member.name: tar.extractfile(member).read() for member in tar.getmembers()}


def records_of(folder):
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def shared_log(folder, name, change):
    """A bundle of the run in `folder`, whose records `change` has changed: it fits together as a forger's would."""
    copied = pathlib.Path(name)
    copied.mkdir()
    records = records_of(folder)
    records = change(records) or records
    (copied / "log.jsonl").write_text("".join(json.dumps(record, separators=(",", ":"), sort_keys=True) + "\n"
                                              for record in records))
    bundle = copied / f"{name}.dsb"
    done = share([copied], bundle)
    check(done.returncode == 0, f"{name}: {done.stderr}")
    return bundle


def steady(records):
    """What a busy machine may have measured, or an unfinished revision, is not what is tested here."""
    for record in records:
        if record["type"] == "run":
            record["revision"] = "0123456789ab"
        if record["type"] == "selftest":
            record.update(failure="", values=record["values"] | {"self_comparison": 1.001, "half_width": 0.01})
        if record["type"] == "peaks":
            record["values"] = {name: value * 4 if "_per_s" in name and value else value
                                for name, value in record["values"].items()}
            record["values"].update(read_gb_per_s=100.0, copy_gb_per_s=100.0, triad_gb_per_s=100.0)


def called_after_the_device(records):
    for record in records:
        if record["type"] == "device":
            record["info"]["name"] = "Maker X100 80GB"
        if record["type"] == "run":
            record["arguments"] = ["sweep", "--out", "folder/x100"]


def measure(folder):
    out = folder / USER / "private-folder"
    out.parent.mkdir()
    done = run(*SWEEP, "--out", out)
    check(done.returncode == 0, f"sweep: {done.returncode} {done.stderr}")
    bundle = folder / "run.dsb"
    done = share([out], bundle)
    check(done.returncode == 0, f"share: {done.returncode} {done.stderr}")
    return out, bundle, shared_log(out, "steady", steady)


def sweeps_record_digests(_, out, _bundle, _honest):
    records = [record for record in records_of(out) if record["type"] == "digest"]
    check({record["key"]["dwarf"] for record in records} == {"crc", "hotspot"}, f"digests of {records}")
    ended = [index for index, record in enumerate(records_of(out)) if record["type"] == "visit"]
    check(ended, "no block in the log")
    for record in records:
        for name, array in (record["digests"]["inputs"] | record["digests"]["results"]).items():
            kind = array["type"], "elements" if "elements" in array else "sha256"
            is_result = name in record["digests"]["results"]
            check((kind == ("float32", "elements")) == (is_result and array["type"] == "float32"), f"{name}: {kind}")
            if "elements" in array:
                check(len(array["elements"]) == 64, f"{name}: {len(array['elements'])} elements")
    done = run("run", "--dwarf", "crc", "--size", "tiny", "--dump", out.parent / "dump", "--budget", "1s")
    check(done.returncode == 0, f"run: {done.stderr}")
    digests = next(record["digests"] for record in records if record["key"]["dwarf"] == "crc")
    for name, array in (digests["inputs"] | digests["results"]).items():
        content = (out.parent / "dump" / f"{name}.npy").read_bytes()
        length = int.from_bytes(content[8:10], "little")
        check(hashlib.sha256(content[10 + length:]).hexdigest() == array["sha256"], f"the digest of crc's {name}")


def bundles_are_reproducible(folder, out, bundle, _honest):
    again = folder / "again.dsb"
    share([out], again)
    check(again.read_bytes() == bundle.read_bytes(), "the same run gives other bytes")
    two = run("share", out, out, "--out", folder / "two.dsb")
    check(two.returncode == 0 and len(files_of(folder / "two.dsb")) == 11, f"two runs: {two.stderr}")
    files = files_of(bundle)
    names = {"manifest.json"} | {f"1/{name}" for name in
                                 ("log.jsonl", "measurements.csv", "samples.csv", "run.json", "digests.json")}
    check(set(files) == names, f"files: {sorted(files)}")
    manifest = json.loads(files["manifest.json"])
    for name, entry in manifest["files"].items():
        check(entry == {"bytes": len(files[name]), "sha256": hashlib.sha256(files[name]).hexdigest()}, f"manifest of {name}")
    with tarfile.open(bundle) as tar:
        for member in tar.getmembers():
            owner = member.uid, member.gid, member.uname, member.gname, member.mtime
            check(owner == (0, 0, "", "", 0) and member.isreg(), f"{member.name}: {owner}")
    # The folder's name is private, the device's is not.
    named = files_of(shared_log(out, "x100", called_after_the_device))
    check({row["device"] for row in csv.DictReader(named["1/measurements.csv"].decode().splitlines())} == {"Maker X100 80GB"},
          "the device has kept its name")
    check(json.loads(named["1/run.json"])["arguments"] == ["sweep", "--out", "(removed)"], "the folder's name is removed")
    # Apart from names, the rows are those of the run.
    rows = (out / "measurements.csv").read_text().replace(HOST.replace(".", "_"), "host").replace(HOST, "host")
    check(files["1/measurements.csv"].decode() == rows, "the rows are those of the run")


def nothing_private_is_left(folder, out, bundle, _honest):
    done = share([out], folder / "printed.dsb")
    for word in ("machine:", "device:", "command: sweep", "environment: POCL_CACHE_DIR=(path)"):
        check(word in done.stdout, f"share prints '{word}': {done.stdout}")
    text = b"\n".join(files_of(bundle).values()).decode().lower()
    private = [HOST, HOST.split(".", maxsplit=1)[0], HOST.replace(".", "_"), USER, "private-folder", str(folder), "/home/",
               "/tmp/", "/usr/", "/etc/"]
    for word in private:
        place = text.find(word.lower())
        check(place < 0, f"'{word}' is in the bundle: {text[max(0, place - 80):place + 80]}")
    # Short names may be part of other words.
    for word in {socket.gethostname(), getpass.getuser()} - {"", "localhost", "root", "user"}:
        found = re.search(rf"\b{re.escape(word.lower())}\b", text)
        check(not found, f"'{word}' is in the bundle: {found and text[max(0, found.start() - 80):found.end() + 80]}")
    check('"host-20' not in text or '"run_id":"host-20' in text.replace(" ", ""), "the run's name begins with 'host'")


def wrong_usage_is_refused(folder, out, bundle, _honest):
    (folder / "empty").mkdir()
    for arguments, sentence in ((["share", out], "needs runs and a file"), (["share", "--out", "x"], "needs runs and a file"),
                                (["share", folder / "empty", "--out", "x"], "has no log.jsonl")):
        done = run(*arguments)
        check(done.returncode == 2 and sentence in done.stderr, f"{arguments}: {done.returncode} {done.stderr}")


# --- the forger's kit ---

def samples(records):
    """All samples of the log, by block."""
    return [[each["sample"] for each in record["samples"]] for record in records if record["type"] == "visit"]


def each_sample(change):
    def apply(records):
        steady(records)
        for block in samples(records):
            for sample in block:
                change(sample)
    return apply


def each_record(kind, change):
    def apply(records):
        steady(records)
        for record in records:
            if record["type"] == kind:
                change(record)
    return apply


def scale(sample, factor=0.5):
    sample["wall_ns"] *= factor
    for kernel in sample["kernels"]:
        kernel["ns"] *= factor


def consistent_scale(factor):
    """All clocks run slower or faster: what cannot be told from a device of another speed."""
    def apply(sample):
        for name in ("host_begin_ns", "host_end_ns"):
            sample[name] = round(sample[name] * factor)
        launches = sample["launches"]
        sample["wall_ns"] = (sample["host_end_ns"] - sample["host_begin_ns"]) / launches if launches == 1 \
            else int(sample["wall_ns"] * launches * factor) / launches
        for name in ("span_ns", "host_ns"):
            sample[name] *= factor
        total = 0
        for kernel in sample["kernels"]:
            for name in ("queued_ns", "submit_ns", "start_ns", "end_ns"):
                kernel[name] = round(kernel[name] * factor)
            exact = kernel["events"] == 1 and launches == 1 and kernel["end_ns"] > 0
            kernel["ns"] = kernel["end_ns"] - kernel["start_ns"] if exact else kernel["ns"] * factor
            if kernel["kernel"] != "total":
                total += kernel["ns"]
        if len(sample["kernels"]) > 1:
            sample["kernels"][-1]["ns"] = total
    return each_sample(apply)


def smooth(records):
    steady(records)
    for record in records:
        if record["type"] == "visit":
            for each in record["samples"]:
                sample = each["sample"]
                sample["launches"] = 1
                sample["host_end_ns"] = min(sample["host_end_ns"], sample["host_begin_ns"] + 12000)
                sample["wall_ns"] = sample["host_end_ns"] - sample["host_begin_ns"]


def swap_blocks(records):
    steady(records)
    blocks = [record for record in records if record["type"] == "visit"]
    blocks[0]["samples"], blocks[-1]["samples"] = blocks[-1]["samples"], blocks[0]["samples"]


def turn_back(sample):
    sample["host_begin_ns"] = sample["host_end_ns"] + 1


def shift(records, ns=10**9):
    """All clocks of the host, by as much."""
    for block in samples(records):
        for sample in block:
            sample["host_begin_ns"] += ns
            sample["host_end_ns"] += ns


def rename(records):
    """As if another device had been measured in another run, a second later."""
    steady(records)
    shift(records)
    for record in records:
        if record["type"] == "run":
            record["run_id"] = "x-20260101T000000Z"
        if record["type"] == "device":
            record["info"]["name"] = "Other device"


def stretch(sample, more):
    """Lets it end later, and what follows with it."""
    sample["host_end_ns"] += more
    sample["wall_ns"] = (round(sample["wall_ns"] * sample["launches"]) + more) / sample["launches"]


def jitter(records, most=0.005):
    rename(records)
    draw = random.Random(3)
    later = 0
    for block in samples(records):
        for sample in block:
            sample["host_begin_ns"] += later
            sample["host_end_ns"] += later
            more = round((sample["host_end_ns"] - sample["host_begin_ns"]) * draw.uniform(0, most))
            stretch(sample, more)
            later += more


def repeat_blocks(records, of_other_points=False):
    """The second block of each point is the first one again, at another time."""
    steady(records)
    blocks, last = {}, 0
    for record in records:
        if record["type"] != "visit":
            continue
        names = tuple(kernel["kernel"] for kernel in record["samples"][0]["sample"]["kernels"])
        key = (json.dumps(record["key"]["dwarf"]), names) if of_other_points else json.dumps(record["key"], sort_keys=True)
        if key in blocks:
            record["samples"] = copy.deepcopy(blocks.pop(key))
        else:
            blocks[key] = record["samples"]
        shift([record], max(0, last + 1000 - min(each["sample"]["host_begin_ns"] for each in record["samples"])))
        last = max(each["sample"]["host_end_ns"] for each in record["samples"])


def round_device_times(records, step=32):
    """As of a device whose timer counts in such steps."""
    steady(records)
    for block in samples(records):
        for sample in block:
            total = sample["kernels"][-1]
            for kernel in sample["kernels"]:
                kernel["end_ns"] -= (kernel["end_ns"] - kernel["start_ns"]) % step
                if kernel["events"] == 1 and sample["launches"] == 1 and kernel["end_ns"] > 0:
                    kernel["ns"] = float(kernel["end_ns"] - kernel["start_ns"])
            if len(sample["kernels"]) > 1:
                total["ns"] = sum(kernel["ns"] for kernel in sample["kernels"][:-1])


def without_digests(records):
    steady(records)
    return [record for record in records if record["type"] != "digest"]


def other_hash(record):
    for array in record["digests"]["results"].values():
        if "sha256" in array:
            array["sha256"] = hashlib.sha256(b"another problem").hexdigest()


def other_elements(record):
    for array in record["digests"]["results"].values():
        if "elements" in array:
            array["elements"] = [value * 1.1 + 1 for value in array["elements"]]


def hashes_of_floats(records):
    """As in bundles of older versions: a result of floats has a hash, and another one in the next point of its problem."""
    steady(records)
    digest = next(record for record in records if record["type"] == "digest" and record["key"]["dwarf"] == "hotspot")
    digest["digests"]["inputs"]["output"] = {key: value for key, value in digest["digests"]["results"].pop("output").items()
                                             if key != "elements"} | {"sha256": "2" * 64}
    extra = copy.deepcopy(digest)
    extra["key"]["config"] = next(record["key"]["config"] for record in records if record["type"] == "point" and
                                  record["key"]["dwarf"] == "hotspot" and record["key"]["config"] != extra["key"]["config"])
    extra["digests"]["inputs"]["output"]["sha256"] = "1" * 64
    return [record for record in records if record["type"] != "digest" or record["key"]["dwarf"] != "hotspot"] + [digest, extra]


def one_hash(records):
    steady(records)
    digests = [record for record in records if record["type"] == "digest" and record["key"]["dwarf"] == "crc"]
    extra = copy.deepcopy(digests[0])
    extra["key"]["config"] = next(record["key"]["config"] for record in records if record["type"] == "point" and
                                  record["key"]["dwarf"] == "crc" and record["key"]["config"] != extra["key"]["config"])
    next(iter(extra["digests"]["inputs"].values()))["sha256"] = "1" * 64
    return [*records, extra]


def raise_peaks(factor):
    def change(record):
        record["values"] = {name: value * factor if "_per_s" in name and value else value
                            for name, value in record["values"].items()}
    return each_record("peaks", change)


FORGED_LOGS = [  # name, change, level, kind, whether it is compared with the honest bundle
    ("times scaled", each_sample(scale), "refused", "samples", False),
    ("times made longer", each_sample(lambda sample: scale(sample, 3)), "refused", "samples", False),
    ("clocks that go back", each_sample(turn_back), "refused", "samples", False),
    ("samples swapped between points", swap_blocks, "refused", "samples", False),
    ("samples smoothed", smooth, "doubtful", "samples", False),
    ("copied from another device", each_record("device", lambda record: record["info"].update(name="Other device")),
     "refused", "copied", True),
    ("another run's name", each_record("run", lambda record: record.update(run_id="x-20260101T000000Z")), "refused",
     "copied", True),
    ("renamed and shifted", rename, "refused", "copied", True),
    ("renamed, shifted and jittered", jitter, "refused", "copied", True),
    ("copied and scaled", consistent_scale(1.25), "refused", "copied", True),
    ("repeated blocks", repeat_blocks, "refused", "copied", False),
    ("blocks of other points", lambda records: repeat_blocks(records, True), "refused", "copied", False),
    ("another step of the device's timer", round_device_times, "doubtful", "disagrees", True),
    ("much faster than the peaks", consistent_scale(1e-4), "refused", "faster than peak", False),
    ("disagrees with another bundle", consistent_scale(5), "doubtful", "disagrees", True),
    ("peaks raised beyond any device", raise_peaks(1e6), "refused", "peaks", False),
    ("peaks raised to match", raise_peaks(10), "doubtful", "disagrees", True),
    ("no peaks", lambda records: steady(records) or [r for r in records if r["type"] != "peaks"], "doubtful", "peaks", False),
    ("clock of the device changed", lambda records: steady(records) or [
        r | {"clock": {"mhz": 100000.0}} if r["type"] == "visit" else r for r in records], "doubtful", "clocks", False),
    ("edited kernels", each_record("run", lambda record: record.update(kernels="0123456789abcdef")), "doubtful", "kernels",
     False),
    ("changed revision", each_record("run", lambda record: record.update(revision="0123-dirty")), "doubtful", "revision",
     False),
    ("a timer that failed its test", each_record("device", lambda record: record["timer"].update(
        timer="device", scaling=1.0)), "refused", "timer", False),
    ("a kernel faster than itself", each_record("selftest", lambda record: record["values"].update(self_comparison=1.5)),
     "doubtful", "selftest", False),
    ("no digests", without_digests, "doubtful", "digests", False),
    ("two inputs of one problem", one_hash, "refused", "digests", False),
    ("digests of another problem", each_record("digest", other_hash), "refused", "results", False),
    ("elements of a wrong result", each_record("digest", other_elements), "refused", "results", False),
]


def pack(files, path, manifest=True, members=()):
    """A bundle of these files, by another program than dwarfsweep; `members`: further entries of the archive."""
    files = dict(files)
    if manifest:
        described = json.loads(files["manifest.json"])
        described["files"] = {name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
                              for name, content in files.items() if name != "manifest.json"}
        files["manifest.json"] = json.dumps(described).encode()
    with tarfile.open(path, "w:gz", format=tarfile.USTAR_FORMAT) as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
        for name, kind, target in members:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, target
            tar.addfile(member)
    return path


def with_manifest(files, **changes):
    return files | {"manifest.json": json.dumps(json.loads(files["manifest.json"]) | changes).encode()}


def swapped_rows(text):
    lines = text.decode().split("\n")
    lines[1], lines[2] = lines[2], lines[1]
    return "\n".join(lines).encode()


def damaged_files(files):
    """Name, files, further arguments of pack(), kind."""
    log, rows, table = files["1/log.jsonl"], files["1/measurements.csv"], files["1/samples.csv"]
    yield "rows swapped", files | {"1/measurements.csv": swapped_rows(rows)}, {}, "rows"
    yield "a row left out", files | {"1/measurements.csv": rows[:rows[:-1].rfind(b"\n") + 1]}, {}, "rows"
    yield "samples edited", files | {"1/samples.csv": table.replace(b",1,", b",2,", 5)}, {}, "rows"
    yield "run.json edited", files | {"1/run.json": files["1/run.json"].replace(b'"threads": ', b'"threads": 9', 1)}, {}, "rows"
    yield "the log cut", files | {"1/log.jsonl": log[:-9]}, {}, "log"
    yield "the log empty", files | {"1/log.jsonl": b""}, {}, "log"
    yield "the log nested", files | {"1/log.jsonl": b"[" * 100000 + b"\n"}, {}, "log"
    yield "run.json nested", files | {"1/run.json": b'{"run": ' + b"[" * 100000 + b"]" * 100000 + b"}"}, {}, "rows"
    yield "columns of its own", files | {"1/measurements.csv": b"\n".join(line + b",x" for line in rows.splitlines()) + b"\n"}, {}, "rows"
    yield "another manifest", files | {"1/run.json": files["1/run.json"] + b" "}, {"manifest": False}, "format"
    yield "no manifest", {name: files[name] for name in files if name != "manifest.json"}, {"manifest": False}, "format"
    yield "a manifest that is no JSON", files | {"manifest.json": b"{" * 50000}, {"manifest": False}, "format"
    yield "another schema", with_manifest(files, schema_version=99), {}, "format"
    yield "another format", with_manifest(files, format="zip"), {}, "format"
    yield "a file missing", {name: files[name] for name in files if name != "1/run.json"}, {}, "format"
    yield "another file", files | {"1/more.txt": b"x"}, {}, "format"
    yield "an absolute path", files | {"/etc/passwd": b"x"}, {}, "format"
    yield "a path upwards", files | {"../../log.jsonl": b"x"}, {}, "format"
    yield "a link", files, {"members": [("2/log.jsonl", tarfile.SYMTYPE, "/etc/passwd")]}, "format"
    yield "a hard link", files, {"members": [("2/log.jsonl", tarfile.LNKTYPE, "1/log.jsonl")]}, "format"
    yield "a device", files, {"members": [("2/log.jsonl", tarfile.CHRTYPE, "")]}, "format"
    yield "a folder", files, {"members": [("2/", tarfile.DIRTYPE, "")]}, "format"
    yield "a file twice", files, {"members": [("1/log.jsonl", tarfile.REGTYPE, "")]}, "format"


def intake(*bundles, **environment):
    """The reports on the bundles."""
    done = run("intake", *bundles, "--json", env=dict(os.environ, **environment))
    if not check(done.returncode in (0, 1), f"intake {bundles}: {done.returncode} {done.stderr}"):
        return []
    reports = json.loads(done.stdout)
    nothing = all(report["verdict"] == "accepted" and report["on_this_machine"]["findings"] == [] for report in reports)
    check(done.returncode == (0 if nothing else 1), f"status {done.returncode} of {json.dumps(reports)}")
    return reports


def check_report(name, report, level, kind):
    by_device = kind == "results"
    findings = report["on_this_machine"]["findings"] if by_device else report["findings"]
    found = [(finding["level"], finding["kind"]) for finding in findings]
    check((level, kind) in found, f"{name}: {json.dumps(report)}")
    check(by_device or report["verdict"] in (level, "refused"), f"{name}: {json.dumps(report)}")


# A machine without devices, and with another clock and another language.
ELSEWHERE = {"OCL_ICD_VENDORS": "/nonexistent", "TZ": "Asia/Tokyo", "LC_ALL": "de_DE.UTF-8", "HOME": "/nonexistent"}


def honest_bundles_are_accepted(_, out, bundle, honest):
    report, = intake(honest)
    check(report["verdict"] == "accepted" and report["samples"] > 0, f"honest: {json.dumps(report)}")
    check(report["on_this_machine"]["results"] == "computed again here for 2 dwarfs", f"{report}")
    report, = intake(bundle)
    check(report["verdict"] != "refused", f"as measured: {json.dumps(report)}")
    done = run("intake", honest, env=dict(os.environ, **ELSEWHERE))
    check(done.returncode == 0 and "not possible here" in done.stdout, f"without a device: {done.stdout} {done.stderr}")
    older, = intake(shared_log(out, "hashes of floats", hashes_of_floats), **ELSEWHERE)
    check(older["verdict"] == "accepted", f"hashes of floats: {json.dumps(older)}")


def forged_logs_are_found(_, out, _bundle, honest):
    for name, change, level, kind, with_honest in FORGED_LOGS:
        forged = shared_log(out, name, change)
        bundles = [*([honest] if with_honest else []), forged]
        reports = intake(*bundles)
        if not reports:
            continue
        check_report(name, reports[-1], level, kind)
        if kind == "results":
            done = run("intake", forged)
            check("accepted, but not by this machine" in done.stdout, f"{name}: {done.stdout}")
        others = intake(*bundles, **ELSEWHERE)
        for report in reports + others:
            del report["on_this_machine"]
        check(reports == others, f"{name}: another machine has another verdict: {json.dumps(others)}")


def doubtful_programs_are_compared(_, out, _bundle, honest):
    """Kernels that this program does not know make no bundle useless: its copy is found."""
    def of_older_kernels(records):
        for record in records:
            if record["type"] == "run":
                record.update(kernels="0123456789abcdef", revision="0123-dirty")

    first = shared_log(out, "of older kernels", lambda records: steady(records) or of_older_kernels(records))
    second = shared_log(out, "its copy", lambda records: rename(records) or of_older_kernels(records))
    reports = intake(first, second)
    check([report["verdict"] for report in reports] == ["doubtful", "refused"], f"{json.dumps(reports)}")
    check({finding["kind"] for finding in reports[0]["findings"]} == {"kernels", "revision"}, f"{json.dumps(reports[0])}")
    check_report("its copy", reports[1], "refused", "copied")
    # Another doubt does.
    odd = shared_log(out, "without peaks", lambda records: steady(records) or [r for r in records if r["type"] != "peaks"])
    reports = intake(odd, honest)
    check([report["verdict"] for report in reports] == ["doubtful", "accepted"], f"{json.dumps(reports)}")


def doubts_hide_nothing(folder, out, _bundle, _honest):
    """Many doubts of a kind are not all listed; what refuses the bundle is."""
    def named(name, change):
        def apply(records):
            change(records)
            for record in records:
                if record["type"] == "run":
                    record["run_id"] = name
        return apply

    shared_log(out, "a-smooth", named("a-20260101T000000Z", smooth))
    shared_log(out, "b-scaled", named("b-20260101T000000Z", each_sample(scale)))
    done = share([folder / "a-smooth", folder / "b-scaled"], folder / "hidden.dsb")
    check(done.returncode == 0, f"share: {done.stderr}")
    report, = intake(folder / "hidden.dsb")
    check(sum(finding["level"] == "doubtful" and finding["kind"] == "samples" for finding in report["findings"]) == 3,
          f"three doubts: {json.dumps(report)}")
    check_report("hidden", report, "refused", "samples")


def one_bundle_costs_no_other(folder, _out, _bundle, honest):
    (folder / "directory.dsb").mkdir()
    reports = intake(folder / "missing.dsb", folder / "directory.dsb", honest)
    check([report["verdict"] for report in reports] == ["refused", "refused", "accepted"], f"{json.dumps(reports)}")


def older_schemas_are_readable(folder, out, _bundle, honest):
    """A bundle that an earlier version made, the log of schema 1, and files without columns and keys that came later."""
    committed = pathlib.Path(__file__).resolve().parent / "bundles"
    old = sorted(committed.glob("*.dsb"))
    check([path.name for path in old] == ["schema_1.dsb"], f"a bundle of each schema: {old}")
    for path, report in zip(old, intake(*old)):
        kinds = {finding["kind"] for finding in report["findings"]}
        check(kinds <= {"kernels", "revision"} and report["rows"] > 0, f"{path.name}: {json.dumps(report)}")
        done = run("atlas", path, "--out", folder / "old")
        check(done.returncode == 0, f"atlas of {path.name}: {done.stderr}")

    def first_schema(records):
        steady(records)
        for record in records:
            if record["type"] == "run":
                record["schema_version"] = 1
            if record["type"] == "device":
                del record["timer"]["spans"], record["timer"]["span_reason"]
            if record["type"] == "point":
                del record["preparation"]["program_id"], record["preparation"]["paths"]
        for block in samples(records):
            for sample in block:
                del sample["span_ns"], sample["host_ns"]

    report, = intake(shared_log(out, "log of schema 1", first_schema))
    check(report["verdict"] == "accepted", f"log of schema 1: {json.dumps(report)}")
    files = files_of(honest)
    tables = {name: b"\n".join(line[:line.rfind(b",")] for line in files[name].splitlines()) + b"\n"
              for name in ("1/measurements.csv", "1/samples.csv")}
    described = json.loads(files["1/run.json"])
    del described["host"]
    fewer = pack(files | tables | {"1/run.json": json.dumps(described).encode()}, folder / "fewer columns.dsb")
    report, = intake(fewer)
    check(report["verdict"] == "accepted", f"fewer columns: {json.dumps(report)}")


def damaged_archives_are_refused(folder, _out, _bundle, honest):
    files = files_of(honest)
    damaged = []
    for name, content, options, kind in damaged_files(files):
        damaged.append((name, pack(content, folder / f"{name}.dsb", **options), kind))
    whole = honest.read_bytes()
    for name, content in (("cut", whole[:len(whole) // 2]), ("no bundle", b"hello"), ("empty", b""),
                          ("tar cut", gzip.compress(gzip.decompress(whole)[:5000])),
                          ("a bomb", gzip.compress(b"\0" * (600 << 20), 1))):
        path = folder / f"{name}.dsb"
        path.write_bytes(content)
        damaged.append((name, path, "format"))
    for (name, path, kind), report in zip(damaged, intake(*(path for _, path, _ in damaged))):
        check_report(name, report, "refused", kind)
        if kind == "format":
            check(len(report["findings"]) == 1 and len(report["findings"][0]["detail"]) < 400, f"{name}: {report}")


def consistent_claims_are_not_found(_, out, _bundle, _honest):
    """What docs/sharing.md says cannot be caught: all clocks slowed down together."""
    report, = intake(shared_log(out, "claimed", consistent_scale(1.25)))
    check(report["verdict"] == "accepted", f"claimed: {json.dumps(report)}")


def damage_crashes_nothing(folder, _out, _bundle, honest):
    draw = random.Random(1)
    files, whole = files_of(honest), honest.read_bytes()
    count = 1000 if "--long" in sys.argv else 60
    paths = []
    for number in range(count):
        path = folder / f"{number}.dsb"
        kind = number % 3
        if kind == 0:
            path.write_bytes(draw.randbytes(draw.randrange(2000)))
        elif kind == 1:
            damaged = bytearray(whole)
            for _ in range(draw.randrange(1, 20)):
                damaged[draw.randrange(len(damaged))] = draw.randrange(256)
            path.write_bytes(damaged)
        else:  # within a file, whose digest the manifest has
            name = draw.choice(sorted(files))
            damaged = bytearray(files[name])
            for _ in range(draw.randrange(1, 10)):
                damaged[draw.randrange(len(damaged))] = draw.choice(b'0123456789-.eE"{}[],:\0\xff')
            pack(files | {name: bytes(damaged)}, path, manifest=name != "manifest.json")
        paths.append(path)
    for begin in range(0, count, 30):
        for report in intake(*paths[begin:begin + 30]):
            check(report["verdict"] == "refused" or report["findings"] == [], f"damaged: {json.dumps(report)}")


run_checks([sweeps_record_digests, bundles_are_reproducible, nothing_private_is_left, wrong_usage_is_refused,
            honest_bundles_are_accepted, forged_logs_are_found, doubtful_programs_are_compared, doubts_hide_nothing,
            one_bundle_costs_no_other, older_schemas_are_readable, damaged_archives_are_refused,
            consistent_claims_are_not_found, damage_crashes_nothing], measure)
