"""y = a x + y, judged by NumPy in double precision (see tests/judging.py)."""
import numpy

from judging import first_beyond, shape_errors, u


def judge(dump):
    """Two roundings, or one where they are fused; what is flushed to zero is below 2^-126."""
    n, a = dump["problem"]["n"], float(numpy.float32(dump["problem"]["a"]))
    wrong = shape_errors(dump, x=("f4", (n,)), y_in=("f4", (n,)), y=("f4", (n,)))
    if wrong:
        return wrong
    product, y_in = a * dump["x"].astype(float), dump["y_in"].astype(float)
    allowed = u * (1 + u) * (2 * numpy.abs(product) + numpy.abs(y_in)) + 2 * 2.0 ** -126
    return first_beyond("y", dump["y"].astype(float), product + y_in, allowed)
