"""What is compared with what: the problems that are always measured, and random ones by a seed."""
import math
import random

import cpu_libraries as cpu
import cpu_numerics as numerics
import fft_libraries as fft
import gpu_libraries as gpu
import system_libraries as systems
from shapes import SHAPES, random_shapes

# The first has almost nothing to do: it shows the shortest time of a kernel by either clock.
GPU = [("sgemv", f"m={m},n={n}", "cuBLAS (torch.mv)")
       for m, n in ((1, 32), (2048, 2048), (4096, 4096), (8192, 8192), (16384, 16384), (32768, 32768))]
GPU += [("lud", f"n={n}", "cuSOLVER (lu_factor_ex)") for n in (2048, 4096, 8192)]
GPU += [("kmeans", "points=819200,features=34,clusters=5", "PyTorch"), ("des", "blocks=1073741824,mode=search", "hashcat 14000")]
GPU += [("matmul", f"m={m},n={n},k={k}", "cuBLAS (torch.mm)")
        for m, n, k in ((1024, 1024, 1024), (2048, 2048, 2048), (4096, 4096, 4096), (8192, 8192, 8192),
                        (10000, 10000, 64), (3000, 100, 3000))]
GPU += [("matmul", f"m={n},n={n},k={n}", "CLBlast sgemm") for n in (2048, 4096)]
GPU += [("saxpy", f"n={n}", "PyTorch add_") for n in (2**24, 2**28)]
GPU += [("backprop", f"inputs={inputs}", "PyTorch backprop") for inputs in (2**16, 2**20)]
# Held to the device's own limits alone.
GPU += [("lud", "n=8192", None), ("needle", "m=32768,n=32768", None), ("srad", "rows=8192,cols=8192,iterations=4", None),
        ("hotspot", "rows=8192,cols=8192,steps=24", None), ("kmeans", "points=819200,features=34,clusters=5", None),
        ("kmeans", "points=1000000,features=64,clusters=16", None), ("kmeans", "points=1000000,features=64,clusters=64", None),
        ("kmeans", "points=1000000,features=64,clusters=256", None), ("bfs", "nodes=16777216,degree=6", None),
        ("crc", "bytes=1000000000", None), ("des", "blocks=100000000", None), ("saxpy", "n=268435456", None),
        ("stencil_3d", "nx=512,ny=512,nz=512", None)]

CPU = [("sgemv", f"m={n},n={n}", library) for n in (4096, 8192, 16384) for library in ("OpenBLAS sgemv", "CLBlast sgemv")]
CPU += [("lud", f"n={n}", "OpenBLAS sgetrf") for n in (2048, 4096)]
CPU += [("matmul", f"m={n},n={n},k={n}", library) for n in (1024, 2048) for library in ("OpenBLAS sgemm", "CLBlast sgemm")]
CPU += [("crc", "bytes=50000000", "zlib"), ("crc", "bytes=50000000", "ISA-L"), ("des", "blocks=8388608", "OpenSSL"),
        ("needle", "m=4096,n=4096", "OpenMP"), ("needle", "m=4096,n=4096", "serial"),
        ("srad", "rows=2048,cols=2048", "OpenMP"), ("srad", "rows=4096,cols=4096", "OpenMP"),
        ("hotspot", "rows=4096,cols=4096", "OpenMP"), ("bfs", "nodes=1048576,degree=6", "SciPy"),
        ("bfs", "nodes=1048576,degree=6", "OpenMP"), ("kmeans", "points=494020,features=34,clusters=5", "scikit-learn"),
        ("kmeans", "points=494020,features=34,clusters=5", "FAISS")]
CPU += [("saxpy", f"n={n}", "OpenBLAS saxpy") for n in (2**20, 2**24)]
CPU += [("backprop", "inputs=65536", "NumPy backprop"), ("backprop", "inputs=1048576", "NumPy backprop"),
        ("backprop", "inputs=1048576", "OpenMP")]
CPU += [("stencil_3d", "nx=128,ny=128,nz=128", library) for library in ("SciPy ndimage", "OpenMP")]
CPU += [("cp", "atoms=4000,nx=256,ny=256", library) for library in ("NumPy potential", "OpenMP")]
CPU += [("mri", f"voxels=16384,samples=2048,kind={kind}", library)
        for kind in ("q", "fhd") for library in ("FINUFFT", "OpenMP")]
CPU += [("sad", "rows=288,cols=352,search=33", "OpenMP")]
CPU += fft.CPU + systems.CPU
GPU += fft.GPU

LIBRARIES = {"cuBLAS (torch.mv)": gpu.cublas_gemv, "cuSOLVER (lu_factor_ex)": gpu.cusolver_lu, "PyTorch": gpu.torch_kmeans,
             "hashcat 14000": gpu.hashcat_des, "cuBLAS (torch.mm)": gpu.cublas_gemm,
             "OpenBLAS sgemv": cpu.openblas_gemv, "OpenBLAS sgetrf": cpu.openblas_getrf, "OpenBLAS sgemm": cpu.openblas_gemm,
             "CLBlast sgemv": cpu.clblast_gemv, "CLBlast sgemm": cpu.clblast_gemm, "zlib": cpu.zlib_crc, "ISA-L": cpu.isal_crc,
             "OpenSSL": cpu.openssl_des, "SciPy": cpu.scipy_bfs, "scikit-learn": cpu.sklearn_step, "FAISS": cpu.faiss_step,
             "PyTorch add_": gpu.torch_axpy, "PyTorch backprop": gpu.torch_backprop, "OpenBLAS saxpy": numerics.openblas_axpy,
             "NumPy backprop": numerics.numpy_backprop, "SciPy ndimage": numerics.scipy_stencil,
             "NumPy potential": numerics.numpy_potential, "FINUFFT": numerics.finufft_image,
             "OpenMP": cpu.reference("openmp"), "serial": cpu.reference("serial"), **fft.LIBRARIES,
             **systems.LIBRARIES}

# The libraries of the random problems.
RANDOM_LIBRARIES = {
    "gpu": {"sgemv": ["cuBLAS (torch.mv)"], "lud": ["cuSOLVER (lu_factor_ex)"], "matmul": ["cuBLAS (torch.mm)"],
            "kmeans": ["PyTorch"], "saxpy": ["PyTorch add_"], "backprop": ["PyTorch backprop"], "fft_1d": ["cuFFT"]},
    "cpu": {"sgemv": ["OpenBLAS sgemv"], "lud": ["OpenBLAS sgetrf"], "matmul": ["OpenBLAS sgemm"], "crc": ["ISA-L"],
            "des": ["OpenSSL"], "kmeans": ["FAISS"], "needle": ["OpenMP"], "srad": ["OpenMP"], "hotspot": ["OpenMP"],
            "bfs": ["OpenMP"], "saxpy": ["OpenBLAS saxpy"], "backprop": ["NumPy backprop"], "stencil_3d": ["OpenMP"],
            "cp": ["OpenMP"], "mri": ["OpenMP"], "sad": ["OpenMP"], "fft_1d": ["SciPy pocketfft", "FFTW"]}}

# Log-uniform ranges of the keys. Those of lud and sgemv on GPUs are the goals' own; elsewhere they begin where a launch
# is most of the time, and end where data and check on the host take many seconds.
RANGES = {
    "gpu": {"sgemv": {"m": (1000, 100000), "n": (1000, 100000)}, "lud": {"n": (300, 16384)},
            "matmul": {key: (300, 6000) for key in "mnk"},
            "kmeans": {"points": (100000, 2000000), "features": (8, 100), "clusters": (2, 256)},
            "crc": {"bytes": (100000, 10**9)}, "des": {"blocks": (1000, 10**8)},
            "needle": {"m": (1000, 32768), "n": (1000, 32768)},
            "srad": {"rows": (300, 12000), "cols": (300, 12000), "iterations": (4, 64)},
            "hotspot": {"rows": (300, 12000), "cols": (300, 12000), "steps": (12, 500)},
            "bfs": {"nodes": (2**16, 2**24), "degree": (4, 32)}, "saxpy": {"n": (10**6, 3 * 10**8)},
            "backprop": {"inputs": (10**4, 4 * 10**6)}, "fft_1d": {"n": (2**8, 2**26), "batch": (1, 256)}},
    "cpu": {"sgemv": {"m": (300, 20000), "n": (300, 20000)}, "lud": {"n": (300, 4000)},
            "matmul": {key: (100, 2000) for key in "mnk"},
            "kmeans": {"points": (10000, 500000), "features": (4, 100), "clusters": (2, 100)},
            "crc": {"bytes": (100000, 10**8)}, "des": {"blocks": (1000, 10**7)},
            "needle": {"m": (500, 8000), "n": (500, 8000)},
            "srad": {"rows": (300, 4000), "cols": (300, 4000), "iterations": (2, 16)},
            "hotspot": {"rows": (300, 4000), "cols": (300, 4000), "steps": (8, 64)},
            "bfs": {"nodes": (2**14, 2**20), "degree": (4, 32)}, "saxpy": {"n": (10**5, 3 * 10**7)},
            "backprop": {"inputs": (10**4, 10**6)}, "stencil_3d": {key: (32, 400) for key in ("nx", "ny", "nz")},
            "cp": {"atoms": (200, 5000), "nx": (50, 500), "ny": (50, 500)},
            "mri": {"voxels": (1000, 50000), "samples": (200, 4000)},
            "sad": {"rows": (100, 600), "cols": (100, 800), "search": (9, 65)},
            "fft_1d": {"n": (2**8, 2**22), "batch": (1, 64)}}}
# Elements of a matrix, cells, values or edges: more take the host minutes.
MOST = {"gpu": 3 * 10**8, "cpu": 3 * 10**7}
COUNTED = {"sgemv": ("m", "n"), "needle": ("m", "n"), "srad": ("rows", "cols"), "hotspot": ("rows", "cols"),
           "kmeans": ("points", "features"), "bfs": ("nodes", "degree"), "stencil_3d": ("nx", "ny", "nz"),
           "mri": ("voxels", "samples"), "fft_1d": ("n", "batch")}
POWERS_OF_TWO = {"fft_1d": ("n",)}
NEEDLE_MOST = {"gpu": 10**9, "cpu": 3 * 10**7}


def log_uniform(draw, low, high):
    return round(math.exp(draw.uniform(math.log(low), math.log(high))))


def random_problem(draw, kind, dwarf):
    most = NEEDLE_MOST[kind] if dwarf == "needle" else MOST[kind]
    while True:
        keys = {key: log_uniform(draw, *bounds) for key, bounds in RANGES[kind][dwarf].items()}
        for key in POWERS_OF_TWO.get(dwarf, ()):
            keys[key] = 2 ** round(math.log2(keys[key]))
        if math.prod(keys[key] for key in COUNTED.get(dwarf, ())) <= most:
            break
    if dwarf == "sgemv" and draw.random() < 0.5:
        keys["transposed"] = 1
    return ",".join(f"{key}={value}" for key, value in keys.items())


def random_problems(kind, seed, count=3):
    """The same for a seed whatever dwarfs are chosen; the first of every dwarf, then the second: time may end before
    the last."""
    draws = {dwarf: random.Random(f"{seed} {kind} {dwarf}") for dwarf in RANGES[kind]}
    problems = []
    for _ in range(count):
        for dwarf, draw in draws.items():
            problem = random_problem(draw, kind, dwarf)
            problems += [(dwarf, problem, library) for library in RANDOM_LIBRARIES[kind].get(dwarf, [None])]
    return problems


def shape_problems(kind, seed, count, most_elements, most_seconds):
    """In the order of random_problems; each with a text from which it can be drawn again, and what it is."""
    limits = "".join(f", {name} {value:g}" for name, value in (("elements", most_elements), ("seconds", most_seconds)) if value)
    drawn = [[(dwarf, problem, library, f"shapes, seed {seed}, {count} each{limits}: {name}")
              for library in RANDOM_LIBRARIES[kind].get(dwarf, [None])]
             for index in range(count) for dwarf in SHAPES
             for problem, name in [random_shapes(kind, dwarf, seed, count, most_elements, most_seconds)[index]]]
    return [each for libraries in drawn for each in libraries]
