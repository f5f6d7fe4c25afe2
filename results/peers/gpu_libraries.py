"""Comparison libraries on NVIDIA's GPUs. Each function returns one that runs once and returns a pair of ns: the sum of
its kernels, and by the host's clock."""
import re
import shutil
import statistics
import subprocess
import time

from cpu_libraries import describes, imported
from ours import NotHere

KERNELS = "sum of kernels by PyTorch's profiler, data resident"


def torch_here():
    torch = imported("torch", "PyPI: torch, with CUDA")
    if not torch.cuda.is_available():
        raise NotHere("PyTorch sees no CUDA device")
    return torch


def kernels_timed(torch, action, calls, before=lambda: None):
    """The sum of all kernels that a call launches, from PyTorch's profiler: our times are sums of kernels too. What is done
    before each call, a copy, does not count."""
    from torch.autograd import DeviceType
    from torch.profiler import ProfilerActivity, profile

    def once():
        with profile(activities=[ProfilerActivity.CUDA]) as trace:
            for _ in range(calls):
                before()
                action()
            torch.cuda.synchronize()
        busy = [event.time_range.elapsed_us() for event in trace.events()
                if event.device_type == DeviceType.CUDA and not event.name.startswith("Memcpy")]
        if not busy:
            raise NotHere("PyTorch's profiler saw no kernel")
        return 1e3 * sum(busy) / calls

    def wall():
        before()
        torch.cuda.synchronize()
        begin = time.perf_counter_ns()
        action()
        torch.cuda.synchronize()
        return time.perf_counter_ns() - begin

    action()  # warm up
    once()
    return lambda: (statistics.median(once() for _ in range(3)), statistics.median(wall() for _ in range(3 * calls)))


@describes(KERNELS)
def cublas_gemv(keys, _):
    torch = torch_here()
    matrix = torch.rand(keys["m"], keys["n"], device="cuda")
    matrix = matrix.t() if keys.get("transposed", 0) else matrix
    x = torch.rand(matrix.shape[1], device="cuda")
    y = torch.empty(matrix.shape[0], device="cuda")
    return kernels_timed(torch, lambda: torch.mv(matrix, x, out=y), 20)


@describes(KERNELS, "both: single precision throughout (no TF32)")
def cublas_gemm(keys, _):
    torch = torch_here()
    torch.backends.cuda.matmul.allow_tf32 = False
    a = torch.rand(keys["m"], keys["k"], device="cuda") * 2 - 1
    b = torch.rand(keys["k"], keys["n"], device="cuda") * 2 - 1
    c = torch.empty(keys["m"], keys["n"], device="cuda")
    return kernels_timed(torch, lambda: torch.mm(a, b, out=c), 10)


@describes(KERNELS + "; with PyTorch's copy of the matrix", "both: no pivoting")
def cusolver_lu(keys, _):
    torch = torch_here()
    n = keys["n"]
    matrix = torch.rand(n, n, device="cuda") + n * torch.eye(n, device="cuda")
    return kernels_timed(torch, lambda: torch.linalg.lu_factor_ex(matrix, pivot=False), 5)


@describes(KERNELS + "; y is restored before, as ours is")
def torch_axpy(keys, _):
    torch = torch_here()
    x, y, original = (torch.rand(keys["n"], device="cuda") for _ in range(3))
    return kernels_timed(torch, lambda: y.add_(x, alpha=1e-3), 20, lambda: y.copy_(original))


@describes(KERNELS, "eager: matrix-vector products, then the update in place")
def torch_backprop(keys, _):
    torch = torch_here()
    rate = momentum = 0.3
    units = [keys["inputs"] + 1, keys.get("hidden", 16) + 1, keys.get("outputs", 1)]
    inputs, middle = (torch.ones(count, device="cuda") for count in units[:2])
    inputs[1:].uniform_()
    target = torch.rand(units[2], device="cuda")
    weights = [(torch.rand(rows, cols, device="cuda") - 0.5) / rows for rows, cols in ((units[0], units[1] - 1), units[1:])]
    changes = [torch.zeros_like(each) for each in weights]

    def step():
        middle[1:] = torch.sigmoid(inputs @ weights[0])
        output = torch.sigmoid(middle @ weights[1])
        output_error = output * (1 - output) * (target - output)
        middle_error = middle[1:] * (1 - middle[1:]) * (weights[1][1:] @ output_error)
        for layer, values, errors in ((1, middle, output_error), (0, inputs, middle_error)):
            changes[layer].mul_(momentum).addr_(values, errors, alpha=rate)
            weights[layer].add_(changes[layer])

    return kernels_timed(torch, step, 10)


@describes(KERNELS, "cdist, argmin, index_add")
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


@describes("keys over the rate of 'hashcat -b'")
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
