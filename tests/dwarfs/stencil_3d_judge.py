"""The steps, judged by NumPy in double precision (see tests/judging.py)."""
import numpy

from judging import first_beyond, shape_errors, u


def judge(dump):
    """A sum of 25 products in any order: 26 roundings in each term; a step spreads earlier errors by the absolute sum."""
    problem = dump["problem"]
    shape = (problem["nz"], problem["ny"], problem["nx"])
    wrong = shape_errors(dump, grid=("f4", shape), output=("f4", shape))
    if wrong:
        return wrong
    c = [problem[f"c{k}"] for k in range(5)]
    total = abs(c[0]) + 6 * sum(abs(x) for x in c[1:])
    values = dump["grid"].astype(float)
    inner = tuple(slice(4, n - 4) for n in shape)
    error = 0.0
    for _ in range(problem["steps"]):
        error = total * error + 26.1 * u * total * (numpy.abs(values).max() + error)
        new = c[0] * values[inner]
        for axis in range(3):
            for k in range(1, 5):
                for shift in (-k, k):
                    moved = list(inner)
                    moved[axis] = slice(4 + shift, shape[axis] - 4 + shift)
                    new = new + c[k] * values[tuple(moved)]
        values = values.copy()
        values[inner] = new
    allowed = numpy.zeros(shape)
    allowed[inner] = error
    return first_beyond("output", dump["output"].astype(float), values, allowed)
