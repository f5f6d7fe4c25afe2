"""Whether tests leave alone what belongs to the user: `note` keeps the state of results/best, results/runs and the user's
program cache in a file before the first test, `compare` says what has changed after the last one."""
import json
import os
import pathlib
import sys

CACHES = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
FOLDERS = ("results/best", "results/runs", os.path.join(CACHES, "dwarfsweep"))


def state():
    """File -> size and time of the last change."""
    files = [path for folder in FOLDERS for path in pathlib.Path(folder).rglob("*") if path.is_file()]
    return {str(path): [path.stat().st_size, path.stat().st_mtime_ns] for path in files}


if {"-h", "--help"} & set(sys.argv[1:]):
    print(__doc__)
    sys.exit(0)
noted, task = pathlib.Path(sys.argv[1]), sys.argv[2]
if task == "note":
    noted.write_text(json.dumps(state()))
else:
    before, now = json.loads(noted.read_text()), state()
    changed = sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))
    if changed:
        more = f" and {len(changed) - 5} more" if len(changed) > 5 else ""
        sys.exit("changed while the tests ran, by a test or by a sweep meanwhile: " + ", ".join(changed[:5]) + more)
