"""Random shapes for the tables of `peers.py --sizes shapes`: every dimension starts at 1, and unusual shapes are always
among them. They are the same for the same seed and limits, whatever dwarfs are chosen."""
import math
import random
from dataclasses import dataclass, field
from typing import Callable

ANY, FEW, SHORT = (1, 10**9), (1, 16), (1, 64)
MOST_ELEMENTS = {"gpu": 10**9, "cpu": 10**8}
# As two CPU cores would take for the work: the baseline and the check take far longer than the best point.
MOST_SECONDS = {"gpu": 10, "cpu": 0.05}
LEAST_ELEMENTS = 10**3
LONG = 10**5  # fewest elements of a thin or tall shape, so that its other dimension is long
CPU_LEAST_NS = 2e5  # shorter executions on CPUs do not count
GPU_LEAST_NS = 2e3  # nor those on GPUs, where a kernel that does nothing takes 1 us


@dataclass
class Shape:
    """`elements` are those of the largest array, or bytes. Two CPU cores do about `work_per_ns` of the `work`. `special`
    narrows ranges. A key whose range starts at 0 is a switch."""

    ranges: dict
    elements: Callable
    work: Callable
    work_per_ns: float
    special: dict = field(default_factory=dict)
    legal: Callable = lambda **_: True


GRID = {"thin": {"rows": FEW}, "tall": {"cols": FEW}, "tiny": {}}
SHAPES = {
    "sgemv": Shape({"m": ANY, "n": ANY, "transposed": (0, 1)}, lambda m, n, **_: m * n, lambda m, n, **_: 2 * m * n, 23,
                   {"thin": {"m": FEW}, "tall": {"n": FEW}, "tiny": {}, "transposed": {"transposed": (1, 1)}}),
    "matmul": Shape({key: (1, 2**20) for key in "mnk"}, lambda m, n, k: max(m * n, m * k, n * k),
                    lambda m, n, k: 2 * m * n * k, 225,
                    {"thin": {"m": SHORT, "n": SHORT}, "tall": {"n": SHORT, "k": SHORT}, "tiny": {}}),
    "lud": Shape({"n": (1, 2**16)}, lambda n: n * n, lambda n: 2 * n**3 / 3, 235, {"tiny": {}}),
    "fft_1d": Shape({"n": (2, 2**26), "batch": ANY}, lambda n, batch: 2 * n * batch,
                    lambda n, batch: 5 * n * math.log2(n) * batch, 60,
                    {"tall": {"batch": (1, 1)}, "batched": {"n": (2, 2**12), "batch": (2, 10**9)}, "tiny": {}}),
    "saxpy": Shape({"n": ANY}, lambda n: n, lambda n: 2 * n, 20, {"tiny": {}}),
    "kmeans": Shape({"points": ANY, "features": (1, 2**12), "clusters": (1, 2**16)},
                    lambda points, features, clusters: points * max(features, clusters),
                    lambda points, features, clusters: 3 * points * features * clusters, 100,
                    {"thin": {"features": (1, 4)}, "tall": {"clusters": (1, 4)}, "tiny": {}},
                    lambda points, clusters, **_: clusters <= points),
    "crc": Shape({"bytes": ANY}, lambda bytes: bytes, lambda bytes: bytes, 45, {"tiny": {}}),
    "needle": Shape({"m": (1, 10**6), "n": (1, 10**6)}, lambda m, n: m * n, lambda m, n: m * n, 9,
                    {"thin": {"m": FEW}, "tall": {"n": FEW}, "tiny": {}}),
    "srad": Shape({"rows": (1, 2**20), "cols": (1, 2**20), "iterations": (1, 64)}, lambda rows, cols, **_: rows * cols,
                  lambda rows, cols, iterations: rows * cols * iterations, 5, GRID),
    "bfs": Shape({"nodes": ANY, "degree": (1, 2**16)}, lambda nodes, degree: nodes * degree,
                 lambda nodes, degree: nodes * degree, 4, {"thin": {"degree": (1, 2)}, "tiny": {}},
                 lambda nodes, degree: degree < nodes),
    "des": Shape({"blocks": ANY}, lambda blocks: 8 * blocks, lambda blocks: 8 * blocks, 8, {"tiny": {}}),
    "hotspot": Shape({"rows": (1, 2**20), "cols": (1, 2**20), "steps": (1, 500)}, lambda rows, cols, **_: rows * cols,
                     lambda rows, cols, steps: rows * cols * steps, 9, GRID)}


def log_uniform(draw, low, high):
    return draw.randint(low, high) if low == 0 else round(math.exp(draw.uniform(math.log(low), math.log(high))))


def fits(kind, shape, name, keys, most_elements, most_seconds):
    elements, two_cores_ns = shape.elements(**keys), shape.work(**keys) / shape.work_per_ns
    if elements > most_elements or two_cores_ns > 1e9 * most_seconds or not shape.legal(**keys):
        return False
    if kind == "cpu":  # where a tiny shape is one that just counts
        return elements >= LEAST_ELEMENTS and CPU_LEAST_NS <= two_cores_ns <= (2 * CPU_LEAST_NS if name == "tiny" else math.inf)
    if name == "tiny":
        return elements < LEAST_ELEMENTS
    return elements >= (LONG if name in ("thin", "tall") else LEAST_ELEMENTS)


def random_shape(draw, kind, dwarf, name, limits):
    shape = SHAPES[dwarf]
    ranges = {**shape.ranges, **shape.special.get(name, {})}
    for _ in range(10**6):
        keys = {key: log_uniform(draw, *bounds) for key, bounds in ranges.items()}
        if dwarf == "fft_1d":
            keys["n"] = 2 ** round(math.log2(keys["n"]))
        if fits(kind, shape, name, keys, *limits):
            return ",".join(f"{key}={value}" for key, value in keys.items() if value)
    raise SystemExit(f"shapes.py: no {name} shape of {dwarf} fits; allow more elements or seconds")


def random_shapes(kind, dwarf, seed, count=12, most_elements=None, most_seconds=None):
    """Pairs of problem and what it is: 'drawn' log-uniformly, or special. The special ones are among the `count`."""
    limits = most_elements or MOST_ELEMENTS[kind], most_seconds or MOST_SECONDS[kind]
    draw = random.Random(f"{seed} shapes {kind} {dwarf}")
    special = list(SHAPES[dwarf].special)[:count]
    shapes = {}
    for name in ["drawn"] * (count - len(special)) + special:
        problem = random_shape(draw, kind, dwarf, name, limits)
        while problem in shapes:
            problem = random_shape(draw, kind, dwarf, name, limits)
        shapes[problem] = name
    return list(shapes.items())
