"""LU factors, judged by elimination with NumPy and SciPy (see tests/judging.py)."""
import numpy
import scipy.linalg

from judging import first_beyond, shape_errors, u


def judge(dump):
    """Elimination without pivoting, column by column, in double precision.

    Computed factors obey |A - LU| <= g |L||U| with g = (n + 8) u (Higham, Accuracy and Stability, theorem 9.3; the 8
    for a division by way of a reciprocal). To first order a change E of A moves L by L tril(L^-1 E U^-1), below the
    diagonal, and U by triu(L^-1 E U^-1) U; doubled for the higher orders.
    """
    n = dump["problem"]["n"]
    wrong = shape_errors(dump, matrix=("f4", (n, n)), lu=("f4", (n, n)))
    if wrong:
        return wrong
    matrix = dump["matrix"].astype(float)
    left = matrix.copy()
    for k in range(n):
        left[k + 1:, k] /= left[k, k]
        left[k + 1:, k + 1:] -= numpy.outer(left[k + 1:, k], left[k, k + 1:])
    lower, upper = numpy.tril(left, -1) + numpy.eye(n), numpy.triu(left)
    g = (n + 8) * u
    growth = (numpy.abs(scipy.linalg.inv(lower)) @ (g * numpy.abs(lower) @ numpy.abs(upper))
              @ numpy.abs(scipy.linalg.inv(upper)))
    allowed = 2 * (numpy.abs(lower) @ numpy.tril(growth, -1) + numpy.triu(growth) @ numpy.abs(upper))
    lu = dump["lu"].astype(float)
    wrong = first_beyond("lu", lu, left, allowed)
    if wrong:
        return wrong
    lower, upper = numpy.tril(lu, -1) + numpy.eye(n), numpy.triu(lu)
    return first_beyond("L U", lower @ upper, matrix, g * numpy.abs(lower) @ numpy.abs(upper))
