"""Comparison libraries of fft_1d, on CPUs and NVIDIA's GPUs; as in cpu_libraries.py and gpu_libraries.py."""
import os

import numpy as np
from cpu_libraries import describes, imported, timed
from gpu_libraries import KERNELS, kernels_timed, torch_here


def numbers(keys):
    shape = (keys.get("batch", 1), keys["n"])
    random = np.random.default_rng(1)
    return (random.uniform(-1, 1, shape) + 1j * random.uniform(-1, 1, shape)).astype(np.complex64)


@describes("call, all threads", "transforms of a batch, and no single one, are shared out")
def scipy_fft(keys, _):
    fft = imported("scipy.fft", "Debian: python3-scipy").fft
    signal = numbers(keys)
    return timed(lambda: fft(signal, axis=1, workers=os.cpu_count()), 9)


@describes("call, all threads; the plan (FFTW_MEASURE, at most 10 s) is not timed")
def fftw(keys, _):
    pyfftw = imported("pyfftw", "PyPI: pyfftw; Debian: python3-pyfftw")
    signal = numbers(keys)
    from_array = pyfftw.empty_aligned(signal.shape, "complex64")
    to_array = pyfftw.empty_aligned(signal.shape, "complex64")
    plan = pyfftw.FFTW(from_array, to_array, axes=(1,), threads=os.cpu_count(), flags=("FFTW_MEASURE",),
                       planning_timelimit=10)
    from_array[:] = signal  # planning overwrites it
    return timed(plan.execute, 9)


@describes(KERNELS, "the plan's tables are not timed")
def cufft(keys, _):
    torch = torch_here()
    signal = torch.from_numpy(numbers(keys)).cuda()
    # Into memory of PyTorch's own pool: with out= the call makes a copy of the spectrum as well.
    return kernels_timed(torch, lambda: torch.fft.fft(signal, dim=1), 20)


LIBRARIES = {"SciPy pocketfft": scipy_fft, "FFTW": fftw, "cuFFT": cufft}
CPU = [("fft_1d", problem, library)
       for problem in ("n=65536", "n=1048576", "n=4194304", "n=128,batch=65536") for library in ("SciPy pocketfft", "FFTW")]
GPU = [("fft_1d", problem, "cuFFT")
       for problem in ("n=1048576", "n=4194304", "n=8388608", "n=33554432", "n=128,batch=65536")]
