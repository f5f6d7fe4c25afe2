"""Every dwarf's dumped result against tools that share no code with it (references.py), on PoCL, at small odd problems:
the baseline at all of a dwarf's, each other variant at one of them.

After the comparisons each dump is spoilt, one value of one result at a time, and the comparison has to notice.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import numpy

import references

PROGRAM = os.environ["DWARFSWEEP"]
QUICK = ["--pairs", "1", "--blocks", "1", "--rounds", "1", "--budget", "50ms"]
PROBLEMS = {
    "lud": ["n=37", "n=1", "n=70"],
    "crc": ["bytes=10007", "bytes=0", "bytes=1", "bytes=3"],
    "needle": ["m=45,n=71", "m=83,n=29,scoring=dna,gap=3", "m=1,n=33"],
    "srad": ["rows=19,cols=33", "rows=45,cols=17,iterations=3,lambda=0.25,roi_top=3,roi_left=2,roi_rows=11,roi_cols=9",
             "rows=1,cols=7"],
    "bfs": ["nodes=501", "nodes=700,degree=1,source=13", "nodes=512,graph=kronecker,source=5"],
    "sgemv": ["m=33,n=57", "m=70,n=41,lda=50,alpha=1.5,beta=-0.5", "m=45,n=91,transposed=1,beta=2"],
    "kmeans": ["points=501,features=7,clusters=5,iterations=1", "points=333,features=34,clusters=3,iterations=4"],
    "des": ["blocks=77", "blocks=33,mode=decrypt", "blocks=3001,mode=search"],
    "hotspot": ["rows=19,cols=33,steps=1", "rows=45,cols=37,steps=5"],
}
RESULTS = {
    "lud": ["lu"],
    "crc": ["crc"],
    "needle": ["score", "matrix", "alignment.txt"],
    "srad": ["output"],
    "bfs": ["levels"],
    "sgemv": ["y"],
    "kmeans": ["assignments", "centroids"],
    "des": ["ciphertext"],
    "hotspot": ["output"],
}


def program(*arguments):
    command = list(map(str, arguments))
    done = subprocess.run([PROGRAM, *command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit status {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def variants_of(dwarf):
    words = re.search(r"^ +variant +(.*) \[(\w+)\]$", program("list", "--dwarf", dwarf), re.MULTILINE)
    names, baseline = words[1].split(), words[2]
    return baseline, [name for name in names if name != baseline]


def points():
    """(dwarf, variant, problem)"""
    for dwarf, problems in PROBLEMS.items():
        baseline, others = variants_of(dwarf)
        for problem in problems:
            yield dwarf, baseline, problem
        for index, variant in enumerate(others):
            yield dwarf, variant, problems[index % len(problems)]


def read_dump(folder):
    dump = {path.stem: numpy.load(path) for path in folder.glob("*.npy")}
    dump.update((path.name, path.read_text()) for path in folder.glob("*.txt"))
    dump["problem"] = json.loads((folder / "problem.json").read_text())
    return dump


def spoil(path, random):
    """Changes one value of a result, a real number by a thousandth of the largest."""
    if path.suffix == ".txt":
        text = path.read_text()
        place = text.index("\n") // 2
        path.write_text(text[:place] + ("A" if text[place] != "A" else "C") + text[place + 1:])
        return
    values = numpy.load(path)
    place = random.integers(values.size)
    if values.dtype.kind == "f":
        values.flat[place] += numpy.float32(0.001) * numpy.abs(values).max()
    else:
        values.flat[place] ^= 1
    numpy.save(path, values)


def spoilt_unnoticed(dwarf, folder):
    """The results in which a planted error passes."""
    random = numpy.random.default_rng(1)
    unnoticed = []
    for result in RESULTS[dwarf]:
        name = result if "." in result else result + ".npy"
        if not (folder / name).exists():
            continue
        good = (folder / name).read_bytes()
        spoil(folder / name, random)
        if references.judges[dwarf](read_dump(folder)) is None:
            unnoticed.append(result)
        (folder / name).write_bytes(good)
    return unnoticed


def check(point, root):
    dwarf, variant, problem = point
    folder = pathlib.Path(tempfile.mkdtemp(dir=root))
    try:
        program("run", "--dwarf", dwarf, "--device", "cpu", "--problem", problem, "--set", f"variant={variant}",
                "--dump", folder, *QUICK)
        dump = read_dump(folder)
        if dump["problem"]["config"]["variant"] != variant or dump["problem"]["dwarf"] != dwarf:
            return "problem.json names another point"
        wrong = references.judges[dwarf](dump)
        unnoticed = [] if wrong else spoilt_unnoticed(dwarf, folder)
        return wrong or (f"a planted error passed in {', '.join(unnoticed)}" if unnoticed else None)
    except RuntimeError as error:
        return str(error)
    finally:
        shutil.rmtree(folder)


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as root, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        todo = list(points())
        for point, wrong in zip(todo, pool.map(lambda point: check(point, root), todo)):
            if wrong:
                failures += 1
                print(f"{' '.join(point)}: {wrong}")
    print(f"{len(todo) - failures} of {len(todo)} dumps agree, and an error planted in each was seen")
    sys.exit(1 if failures else 0)


main()
