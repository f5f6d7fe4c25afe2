"""The product, judged by NumPy in double precision (see tests/judging.py)."""
import numpy

from judging import first_beyond, shape_errors, u


def judge(dump):
    """In double precision. A sum of k products in any order: k roundings in each term."""
    problem = dump["problem"]
    m, n, k = problem["m"], problem["n"], problem["k"]
    wrong = shape_errors(dump, a=("f4", (m, k)), b=("f4", (k, n)), c=("f4", (m, n)))
    if wrong:
        return wrong
    a, b = dump["a"].astype(float), dump["b"].astype(float)
    allowed = (k + 1) * u * (numpy.abs(a) @ numpy.abs(b)) + k * 2.0 ** -126
    return first_beyond("c", dump["c"].astype(float), a @ b, allowed)
