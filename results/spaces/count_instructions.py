#!/usr/bin/env python3
"""Counts the instructions of a recorded space's points, for optimisation carving.

    count_instructions.py SPACE --dwarf D --problem m=128,n=128 --icd FOLDER [--program dwarfsweep] [--points N]

runs every point (or N of them, drawn by --seed; the baseline always) of SPACE, a file by `dwarfsweep table --format space`, at
a small problem on Oclgrind, and writes SPACE again with the columns

    ir_instructions  LLVM IR instructions that all work-items of one run execute (Instr * Threads of the paper)
    threads          work-items of all its launches
    regions          intervals between blocking instructions in a work-item: barriers and loads from global memory, plus one.
                     Every load counts as one with a use of its own, which it is not where several are loaded before the
                     first use: the true number may be smaller.
    count_ms         what counting took

Points that are illegal at the small problem, fail or take too long there keep these columns empty. FOLDER has an .icd file that
names Oclgrind's liboclgrind-rt-icd.so, and no other.

    count_instructions.py SPACE --counts-of OTHER

copies the counts of the same points from OTHER, a space of another device: the instructions are the same for every device."""
import argparse
import csv
import gzip
import json
import os
import pathlib
import pty
import queue
import random
import re
import select
import subprocess
import threading
import time

COLUMNS = ["ir_instructions", "threads", "regions", "count_ms"]
LAUNCH = re.compile(r"Instructions executed for kernel '(\w+)':")
COUNT = re.compile(r"^\s*(\d+) - (.*)$", re.M)
BLOCKING = re.compile(r"load global|call \w*(barrier|wait_group_events|read_image)")
# The timer of the session: without it the worker would test Oclgrind's, which takes seconds and is not used.
TIMER = {"timer": "host", "reason": "nothing is timed", "spans": False, "span_reason": "", "tick_ns": 1, "launch_ns": 0.0,
         "scaling": 0.0}


class Worker:
    """The program's worker on Oclgrind, and what Oclgrind prints: through a terminal, so that it comes line by line."""

    def __init__(self, program, icd):
        answers, write_end = os.pipe()
        self.terminal, terminal_end = pty.openpty()
        environment = dict(os.environ, OCL_ICD_VENDORS=str(icd), OCLGRIND_INST_COUNTS="1")
        self.process = subprocess.Popen([program, "worker"], stdin=subprocess.PIPE, stdout=terminal_end,
                                        stderr=subprocess.DEVNULL, env=environment, close_fds=False,
                                        preexec_fn=lambda: os.dup2(write_end, 3))
        os.close(write_end)
        os.close(terminal_end)
        self.answers = answers
        device = self.ask({"do": "devices"}, 60)[0]["devices"][0]
        device["progress"]["tested"] = True
        self.ask({"do": "open", "device": device, "kernels": "", "cache": "hot", "timer": TIMER}, 60)

    def ask(self, request, seconds):
        """The result and what was printed meanwhile; raises RuntimeError where there is none."""
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        end = time.monotonic() + seconds
        answer, printed = b"", b""
        while not answer.endswith(b"\n"):
            ready, _, _ = select.select([self.answers, self.terminal], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise TimeoutError
            if self.terminal in ready:
                printed += os.read(self.terminal, 1 << 16)
            elif not (part := os.read(self.answers, 1 << 16)):
                raise RuntimeError("the worker ended")
            else:
                answer += part
        while select.select([self.terminal], [], [], 0.02)[0]:
            printed += os.read(self.terminal, 1 << 16)
        parsed = json.loads(answer)
        if "error" in parsed:
            raise ValueError(parsed["error"])
        return parsed["result"], printed.decode()

    def end(self):
        self.process.kill()
        self.process.wait()
        os.close(self.answers)
        os.close(self.terminal)


def counts_of(printed, runs=3, kernel=""):
    """Of one run, or of those of its launches whose kernel's name has `kernel` in it. `verify` runs a point three times, one
    like the other; the last third is taken."""
    names, launches = LAUNCH.split(printed)[1::2], LAUNCH.split(printed)[2::2]
    if not names or names != names[:len(names) // runs] * runs:
        raise ValueError(f"{len(names)} launches are not those of {runs} runs")
    instructions = threads = blocking = 0
    last = -len(launches) // runs
    for name, launch in zip(names[last:], launches[last:]):
        if kernel not in name:
            continue
        for number, what in COUNT.findall(launch.replace("\r", "")):
            instructions += int(number)
            threads += int(number) if what == "ret" else 0
            blocking += int(number) if BLOCKING.match(what) else 0
    if threads == 0:
        raise ValueError(f"no launch of '{kernel}' among those of {', '.join(sorted(set(names)))}")
    return {"ir_instructions": instructions, "threads": threads, "regions": round(blocking / threads + 1, 3)}


def value_of(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def complete_problem(arguments):
    """With the keys that were not given, as [[key, value], ..]."""
    done = subprocess.run([arguments.program, "list", "--dwarf", arguments.dwarf, "--device", "oclgrind", "--plan", "baseline",
                           "--problem", arguments.problem, "--json"], capture_output=True, text=True, check=True,
                          env=dict(os.environ, OCL_ICD_VENDORS=str(arguments.icd)))
    text = json.loads(done.stdout)[0]["problem"]
    return [[key, value_of(value)] for key, value in (entry.split("=") for entry in text.split(";"))]


def count_points(arguments, problem, axes, rows):
    """Fills the columns of the rows, each of which a queue hands to one of the workers."""
    waiting = queue.Queue()
    for row in rows:
        waiting.put(row)

    def serve():
        worker = None
        while not waiting.empty():
            try:
                row = waiting.get_nowait()
            except queue.Empty:
                break
            point = {"dwarf": arguments.dwarf, "problem": {"size": "custom", "values": problem}, "files": [], "seed": 1,
                     "config": [[axis, value_of(row[axis])] for axis in axes], "host_threads": 0, "kernels": ""}
            begin = time.monotonic()
            try:
                worker = worker or Worker(arguments.program, arguments.icd)
                _, printed = worker.ask({"do": "verify", "point": point}, arguments.limit)
                row.update(counts_of(printed), count_ms=round(1000 * (time.monotonic() - begin), 1))
            except ValueError as error:
                print(f"{point['config']}: {error}", flush=True)
            except (TimeoutError, RuntimeError, OSError) as error:
                print(f"{point['config']}: {type(error).__name__} {error}", flush=True)
                if worker:
                    worker.end()
                worker = None
        if worker:
            worker.end()

    threads = [threading.Thread(target=serve) for _ in range(arguments.workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def copy_counts(axes, rows, other):
    """An axis that was added to a dwarf after `other` was recorded has no meaning in the points that it has."""
    axes = [axis for axis in axes if axis in other[0]]
    counted = {tuple(row[axis] for axis in axes): row for row in other if row.get("ir_instructions")}
    for row in rows:
        if found := counted.get(tuple(row[axis] for axis in axes)):
            row.update({name: found[name] for name in COLUMNS})


def read_space(path):
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else open(path)
    with opened as file:
        reader = csv.DictReader(file)
        rows = list(reader)
        return [name for name in reader.fieldnames if name not in COLUMNS], rows


def write_space(path, names, rows):
    # No time stamp, so that the same rows give the same bytes.
    lines = [",".join(names)] + [",".join(str(row.get(name, "")) for name in names) for row in rows]
    text = "\n".join(lines) + "\n"
    path.write_bytes(gzip.compress(text.encode(), mtime=0) if path.suffix == ".gz" else text.encode())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("space", type=pathlib.Path)
    parser.add_argument("--counts-of", type=pathlib.Path)
    parser.add_argument("--dwarf")
    parser.add_argument("--problem")
    parser.add_argument("--icd", type=pathlib.Path)
    parser.add_argument("--program", default="dwarfsweep")
    parser.add_argument("--points", type=int, default=0, help="how many are counted (0: all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=20, help="seconds for a point")
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    if not arguments.counts_of and not (arguments.dwarf and arguments.problem and arguments.icd):
        parser.error("counting needs --dwarf, --problem and --icd; copying needs --counts-of")
    names, rows = read_space(arguments.space)
    for row in rows:
        for name in COLUMNS:
            row.pop(name, None)
    axes = names[:names.index("time_ms")]
    chosen = rows
    if 0 < arguments.points < len(rows):
        chosen = rows[:1] + random.Random(arguments.seed).sample(rows[1:], arguments.points - 1)
    if arguments.counts_of:
        copy_counts(axes, rows, read_space(arguments.counts_of)[1])
    else:
        count_points(arguments, complete_problem(arguments), axes, chosen)
    write_space(arguments.space, names + COLUMNS, rows)
    counted = sum("ir_instructions" in row for row in rows)
    print(f"{arguments.space}: {counted} of {len(chosen)} points counted, in "
          f"{sum(float(row.get('count_ms', 0)) for row in rows) / 1000:.0f} s")


if __name__ == "__main__":
    main()
