"""Devices that can do little, points that need too much, and what the program must never do: each dwarf runs in some
configuration where a work-group has one work-item, and where local memory is 8 KiB; what does not fit is told with
numbers; no shell is run, nothing is written elsewhere, no secret is stored."""
import csv
import json
import os
import pathlib
import re
import resource
import subprocess

from checks import PROGRAM, check, run_checks

LAYER = os.environ["FAULT_LAYER"]



def run(*arguments, preexec_fn=None, **environment):
    env = dict(os.environ, OPENCL_LAYERS=LAYER, **environment)
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=600, env=env,
                          preexec_fn=preexec_fn)


def small_host():
    resource.setrlimit(resource.RLIMIT_DATA, (300_000_000, 300_000_000))


def totals_of(folder):
    with open(folder / "measurements.csv", newline="") as file:
        return [row for row in csv.DictReader(file) if row["kernel"] == "total"]


def dwarfs():
    """All but `micro`, which is no dwarf: its problems are small, and its groups of 64 work-items are its subject."""
    return [entry["name"] for entry in json.loads(run("list", "--json").stdout) if entry["name"] != "micro"]


BRIEF = ["--size", "tiny", "--budget", "0", "--rounds", "1", "--blocks", "1", "--pairs", "1", "--no-device-figures"]

# Points whose groups are one work-item: of every variant of crc and bfs, where the host chooses the width of some groups.
ALONE = {"lud": ["variant=blocked,work_group=1,memory=global"],
         "crc": ["work_group=1", "variant=slicing,work_group=1",
                 "variant=interleaved,work_group=1,vector_width=1,unroll=1,prefetch=0"],
         "needle": ["variant=scan"],
         "srad": ["variant=fused_rows,work_group=1"],
         "bfs": ["work_group=1", "variant=queue,work_group=1", "variant=direction_optimising,work_group=1"],
         "sgemv": ["work_group=1"],
         "kmeans": ["work_group=1"],
         "des": ["variant=lut,work_group=1"],
         "hotspot": ["variant=streaming,work_group=1"]}
# Points that keep something in local memory; of bfs only topology fits, which does not.
CRAMPED = {"lud": ["work_group=16"], "crc": ["variant=slicing,memory=local,slices=4"], "needle": ["work_group=16"],
           "srad": ["variant=halo"], "bfs": ["variant=topology"], "sgemv": ["variant=vec_single"],
           "kmeans": ["memory=local"], "des": ["variant=lut,memory=local"], "hotspot": ["variant=pyramid"]}
# One step beyond, and what is said of it.
BEYOND = {"work_group=1": ("crc", "work_group=8", "a work-group of 8 work-items is more than the device's 1"),
          "local=8192": ("lud", "work_group=32", "12288 bytes of local memory are more than the device's 8192")}


def small_devices(folder):
    brief = ["--size", "tiny", "--budget", "0", "--rounds", "1", "--blocks", "1", "--pairs", "1"]
    for limits, points in (("work_group=1", ALONE), ("local=8192", CRAMPED)):
        device = {"FAULT": "limits", "FAULT_LIMITS": limits}
        for dwarf in dwarfs():
            for point in points[dwarf]:
                done = run("run", "--dwarf", dwarf, "--set", point, *brief, **device)
                check(done.returncode == 0 and re.search("^result +right", done.stdout, re.MULTILINE),
                      f"{limits}: {dwarf} with {point}: {done.stdout}{done.stderr}")
        dwarf, point, reason = BEYOND[limits]
        done = run("run", "--dwarf", dwarf, "--set", point, *brief, **device)
        check(done.returncode == 1 and reason in done.stderr, f"{limits}: {dwarf} with {point}: {done.stderr}")


HUGE = {"lud": "n=400000", "crc": "bytes=900000000000", "needle": "m=900000,n=900000", "srad": "rows=900000,cols=900000",
        "bfs": "nodes=900000000,degree=64", "sgemv": "m=900000,n=900000", "kmeans": "points=2000000000,features=64",
        "des": "blocks=90000000000", "hotspot": "rows=900000,cols=900000"}
# About a gigabyte.
LARGE = {"lud": "n=16000", "crc": "bytes=900000000", "needle": "m=16000,n=16000", "srad": "rows=16000,cols=16000",
         "bfs": "nodes=2000000,degree=32", "sgemv": "m=16000,n=16000", "kmeans": "points=10000000,features=32",
         "des": "blocks=100000000", "hotspot": "rows=16000,cols=16000"}


def more_than_the_host_has(_):
    """In numbers. Not with a sanitizer, whose `new` ends the process, and whose own memory is more than the limit."""
    if "SANITIZED" in os.environ:
        return
    check(set(dwarfs()) == set(HUGE), "a dwarf without a huge problem")
    for dwarf in HUGE:
        done = run("run", "--dwarf", dwarf, "--problem", HUGE[dwarf], "--budget", "1s")
        # A problem that the dwarf does not take at all is a wrong option.
        refused = done.returncode == 2 and re.search(r"dwarfsweep: .*\d", done.stderr)
        check(refused or done.returncode == 1 and re.search(r"(out_of_memory|rejected) on .*\d", done.stderr),
              f"huge {dwarf}: {done.stderr}")
        # What is there, seen as 300 MB of which the program itself and the driver need some.
        done = run("run", "--dwarf", dwarf, "--problem", LARGE[dwarf], "--budget", "1s", preexec_fn=small_host)
        check(done.returncode == 1 and re.search(r"out_of_memory on .*(may hold 0.30 GB|\d+ bytes)", done.stderr),
              f"large {dwarf} on a small host: {done.stderr}")


def more_than_the_device_has(folder):
    out = folder / "small_memory"
    done = run("sweep", *BRIEF, "--plan", "baseline", "--out", out, FAULT="limits",
               FAULT_LIMITS="global=20000,allocation=10000")
    rows = totals_of(out)
    little = [row for row in rows if row["status"] == "out_of_memory"]
    check(little and all(row["status"] in ("ok", "out_of_memory", "rejected") for row in rows),
          f"20 kB: {[(row['dwarf'], row['status']) for row in rows]}")
    check(all(re.search(r"needs \d+ bytes .* allows \d+ in one buffer and \d+ in all", row["reason"]) for row in little),
          f"20 kB: {[row['reason'] for row in little]}")


def stays_in_its_folder(folder):
    place = folder / "place"
    place.mkdir()
    before = set(folder.rglob("*"))
    os.chdir(place)
    tricky = "o'; touch pwned; $(touch pwned) `touch pwned` \" | touch pwned"
    done = run("sweep", "--dwarf", "crc", *BRIEF, "--plan", "baseline", "--host", "$(touch pwned)../../x", "--out", tricky)
    check(done.returncode == 0, f"an odd name: {done.stderr}")
    run("sweep", "--dwarf", "$(touch pwned)")
    run("run", "--dwarf", "crc", "--input", "; touch pwned")
    run("sweep", "--dwarf", "crc", *BRIEF, "--plan", "baseline", "--host", "../../$(touch pwned)")
    os.chdir(folder)
    written = set(folder.rglob("*")) - before
    check(not any(path.name == "pwned" for path in written), f"a shell was run: {written}")
    allowed = (place / tricky, place / "results" / "runs")
    stray = [path for path in written if not any(path == top or top in path.parents for top in allowed) and
             path != place / "results"]
    check(not stray, f"written elsewhere: {stray}")
    check(len(list((place / "results" / "runs").iterdir())) == 1, "a host's name makes one folder, and no way out of it")


def foreign_folders(folder):
    foreign = folder / "foreign"
    foreign.mkdir()
    (foreign / "log.jsonl").write_text('{"time": 1, "level": "info"}\n')
    (foreign / "measurements.csv").write_text("a,b\n1,2\n")
    content = [path.read_bytes() for path in sorted(foreign.iterdir())]
    for arguments in (["--resume", foreign], ["--out", foreign, "--dwarf", "crc"]):
        done = run("sweep", *arguments)
        check(done.returncode == 2 and len(done.stderr.splitlines()) == 1, f"a foreign folder: {done.stderr}")
    check(content == [path.read_bytes() for path in sorted(foreign.iterdir())], "a foreign folder was touched")
    done = run("sweep", "--resume", folder / "nowhere")
    check(done.returncode == 2 and "cannot be read" in done.stderr, f"no folder: {done.stderr}")


def known_exceptions(folder):
    """llvmpipe ends loops early and says nothing: its row is a wrong result, and names the reason."""
    vendors = pathlib.Path(os.environ["OCL_ICD_VENDORS"]).parent / "rusticl"
    if not vendors.exists():
        return
    out = folder / "exception"
    done = run("sweep", "--dwarf", "sgemv", "--problem", "m=3,n=70001", "--set", "variant=row_per_item,unroll=1", "--plan",
               "baseline", *BRIEF[2:], "--out", out, OCL_ICD_VENDORS=str(vendors), RUSTICL_ENABLE="llvmpipe")
    rows = totals_of(out)
    check(done.returncode == 1 and [row["status"] for row in rows] == ["wrong_result"] and
          "known: llvmpipe is wrong beyond 65,535 loop iterations" in rows[0]["reason"], f"llvmpipe: {rows} {done.stderr}")


def what_a_run_tells(folder):
    """The self-test's figures and the environment that steers drivers are stored, secrets are not."""
    out = folder / "told"
    done = run("sweep", "--dwarf", "crc", *BRIEF[:-1], "--plan", "baseline", "--out", out,
               POCL_MAX_PTHREAD_COUNT="2", POCL_ACCESS_TOKEN="hush-hush", MY_PASSWORD="hush-hush", CUDA_API_KEY="hush-hush")
    if not check(done.returncode == 0, f"told: {done.stderr}"):
        return
    told = json.loads((out / "run.json").read_text())
    check(told["environment"].get("POCL_MAX_PTHREAD_COUNT") == "2", f"environment: {told['environment']}")
    files = [path for path in out.iterdir() if b"hush" in path.read_bytes()]
    check(not files, f"a secret is in {files}")
    figures = told["devices"][0].get("selftest", {})
    check({"launch_ns", "linearity", "event_share", "harness_ns", "self_comparison", "half_width"} <= set(figures),
          f"self-test: {figures}")
    check(sum('"type":"selftest"' in line for line in open(out / "log.jsonl")) == 1, "the self-test is in the log, once")
    run("sweep", "--resume", out)
    check(json.loads((out / "run.json").read_text())["devices"][0]["selftest"] == figures, "and stays when resumed")


run_checks([small_devices, more_than_the_host_has, more_than_the_device_has, stays_in_its_folder, foreign_folders,
            known_exceptions, what_a_run_tells])
