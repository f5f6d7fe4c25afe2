"""What the checks of the built program share: the program, what it lists about its dwarfs, the files next to a dwarf's
test, the counts of checks, and the choice of checks by the command line."""
import atexit
import concurrent.futures
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

if {"-h", "--help"} & set(sys.argv[1:]):
    print(sys.modules["__main__"].__doc__ or __doc__)
    sys.exit(0)
PROGRAM = os.environ["DWARFSWEEP"]
# What a check measures is no best point of the user's machine.
best_points = tempfile.TemporaryDirectory()
atexit.register(best_points.cleanup)
os.environ["DWARFSWEEP_BEST"] = best_points.name
ROOT = pathlib.Path(__file__).resolve().parent.parent
DWARF_FILES = ROOT / "tests/dwarfs"
failures = 0
checks = 0
counting = threading.Lock()


def check(condition, what):
    """Returns whether `condition` holds; says `what` where it does not."""
    global failures, checks
    with counting:
        checks += 1
        if not condition:
            failures += 1
            print("FAILED:", what if len(what) < 1000 else what[:1000] + " ...", file=sys.stderr)
    return condition


def documents():
    """All Markdown files of the tree but the tables of runs."""
    folders = ("", ".github", "docs", "dwarfs", "harness", "kernels_cl", "packaging", "results", "suite", "tests")
    found = {path for folder in folders
             for path in ((ROOT / folder).rglob("*.md") if folder else ROOT.glob("*.md"))}
    return sorted(path for path in found if path.name != "tables.md" and "runs" not in path.parts)


def finish():
    print(f"{checks - failures} passed, {failures} failed")
    sys.exit(1 if failures else 0)


FIXED_SEED = 20780  # as in daily_seed.hpp


def share_of_seed(items, parts):
    """One item in `parts`, chosen by DWARFSWEEP_TEST_SEED, which `./run test --nightly` sets to the number of the day; all
    with --long."""
    day = int(os.environ.get("DWARFSWEEP_TEST_SEED", FIXED_SEED))
    return items if "--long" in sys.argv else items[day % parts::parts]


def listed_dwarfs():
    """What `list --json` says of each dwarf, by name."""
    done = subprocess.run([PROGRAM, "list", "--json"], capture_output=True, text=True, check=True)
    return {dwarf["name"]: dwarf for dwarf in json.loads(done.stdout)}


def variants_of(dwarf):
    """The baseline's variant of a listed dwarf, and its other variants."""
    axis = next((axis for axis in dwarf["axes"] if axis["name"] == "variant"), None)
    if axis is None:
        return None, []
    return axis["baseline"], [value for value in axis["values"] if value != axis["baseline"]]


def file_of_dwarf(name, kind):
    """tests/dwarfs/<name>_<kind>.py as a module, or None where there is no such file."""
    path = DWARF_FILES / f"{name}_{kind}.py"
    if not path.exists():
        return None
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_checks(functions, prepare=lambda folder: [], at_once=1):
    """Calls those that the command line names, or all, with the folder they are in and what `prepare`
    made of it; prints how long each took, and ends the process. `at_once`: how many at the same time, the
    first ones first; for those that mostly wait."""
    wanted = [word for word in sys.argv[1:] if not word.startswith("-")]
    unknown = set(wanted) - {each.__name__ for each in functions}
    if unknown:
        names = ", ".join(each.__name__ for each in functions)
        sys.exit(f"there is no check {', '.join(sorted(unknown))}; there are {names}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.chdir(folder)
        os.environ.pop("DWARFSWEEP_BEST", None)  # results/best is the checks' own here
        more = prepare(folder)

        def timed(each):
            begin = time.monotonic()
            each(folder, *more)
            print(f"{each.__name__}: {time.monotonic() - begin:.1f} s", flush=True)

        chosen = [each for each in functions if not wanted or each.__name__ in wanted]
        with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
            list(pool.map(timed, chosen))
    finish()
