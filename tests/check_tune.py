"""`tune` on a device, from outside: what it finds, writes and refuses; a driver that crashes costs a point; killed five
times and resumed, the search ends as an undisturbed one.

Any argument names the checks to do."""
import collections
import csv
import json
import os
import pathlib
import random
import signal
import subprocess
import time

from checks import PROGRAM, check, run_checks
from fake_powercap import FakePowercap
from fault_sweep import environment, run

# 48 points, few of them slow to build.
SPACE = ["--dwarf", "crc", "--device", "pocl", "--size", "tiny", "--set", "variant=slicing", "--axis", "work_group=64,128,256",
         "--axis", "granularity=1,2,4,8", "--axis", "vector_width=1,2,4,8", "--no-device-figures"]
TUNE = ["tune", *SPACE, "--budget", "0", "--target", "20%"]
BRIEFLY = [*TUNE, "--evaluations", "8"]
STOPPED = {"screened", "dropped", "raced", "confirmed"}


def log_of(out):
    return [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]


def records(out, kind):
    return [line for line in log_of(out) if line["type"] == kind]


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def totals_of(out):
    return [row for row in table(out / "measurements.csv") if row["kernel"] == "total"]


def check_evaluations(out, count, what):
    """Numbered without gaps, each point once, each with a row, the costs within the time."""
    evaluations = records(out, "evaluation")
    check([each["number"] for each in evaluations] == list(range(count + 1)), f"{what}: {[e['number'] for e in evaluations]}")
    configs = [each["key"]["config"] for each in evaluations]
    twice = [config for config, times in collections.Counter(configs[1:]).items() if times > 1]
    check(not twice, f"{what}: evaluated twice: {twice}")
    check(all(each["proposer"] for each in evaluations), f"{what}: somebody proposed each")
    seconds = [each["seconds"] for each in evaluations]
    check(seconds == sorted(seconds), f"{what}: seconds {seconds}")
    spent = sum(sum(each["cost"].values()) for each in evaluations)
    check(0 < spent <= seconds[-1] * 1.01, f"{what}: costs of {spent} s in {seconds[-1]} s")
    check(len(totals_of(out)) == len(set(configs)), f"{what}: {len(totals_of(out))} rows of {len(set(configs))} points")
    return evaluations


def check_answer(out, what):
    """The best point is confirmed, and it and the tied ones are among those that ran."""
    answers = records(out, "answer")
    if not check(len(answers) == 1, f"{what}: {len(answers)} answers"):
        return
    answer = answers[0]
    times = {each["key"]["config"]: each.get("time_ns") for each in records(out, "evaluation")}
    best = answer["best"]["config"]
    check(times.get(best), f"{what}: the best is {best}")
    tied = [each["config"] for each in answer["tied"]]
    check(best not in tied and len(set(tied)) == len(tied) and all(times.get(each) for each in tied), f"{what}: tied {tied}")
    check(all(each["low"] <= 1 <= each["high"] for each in answer["tied"]), f"{what}: what is tied is not separated")
    check(answer["speedup_low"] <= answer["speedup"] <= answer["speedup_high"], f"{what}: {answer}")
    row = next(row for row in totals_of(out) if row["baseline"] == "true" or row["stop_reason"] == "confirmed")
    check(any(row["stop_reason"] == "confirmed" or row["baseline"] == "true" for row in totals_of(out)), f"{what}: {row}")


def searched(folder):
    out = folder / "searched"
    done = run(*BRIEFLY, "--out", out)
    if not check(done.returncode == 0, f"tune: {done.returncode} {done.stderr}"):
        return
    evaluations = check_evaluations(out, 8, "searched")
    check_answer(out, "searched")
    check("best of 8 evaluations" in done.stdout and "optim" not in done.stdout, done.stdout)
    rows = totals_of(out)
    check(all(row["status"] == "ok" and row["stop_reason"] in STOPPED for row in rows), f"rows: {[r['stop_reason'] for r in rows]}")
    best = min(each["time_ns"] for each in evaluations)
    trace = table(out / "trace.csv")
    check(len(trace) == 9 and float(trace[-1]["best_ns"]) == best, f"trace: {trace[-1]}")
    times = [float(line["best_ns"]) for line in trace]
    check(times == sorted(times, reverse=True), f"the best so far only falls: {times}")
    for arguments, words in ((["table", out], "crc"), (["tune", "--replay", out, "--evaluations", "5", "--repeats", "3"], "auto")):
        read = run(*arguments)
        check(read.returncode == 0 and words in read.stdout, f"{arguments[0]}: {read.returncode} {read.stdout} {read.stderr}")
    # A search takes few blocks of most points, so some may stay undecided (status 5): but nothing has changed.
    itself = run("compare", out, out)
    check(itself.returncode in (0, 5) and "9 points in both runs: 0 slower, 0 failing now, 0 faster, 0 fixed" in itself.stdout
          and (itself.returncode == 0) == (" 0 undecided" in itself.stdout), f"compare: {itself.returncode} {itself.stdout} {itself.stderr}")
    log = (out / "log.jsonl").read_bytes()
    again = run("tune", "--resume", out)
    check(again.returncode == 0 and (out / "log.jsonl").read_bytes() == log, f"nothing is left to do: {again.stderr}")
    more = run("tune", "--resume", out, "--evaluations", "10")
    check(more.returncode == 0, f"more evaluations: {more.stderr}")
    check_evaluations(out, 10, "more evaluations")
    check(records(out, "answer")[-1]["evaluations"] == 10, f"more evaluations: {records(out, 'answer')[-1]}")
    in_finals = cut_in_finals(folder, log)
    more = run("tune", "--resume", in_finals, "--evaluations", "10")
    check(more.returncode == 0, f"more evaluations in the finals: {more.stderr}")
    check_evaluations(in_finals, 10, "more evaluations in the finals")
    check_answer(in_finals, "more evaluations in the finals")
    phases = [line["phase"] for line in records(in_finals, "search")]
    check(phases == ["search", "final", "search", "final", "ended"], f"more evaluations in the finals: {phases}")


def cut_in_finals(folder, log):
    """A run whose log ends after the first blocks of the finals, three where there are as many."""
    out = folder / "in_finals"
    out.mkdir()
    lines = log.splitlines(keepends=True)
    finals = next(i for i, line in enumerate(lines) if b'"phase":"final"' in line)
    visits = [i for i, line in enumerate(lines) if i > finals and b'"type":"visit"' in line]
    last = [finals, *visits][:4][-1]
    (out / "log.jsonl").write_bytes(b"".join(lines[:last + 1]))
    return out


def crashing(folder):
    """Points whose program kills the process are rows, and the search continues."""
    out = folder / "crashing"
    done = run(*BRIEFLY, "--strategy", "random", "--out", out, env=environment("build_crash"))
    check(done.returncode == 1, f"crashing: {done.returncode} {done.stderr}")
    for each in check_evaluations(out, 8, "crashing"):
        hit = "work_group=128" in each["key"]["config"]
        check(hit == (each["outcome"] == "failed") and hit == ("time_ns" not in each), f"crashing: {each}")
    for row in totals_of(out):
        check((row["status"] == "crashed") == (row["work_group"] == "128"), f"crashing: {row['status']} {row['work_group']}")
    check_answer(out, "crashing")


def with_energy(folder):
    """The baseline and the best point have energies if the device reports them."""
    out = folder / "energy"
    with FakePowercap(folder) as powercap:
        done = run(*BRIEFLY, "--out", out, env={**environment(), "DWARFSWEEP_POWERCAP": powercap})
    check(done.returncode == 0, f"energy: {done.stderr}")
    best = records(out, "answer")[0]["best"]["config"]
    told = {line["key"]["config"] for line in records(out, "energy")}
    check(told == {best, records(out, "evaluation")[0]["key"]["config"]}, f"energy of {told}, best {best}")


def by_energy(folder):
    """What is raced by time and energy has both in log and trace, and the answer is a front; a refused search says why."""
    out = folder / "by_energy"
    with FakePowercap(folder) as powercap:
        env = {**environment(), "DWARFSWEEP_POWERCAP": powercap}
        done = run("tune", *SPACE, "--budget", "12s", "--evaluations", "4", "--target", "30%", "--objective", "both",
                   "--out", out, env=env)
        refused = run(*BRIEFLY, "--objective", "energy", env={**env, "DWARFSWEEP_POWERCAP": folder / "nowhere"})
        cold = run(*BRIEFLY, "--objective", "energy", "--cache", "cold", env=env)
    if not check(done.returncode == 0, f"by energy: {done.returncode} {done.stderr}"):
        return
    check("Pareto front" in done.stdout and "its energy over" in done.stdout, done.stdout)
    answer = records(out, "answer")[0]
    raced = {each["key"]["config"]: each for each in records(out, "evaluation") if "joules" in each}
    check(answer["best"]["config"] in raced and answer["joules"] > 0, f"by energy: {answer}")
    check(answer["front"] and all(each["config"] in raced for each in answer["front"]), f"front: {answer['front']}")
    times = [each["time_ns"] for each in answer["front"]]
    check(times == sorted(times), f"the front from the fastest: {times}")
    for each in raced.values():
        check(abs(each["value"] ** 2 / each["time_ns"] / each["joules"] - 1) < 1e-6, f"time and energy count alike: {each}")
    lines = [line for line in table(out / "trace.csv") if line["energy_j"]]
    check(len(lines) == len(raced) and any(line["on_front"] == "true" for line in lines), f"trace: {lines}")
    least = min(lines, key=lambda line: float(line["energy_j"]))
    check(least["on_front"] == "true", f"the least energy is on the front: {least}")
    check(refused.returncode == 2 and "needs a device that reports its energy" in refused.stderr, refused.stderr)
    check(cold.returncode == 2 and "--cache cold" in cold.stderr, cold.stderr)


def counted_by_script(folder):
    """What results/spaces/count_published.py asks of a worker, it gets; and the counts are those in the tree."""
    spaces = pathlib.Path(__file__).resolve().parent.parent / "results" / "spaces"
    icd = pathlib.Path(os.environ["OCL_ICD_VENDORS"]).parent / "oclgrind"
    if not icd.exists():
        return
    out = folder / "counted.csv"
    done = subprocess.run([spaces / "count_published.py", "--icd", icd, "--program", PROGRAM, "--dwarf", "matmul", "--out", out],
                          capture_output=True, text=True, timeout=200)
    if check(done.returncode == 0, f"count_published.py: {done.stderr}"):
        kept = {row["setting"]: row for row in table(spaces / "published-oclgrind.csv") if row["dwarf"] == "matmul"}
        counted = {row["setting"]: row for row in table(out)}
        check(counted.keys() == kept.keys() and len(kept) == 2, f"count_published.py: {counted} where the tree has {kept}")
        for setting, row in counted.items():
            near = float(row["ir_per_work_item"]) / float(kept[setting]["ir_per_work_item"])
            check(0.5 < near < 2, f"count_published.py: {row} where the tree has {kept[setting]}")


def carved(folder):
    """Where Oclgrind counts instructions, the most efficient points are measured first, in turn with random ones by which the two
    are compared; a resumed search counts nothing again. If it is not installed, the check says so."""
    refused = run("tune", *SPACE, "--strategy", "carve", env={**environment(), "DWARFSWEEP_OCLGRIND": "/nowhere"})
    check(refused.returncode == 2 and "was not found" in refused.stderr, f"without Oclgrind: {refused.stderr}")
    library = pathlib.Path(os.environ["OCL_ICD_VENDORS"]).parent / "oclgrind" / "oclgrind.icd"
    if not library.exists():
        return
    out = folder / "carved"
    few = [*SPACE[:-5], "--axis", "granularity=1,4", "--axis", "vector_width=1,4", "--no-device-figures", "--budget", "0", "--target", "20%"]
    done = run("tune", *few, "--strategy", "carve", "--evaluations", "4", "--out", out,
               env={**environment(), "DWARFSWEEP_OCLGRIND": library.read_text().strip()})
    if not check(done.returncode == 0 and "by efficiency alone" in done.stderr, f"carve: {done.returncode} {done.stderr}"):
        return
    counted = records(out, "search")[-1]["counted"]
    check(len(counted) == 12, f"carve: {len(counted)} points of 12 counted")
    by_instructions = sorted(counted, key=lambda each: each["instructions"])
    evaluations = check_evaluations(out, 4, "carved")
    check([each["proposer"] for each in evaluations[1:]] == ["carve", "random", "carve-next", "random"], f"carve: {evaluations}")
    first = next(each for each in counted if each["config"] == evaluations[1]["key"]["config"])
    check(first["instructions"] == by_instructions[0]["instructions"], f"carve: not the most efficient: {first} {by_instructions}")
    carving = records(out, "answer")[0]["carving"]
    check(carving["kept"] == carving["measured"] == 1 and carving["counted"] == 12 and carving["random"] >= 2, f"carve: {carving}")
    check([row["with"] for row in carving["rows"]] == ["as many measured", "as many compiled", "the same seconds"]
          and all(0 <= row["probability"] <= 1 and row["drawn"] <= row["points"] for row in carving["rows"]), f"carve: {carving}")
    check("carving by efficiency alone kept 1 of 12" in done.stdout and done.stdout.count("  random search with ") == 3,
          done.stdout)
    again = run("tune", "--resume", out, "--evaluations", "5", env={**environment(), "DWARFSWEEP_OCLGRIND": library.read_text().strip()})
    check(again.returncode == 0 and "counted on Oclgrind" not in again.stderr, f"carve goes on: {again.stderr}")
    check_evaluations(out, 5, "carve goes on")


def killed(folder):
    """SIGKILL at five random moments, one of them in the finals: the search ends as the undisturbed one, with the same points in
    the same order, as many blocks of each, the same best point and the same tied ones. This is exact, because the events here report times that do not change."""
    # PoCL's device has as much memory as is free, unless a variable says how much.
    env = {**environment("told_times", "VARIANT"), "POCL_MEMORY_LIMIT": "2"}
    undisturbed, out = folder / "undisturbed", folder / "killed"
    here, elsewhere = folder / "here", folder / "elsewhere"  # in neither are best points known
    here.mkdir()
    elsewhere.mkdir()
    done = run(*TUNE, "--evaluations", "20", "--out", undisturbed, env=env, cwd=elsewhere)
    if not check(done.returncode == 0, f"undisturbed: {done.returncode} {done.stderr}"):
        return
    moments = [*sorted(random.Random(5).sample(range(1, 20), 4)), "finals"]
    kills = sum(search_until(out, moment, env, here) for moment in moments)
    done = run("tune", "--resume", out, env=env, cwd=here)
    check(done.returncode == 0, f"killed: {done.returncode} {done.stderr}")
    check(kills == 5, f"killed {kills} times")
    evaluations = check_evaluations(out, 20, "killed")
    check_answer(out, "killed")
    blocks = blocks_of(out)
    for each in evaluations:
        check(blocks[each["key"]["config"], False] >= each["blocks"], f"killed: the blocks of {each['key']['config']}")
    check(course_of(out) == course_of(undisturbed), f"killed: {course_of(out)}, undisturbed: {course_of(undisturbed)}")
    found, expected = answer_of(out), answer_of(undisturbed)
    check(found == expected and len(expected[1]) > 1, f"killed: {found}, undisturbed: {expected}")
    blocks, expected = blocks_of(out), blocks_of(undisturbed)
    check(blocks == expected, f"killed: a block was lost or taken twice: {blocks - expected} {expected - blocks}")
    wrong_logs_are_refused(folder, out, env)


def course_of(out):
    return [[each["key"]["config"], each["proposer"], each["outcome"], each["time_ns"], each["opponent"]]
            for each in records(out, "evaluation")]


def blocks_of(out):
    """How many blocks each point has, in the search and in the finals."""
    return collections.Counter((line["key"]["config"], line["confirmation"]) for line in records(out, "visit"))


def answer_of(out):
    """The best point and the tied ones, with their ratios."""
    answer = records(out, "answer")[0]
    return answer["best"]["config"], [[each["config"], each["ratio"], each["fresh"]] for each in answer["tied"]]


def search_until(out, moment, env, cwd):
    """1 where it was killed, after so many evaluations of the search or in its finals; 0 where it had ended before."""
    begun = (out / "log.jsonl").exists()
    arguments = ["tune", "--resume", out] if begun else [*TUNE, "--evaluations", "20", "--out", out]
    process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env,
                               cwd=cwd)

    def has_come(log):
        if moment == "finals":  # some of their blocks are in the log
            return log.partition(b'"phase":"final"')[2].count(b'"type":"visit"') >= 5
        return log.count(b'"type":"evaluation"') > moment

    while process.poll() is None:
        if (out / "log.jsonl").exists() and has_come((out / "log.jsonl").read_bytes()):
            process.kill()
            break
        time.sleep(0.001)
    return 1 if process.wait() == -signal.SIGKILL else 0


def wrong_logs_are_refused(folder, out, env):
    """A log that is not what the strategy would have done is not gone on with."""
    lines = log_of(out)
    numbers = [i for i, line in enumerate(lines) if line["type"] == "evaluation" and line["number"] > 0]

    def another_point(copy):
        copy[numbers[3]]["key"] = copy[numbers[2]]["key"]

    def left_out(copy):
        del copy[numbers[4]]

    def other_space(copy):
        next(line for line in copy if line["type"] == "search")["points"] = 7
        for line in [line for line in copy if line["type"] == "search"][1:]:
            line["points"] = 7

    for change, words in ((another_point, "where the strategy proposes"), (left_out, "where the strategy proposes"),
                          (other_space, "its space had 7 points and now has 48")):
        wrong = folder / f"wrong_{change.__name__}"
        wrong.mkdir()
        copy = json.loads(json.dumps(lines))
        change(copy)
        (wrong / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in copy))
        done = run("tune", "--resume", wrong, "--evaluations", "30", env=env)
        sentences = [line for line in done.stderr.splitlines() if "warning: " not in line]
        check(done.returncode == 2 and words in done.stderr and len(sentences) == 1,
              f"{change.__name__}: {done.returncode} {done.stderr}")


def wrong_input_is_refused(folder):
    sweep = folder / "sweep"
    sweep.mkdir()
    (sweep / "log.jsonl").write_text(json.dumps({
        "type": "run", "schema_version": 2, "run_id": "x", "timestamp": "", "version": "", "revision": "",
        "arguments": ["sweep", "--dwarf", "crc"], "notes": [],
        "host": {"name": "x", "processor": "", "system": "", "threads": 1, "memory_bytes": 1}}) + "\n")
    for arguments, words in (
            ([], "'tune' needs a dwarf to search, as --dwarf lud or --dwarf all, or recorded spaces: --replay"),
            (["--dwarf", "ludd", "--device", "pocl"], "there is no dwarf 'ludd'"),
            (["--dwarf", "crc", "--strategy", "random,auto"], "has one --strategy"),
            (["--dwarf", "crc", "--strategy", "clever"], "there is no strategy 'clever'; there are auto"),
            (["--dwarf", "crc", "--evaluations", "5,10"], "has one number of --evaluations"),
            (["--dwarf", "crc", "--evaluations", "0"], "--evaluations is '0'"),
            (["--dwarf", "crc", "--budget", "0"], "--budget 0 is no limit"),
            (["--dwarf", "crc", "--shard", "1/2"], "auto follows what it has found, and needs the whole space"),
            (["--dwarf", "crc", "--target", "0"], "--target is '0', but must be a percentage above 0"),
            (["--dwarf", "crc", "--device", "pocl", "--axis", "colour=1"], "there is no axis 'colour'"),
            (["--dwarf", "crc", "--device", "pocl", "--size", "tiny", "--set", "variant=slicing", "--axis", "work_group=64"],
             "leave one point of crc; a search needs two or more"),
            (["--dwarf", "crc", "--replay", "space.csv"], "--replay uses no device"),
            (["--replay", "space.csv", "--objective", "both"], "--objective both cannot be combined with --replay"),
            (["--dwarf", "crc", "--objective", "power"], "--objective is 'power'"),
            (["--resume", folder / "nowhere"], "there is no run folder"),
            (["--resume", sweep], "is not of tune; continue it with sweep --resume"),
            (["--resume", sweep, "--seed", "2"], "allowed are --budget, --point-timeout and --evaluations")):
        done = run("tune", *arguments)
        check(done.returncode == 2 and not done.stdout, f"{arguments}: {done.returncode} {done.stdout}")
        check(words in done.stderr and done.stderr.count("\n") == 1, f"{arguments}: {done.stderr}")
    check(not any(folder.glob("results/runs")), "a refused search wrote something")


run_checks([searched, crashing, with_energy, by_energy, carved, counted_by_script, killed, wrong_input_is_refused])
