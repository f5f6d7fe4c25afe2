"""Shards of a plan and their merging: nothing lost, nothing twice, also where shards and merges are killed at random
moments; conflicts are refused by name, and what is missing is said.

`check_merge.py --long` kills a hundred times. Any other argument names the checks to do."""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess

from checks import PROGRAM, check, run_checks
from fault_sweep import (LONG, SWEEP, altered_copy, check_merged, environment, name_of, rows_of, run, sweep,
                         undisturbed_rows)

SHARDS = 3


def shard_arguments(index, count=SHARDS, host=None, options=None):
    return [*(options or SWEEP), "--shard", f"{index}/{count}", *(["--host", host] if host else [])]


def make_shards(folder, count=SHARDS, hosts=None):
    """One after the other; `hosts`: their names in turn."""
    made = []
    for index in range(1, count + 1):
        out = folder / f"shard_{index}_of_{count}"
        made.append(out)
        if out.exists():
            continue  # another check has made it
        done = run(*shard_arguments(index, count, hosts and hosts[index % len(hosts)]), "--out", out)
        check(done.returncode == 0, f"shard {index}/{count}: {done.returncode} {done.stderr}")
    return made


def merge(runs, out):
    return run("merge", *runs, "--out", out)


def samples_of(folder):
    """How many samples each point has, the baseline's own included: none may be lost or be there twice."""
    lines = (folder / "samples.csv").read_text().splitlines()
    head = lines[0].split(",")
    leave_out = {head.index("run_id"), head.index("round"), head.index("block"), head.index("process"),
                 head.index("device_id")}
    return sorted(tuple(cell for place, cell in enumerate(line.split(",")) if place not in leave_out) for line in lines[1:])


def shards_make_the_plan(folder, undisturbed):
    runs = make_shards(folder)
    for index, out in enumerate(runs, 1):
        description = json.loads((out / "run.json").read_text())
        check(description["shard"] == f"{index}/{SHARDS}", f"run.json says {description.get('shard')}")
        rows = rows_of(out)
        check(any(row["baseline"] == "true" for row in rows), f"shard {index} has the baseline")
    parts = [{name_of(row) for row in rows_of(out) if row["baseline"] == "false"} for out in runs]
    check(sum(map(len, parts)) == len(set.union(*parts)), "shards share no point but the baseline")
    merged = folder / "merged"
    done = merge(runs, merged)
    check(done.returncode == 0 and "all of them are complete" in done.stdout, f"merge: {done.stdout} {done.stderr}")
    check_merged(rows_of(merged), undisturbed, "merged")
    check(samples_of(merged) == sorted(sum((samples_of(out) for out in runs), [])), "every sample once")
    names = {path.name for path in merged.iterdir()}
    check(names == {"log.jsonl", "run.json", "measurements.csv", "samples.csv", "speedups.csv", "tables.md"}, f"{names}")
    json.loads((merged / "run.json").read_text())

    other_order = folder / "other_order"
    merge(reversed(runs), other_order)
    for path in merged.iterdir():
        check(path.read_bytes() == (other_order / path.name).read_bytes(), f"{path.name} depends on the order of the runs")
    in_steps = folder / "in_steps"
    merge(runs[:2], folder / "two")
    merge([folder / "two", runs[2]], in_steps)
    check_merged(rows_of(in_steps), undisturbed, "merged in two steps")
    check(samples_of(in_steps) == samples_of(merged), "merged in two steps: every sample once")
    for command in (["table", merged], ["compare", merged, merged], ["table", merged, "--format", "t4"]):
        done = run(*command)
        check(done.returncode == 0, f"{command}: {done.returncode} {done.stderr}")
    done = run("sweep", "--resume", merged)
    check(done.returncode == 2 and "was merged" in done.stderr, f"a merged run continues: {done.stderr}")


def several_hosts(folder, undisturbed):
    runs = make_shards(folder, 4, ["north", "south"])
    merged = folder / "merged_hosts"
    done = merge(runs, merged)
    check(done.returncode == 0 and "4 runs on 2 hosts" in done.stdout, f"two hosts: {done.stdout} {done.stderr}")
    rows = rows_of(merged)
    check_merged(rows, undisturbed, "two hosts")
    check({row["host"] for row in rows} == {"north", "south"}, "each row has its host")
    check(all(row["device_id"].endswith("@" + row["host"]) for row in rows), "devices of two hosts are distinct")
    for host in ("north", "south"):
        parts = {row["run_id"] for row in rows if row["host"] == host}
        baselines = [row for row in rows if row["host"] == host and row["baseline"] == "true" and row["kernel"] == "total"]
        check(len(baselines) == len(parts), f"{host} has its baseline {len(baselines)} times in {len(parts)} parts")
    again = run("table", merged)
    check(again.returncode == 0 and "2 nodes" in again.stdout, f"table: {again.stdout[:500]} {again.stderr}")


def conflicts(folder, undisturbed):
    one, two, _ = make_shards(folder)

    def of_run(**values):
        return lambda line: line.update(values) if line["type"] == "run" else None

    other = sweep(size="small")
    for name, says, change in (
            ("revision", "the revision is ", of_run(revision="older")),
            ("kernels", "the hash of the kernels is ", of_run(kernels="00")),
            ("options", "--size is 'tiny' in", of_run(arguments=shard_arguments(2, options=other)))):
        copy = altered_copy(two, f"other_{name}", change)
        done = merge([one, copy], folder / "refused")
        check(done.returncode == 2 and says in done.stderr and copy.name in done.stderr and
              len(done.stderr.splitlines()) == 1, f"conflict, {name}: {done.returncode} {done.stderr}")
    whole = folder / "undisturbed"
    for runs, says in (([one, one], "are the same run"), ([one, whole], "the whole plan"),
                       ([one, folder / "nowhere"], "there is no run"), ([folder], "contains no log.jsonl"), ([], "needs runs"),
                       ([altered_copy(one, "twice", of_run(run_id="another")), one], "points would be there twice")):
        done = merge(runs, folder / "refused")
        check(done.returncode == 2 and says in done.stderr and len(done.stderr.splitlines()) == 1,
              f"refused, {says}: {done.returncode} {done.stderr}")
    done = merge([one, two], one)
    check(done.returncode == 2 and "exists and is not empty" in done.stderr, f"into a run: {done.stderr}")
    check(not any(folder.glob("refused*")), "nothing is left of a refused merge")
    for shard in ("0/3", "4/3", "2", "a/b", "1/3/5", "-1/3", "1/0", "1/ 3"):
        done = run(*SWEEP, "--shard", shard, "--out", folder / "refused")
        check(done.returncode == 2 and f"--shard is '{shard}'" in done.stderr and len(done.stderr.splitlines()) == 1,
              f"--shard {shard}: {done.returncode} {done.stderr}")


def at_once(folder, undisturbed):
    """Of several merges into one folder one makes it, the others say that it exists; and a folder that is called like a
    draft is nobody's."""
    runs = make_shards(folder)
    merged, precious = folder / "contested", folder / "contested.part" / "precious"
    precious.parent.mkdir()
    precious.write_text("mine")
    processes = [start(["merge", *runs, "--out", merged]) for _ in range(4)]
    ended = [(process.communicate()[1], process.returncode) for process in processes]
    check(sorted(status for _, status in ended) == [0, 2, 2, 2] and
          all(status == 0 or "exists and is not empty" in error and len(error.splitlines()) == 1 for error, status in ended),
          f"merges at once: {ended}")
    check_merged(rows_of(merged), undisturbed, "merges at once")
    check(precious.read_text() == "mine" and sorted(folder.glob("contested*")) == [merged, precious.parent],
          "a merge leaves no draft and touches no other folder")
    empty = folder / "contested_empty"
    empty.mkdir()
    check(merge(runs, empty).returncode == 0 and (empty / "tables.md").exists(), "into an empty folder")
    # A merge that was killed leaves its draft. It hinders no later one, not even one with the same process number.
    merged = folder / "after_kill"

    def leave_draft():
        draft = pathlib.Path(f"{merged}.part-{os.getpid()}-1")
        draft.mkdir()
        (draft / "samples.csv").write_text("half")

    process = start(["merge", *runs, "--out", merged], preexec_fn=leave_draft)
    error = process.communicate()[1]
    check(process.returncode == 0, f"merge after a killed one: {process.returncode} {error}")
    check_merged(rows_of(merged), undisturbed, "merge after a killed one")
    left, = folder.glob("after_kill.part-*")
    check((left / "samples.csv").read_text() == "half", "a merge touches no other draft")


def half_written(folder, undisturbed):
    """What a killed shard has is merged, and what it lacks is said."""
    runs = make_shards(folder)
    log = (runs[1] / "log.jsonl").read_text().splitlines(keepends=True)
    ends = [number for number, line in enumerate(log) if '"type":"end"' in line]
    cut = folder / "cut"
    cut.mkdir()
    (cut / "log.jsonl").write_text("".join(log[:ends[0] + 1]) + log[ends[0] + 1][:20])
    empty = folder / "empty"
    empty.mkdir()
    merged = folder / "merged_half"
    done = merge([runs[0], cut, empty], merged)
    missing = len(ends) - 1
    for says in (f"{missing} of {len(ends)} points are missing", "'" + str(empty) + "': ended before it began",
                 "1 of 3 shards are not there", ": 3/3"):
        check(done.returncode == 0 and says in done.stdout, f"half a run: '{says}' expected: {done.stdout} {done.stderr}")
    check({name_of(row) for row in rows_of(merged)} < {name_of(row) for row in undisturbed}, "what is there is merged")
    # More shards than points: some are empty runs.
    many = [folder / f"many_{index}" for index in (1, 9)]
    for index, out in zip((1, 9), many):
        done = run(*shard_arguments(index, 9), "--out", out)
        check(done.returncode == 0, f"shard {index}/9: {done.stderr}")
    check(rows_of(many[1]) == [], "six points have no ninth shard")
    done = merge(many, folder / "merged_many")
    check(done.returncode == 0 and "7 of 9 shards are not there" in done.stdout, f"merged: {done.stdout} {done.stderr}")


def start(arguments, **options):
    return subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                            env=environment(), **options)


def run_killed(arguments, longest, generator):
    """Whether it came to its end before it was killed."""
    process = start(arguments)
    try:
        process.wait(generator.uniform(0, longest))
    except subprocess.TimeoutExpired:
        process.kill()
    error = process.communicate()[1]
    check(process.returncode in (0, -signal.SIGKILL), f"{arguments[0]}: {process.returncode} {error}")
    return process.returncode == 0


def killed(folder, undisturbed):
    """SIGKILL at random moments, of shards and of merges, which meanwhile merge what there is."""
    generator = random.Random(13)
    kills, number, wanted = 0, 0, 100 if LONG else 8
    while kills < wanted:
        number += 1
        outs = [folder / f"killed_{number}_{index}" for index in range(1, SHARDS + 1)]
        for index, out in enumerate(outs, 1):
            starts, done = 0, False
            while not done:
                begun = (out / "log.jsonl").exists() and b"\n" in (out / "log.jsonl").read_bytes()
                if out.exists() and not begun:
                    shutil.rmtree(out)
                arguments = ["sweep", "--resume", out] if begun else [*shard_arguments(index), "--out", out]
                starts += 1
                done = run_killed(arguments, 0.25 + 0.1 * starts, generator)
                kills += not done
                if not done and generator.random() < 0.3 and any(each.exists() for each in outs):
                    so_far = folder / f"so_far_{number}_{index}_{starts}"
                    result = merge([each for each in outs if each.exists()], so_far)
                    check(result.returncode == 0 or "killed before" in result.stderr, f"so far: {result.stderr}")
        merged = folder / f"merged_{number}"
        attempts = 0
        while not run_killed(["merge", *outs, "--out", merged], 0.05 * 2 ** attempts, generator):
            attempts += 1
            kills += 1
            check(not merged.exists() or (merged / "tables.md").exists(), "a killed merge leaves a whole run or none")
            if merged.exists():
                break  # killed between its last step and its end
        check_merged(rows_of(merged), undisturbed, f"run {number}")
        check(samples_of(merged) == sorted(sum((samples_of(out) for out in outs), [])), f"run {number}: every sample once")
    print(f"killed {kills} times, in {number} runs")


def searches(folder, _):
    """Shards of an exhaustive search: every point of the space is in one of them, and merged once."""
    search = ["tune", *SWEEP[1:SWEEP.index("--budget")], "--strategy", "exhaustive", "--budget", "60s", "--no-device-figures"]
    runs = [folder / f"search_{index}" for index in (1, 2)]
    configs = []
    for index, out in enumerate(runs, 1):
        done = run(*search, "--shard", f"{index}/2", "--out", out)
        check(done.returncode == 0, f"search {index}/2: {done.returncode} {done.stderr}")
        configs += [name_of(row) for row in rows_of(out) if row["kernel"] == "total" and row["baseline"] == "false"]
    done = merge(runs, folder / "searches")
    check(done.returncode == 0 and "2 runs on 1 host merged" in done.stderr + done.stdout and
          "incomplete" not in done.stderr + done.stdout, f"merged searches: {done.stdout} {done.stderr}")
    merged = [name_of(row) for row in rows_of(folder / "searches") if row["kernel"] == "total" and row["baseline"] == "false"]
    check(len(configs) == len(set(configs)) == 6 and sorted(configs) == sorted(merged),
          f"points of the searches: {sorted(configs)}, merged: {sorted(merged)}")
    sweep_and_search = merge([runs[0], folder / "shard_1_of_3"], folder / "none")
    check(sweep_and_search.returncode == 2 and "the command is tune" in sweep_and_search.stderr,
          f"a search and a sweep: {sweep_and_search.stderr}")


run_checks([shards_make_the_plan, several_hosts, conflicts, at_once, half_written, searches, killed], undisturbed_rows)
