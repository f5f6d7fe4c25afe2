#!/usr/bin/env python3
"""Compares our sgemv with cuBLAS by one clock, on a machine with an NVIDIA GPU and PyTorch.

    results/peers/same_clock.py build/release/dwarfsweep --device nvidia --out same_clock.csv

OpenCL's profiling events and PyTorch's profiler do not agree about kernels of some microseconds: one that does almost
nothing takes 6.6 us by the former and 3.8 us by the latter. Here both are kernels of one CUDA context and PyTorch's
profiler times both: cuBLAS (torch.mv), and the PTX that NVIDIA's OpenCL compiler generates from our best point for the
size, written by `run --dump`. The result is verified against double precision before anything is timed.

`matrices` is the number of matrices that take turns: with 1 the matrix stays in the cache where it fits; otherwise as
many as exceed the cache. A ratio is cuBLAS's time / our time: the median over the rounds, with the minimum and the
maximum.
"""
import argparse
import csv
import ctypes
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

COLUMNS = ["device", "dwarf", "problem", "point", "matrices", "ours_ns", "peer", "peer_ns", "ratio", "ratio_low",
           "ratio_high", "rounds"]
BEYOND_CACHE = 256 << 20  # bytes


class Driver:
    """The calls of the CUDA driver that launch a kernel from PTX."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")

    def __call__(self, function, *arguments):
        error = getattr(self.library, function)(*arguments)
        if error != 0:
            sys.exit(f"same_clock.py: {function} gave CUDA error {error}")

    def function(self, ptx, name):
        # OpenCL's global offset is in special registers, which only OpenCL launches set; it is 0. The texture mode is
        # an option that CUDA does not have; there are no textures.
        ptx = re.sub(rb"%envreg\d+", b"0", ptx).replace(b", texmode_independent", b"").rstrip(b"\0")
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(ptx))
        self("cuModuleGetFunction", ctypes.byref(function), module, name)
        return function

    def launch(self, function, groups, items, arguments, stream):
        pointers = (ctypes.c_void_p * len(arguments))(*(ctypes.addressof(each) for each in arguments))
        self("cuLaunchKernel", function, groups, 1, 1, items, 1, 1, 0, ctypes.c_void_p(stream), pointers, None)


class Ours:
    """The best known point for n x n, as compiled by the device's OpenCL compiler."""

    def __init__(self, program, device, driver, n):
        self.driver, self.n = driver, n
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([program, "run", "--dwarf", "sgemv", "--device", device, "--plan", "best", "--problem",
                            f"m={n},n={n}", "--budget", "1s", "--rounds", "3", "--dump", folder], check=True,
                           capture_output=True)
            folder = pathlib.Path(folder)
            self.config = json.loads((folder / "problem.json").read_text())["config"]
            ptx = (folder / "program_1_sgemv.binary").read_bytes()
            options = (folder / "program_1_sgemv.options").read_text()
        self.macros = dict(re.findall(r"-D (\w+)=(\w+)", options))
        self.items = int(self.macros["WORK_GROUP"])
        lanes = int(self.macros["ROW_LANES"]) if self.config["variant"] == "split_k" else self.items
        self.groups = -(-n // (self.items // lanes * int(self.macros["GRANULARITY"])))
        if self.config["variant"] not in ("split_k", "row_per_group") or self.macros.get("PARTIAL", "0") != "0":
            sys.exit(f"same_clock.py: {self.config} needs more than one launch, which this script does not support")
        entry = re.search(rb"\.entry gemv\((.*?)\)", ptx, re.S).group(1)
        self.parameters = entry.count(b".param")
        self.function = driver.function(ptx, b"gemv")

    def run(self, torch, matrix, x, y):
        arguments = [ctypes.c_int(self.n), ctypes.c_int(self.n), ctypes.c_ulong(self.n), ctypes.c_float(1),
                     ctypes.c_float(0)]
        arguments += [ctypes.c_ulong(each.data_ptr()) for each in (matrix, x, y, y)]
        if self.parameters == 11:  # split_k: partial sums (none) and the chunk size (all terms)
            arguments += [ctypes.c_ulong(y.data_ptr()), ctypes.c_int(self.n)]
        self.driver.launch(self.function, self.groups, self.items, arguments, torch.cuda.current_stream().cuda_stream)


def kernel_ns(torch, action, matrices, calls=40):
    """Mean time of all kernels that action(matrix) launches; at some sizes cuBLAS launches two."""
    from torch.autograd import DeviceType
    from torch.profiler import ProfilerActivity, profile
    for call in range(calls):
        action(matrices[call % len(matrices)])
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiled:
        for call in range(calls):
            action(matrices[call % len(matrices)])
        torch.cuda.synchronize()
    times = [event.time_range.elapsed_us() for event in profiled.events() if event.device_type == DeviceType.CUDA]
    if len(times) < calls:
        sys.exit(f"same_clock.py: of {calls} calls PyTorch's profiler saw {len(times)}")
    return 1000 * sum(times) / calls


def compare(torch, ours, matrices, rounds):
    x = torch.rand(ours.n, device="cuda")
    y = torch.empty(ours.n, device="cuda")
    ours.run(torch, matrices[0], x, y)
    wanted = matrices[0].double() @ x.double()
    error = ((y - wanted).abs().max() / wanted.abs().max()).item()
    if not error < ours.n * 2**-24:  # n products, each rounded at most n times
        sys.exit(f"same_clock.py: our result is off by {error:.2g}")
    ours_ns, peer_ns = [], []
    for _ in range(rounds):
        peer_ns.append(kernel_ns(torch, lambda matrix: torch.mv(matrix, x, out=y), matrices))
        ours_ns.append(kernel_ns(torch, lambda matrix: ours.run(torch, matrix, x, y), matrices))
    ratios = [peer / own for peer, own in zip(peer_ns, ours_ns)]
    return {"matrices": len(matrices), "ours_ns": statistics.median(ours_ns), "peer_ns": statistics.median(peer_ns),
            "ratio": statistics.median(ratios), "ratio_low": min(ratios), "ratio_high": max(ratios), "rounds": rounds}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the built dwarfsweep")
    parser.add_argument("--device", default="nvidia", help="part of the platform's or device's name")
    parser.add_argument("--sizes", type=int, nargs="+", default=[2048, 4096, 8192, 16384], help="rows and columns")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", required=True, help="the CSV file to write")
    arguments = parser.parse_args()
    try:
        import torch
    except ImportError:
        sys.exit("same_clock.py: needs PyTorch with CUDA")
    if not torch.cuda.is_available():
        sys.exit("same_clock.py: PyTorch sees no CUDA device")
    torch.zeros(1, device="cuda")  # creates the context
    driver = Driver()
    with open(arguments.out, "w", newline="") as file:
        rows = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        rows.writeheader()
        for n in arguments.sizes:
            ours = Ours(arguments.program, arguments.device, driver, n)
            point = ";".join(f"{key}={value}" for key, value in ours.config.items())
            for count in sorted({1, -(-BEYOND_CACHE // (4 * n * n))}):
                matrices = [torch.rand(n, n, device="cuda") for _ in range(count)]
                row = compare(torch, ours, matrices, arguments.rounds)
                numbers = {key: f"{value:.4g}" if isinstance(value, float) else value for key, value in row.items()}
                rows.writerow({"device": torch.cuda.get_device_name(), "dwarf": "sgemv", "problem": f"m={n};n={n}",
                               "point": point, "peer": "cuBLAS (torch.mv)", **numbers})
                print(f"sgemv {n}, {count} matrices: {row['ratio']:.2f} x cuBLAS", file=sys.stderr)
                file.flush()


if __name__ == "__main__":
    main()
