"""Which programs a device's compiler gets, and what came of each: compiled now, or known from an earlier check."""
import concurrent.futures
import json
import os
import pathlib
import subprocess

from offline import compilers

DEVICES = pathlib.Path(__file__).resolve().parent / "devices"


def devices():
    """The described devices by name."""
    return {path.stem: json.loads(path.read_text()) for path in sorted(DEVICES.glob("*.json"))}


def listed(program, name, *more):
    """The groups of `list --programs`, one for each dwarf, with the programs and points of a plan."""
    done = subprocess.run([program, "list", "--plan", "corners", "--size", "small", "--programs", "--as-device",
                           str(DEVICES / f"{name}.json"), *more], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


class Builds:
    """What is known of programs by their keys, in a file of lines of JSON that grows."""

    def __init__(self, file):
        self.file = pathlib.Path(file)
        self.known = {}
        if self.file.exists():
            for line in self.file.read_text().splitlines():
                entry = json.loads(line)
                self.known[entry.pop("key")] = entry

    def add(self, key, result):
        self.known[key] = result
        with open(self.file, "a") as file:
            file.write(json.dumps({"key": key, **result}) + "\n")

    def results(self, programs, device, jobs=None):
        """For each program (text and options) what came of it."""
        with concurrent.futures.ThreadPoolExecutor(jobs or len(os.sched_getaffinity(0))) as pool:
            keys = list(pool.map(lambda each: compilers.key_of(each["text"], each["options"], device), programs))
            missing = {key: each for key, each in zip(keys, programs) if key not in self.known}
            waiting = {pool.submit(compilers.build, each["text"], each["options"], device): key
                       for key, each in missing.items()}
            for done in concurrent.futures.as_completed(waiting):
                self.add(waiting[done], done.result())
        return [self.known[key] for key in keys]
