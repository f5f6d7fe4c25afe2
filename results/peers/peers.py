#!/usr/bin/env python3
"""Compares the best known point of each dwarf with libraries and programs that do the same, in turn on one machine.

    results/peers/peers.py build/release/dwarfsweep --device nvidia --out peers.csv
    results/peers/peers.py build/release/dwarfsweep --device pocl --dwarf crc,lud

A comparison library (`peer` in the CSV) that is not installed is left out, with a message. In every round the library
and our point (`--plan best`) take turns. A ratio is the library's time / our time: the median over the rounds, with the
minimum and the maximum. Times are those of the kernels, without the gaps between them (ours: profiling events; PyTorch:
its profiler) or, on a CPU, of the call. `wall_ns` and `peer_wall_ns` are from the first enqueue, or from the call, to
the finish. `OpenMP` and `serial` are the dwarf's CPU reference, which is part of the program.
"""
import argparse
import csv
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zlib

# On processors that it does not know OpenBLAS selects slower kernels than it has.
os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX")
import numpy as np  # noqa: E402

COLUMNS = ["device", "dwarf", "problem", "point", "ours_ns", "wall_ns", "peer", "peer_ns", "ratio", "ratio_low",
           "ratio_high", "rounds", "peer_wall_ns"]


class NotHere(Exception):
    """The comparison library cannot run on this machine, with the reason."""


# --- our side ----------------------------------------------------------------------------------------------------


class Ours:
    """The best known point of a dwarf for a problem, or that of the settings."""

    def __init__(self, program, device, dwarf, problem, settings):
        point = ["--set", settings] if settings else ["--plan", "best"]
        self.command = [program, "run", "--dwarf", dwarf, "--device", device, *point, "--problem", problem,
                        "--point-timeout", "300s"]
        self.point = ""

    def time(self):
        """Median time of all kernels, and by the host's clock, in ns."""
        done = subprocess.run(self.command + ["--json", "--budget", "1s", "--rounds", "3"], capture_output=True,
                              text=True)
        if done.returncode != 0:
            raise NotHere("our point failed: " + done.stderr.strip().splitlines()[-1])
        answer = json.loads(done.stdout)
        self.point = answer["key"]["config"]
        samples = [each["sample"] for visit in answer["visits"] for each in visit["samples"]
                   if each["role"] == "variant"]
        if not samples:  # the best point is the baseline itself
            samples = [each["sample"] for visit in answer["visits"] for each in visit["samples"]]
        kernels = statistics.median(sample["kernels"][-1]["ns"] for sample in samples)
        return kernels, statistics.median(sample["wall_ns"] for sample in samples)

    def dump(self, folder):
        subprocess.run(self.command + ["--budget", "1s", "--rounds", "3", "--dump", folder], check=True,
                       capture_output=True)


def keys_of(problem):
    return {key: int(value) for key, value in (each.split("=") for each in problem.split(",")) if value.isdigit()}


# --- comparison libraries on the CPU: each returns a function that runs once and returns ns (on a GPU: a pair, the
# --- second ns by the host's clock) ---------------------------------------------------------------------------------


def timed(action, repetitions=3):
    def once():
        times = []
        for _ in range(repetitions):
            begin = time.perf_counter_ns()
            action()
            times.append(time.perf_counter_ns() - begin)
        return statistics.median(times)

    action()  # warm up
    return once


def require_openblas():
    """NumPy and SciPy use whichever BLAS is installed; the reference implementation is ten times slower."""
    maps = pathlib.Path("/proc/self/maps")
    if maps.exists() and "openblas" not in maps.read_text():
        raise NotHere("NumPy and SciPy use another BLAS here (Debian: libopenblas0-pthread)")


def openblas_gemv(keys, _):
    require_openblas()
    matrix = np.random.default_rng(1).standard_normal((keys["m"], keys["n"]), dtype=np.float32)
    x = np.ones(keys["n"], np.float32)
    return timed(lambda: matrix @ x, 9)


def openblas_gemm(keys, _):
    require_openblas()
    random = np.random.default_rng(1)
    a = random.standard_normal((keys["m"], keys["k"]), dtype=np.float32)
    b = random.standard_normal((keys["k"], keys["n"]), dtype=np.float32)
    c = np.empty((keys["m"], keys["n"]), np.float32)
    return timed(lambda: np.matmul(a, b, out=c), 5)


def openblas_getrf(keys, _):
    try:
        from scipy.linalg import lapack
    except ImportError as missing:
        raise NotHere(missing) from missing
    require_openblas()
    n = keys["n"]
    matrix = np.asfortranarray(np.random.default_rng(1).uniform(-1, 1, (n, n)).astype(np.float32) +
                               n * np.eye(n, dtype=np.float32))

    def once():
        copy = matrix.copy(order="F")
        begin = time.perf_counter_ns()
        lapack.sgetrf(copy, overwrite_a=True)
        return time.perf_counter_ns() - begin

    once()
    return lambda: statistics.median(once() for _ in range(3))


def zlib_crc(keys, _):
    data = np.random.default_rng(1).bytes(keys["bytes"])
    return timed(lambda: zlib.crc32(data))


def openssl_des(keys, _):
    if not shutil.which("openssl"):
        raise NotHere("openssl is not installed")
    threads = os.cpu_count()

    def once():
        done = subprocess.run(["openssl", "speed", "-provider", "legacy", "-provider", "default", "-multi",
                               str(threads), "-seconds", "1", "-bytes", "16384", "-mr", "-evp", "des-ecb"],
                              capture_output=True, text=True)
        rates = re.findall(r"^\+F:\d+:[^:]*:([\d.]+)", done.stdout, re.M)
        if not rates:
            raise NotHere("openssl speed does not know des-ecb here")
        return 8 * keys["blocks"] / float(rates[-1]) * 1e9

    return once


def scipy_bfs(_, ours):
    try:
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import breadth_first_order
    except ImportError as missing:
        raise NotHere(missing) from missing
    with tempfile.TemporaryDirectory() as folder:
        ours.dump(folder)
        offsets = np.load(f"{folder}/offsets.npy")
        neighbours = np.load(f"{folder}/neighbours.npy")
        source = int(np.load(f"{folder}/source.npy")[0])
    graph = csr_matrix((np.ones(len(neighbours), np.int8), neighbours, offsets), shape=(len(offsets) - 1,) * 2)
    return timed(lambda: breadth_first_order(graph, source, directed=True, return_predecessors=False))


def sklearn_step(keys, _):
    try:
        from sklearn.cluster import KMeans
    except ImportError as missing:
        raise NotHere(missing) from missing
    points = np.random.default_rng(1).random((keys["points"], keys["features"]), dtype=np.float32)
    start = points[:keys["clusters"]]

    def fit(iterations):
        begin = time.perf_counter_ns()
        KMeans(keys["clusters"], init=start, n_init=1, max_iter=iterations, tol=0, algorithm="lloyd").fit(points)
        return time.perf_counter_ns() - begin

    import warnings
    warnings.filterwarnings("ignore")
    fit(1)
    # The time that fit takes besides its steps is in both calls and cancels.
    return lambda: (fit(11) - fit(1)) / 10


# --- comparison libraries on the GPU ---------------------------------------------------------------------------------


def torch_here():
    try:
        import torch
    except ImportError as missing:
        raise NotHere(missing) from missing
    if not torch.cuda.is_available():
        raise NotHere("PyTorch sees no CUDA device")
    return torch


def kernels_timed(torch, action, calls):
    """The sum of all kernels that a call launches, from PyTorch's profiler: our times are sums of kernels too."""
    from torch.autograd import DeviceType
    from torch.profiler import ProfilerActivity, profile

    def once():
        with profile(activities=[ProfilerActivity.CUDA]) as trace:
            for _ in range(calls):
                action()
            torch.cuda.synchronize()
        busy = [event.time_range.elapsed_us() for event in trace.events() if event.device_type == DeviceType.CUDA]
        if not busy:
            raise NotHere("PyTorch's profiler saw no kernel")
        return 1e3 * sum(busy) / calls

    def wall():
        torch.cuda.synchronize()
        begin = time.perf_counter_ns()
        action()
        torch.cuda.synchronize()
        return time.perf_counter_ns() - begin

    action()  # warm up
    once()
    return lambda: (statistics.median(once() for _ in range(5)), statistics.median(wall() for _ in range(5 * calls)))


def cublas_gemv(keys, _):
    torch = torch_here()
    matrix = torch.rand(keys["m"], keys["n"], device="cuda")
    x = torch.rand(keys["n"], device="cuda")
    y = torch.empty(keys["m"], device="cuda")
    return kernels_timed(torch, lambda: torch.mv(matrix, x, out=y), 20)


def cublas_gemm(keys, _):
    torch = torch_here()
    torch.backends.cuda.matmul.allow_tf32 = False
    a = torch.rand(keys["m"], keys["k"], device="cuda") * 2 - 1
    b = torch.rand(keys["k"], keys["n"], device="cuda") * 2 - 1
    c = torch.empty(keys["m"], keys["n"], device="cuda")
    return kernels_timed(torch, lambda: torch.mm(a, b, out=c), 10)


def cusolver_lu(keys, _):
    torch = torch_here()
    n = keys["n"]
    matrix = torch.rand(n, n, device="cuda") + n * torch.eye(n, device="cuda")
    return kernels_timed(torch, lambda: torch.linalg.lu_factor_ex(matrix, pivot=False), 5)


def torch_kmeans(keys, _):
    torch = torch_here()
    points = torch.rand(keys["points"], keys["features"], device="cuda")
    ones = torch.ones(keys["points"], device="cuda")
    centroids = points[:keys["clusters"]].clone()

    def step():
        nearest = torch.cdist(points, centroids).argmin(1)
        sums = torch.zeros_like(centroids).index_add_(0, nearest, points)
        counts = torch.zeros(keys["clusters"], device="cuda").index_add_(0, nearest, ones)
        return sums / counts[:, None].clamp(min=1)

    return kernels_timed(torch, step, 5)


def hashcat_des(keys, _):
    if not shutil.which("hashcat"):
        raise NotHere("hashcat is not installed")

    def once():
        done = subprocess.run(["hashcat", "-b", "-m", "14000", "--machine-readable", "-D", "2"], capture_output=True,
                              text=True)
        rates = [line.split(":")[-1] for line in done.stdout.splitlines() if re.match(r"^\d+:14000:", line)]
        if not rates:
            raise NotHere("hashcat -b -m 14000 gave no rate: " + (done.stderr or done.stdout).strip()[-200:])
        return keys["blocks"] / float(rates[-1]) * 1e9

    return once


# --- the CPU reference -------------------------------------------------------------------------------------------


def plain(variant):
    def peer(_, ours):
        option = {ours.command[i]: ours.command[i + 1] for i in range(2, len(ours.command) - 1)}

        def once():
            with tempfile.TemporaryDirectory() as folder:
                run = os.path.join(folder, "run")
                subprocess.run([ours.command[0], "sweep", "--dwarf", option["--dwarf"], "--problem",
                                option["--problem"], "--plan", "best", "--device", option["--device"],
                                "--cpu-reference", "--budget", "20s", "--blocks", "2", "--pairs", "3", "--out", run],
                               check=True, capture_output=True)
                with open(os.path.join(run, "measurements.csv"), newline="") as file:
                    times = [float(row["median_ns"]) for row in csv.DictReader(file)
                             if row["variant"] == variant and row["kernel"] == "total" and row["median_ns"]]
            if not times:
                raise NotHere(f"the {variant} version was not measured")
            return times[0]

        return once

    return peer


# The first has almost nothing to do: it shows the shortest time of a kernel by either clock.
GPU = [("sgemv", f"m={m},n={n}", "cuBLAS (torch.mv)", cublas_gemv)
       for m, n in ((1, 32), (2048, 2048), (4096, 4096), (8192, 8192), (16384, 16384), (32768, 32768))]
GPU += [("lud", f"n={n}", "cuSOLVER (lu_factor_ex, no pivoting)", cusolver_lu) for n in (2048, 4096, 8192)]
GPU += [("kmeans", "points=819200,features=34,clusters=5", "PyTorch (cdist, argmin, index_add)", torch_kmeans),
        ("des", "blocks=1073741824,mode=search", "hashcat 14000", hashcat_des)]
GPU += [("matmul", f"m={m},n={n},k={k}", "cuBLAS (torch.mm, no TF32)", cublas_gemm)
        for m, n, k in ((1024, 1024, 1024), (2048, 2048, 2048), (4096, 4096, 4096), (8192, 8192, 8192),
                        (10000, 10000, 64), (3000, 100, 3000))]
CPU = [("sgemv", f"m={n},n={n}", "OpenBLAS sgemv (NumPy)", openblas_gemv) for n in (4096, 8192, 16384)]
CPU += [("lud", f"n={n}", "OpenBLAS sgetrf (SciPy)", openblas_getrf) for n in (2048, 4096)]
CPU += [("matmul", f"m={n},n={n},k={n}", "OpenBLAS sgemm (NumPy)", openblas_gemm) for n in (1024, 2048)]
CPU += [("crc", "bytes=50000000", "zlib", zlib_crc),
        ("des", "blocks=8388608", "OpenSSL, all threads", openssl_des),
        ("needle", "m=4096,n=4096", "OpenMP", plain("openmp")),
        ("needle", "m=4096,n=4096", "serial", plain("serial")),
        ("srad", "rows=2048,cols=2048", "OpenMP", plain("openmp")),
        ("srad", "rows=4096,cols=4096", "OpenMP", plain("openmp")),
        ("hotspot", "rows=4096,cols=4096", "OpenMP", plain("openmp")),
        ("bfs", "nodes=1048576,degree=6", "SciPy breadth_first_order", scipy_bfs),
        ("bfs", "nodes=1048576,degree=6", "OpenMP", plain("openmp")),
        ("kmeans", "points=494020,features=34,clusters=5", "scikit-learn Lloyd step", sklearn_step)]


def compare(ours, peer, problem, rounds):
    once = peer(keys_of(problem), ours)
    ours_ns, walls, peers_ns, peer_walls = [], [], [], []
    for _ in range(rounds):
        answer = once()
        peer_ns, peer_wall = answer if isinstance(answer, tuple) else (answer, answer)
        peers_ns.append(peer_ns)
        peer_walls.append(peer_wall)
        kernels, wall = ours.time()
        ours_ns.append(kernels)
        walls.append(wall)
    ratios = [peer_ns / own for peer_ns, own in zip(peers_ns, ours_ns)]
    return {"point": ours.point, "ours_ns": statistics.median(ours_ns), "wall_ns": statistics.median(walls),
            "peer_ns": statistics.median(peers_ns), "ratio": statistics.median(ratios), "ratio_low": min(ratios),
            "ratio_high": max(ratios), "rounds": rounds, "peer_wall_ns": statistics.median(peer_walls)}


def device_named(program, selector):
    devices = json.loads(subprocess.run([program, "devices", "--json"], capture_output=True, text=True,
                                        check=True).stdout)["devices"]
    for device in devices:
        if selector.lower() in f"{device['platform']} {device['platform_version']} {device['name']}".lower():
            return device
    sys.exit(f"peers.py: no device matches '{selector}'; there are " + ", ".join(each["name"] for each in devices))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the built dwarfsweep")
    parser.add_argument("--device", required=True, help="part of the platform's or device's name")
    parser.add_argument("--dwarf", help="only these, separated by commas")
    parser.add_argument("--set", help="our settings (axis=value,..) instead of the best known ones")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", help="CSV file (default: standard output)")
    arguments = parser.parse_args()
    device = device_named(arguments.program, arguments.device)
    chosen = arguments.dwarf.split(",") if arguments.dwarf else None
    file = open(arguments.out, "w", newline="") if arguments.out else sys.stdout
    table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    table.writeheader()
    for dwarf, problem, name, peer in GPU if device["type"] == "gpu" else CPU:
        if chosen and dwarf not in chosen:
            continue
        try:
            ours = Ours(arguments.program, arguments.device, dwarf, problem, arguments.set)
            row = compare(ours, peer, problem, arguments.rounds)
        except NotHere as reason:
            print(f"left out: {dwarf} {problem} against {name}: {reason}", file=sys.stderr)
            continue
        row = {key: f"{value:.4g}" if isinstance(value, float) else value for key, value in row.items()}
        table.writerow({"device": device["name"], "dwarf": dwarf, "problem": problem.replace(",", ";"), "peer": name,
                        **row})
        file.flush()


if __name__ == "__main__":
    main()
