"""Judges our own kernels as if somebody else had written them: every variant of every dwarf at its default, then random
legal points, drawn evenly from the variants. Prints each point that is not `correct`, with its findings. The exit status is 1
if one of them is wrong, cheats, or fails for another reason than a lack of time or of something that the device must have.

    DWARFSWEEP=build/ci/dwarfsweep tests/judge_own.py --points 1000 --journal points.jsonl

With --journal it resumes: points in that file are not judged again. --vendors takes folders of .icd files, among which the
points take turns; without it the loader finds its drivers as usual. Points of one --seed are the same on each machine."""
import argparse
import concurrent.futures
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time


def asked(program, *arguments, environment=None):
    done = subprocess.run([program, *arguments, "--json"], capture_output=True, text=True, timeout=300, env=environment)
    return json.loads(done.stdout) if done.returncode == 0 else None


def environments(vendors):
    """Of each folder; Intel's runtime, which comes from PyPI, loads libraries next to its own."""
    for folder in vendors:
        libraries = {str(pathlib.Path(line).parent) for icd in pathlib.Path(folder).glob("*.icd")
                     for line in icd.read_text().split() if "/" in line}
        yield {**os.environ, "OCL_ICD_VENDORS": folder, "LD_LIBRARY_PATH": ":".join(sorted(libraries))}
    if not vendors:
        yield dict(os.environ)


class Points:
    """Of each variant its default, then random legal ones, which are listed in batches: without the device, because many
    processes that open a GPU at once wait for each other."""

    def __init__(self, program, device, variants, seed):
        self.program, self.device, self.variants, self.seed = program, device, variants, seed
        self.listed = {}  # by place and variant
        self.devices = []  # of each place the file of its devices

    def add_place(self, folder, environment):
        self.devices.append(pathlib.Path(folder, f"devices{len(self.devices)}.json"))
        self.devices[-1].write_text(json.dumps(asked(self.program, "devices", environment=environment)))

    def batch(self, place, at, number):
        dwarf, variant = self.variants[at]
        groups = asked(self.program, "list", "--programs", "--dwarf", dwarf, "--set", f"variant={variant}", "--size", "tiny", "--plan",
                       "random:12", "--seed", str(self.seed + 10_000 * place + 1000 * number + at), *self.device, "--as-device",
                       str(self.devices[place]))
        points = [point for group in (groups or [])[:1] for point in group["points"] if point.get("programs")]
        points = [point for point in points if point["variant"] == variant]
        points.sort(key=lambda point: not point["default"])
        return [point["config"].replace(";", ",") for point in points if number == 0 or not point["default"]]

    def get(self, place, at, round_number):
        """The settings, or None if the device runs no such point."""
        known = self.listed.setdefault((place, at), [])
        for number in range(8):
            if round_number < len(known):
                break
            if number >= self.listed.get((place, at, "batches"), 0):
                known += [each for each in self.batch(place, at, number) if each not in known]
                self.listed[place, at, "batches"] = number + 1
        return known[round_number] if round_number < len(known) else None


def judge(program, dwarf, settings, options, seconds, cores, environment):
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "none.cl").touch()  # so all kernels are the built-in ones
        command = ["taskset", "-c", cores] if cores else []
        command += [program, "judge", "--dwarf", dwarf, "--set", settings, "--size", "tiny", "--kernels", folder, "--seconds",
                    str(seconds), "--json", *options]
        begin = time.monotonic()
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=4 * seconds + 60, env=environment)
        except subprocess.TimeoutExpired:
            return {"verdict": "error", "findings": [{"kind": "no_end", "detail": f"--seconds {seconds} did not end it"}]}
    took = time.monotonic() - begin
    try:
        found = json.loads(done.stdout)
    except json.JSONDecodeError:
        return {"verdict": "error", "findings": [{"kind": str(done.returncode), "detail": done.stderr[-500:]}]}
    if found["verdict"] == "correct" and not (found["unchanged"] and found["trials"]["verified"]):
        return {"verdict": "error", "findings": [{"kind": "nothing_verified", "detail": done.stdout}]}
    return {"verdict": found["verdict"], "findings": found["findings"], "trials": found["trials"], "took": round(took, 2),
            "device": found["device"]["name"], "platform": found["device"]["platform"], "seed": found["seed"]}


def kinds_of(judgement):
    return [each["kind"] for each in judgement["findings"]]


def is_short_of_time(judgement):
    return kinds_of(judgement) == ["no_time"]


def says_nothing(judgement):
    """Of the kernels: there was no time, or the device lacks what the point asks for."""
    return kinds_of(judgement) in (["no_time"], ["not_runnable"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.environ.get("DWARFSWEEP", "dwarfsweep"))
    parser.add_argument("--points", type=int, default=1000)
    parser.add_argument("--seconds", type=int, default=3, help="limit of each")
    parser.add_argument("--trials", type=int, default=4, help="verified outputs of each; 0: as many as fit")
    parser.add_argument("--seed", type=int, default=20780, help="default 20780, as in daily_seed.hpp")
    parser.add_argument("--jobs", type=int, default=2, help="points at the same time, on disjoint cores if there are enough")
    parser.add_argument("--limit", type=float, default=1e9, help="no point is begun after this many seconds")
    parser.add_argument("--vendors", default="", help="folders of .icd files, separated by commas")
    parser.add_argument("--device", default="", help="as `judge --device`")
    parser.add_argument("--journal", default="")
    options = parser.parse_args()
    begin = time.monotonic()
    program = str(pathlib.Path(options.program).resolve())
    device = ["--device", options.device] if options.device else []
    places = list(environments([each for each in options.vendors.split(",") if each]))
    dwarfs = asked(program, "list")
    variants = [(dwarf["name"], value) for dwarf in dwarfs for axis in dwarf["axes"] if axis["name"] == "variant"
                for value in axis["values"]]
    variants += [(dwarf["name"], "") for dwarf in dwarfs if all(axis["name"] != "variant" for axis in dwarf["axes"])]
    random.Random(options.seed).shuffle(variants)
    points = Points(program, device, variants, options.seed)
    journal = pathlib.Path(options.journal) if options.journal else None
    known = [json.loads(line) for line in journal.read_text().splitlines()] if journal and journal.exists() else []
    judged = {(each["place"], each["dwarf"], each["settings"]): each for each in known}
    cores = sorted(os.sched_getaffinity(0))
    share = len(cores) // options.jobs
    free = [",".join(map(str, cores[i * share:(i + 1) * share])) for i in range(options.jobs)]
    lock = threading.Lock()

    def judge_one(place, dwarf, settings, number, seconds):
        if time.monotonic() - begin > options.limit:
            return
        with lock:
            own = free.pop()
        try:
            limits = [*device, "--seed", str(options.seed + number)] + (["--trials", str(options.trials)] if options.trials else [])
            found = judge(program, dwarf, settings, limits, seconds, own, places[place])
        finally:
            with lock:
                free.append(own)
        found.update(place=place, dwarf=dwarf, settings=settings, number=number)
        with lock:
            judged[place, dwarf, settings] = found
            if journal:
                with journal.open("a") as file:
                    file.write(json.dumps(found) + "\n")
            if found["verdict"] != "correct":
                print(json.dumps(found), flush=True)

    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for place in places:
            points.add_place(folder, place)
        waiting, number = [], 0
        for round_number, place, at in itertools.product(range(1 + options.points // len(variants)), range(len(places)),
                                                         range(len(variants))):
            dwarf = variants[at][0]
            if number >= options.points or time.monotonic() - begin > options.limit:
                break
            settings = points.get(place, at, round_number)
            if settings is None:
                continue
            number += 1
            if (place, dwarf, settings) not in judged:
                waiting.append(pool.submit(judge_one, place, dwarf, settings, number, options.seconds))
            while sum(not each.done() for each in waiting) > 2 * options.jobs:
                time.sleep(0.05)
        for each in waiting:
            each.result()
        # A busy machine's lack of time says nothing of the kernels.
        again = [each for each in judged.values() if is_short_of_time(each)]
        list(pool.map(lambda each: judge_one(each["place"], each["dwarf"], each["settings"], each["number"], 3 * options.seconds), again))
    counts, trials = {}, {}
    for each in judged.values():
        counts[each["verdict"]] = counts.get(each["verdict"], 0) + 1
        for name, count in each.get("trials", {}).items():
            trials[name] = trials.get(name, 0) + count
    print(f"{len(judged)} points of {len(variants)} variants: {counts}; trials {trials}; {time.monotonic() - begin:.0f} s")
    false = [each for each in judged.values() if each["verdict"] != "correct" and not says_nothing(each)]
    sys.exit(1 if false else 0)


if __name__ == "__main__":
    main()
