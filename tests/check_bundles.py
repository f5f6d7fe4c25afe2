"""The bundles in results/atlas, as `intake` sees them: none may be refused. One that is doubtful only because its kernels or its
revision are not those of a release is welcome (docs/sharing.md)."""
import json
import pathlib
import subprocess

from checks import PROGRAM, check, run_checks

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "results" / "atlas"
WELCOME = {"kernels", "revision"}
MAX_BYTES = 8_000_000


def committed_bundles_are_not_refused(_):
    bundles = sorted(FOLDER.glob("*.dsb"))
    print(f"{len(bundles)} bundles")
    others = {path.name for path in FOLDER.iterdir()} - {path.name for path in bundles}
    check(others == {"README.md", "add_device", "make_pages", "released.csv"}, f"results/atlas has {sorted(others)}")
    if not bundles:
        return
    done = subprocess.run([PROGRAM, "intake", *map(str, bundles), "--json"], capture_output=True, text=True)
    if not check(done.returncode in (0, 1), f"intake: {done.returncode} {done.stderr}"):
        return
    for path, report in zip(bundles, json.loads(done.stdout)):
        check(path.stat().st_size < MAX_BYTES, f"{path.name} has {path.stat().st_size} bytes; at most {MAX_BYTES} are allowed")
        found = [each for each in report["findings"] if each["kind"] not in WELCOME or each["level"] == "refused"]
        found += report["on_this_machine"]["findings"]
        check(not found, f"{path.name}: {json.dumps(found)}")


run_checks([committed_bundles_are_not_refused])
