"""The sums of absolute differences, judged by NumPy in integers (see tests/judging.py)."""
import numpy

from judging import first_beyond, shape_errors


def judge(dump):
    problem = dump["problem"]
    rows, cols, search = problem["rows"], problem["cols"], problem["search"]
    down, across = -(-rows // 4), -(-cols // 4)
    wrong = shape_errors(dump, current=("u1", (rows, cols)), reference=("u1", (rows, cols)),
                         sad=("u2", (down, across, search, search)))
    if wrong:
        return wrong
    current = numpy.pad(dump["current"].astype(int), ((0, 4 * down - rows), (0, 4 * across - cols)), "edge")
    before, behind = search // 2, search
    reference = numpy.pad(dump["reference"].astype(int), ((before, behind + 4), (before, behind + 4)), "edge")
    wanted = numpy.empty((down, across, search, search), int)
    for dy in range(search):
        for dx in range(search):
            difference = abs(current - reference[dy:dy + 4 * down, dx:dx + 4 * across])
            wanted[:, :, dy, dx] = difference.reshape(down, 4, across, 4).sum((1, 3))
    return first_beyond("sad", dump["sad"].astype(int), wanted, 0)
