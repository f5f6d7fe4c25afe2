"""y = x * x, judged by NumPy in double precision (see tests/judging.py)."""
from judging import first_beyond, shape_errors, u


def judge(dump):
    """One rounding; a square below 2^-126 may be flushed to zero."""
    n = dump["problem"]["n"]
    wrong = shape_errors(dump, x=("f4", (n,)), y=("f4", (n,)))
    if wrong:
        return wrong
    square = dump["x"].astype(float) ** 2
    return first_beyond("y", dump["y"].astype(float), square, u * square + 2.0 ** -126)
