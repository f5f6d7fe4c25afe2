#!/usr/bin/env python3
"""Writes what Code Base Investigator reads: for each device a compile_commands.json of the OpenCL programs that a plan has
there, and an analysis.toml that names them as platforms.

    results/readers/compile_commands.py --out DIR [--program build/release/dwarfsweep] [--plan best] [--dwarf D,..] [DEVICES..]

DEVICES are files with devices (a run's run.json, or the output of `dwarfsweep devices --json`), which need not be here;
without any, the devices that are here. The sources are the .cl files of kernels_cl, with the options that the compiler
gets; programs that cannot be built on a device are left out. Then: codebasin DIR/analysis.toml. Its root is the folder of
analysis.toml, so that the kernels are copied there, too.
"""

import argparse
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def programs_of(arguments, devices):
    """[{device, dwarf, programs}...] as the program tells."""
    command = [arguments.program, "list", "--programs", "--plan", arguments.plan]
    if arguments.dwarf:
        command += ["--dwarf", arguments.dwarf]
    if devices:
        command += ["--as-device", devices]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"compile_commands.py: {done.stderr.strip()}")
    return json.loads(done.stdout)


def commands_of(listed, kernels):
    """An entry for each program: its main file, after the prelude, with the macros it is compiled with."""
    entries = []
    for program in listed["programs"]:
        file = str(kernels / f"{program['file']}.cl")
        macros = [option for option in re.findall(r"-D\s*(\S+)", program["options"])]
        words = ["clang", *[f"-D{macro}" for macro in macros], f"-I{kernels}", "-include", "prelude.cl", "-c", file]
        entries.append({"directory": str(kernels), "command": shlex.join(words), "file": file})
    return entries


def platform_name(device, known):
    """A bare TOML key that no other device has."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", device).strip("-") or "device"
    while name in known:
        name += "-2"
    return name


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("devices", nargs="*", type=Path, metavar="DEVICES")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "release" / "dwarfsweep")
    parser.add_argument("--plan", default="best")
    parser.add_argument("--dwarf", default="")
    arguments = parser.parse_args()
    kernels = arguments.out.resolve() / "kernels_cl"
    shutil.copytree(ROOT / "kernels_cl", kernels, dirs_exist_ok=True)
    platforms = {}  # (file, device id) -> name, commands
    for file in arguments.devices or [None]:
        for listed in programs_of(arguments, file):
            key = (file, listed["device_id"])
            if key not in platforms:
                platforms[key] = (platform_name(listed["device"], [name for name, _ in platforms.values()]), [])
            platforms[key][1].extend(commands_of(listed, kernels))
    text = ""
    for name, entries in platforms.values():
        file = arguments.out / f"{name}.json"
        file.write_text(json.dumps(entries, indent=1) + "\n")
        text += f'[platform.{name}]\ncommands = "{file.name}"\n\n'
        print(f"{file}: {len(entries)} programs", file=sys.stderr)
    (arguments.out / "analysis.toml").write_text(text)


if __name__ == "__main__":
    main()
