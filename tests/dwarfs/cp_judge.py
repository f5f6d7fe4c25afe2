"""The potential, judged by NumPy in double precision (see tests/judging.py)."""
import numpy

from judging import first_beyond, shape_errors, u


def judge(dump):
    """Coordinates are rounded (u of their size), distances and roots some u, a sum of n terms n u."""
    problem = dump["problem"]
    atoms, nx, ny = problem["atoms"], problem["nx"], problem["ny"]
    wrong = shape_errors(dump, atoms=("f4", (atoms, 4)), potential=("f4", (ny, nx)))
    if wrong:
        return wrong
    x, y, z, q = dump["atoms"].astype(float).T
    spacing = float(numpy.float32(problem["spacing"]))
    columns, rows = numpy.arange(nx) * spacing, numpy.arange(ny)[:, None] * spacing
    wanted, allowed = numpy.zeros((ny, nx)), numpy.zeros((ny, nx))
    for i in range(atoms):
        dx, dy = columns - x[i], rows - y[i]
        square = dx ** 2 + dy ** 2 + z[i] ** 2
        term = q[i] / numpy.sqrt(square)
        wanted += term
        allowed += abs(term) * u * (atoms + 12 + 1.1 * (abs(dx) * columns + abs(dy) * rows) / square)
    return first_beyond("potential", dump["potential"].astype(float), wanted, allowed)
