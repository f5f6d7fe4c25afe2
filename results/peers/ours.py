"""Our side of a comparison: a point of dwarfsweep, its times, its search."""
import itertools
import json
import re
import statistics
import subprocess
import sys


class NotHere(Exception):
    """One side cannot run on this machine, with the reason."""


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else "no message"


class Ours:
    """The best known point of a dwarf for a problem, or that of the settings. What `tune` finds is kept in the folder
    `work`, and known there."""

    timed = "sum of kernels: START to END of profiling events, data resident"

    def __init__(self, program, device, dwarf, problem, settings="", work=None, budget="1s", device_name=""):
        self.program, self.device, self.dwarf, self.problem, self.work = program, device, dwarf, problem, work
        self.plan = ["--set", settings] if settings else ["--plan", "best"]
        self.device_name = device_name
        self.command = [program, "run", "--dwarf", dwarf, "--device", device, "--problem", problem, "--point-timeout", "300s"]
        self.budget = budget
        self.point = self.origin = ""
        self.work_done = {}

    def run(self, arguments, may_exit_with=(0,), folder=None):
        done = subprocess.run(arguments, capture_output=True, text=True, cwd=folder or self.work)
        if done.returncode not in may_exit_with:
            raise NotHere("our side failed: " + last_line(done.stderr or done.stdout))
        return done.stdout

    def tune(self, budget):
        self.run([self.program, "tune", "--dwarf", self.dwarf, "--device", self.device, "--problem", self.problem,
                  "--budget", budget, "--no-device-figures"], may_exit_with=(0, 1))  # 1: some point failed

    def time(self, dump=None):
        """Median time of all kernels, and by the host's clock, in ns. The point is dumped into that folder."""
        answer = json.loads(self.run([*self.command, *self.plan, "--json", "--budget", self.budget, "--blocks", "1", "--rounds",
                                      "3", *(["--dump", dump] if dump else [])]))
        self.point = answer["key"]["config"]
        origin = (answer.get("known_point") or {}).get("origin", "")
        self.origin = re.sub(r"\(/[^)]*/", "(", origin)  # without the paths of this machine
        self.work_done = next(work for work in answer["preparation"]["work"] if work["kernel"] == "total")
        # A library is timed in a loop. Only samples that directly follow one of the same point count: the baseline in between
        # fills the caches with its own arrays.
        pairs = [pair for visit in answer["visits"] for pair in itertools.pairwise(visit["samples"])]
        follow = [later["sample"] for earlier, later in pairs if earlier["role"] == later["role"] == "variant"]
        samples = follow or [later["sample"] for _, later in pairs if later["role"] == "variant"]
        if not samples:  # the best point is the baseline itself
            samples = [each["sample"] for visit in answer["visits"] for each in visit["samples"]]
        if not samples:
            raise NotHere("our point had no time for a sample")
        return (statistics.median(sample["kernels"][-1]["ns"] for sample in samples),
                statistics.median(sample["wall_ns"] for sample in samples))

    def dump(self, folder):
        self.run([*self.command, *self.plan, "--budget", self.budget, "--dump", folder])


def device_named(program, selector):
    devices = json.loads(subprocess.run([program, "devices", "--json"], capture_output=True, text=True,
                                        check=True).stdout)["devices"]
    for device in devices:
        if selector.lower() in f"{device['platform']} {device['platform_version']} {device['name']}".lower():
            return device
    sys.exit(f"peers.py: no device matches '{selector}'; there are " + ", ".join(each["name"] for each in devices))


def listed(program):
    """What `list --json` has of each dwarf."""
    answer = subprocess.run([program, "list", "--json"], capture_output=True, text=True, check=True).stdout
    return {dwarf["name"]: dwarf for dwarf in json.loads(answer)}


def peaks_of(program, device):
    """The device's measured peak rates by name."""
    answer = json.loads(subprocess.run([program, "peaks", "--device", device, "--json"], capture_output=True,
                                       text=True, check=True).stdout)
    return find_peaks(answer)


def find_peaks(answer):
    """The first object that holds `read_gb_per_s`."""
    if isinstance(answer, dict):
        if "read_gb_per_s" in answer:
            return answer
        answer = list(answer.values())
    if isinstance(answer, list):
        for each in answer:
            found = find_peaks(each)
            if found:
                return found
    return {}
