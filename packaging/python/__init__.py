"""Starts the program and the plotting script of the wheel. OpenCL runtimes from the extras are offered next to the system's."""

import hashlib
import importlib.metadata
import os
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SYSTEM_VENDORS = Path("/etc/OpenCL/vendors")
RUNTIMES = {"intel-opencl-rt": "libintelocl.so", "pocl-binary-distribution": "libpocl*.so"}


def installed_runtimes():
    """The libraries of the OpenCL runtimes that pip has installed."""
    for package, library in RUNTIMES.items():
        try:
            files = importlib.metadata.files(package) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        if package.startswith("pocl") and not shutil.which("ld"):
            print("dwarfsweep: leaving out pip's PoCL, which needs the linker ld: install binutils, or use "
                  "'dwarfsweep[intel]', which needs nothing else", file=sys.stderr)
            continue
        yield from (str(file.locate().resolve()) for file in files if file.match(library))


def vendors_folder():
    """A folder of .icd files: the system's, and one for each runtime of pip's. None if pip has installed none."""
    wanted = {f"{Path(library).name}.icd": library for library in installed_runtimes()}
    if not wanted:
        return None
    for icd in SYSTEM_VENDORS.glob("*.icd"):
        wanted[icd.name] = icd.read_text().strip()
    # Named by its contents: another process may be reading it.
    name = hashlib.sha256(repr(sorted(wanted.items())).encode()).hexdigest()[:16]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dwarfsweep"
    folder = cache / f"vendors-{name}"
    if not folder.exists():
        cache.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(dir=cache))
        for icd, library in wanted.items():
            (draft / icd).write_text(library + "\n")
        try:
            draft.rename(folder)
        except OSError:  # another process was first
            shutil.rmtree(draft)
    return folder


def main():
    environment = dict(os.environ)
    if "OCL_ICD_VENDORS" not in environment:
        folder = vendors_folder()
        if folder:
            environment["OCL_ICD_VENDORS"] = str(folder)
    program = HERE / "bin" / "dwarfsweep"
    os.execve(program, ["dwarfsweep", *sys.argv[1:]], environment)


def plot():
    try:
        importlib.metadata.version("pandas")
        importlib.metadata.version("matplotlib")
    except importlib.metadata.PackageNotFoundError:
        if not {"-h", "--help"} & set(sys.argv):
            sys.exit("dwarfsweep-plot needs pandas and matplotlib: pip install 'dwarfsweep[plots]'")
    script = HERE / "share" / "dwarfsweep" / "plots" / "plot.py"
    os.execv(sys.executable, [sys.executable, str(script), *sys.argv[1:]])
