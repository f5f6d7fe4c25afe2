"""Holds crc to zlib itself: the dumped stream's zlib.crc32 must be the dumped result, for every variant.

The test program links nothing of zlib, so that the suite needs no more than it does; Python brings one along.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import zlib

import numpy

PROGRAM = os.environ["DWARFSWEEP"]
QUICK = ["--pairs", "1", "--blocks", "1", "--rounds", "1", "--budget", "2s"]


def dumped(folder, variant, *problem):
    subprocess.run([PROGRAM, "run", "--dwarf", "crc", "--device", "cpu", "--set", f"variant={variant}",
                    "--dump", folder, *problem, *QUICK], check=True, stdout=subprocess.DEVNULL)
    data = numpy.load(pathlib.Path(folder) / "data.npy")
    crc = numpy.load(pathlib.Path(folder) / "crc.npy")
    if data.dtype != numpy.uint8 or data.ndim != 1 or crc.dtype != numpy.uint32 or crc.shape != (1,):
        sys.exit(f"{variant}: data is {data.dtype}{data.shape} and crc is {crc.dtype}{crc.shape}")
    return data.tobytes(), int(crc[0])


def check(variant, wanted_bytes, *problem):
    with tempfile.TemporaryDirectory() as folder:
        data, crc = dumped(folder, variant, *problem)
    if len(data) != wanted_bytes or zlib.crc32(data) != crc:
        sys.exit(f"{variant}, {' '.join(problem)}: {len(data)} bytes of {wanted_bytes}, "
                 f"{crc:#010x}, zlib says {zlib.crc32(data):#010x}")
    return data


def main():
    for variant in ("per_byte", "slicing", "interleaved"):
        for size in (0, 1, 3, 10007):
            check(variant, size, "--problem", f"bytes={size}")
    source = pathlib.Path(__file__)
    if check("interleaved", source.stat().st_size, "--input", str(source)) != source.read_bytes():
        sys.exit("the dumped stream is not the input file")


main()
