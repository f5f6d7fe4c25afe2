"""What the checks of the built program share: the program, what is counted, and which checks are done."""
import os
import pathlib
import sys
import tempfile
import time

PROGRAM = os.environ["DWARFSWEEP"]
failures = 0
checks = 0


def check(condition, what):
    """Returns whether `condition` holds; says `what` where it does not."""
    global failures, checks
    checks += 1
    if not condition:
        failures += 1
        print("FAILED:", what if len(what) < 1000 else what[:1000] + " ...", file=sys.stderr)
    return condition


def finish():
    print(f"{checks - failures} passed, {failures} failed")
    sys.exit(1 if failures else 0)


def run_checks(functions, prepare=lambda folder: []):
    """Calls those that the command line names, or all, with the folder they are in and what `prepare`
    made of it; tells how long each took, and ends the process."""
    wanted = [word for word in sys.argv[1:] if not word.startswith("-")]
    unknown = set(wanted) - {each.__name__ for each in functions}
    if unknown:
        sys.exit(f"there is no check {', '.join(sorted(unknown))}; there are {', '.join(each.__name__ for each in functions)}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.chdir(folder)
        more = prepare(folder)
        for each in functions:
            if wanted and each.__name__ not in wanted:
                continue
            begin = time.monotonic()
            each(folder, *more)
            print(f"{each.__name__}: {time.monotonic() - begin:.1f} s", flush=True)
    finish()
