"""The product, judged by NumPy in double precision (see tests/judging.py)."""
import numpy

from judging import first_beyond, shape_errors, u


def judge(dump):
    """In double precision. A sum of k products in any order, scaled and added to: k + 4 roundings in each term."""
    problem = dump["problem"]
    m, n = problem["m"], problem["n"]
    long, short = (n, m) if problem["transposed"] else (m, n)
    wrong = shape_errors(dump, matrix=("f4", (m, n)), x=("f4", (short,)), y_in=("f4", (long,)), y=("f4", (long,)))
    if wrong:
        return wrong
    matrix = dump["matrix"].astype(float)
    if problem["transposed"]:
        matrix = matrix.T
    x, y_in = dump["x"].astype(float), dump["y_in"].astype(float)
    alpha, beta = problem["alpha"], problem["beta"]
    size = numpy.abs(alpha) * (numpy.abs(matrix) @ numpy.abs(x)) + numpy.abs(beta * y_in)
    return first_beyond("y", dump["y"].astype(float), alpha * (matrix @ x) + beta * y_in, (short + 4) * u * size)
