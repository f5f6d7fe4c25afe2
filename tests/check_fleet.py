"""results/slurm/fleet on a Slurm of three nodes on this machine: an array of six shards, a task killed, a node drained, a
job requeued, a program without its loader; what is collected is the run in one piece, but for times."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from checks import PROGRAM, check, run_checks
from fault_sweep import check_merged, environment, name_of, rows_of, run, sweep
from slurm_cluster import Cluster, NODES, why_not

FLEET = pathlib.Path(__file__).resolve().parent.parent / "results" / "slurm" / "fleet"
SHARDS = 6
# Long enough to be hit.
OPTIONS = sweep(rounds="20", blocks="20", pairs="5")[1:]


def fleet(*arguments):
    # Without the program's own environment for OpenCL: a login node has none.
    login = {name: value for name, value in environment().items() if name != "OCL_ICD_VENDORS" or arguments[0] == "submit"}
    done = subprocess.run([sys.executable, "-B", FLEET, *map(str, arguments)], capture_output=True, text=True, env=login,
                          timeout=300)
    check(done.returncode in (0, 1), f"fleet {arguments[0]}: {done.returncode} {done.stderr}")
    return done


def tasks_of(cluster, job):
    """{shard: state} in the queue."""
    lines = cluster.say("squeue", "--noheader", "--array", f"--job={job}", "--states=all", "--format=%K %T").splitlines()
    return {int(shard): state for shard, state in map(str.split, lines) if shard.isdigit()}


def measuring(out):
    """The shard has begun to measure, and is not done."""
    text = (out / "log.jsonl").read_text() if (out / "log.jsonl").exists() else ""
    return '"type":"visit"' in text and text.count('"type":"end"') < 2


def catch(cluster, folder, job, what, act):
    """Does `act` to a running task that has begun to measure; its shard."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        for shard, state in tasks_of(cluster, job).items():
            if state == "RUNNING" and measuring(folder / "runs" / f"all-{shard}"):
                act(shard)
                return shard
        time.sleep(0.02)
    check(False, f"no task to {what}: {tasks_of(cluster, job)}")
    return 0


def kill(job):
    return lambda shard: subprocess.run(["scancel", "--signal=KILL", "--full", f"{job}_{shard}"], check=True)


def requeue(job):
    return lambda shard: subprocess.run(["scontrol", "requeue", f"{job}_{shard}"], check=True)


def last_job(folder):
    return json.loads((folder / "fleet.json").read_text())["jobs"][-1]


def array_of_shards(folder, cluster, undisturbed):
    there = folder / "fleet"
    done = fleet("submit", there, "--binary", PROGRAM, "--shards", SHARDS, "--kind", "all=--gres=gpu:1", "--", *OPTIONS)
    check("6 of 6 shards" in done.stdout, f"submit: {done.stdout}")
    job = last_job(there)
    killed = catch(cluster, there, job, "kill", kill(job))
    requeued = catch(cluster, there, job, "requeue", requeue(job))
    subprocess.run(["scontrol", "update", f"nodename={NODES[0]}", "state=drain", "reason=check"], check=True)
    done = fleet("status", there)
    check(done.returncode == 1 and done.stdout.count("all-") == SHARDS, f"status: {done.stdout}")
    cluster.wait(lambda: tasks_of(cluster, job).get(killed) not in ("RUNNING", "COMPLETING"), "end of the killed task")
    done = fleet("status", there)
    line = next(line for line in done.stdout.splitlines() if line.startswith(f"all-{killed} "))
    check("done" not in line and "pending" not in line, f"the killed task is reported: {line}")
    so_far = fleet("collect", there)
    check(so_far.returncode == 1 and "incomplete" in so_far.stdout, f"collected early: {so_far.stdout}")
    check(rows_of(there / "merged") is not None, "what there is was merged")

    done = fleet("collect", there, "--wait")
    check(done.returncode == 0 and "all of them are complete" in done.stdout, f"collect: {done.stdout} {done.stderr}")
    rows = rows_of(there / "merged")
    check_merged(rows, undisturbed, "merged")
    check({row["host"] for row in rows} <= set(NODES) and len({row["host"] for row in rows}) > 1, "several nodes measured")
    done = fleet("status", there)
    check(done.returncode == 0 and f"{SHARDS} of {SHARDS} tasks are done" in done.stdout, f"status: {done.stdout}")
    for shard in (killed, requeued):
        log = (there / "tasks" / f"all-{shard}.log").read_text()
        check(log.count("\tbegin\t") >= 2 and log.count("\tdone\t") == 1, f"shard {shard} was begun again: {log}")
    subprocess.run(["scontrol", "update", f"nodename={NODES[0]}", "state=resume"], check=True)
    done = fleet("submit", there)
    check(done.returncode == 0 and "nothing is left" in done.stdout, f"submitted again: {done.stdout}")
    print(f"killed shard {killed}, requeued shard {requeued}")


def no_loader(folder, cluster, _):
    """A program that finds no OpenCL loader: one row says so."""
    program = folder / "without_loader"
    program.write_bytes(pathlib.Path(PROGRAM).read_bytes().replace(b"libOpenCL.so.1\0", b"libOpenCL.so.9\0"))
    program.chmod(0o755)
    there = folder / "no_loader"
    fleet("submit", there, "--binary", program, "--", *OPTIONS)
    cluster.wait(lambda: tasks_of(cluster, last_job(there)).get(1) == "FAILED", "end of the task")
    rows = [line for line in fleet("status", there).stdout.splitlines() if line.startswith("all-1 ")]
    check(len(rows) == 1 and "unable" in rows[0] and "no OpenCL loader (libOpenCL.so.1)" in rows[0], f"no loader: {rows}")


def ends_while_looked_at(folder, _, __):
    """A task that writes its last word and leaves the queue while the queue is read is done, and not begun again."""
    there, commands = folder / "ending", folder / "commands"
    (there / "tasks").mkdir(parents=True)
    (there / "fleet.json").write_text(json.dumps({"kinds": {"all": []}, "shards": 1, "sweep": [], "jobs": ["1"]}))
    log = there / "tasks" / "all-1.log"
    commands.mkdir()
    (commands / "squeue").write_text(f"#!/bin/sh\nprintf 'now\\t1_1\\teast\\tdone\\t\\n' >> '{log}'\n")
    (commands / "squeue").chmod(0o755)
    for command, says in (("status", "1 of 1 tasks are done"), ("submit", "nothing is left"), ("collect", "no task has written")):
        log.write_text("now\t1_1\teast\tbegin\t\n")
        done = subprocess.run([sys.executable, "-B", FLEET, command, there], capture_output=True, text=True,
                              env=dict(os.environ, PATH=f"{commands}:{os.environ['PATH']}"))
        check(says in done.stdout + done.stderr, f"fleet {command}: {done.stdout} {done.stderr}")


def mistakes(folder, _, __):
    for arguments, says in ((["submit", folder / "a", "--", *OPTIONS], "give --binary"),
                            (["submit", folder / "a", "--binary", PROGRAM, "--", "--dwarf", "crc"], "give --size"),
                            (["submit", folder / "a", "--binary", PROGRAM, "--", *OPTIONS, "--shard", "1/2"], "--shard is chosen"),
                            (["submit", folder / "a", "--binary", PROGRAM, "--kind", "x", "--", *OPTIONS], "--kind is 'x'"),
                            (["submit", folder / "a", "--binary", PROGRAM, "--shards", "0", "--", *OPTIONS], "--shards is 0"),
                            (["status", folder / "a"], "holds no fleet"), (["collect", folder / "a"], "holds no fleet")):
        done = subprocess.run([sys.executable, "-B", FLEET, *map(str, arguments)], capture_output=True, text=True)
        check(done.returncode == 2 and says in done.stderr and len(done.stderr.splitlines()) == 1,
              f"fleet: '{says}' expected: {done.returncode} {done.stderr}")
    check(not (folder / "a").exists(), "nothing is left of what was refused")


if reason := why_not():
    print(f"skipped: {reason}")
    sys.exit(0)


def whole_run(folder):
    out = folder / "undisturbed"
    done = run("sweep", *OPTIONS, "--out", out)
    check(done.returncode == 0, f"in one piece: {done.stderr}")
    check(len({name_of(row) for row in rows_of(out)}) > 6, "six points")
    cluster = Cluster(tempfile.mkdtemp())
    cluster.start()
    clusters.append(cluster)
    return [cluster, rows_of(out)]


clusters = []
try:
    run_checks([array_of_shards, no_loader, ends_while_looked_at, mistakes], whole_run)
finally:
    for each in clusters:
        each.stop()
        shutil.rmtree(each.folder.parent)
