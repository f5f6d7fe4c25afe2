"""`tune --replay` from outside: the formats it reads, the lines it prints, what it refuses."""
import csv
import gzip
import importlib.util
import io
import json
import pathlib
import subprocess
import sys

from checks import PROGRAM, check, run_checks

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMPARISON = ROOT / "results/spaces/compare_tuners.py"
HEADER = ["space", "strategy", "repeats", "evaluations", "median_over_best", "within_2_percent", "score"]


def tune(*arguments):
    return subprocess.run([PROGRAM, "tune", *map(str, arguments)], capture_output=True, text=True, timeout=300)


def points():
    """A valley with a constraint and failures: block, tile, method, time or None."""
    for block in (16, 32, 64, 128, 256):
        for tile in (1, 2, 4, 8):
            for method in (0, 1, 2):
                if block * tile <= 512:
                    time = 1 + abs(block - 64) / 64 + abs(tile - 4) / 2 + (method != 1)
                    yield block, tile, method, None if (block, method) == (16, 2) else time


def csv_space():
    lines = ["block,tile,method,time_ms,invalid,compile_ms,benchmark_ms,verify_ms"]
    for block, tile, method, time in points():
        lines.append(f"{block},{tile},{method},{time or ''},{'' if time else 'runtime'},1,1,1")
    return "\n".join(lines) + "\n"


def cache_space():
    cache = {f"{block},{tile},{method}": {"block": block, "tile": tile, "method": method,
                                          "time": time or "RuntimeFailedConfig"}
             for block, tile, method, time in points()}
    return json.dumps({"tune_params_keys": ["block", "tile", "method"], "objective": "time", "cache": cache})


def rows_of(done):
    return list(csv.DictReader(io.StringIO(done.stdout)))


def formats_agree(folder):
    (folder / "valley.csv").write_text(csv_space())
    (folder / "valley.json").write_text(cache_space())
    for name, text in (("packed/valley.csv.gz", csv_space()), ("packed/valley.json.gz", cache_space())):
        (folder / "packed").mkdir(exist_ok=True)
        (folder / name).write_bytes(gzip.compress(text.encode()))
    outputs = set()
    for name in ("valley.csv", "valley.json", "packed/valley.csv.gz", "packed/valley.json.gz"):
        done = tune("--replay", folder / name, "--strategy", "random,local,genetic,auto,exhaustive", "--evaluations",
                    "10,20", "--repeats", 20, "--seed", 3, "--format", "csv")
        check(done.returncode == 0 and not done.stderr, f"{name}: {done.returncode} {done.stderr}")
        outputs.add(done.stdout)
    check(len(outputs) == 1, "a space gives the same in every format")
    rows = rows_of(done)
    check(done.stdout.splitlines()[0] == ",".join(HEADER), done.stdout.splitlines()[0])
    check([(row["strategy"], row["evaluations"]) for row in rows]
          == [(strategy, count) for strategy in ("random", "local", "genetic", "auto", "exhaustive")
              for count in ("10", "20")], "a line for each strategy and number of evaluations, in order")
    for row in rows:
        check(row["space"] == "valley" and row["repeats"] == "20", str(row))
        check(float(row["median_over_best"]) >= 1 and 0 <= float(row["within_2_percent"]) <= 1, str(row))
        check(float(row["score"]) <= 1 and (row["strategy"] != "random" or float(row["score"]) == 0), str(row))


def everything_is_found(folder):
    (folder / "valley.csv").write_text(csv_space())
    count = len(list(points()))
    done = tune("--replay", folder / "valley.csv", "--strategy", "random,local,genetic,auto,exhaustive",
                "--evaluations", f"{count},1000", "--repeats", 10, "--format", "csv")
    check(len(rows_of(done)) == 10, done.stderr)
    for row in rows_of(done):
        check(float(row["median_over_best"]) == 1 and float(row["within_2_percent"]) == 1,
              f"all points: the best is among them: {row}")


def seeds_count(folder):
    (folder / "valley.csv").write_text(csv_space())
    outputs = [tune("--replay", folder / "valley.csv", "--evaluations", "12", "--seed", seed, "--format", "csv").stdout
               for seed in (1, 1, 2)]
    check(outputs[0] == outputs[1], "the same seed, the same replay")
    check(outputs[0] != outputs[2], "another seed, another replay")


def reference_runs_are_spaces(_):
    done = tune("--replay", ROOT / "results/reference/pocl-small", "--strategy", "random,auto", "--evaluations", 10,
                "--repeats", 5, "--format", "csv")
    check(done.returncode == 0 and len(rows_of(done)) >= 18, f"nine dwarfs: {done.stderr}")


def our_spaces_can_be_carved(_):
    paths = sorted((ROOT / "results/spaces").glob("*-pocl-2core.csv.gz"))
    check(len(paths) >= 4, f"slices of four dwarfs: {paths}")
    done = tune("--replay", ",".join(map(str, paths)), "--strategy", "random,carve", "--evaluations", 50, "--repeats", 2)
    check(done.returncode == 0 and not done.stderr, f"{done.returncode} {done.stderr}")
    for words in ("expected best of as many random ones", "as many measured", "as many compiled", "the same seconds", "by efficiency alone", "from the first row"):
        check(done.stdout.count(words) == len(paths), f"'{words}' for each space: {done.stdout}")


def comparison_scores_alike(folder):
    """One parameter: the exhaustive search takes the points in the order of the file."""
    spec = importlib.util.spec_from_file_location("compare_tuners", COMPARISON)
    comparison = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(comparison)
    times = [None if i % 7 == 0 else 1 + (i * 37 % 101) / 10 for i in range(150)]
    path = folder / "line.csv"
    path.write_text("a,time_ms\n" + "".join(f"{i},{time or ''}\n" for i, time in enumerate(times)))
    for row in rows_of(tune("--replay", path, "--strategy", "exhaustive", "--evaluations", "2,5,25,100,400", "--repeats", 1,
                            "--format", "csv")):
        line = comparison.Space(path).line("any", 1, int(row["evaluations"]), times, "early")
        check((line["over_best"], line["score"]) == (row["median_over_best"], row["score"]), f"{line} {row}")


def comparison_continues(folder):
    (folder / "valley.csv").write_text(csv_space())
    work = folder / "work"
    tables = []
    for cut in (0, 20):  # characters: the last line, whole or in the middle
        if cut:
            searches = (work / "searches.csv").read_text()
            (work / "searches.csv").write_text(searches[:-cut])
        done = subprocess.run([sys.executable, COMPARISON, "--work", work, "--out", folder / f"{cut}.csv", "--strategies", "",
                               "--repeats", "3", "--program", PROGRAM, folder / "valley.csv"], capture_output=True, text=True)
        check(done.returncode == 0 and not done.stderr, f"{done.returncode} {done.stderr}")
        check("valley: 50 and 100 evaluations" in done.stdout, done.stdout)
        tables.append((folder / f"{cut}.csv").read_text())
    check(tables[0] == tables[1], f"continued, the same table: {tables}")
    check((work / "searches.csv").read_text() == searches, "the search that was cut is made again")
    rows = list(csv.DictReader(io.StringIO(tables[0])))
    check([(row["evaluations"], row["repeats"]) for row in rows] == [("25", "3"), ("50", "3"), ("100", "3")], str(rows))


def wrong_input_is_refused(folder):
    (folder / "valley.csv").write_text(csv_space())
    (folder / "table.csv").write_text("a,b\n1,2\n")
    (folder / "half.csv.gz").write_bytes(gzip.compress(csv_space().encode())[:-20])
    (folder / "twice.csv").write_text("a,a,time_ms\n1,2,3\n")
    (folder / "bomb.csv.gz").write_bytes(gzip.compress(bytes(300 << 20), 1))
    (folder / "wrong.json").write_text('{"tune_params_keys": [7],\n "cache": {}}')
    (folder / "open.json").write_text('{"cache":\n {"16": [}')
    good = folder / "valley.csv"
    for arguments, words in (
            ([], "--replay"),
            (["--replay", folder / "none.csv"], "there is no '"),
            (["--replay", folder / "table.csv"], "is no recorded space"),
            (["--replay", folder / "half.csv.gz"], "is not a complete gzip file"),
            (["--replay", folder / "twice.csv"], "twice.csv, line 1: 'a' is there twice"),
            (["--replay", folder / "bomb.csv.gz"], "bomb.csv.gz: unpacks to more than 256 MiB"),
            (["--replay", folder / "wrong.json"], "wrong.json, tune_params_keys: is no recorded space"),
            (["--replay", folder / "open.json"], "open.json, line 2: is not JSON; expected Kernel Tuner's cache"),
            (["--replay", "x" * 5000], "cannot be read: File name too long"),
            (["--replay", "/dev/zero"], "/dev/zero: is a device, expected a file"),
            (["--replay", folder], "contains neither measurements.csv nor"),
            (["--replay", good, "--strategy", "clever"], "there is no strategy 'clever'; there are auto, random"),
            (["--replay", good, "--strategy", "carve"], "valley: 'carve' needs instruction counts, and no point here has any"),
            (["--replay", good, "--evaluations", "0"], "--evaluations is '0', but must be integers from 1"),
            (["--replay", good, "--evaluations", "100,many"], "--evaluations is 'many'"),
            (["--replay", good, "--repeats", "0"], "--repeats is '0'"),
            (["--replay", good, "--format", "latex"], "--format is 'latex', but must be one of text, csv")):
        done = tune(*arguments)
        check(done.returncode == 2 and not done.stdout, f"{arguments}: {done.returncode} {done.stdout}")
        check(words in done.stderr and done.stderr.count("\n") == 1, f"{arguments}: {done.stderr}")


run_checks([formats_agree, everything_is_found, seeds_count, reference_runs_are_spaces, our_spaces_can_be_carved,
            comparison_scores_alike, comparison_continues, wrong_input_is_refused])
