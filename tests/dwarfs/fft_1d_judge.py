"""The spectrum, judged by NumPy's transform in double precision (see tests/judging.py)."""
import numpy

from judging import shape_errors, u


def judge(dump):
    """Each transform's error relative to its spectrum's norm: 10 roundings for each factor of two."""
    problem = dump["problem"]
    batch, n = problem["batch"], problem["n"]
    wrong = shape_errors(dump, signal=("f4", (batch, n, 2)), spectrum=("f4", (batch, n, 2)))
    if wrong:
        return wrong
    signal = dump["signal"][..., 0].astype(complex) + 1j * dump["signal"][..., 1]
    found = dump["spectrum"][..., 0].astype(complex) + 1j * dump["spectrum"][..., 1]
    wanted = (numpy.fft.ifft if problem["direction"] == "inverse" else numpy.fft.fft)(signal, axis=1)
    error = numpy.linalg.norm(found - wanted, axis=1)
    allowed = 10.1 * u * numpy.log2(n) * numpy.linalg.norm(wanted, axis=1)
    for b in range(batch):
        if not error[b] <= allowed[b]:
            return f"transform {b} is off by {error[b]:.3g} where {allowed[b]:.3g} is allowed"
    return None
