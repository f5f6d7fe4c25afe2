"""Every dwarf's dumped result against its judge (tests/dwarfs/<name>_judge.py, see judging.py), on PoCL: the baseline at
all odd problems of the dwarf; every fourth of its other variants at one problem, and with `--long` each of them. A judge
may also have `write_input(folder)`: it writes an input file and returns the variant that takes it, and the file's path; and
`left_out()`, a sentence on what it cannot judge on this machine.

After the comparisons each dump is corrupted, one value of one result at a time, and the judge has to notice. A dwarf
without a judge is named, and is no failure.
"""
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from checks import PROGRAM, file_of_dwarf, listed_dwarfs, share_of_seed, variants_of

import numpy

QUICK = ["--pairs", "1", "--blocks", "1", "--rounds", "1", "--budget", "50ms", "--point-timeout", "300s"]


def program(*arguments):
    command = list(map(str, arguments))
    done = subprocess.run([PROGRAM, *command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit status {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def points_of(dwarf):
    """(variant, problem), at least one of each variant that is chosen."""
    problems = dwarf["checks"]["odd_problems"]
    baseline, others = variants_of(dwarf)
    for problem in problems:
        yield baseline, problem
    for index, variant in share_of_seed(list(enumerate(others)), parts=8):
        yield variant, problems[index % len(problems)]


def read_dump(folder):
    dump = {path.stem: numpy.load(path) for path in folder.glob("*.npy")}
    dump.update((path.name, path.read_text()) for path in folder.glob("*.txt"))
    dump.update((path.name, path.read_bytes()) for path in folder.glob("*.264"))
    dump["problem"] = json.loads((folder / "problem.json").read_text())
    return dump


def corrupt(path, random):
    """Changes one value of a result, a real number by a thousandth of the largest, or of 1 where all are 0."""
    if path.suffix == ".txt":
        text = path.read_text()
        place = text.index("\n") // 2
        path.write_text(text[:place] + ("A" if text[place] != "A" else "C") + text[place + 1:])
        return
    values = numpy.load(path)
    place = random.integers(values.size)
    if values.dtype.kind == "f":
        values.flat[place] += numpy.float32(0.001) * (numpy.abs(values).max() or 1)
    else:
        values.flat[place] ^= values.dtype.type(1)
    numpy.save(path, values)


def unnoticed_errors(dwarf, judge, folder):
    """The results in which a planted error passes. A variant need not store all results of its dwarf."""
    random = numpy.random.default_rng(1)
    unnoticed = []
    planted = 0
    for result in dwarf["checks"]["results"]:
        name = result if "." in result else result + ".npy"
        if not (folder / name).exists():
            continue
        good = (folder / name).read_bytes()
        corrupt(folder / name, random)
        planted += 1
        if judge(read_dump(folder)) is None:
            unnoticed.append(result)
        (folder / name).write_bytes(good)
    return unnoticed if planted else ["no result at all"]


def check(dwarf, judge, point, root):
    """What is wrong at the point, or nothing. Its problem is that of keys, or of an input file."""
    variant, problem = point
    folder = pathlib.Path(tempfile.mkdtemp(dir=root))
    try:
        settings = ["--set", f"variant={variant}"] if variant else []
        source = "--input" if isinstance(problem, pathlib.Path) else "--problem"
        program("run", "--dwarf", dwarf["name"], "--device", "cpu", source, problem, *settings, "--dump", folder, *QUICK)
        dump = read_dump(folder)
        if dump["problem"]["config"].get("variant") != variant or dump["problem"]["dwarf"] != dwarf["name"]:
            return "problem.json names another point"
        wrong = judge(dump)
        unnoticed = [] if wrong else unnoticed_errors(dwarf, judge, folder)
        return wrong or (f"a planted error passed in {', '.join(unnoticed)}" if unnoticed else None)
    except RuntimeError as error:
        return str(error)
    finally:
        shutil.rmtree(folder)


def main():
    dwarfs = listed_dwarfs()
    modules = {name: module for name in dwarfs if (module := file_of_dwarf(name, "judge"))}
    judges = {name: module.judge for name, module in modules.items()}
    points = [(name, point) for name in judges for point in points_of(dwarfs[name])]
    failures = [f"{name} has a judge and no odd problems" for name in judges
                if not dwarfs[name]["checks"]["odd_problems"]]
    with tempfile.TemporaryDirectory() as root, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        points += [(name, module.write_input(pathlib.Path(root))) for name, module in modules.items()
                   if hasattr(module, "write_input")]
        results = pool.map(lambda point: check(dwarfs[point[0]], judges[point[0]], point[1], root), points)
        for (name, point), wrong in zip(points, results):
            if wrong:
                failures.append(f"{name} {' '.join(map(str, point))}: {wrong}")
    print("\n".join(failures))
    for module in modules.values():
        if (sentence := getattr(module, "left_out", lambda: None)()):
            print("skipped:", sentence)
    print("not judged:", " ".join(name for name in dwarfs if name not in judges) or "none")
    print(f"{len(points) - len(failures)} of {len(points)} dumps agree, and an error planted in each was seen")
    sys.exit(1 if failures or not points else 0)


main()
