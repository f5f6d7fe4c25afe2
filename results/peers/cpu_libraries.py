"""Comparison libraries on CPUs. Each function returns one that runs once and returns ns; `of_what` and `method` are
columns of the table. A library that is not installed raises NotHere with what to install."""
import csv
import ctypes
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile
import time
import warnings
import zlib
from concurrent.futures import ThreadPoolExecutor

from ours import NotHere


def has_avx512():
    file = pathlib.Path("/proc/cpuinfo")
    return file.exists() and "avx512f" in file.read_text()


# On processors that it does not know OpenBLAS selects slower kernels than it has.
if has_avx512():
    os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX")
import numpy as np  # noqa: E402


def describes(of_what, method=""):
    def mark(function):
        function.of_what, function.method = of_what, method
        return function

    return mark


FOREIGN = np.zeros(2 ** 25, np.float32)  # 128 MiB, more than most caches


def timed(action, repetitions=3, before=lambda: None):
    """The median time of the calls; what is done before each is not timed.

    As for our point, which alternates with its baseline, foreign arrays fill the caches, and the second of two calls counts.
    """
    def once():
        times = []
        for _ in range(repetitions):
            np.add(FOREIGN, 1, out=FOREIGN)
            for _ in range(2):
                before()
                begin = time.perf_counter_ns()
                action()
                duration = time.perf_counter_ns() - begin
            times.append(duration)
        return statistics.median(times)

    action()  # warm up
    return once


def imported(name, package):
    try:
        return __import__(name, fromlist=["_"])
    except ImportError as missing:
        raise NotHere(f"{missing} ({package})") from missing


def require_openblas():
    """NumPy and SciPy use whichever BLAS is installed; the reference implementation is ten times slower."""
    maps = pathlib.Path("/proc/self/maps")
    if maps.exists() and "openblas" not in maps.read_text():
        raise NotHere("NumPy and SciPy use another BLAS here (Debian: libopenblas0-pthread; or the wheel from PyPI)")


@describes("call, all threads")
def openblas_gemv(keys, _):
    require_openblas()
    transposed = keys.get("transposed", 0)
    matrix = np.random.default_rng(1).random((keys["m"], keys["n"]), dtype=np.float32)
    x = np.ones(keys["m"] if transposed else keys["n"], np.float32)
    matrix = matrix.T if transposed else matrix
    return timed(lambda: matrix @ x, 9)


@describes("call, all threads")
def openblas_gemm(keys, _):
    require_openblas()
    random = np.random.default_rng(1)
    a = random.random((keys["m"], keys["k"]), dtype=np.float32)
    b = random.random((keys["k"], keys["n"]), dtype=np.float32)
    c = np.empty((keys["m"], keys["n"]), np.float32)
    return timed(lambda: np.matmul(a, b, out=c), 5)


@describes("call, all threads; the copy of the matrix is not timed", "peer: partial pivoting; ours: none")
def openblas_getrf(keys, _):
    lapack = imported("scipy.linalg", "Debian: python3-scipy").lapack
    require_openblas()
    n = keys["n"]
    matrix = np.asfortranarray(np.random.default_rng(1).uniform(-1, 1, (n, n)).astype(np.float32) +
                               n * np.eye(n, dtype=np.float32))

    factors = matrix.copy(order="F")
    return timed(lambda: lapack.sgetrf(factors, overwrite_a=True), before=lambda: np.copyto(factors, matrix))


def in_parts(crc32, data):
    """On all threads: a part of the stream each. Combining the parts' results takes microseconds and is left out."""
    threads = os.cpu_count()
    step = -(-len(data) // threads)
    parts = [memoryview(data)[begin:begin + step] for begin in range(0, len(data), step)]
    pool = ThreadPoolExecutor(threads)
    return lambda: list(pool.map(crc32, parts))


@describes("call, one thread", "tables")
def zlib_crc(keys, _):
    data = np.random.default_rng(1).bytes(keys["bytes"])
    return timed(lambda: zlib.crc32(data))


@describes("call, all threads, without combining the parts", "carry-less multiplication")
def isal_crc(keys, _):
    isal = imported("isal.isal_zlib", "PyPI: isal; Debian: python3-isal")
    data = np.random.default_rng(1).bytes(keys["bytes"])
    return timed(in_parts(isal.crc32, data), 9)


@describes("bytes over the rate of 'openssl speed', all threads")
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


def dumped(ours, *names):
    """Those arrays of our problem, and what describes it."""
    with tempfile.TemporaryDirectory() as folder:
        ours.dump(folder)
        with open(f"{folder}/problem.json") as file:
            description = json.load(file)
        return {name: np.load(f"{folder}/{name}.npy") for name in names}, description


@describes("call, one thread", "top down")
def scipy_bfs(_, ours):
    sparse = imported("scipy.sparse", "Debian: python3-scipy")
    csgraph = imported("scipy.sparse.csgraph", "Debian: python3-scipy")
    arrays, _ = dumped(ours, "offsets", "neighbours", "source")
    offsets, neighbours = arrays["offsets"], arrays["neighbours"]
    graph = sparse.csr_matrix((np.ones(len(neighbours), np.int8), neighbours, offsets), shape=(len(offsets) - 1,) * 2)
    source = int(arrays["source"][0])
    return timed(lambda: csgraph.breadth_first_order(graph, source, directed=True, return_predecessors=False))


def random_points(keys):
    return np.random.default_rng(1).random((keys["points"], keys["features"]), dtype=np.float32)


def per_step(fit):
    """The time that fit takes besides its steps is in both calls and cancels."""
    fit(1)
    return lambda: (fit(11) - fit(1)) / 10


@describes("a step: a tenth of 11 steps less 1", "Lloyd")
def sklearn_step(keys, _):
    cluster = imported("sklearn.cluster", "Debian: python3-sklearn")
    points = random_points(keys)

    def fit(steps):
        begin = time.perf_counter_ns()
        cluster.KMeans(keys["clusters"], init=points[:keys["clusters"]], n_init=1, max_iter=steps, tol=0,
                       algorithm="lloyd").fit(points)
        return time.perf_counter_ns() - begin

    warnings.filterwarnings("ignore")
    return per_step(fit)


@describes("a step: a tenth of 11 steps less 1", "distances by matrix products")
def faiss_step(keys, _):
    faiss = imported("faiss", "PyPI: faiss-cpu")
    points = random_points(keys)
    start = points[:keys["clusters"]].copy()

    def fit(steps):
        clustering = faiss.Kmeans(keys["features"], keys["clusters"], niter=steps, min_points_per_centroid=1,
                                  max_points_per_centroid=keys["points"])
        begin = time.perf_counter_ns()
        clustering.train(points, init_centroids=start)
        return time.perf_counter_ns() - begin

    return per_step(fit)


def clblast_on(device_name):
    """PyOpenCL's context of the device of that name, and CLBlast."""
    cl = imported("pyopencl", "PyPI: pyopencl; Debian: python3-pyopencl")
    try:
        library = ctypes.CDLL(os.environ.get("CLBLAST_LIBRARY", "libclblast.so.1"))
    except OSError as missing:
        raise NotHere(f"{missing} (Debian: libclblast1)") from missing
    try:
        devices = [each for platform in cl.get_platforms() for each in platform.get_devices()]
    except cl.Error as failed:
        raise NotHere(f"PyOpenCL: {failed}") from failed
    chosen = [each for each in devices if each.name == device_name]
    if not chosen:
        raise NotHere(f"PyOpenCL sees no '{device_name}'")
    context = cl.Context(chosen[:1])
    return cl, library, context, cl.CommandQueue(context)


ROW_MAJOR, NOT_TRANSPOSED = 101, 111


def clblast_call(cl, queue, function, arguments):
    handle = ctypes.c_void_p(queue.int_ptr)

    def call():
        status = function(*arguments, ctypes.byref(handle), None)
        if status != 0:
            raise NotHere(f"CLBlast gave error {status}")
        queue.finish()

    return call


def on_device(cl, context, values):
    return cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=values)


@describes("call to finish, data resident, the same OpenCL device", "untuned for this device")
def clblast_gemm(keys, ours):
    cl, library, context, queue = clblast_on(ours.device_name)
    m, n, k = keys["m"], keys["n"], keys["k"]
    a, b, c = (on_device(cl, context, np.random.default_rng(1).random(size, dtype=np.float32))
               for size in (m * k, k * n, m * n))
    number, size = ctypes.c_float, ctypes.c_size_t
    arguments = [ROW_MAJOR, NOT_TRANSPOSED, NOT_TRANSPOSED, size(m), size(n), size(k), number(1),
                 ctypes.c_void_p(a.int_ptr), size(0), size(k), ctypes.c_void_p(b.int_ptr), size(0), size(n), number(0),
                 ctypes.c_void_p(c.int_ptr), size(0), size(n)]
    once = timed(clblast_call(cl, queue, library.CLBlastSgemm, arguments))
    return lambda: once() if a and b and c else 0


@describes("call to finish, data resident, the same OpenCL device", "untuned for this device")
def clblast_gemv(keys, ours):
    cl, library, context, queue = clblast_on(ours.device_name)
    m, n = keys["m"], keys["n"]
    transposed = keys.get("transposed", 0)
    a, x, y = (on_device(cl, context, np.random.default_rng(1).random(size, dtype=np.float32))
               for size in (m * n, max(m, n), max(m, n)))
    number, size = ctypes.c_float, ctypes.c_size_t
    arguments = [ROW_MAJOR, NOT_TRANSPOSED + transposed, size(m), size(n), number(1), ctypes.c_void_p(a.int_ptr),
                 size(0), size(n), ctypes.c_void_p(x.int_ptr), size(0), size(1), number(0),
                 ctypes.c_void_p(y.int_ptr), size(0), size(1)]
    once = timed(clblast_call(cl, queue, library.CLBlastSgemv, arguments))
    return lambda: once() if a and x and y else 0


def reference(variant):
    """The dwarf in plain C++, part of the program."""

    @describes("call" if variant == "serial" else "call, all threads", f"ours in C++, {variant}")
    def peer(_, ours):
        def once():
            # Our next rounds do not start with the best points that a sweep keeps in its folder.
            with tempfile.TemporaryDirectory() as folder:
                run = os.path.join(folder, "run")
                ours.run([ours.program, "sweep", "--dwarf", ours.dwarf, "--problem", ours.problem, "--plan", "best",
                          "--device", ours.device, "--cpu-reference", "--budget", "20s", "--blocks", "2", "--pairs",
                          "3", "--no-device-figures", "--out", run], folder=folder)
                with open(os.path.join(run, "measurements.csv"), newline="") as file:
                    times = [float(row["median_ns"]) for row in csv.DictReader(file)
                             if row["variant"] == variant and row["kernel"] == "total" and row["median_ns"]]
            if not times:
                raise NotHere(f"the {variant} version was not measured")
            return times[0]

        return once

    return peer
