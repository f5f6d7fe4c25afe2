"""The steps, judged by NumPy in double precision (see tests/judging.py)."""
import numpy

from judging import first_beyond, shape_errors, u

# C N S E W T B NE NW SE SW NT NB ST SB ET EB WT WB: x, y, z; the opposite of each follows from the velocities.
C = numpy.array([(0, 0, 0), (0, 1, 0), (0, -1, 0), (1, 0, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1), (1, 1, 0), (-1, 1, 0),
                 (1, -1, 0), (-1, -1, 0), (0, 1, 1), (0, 1, -1), (0, -1, 1), (0, -1, -1), (1, 0, 1), (1, 0, -1),
                 (-1, 0, 1), (-1, 0, -1)])
W = numpy.array([1 / 3] + 6 * [1 / 18] + 12 * [1 / 36])
OPPOSITE = [int(numpy.flatnonzero((C == -c).all(axis=1))[0]) for c in C]


def step(f, flags, omega):
    """Collide, bounce back, move. Also the largest speed and the least density."""
    density = f.sum(axis=0)
    velocity = numpy.tensordot(C.T, f, 1) / density
    driven = flags == 2
    for axis, component in enumerate(numpy.float32([0.005, 0.002, 0])):
        velocity[axis][driven] = component
    square = (velocity ** 2).sum(axis=0)
    along = numpy.tensordot(C, velocity, 1)
    weights = W[:, None, None, None]
    equilibrium = weights * density * (1 + 3 * along + 4.5 * along ** 2 - 1.5 * square)
    after = f + omega * (equilibrium - f)
    after = numpy.where(flags == 1, f[OPPOSITE], after)
    fluid = flags != 1
    extremes = (numpy.sqrt(square[fluid].max()), density[fluid].min()) if fluid.any() else (0, 1)
    moved = [numpy.roll(values, shift[::-1], axis=(0, 1, 2)) for values, shift in zip(after, C)]
    return numpy.array(moved), extremes


def judge(dump):
    """A step rounds each f / W by some 60 u and more at a speed. In the norm sum of e^2 / W, a step spreads errors by
    the norm of (1, 0; omega q, |1 - omega|), where q = sqrt(6) |u| + 2.13 u.u is what the equilibrium adds to moments
    of second order; after k steps an error has come from (2 k + 1)^3 cells."""
    problem = dump["problem"]
    shape = tuple(problem[key] for key in ("nz", "ny", "nx"))
    wrong = shape_errors(dump, f_in=("f4", (19, *shape)), flags=("u1", shape), f=("f4", (19, *shape)),
                         rho=("f4", shape), u=("f4", (3, *shape)))
    if wrong:
        return wrong
    omega, steps = float(numpy.float32(problem["omega"])), problem["steps"]
    f, flags = dump["f_in"].astype(float), dump["flags"]
    weights = W[:, None, None, None]
    speed, least, most = 0.0, 1.0, 0.0
    for _ in range(steps):
        most = max(most, (abs(f) / weights).max())
        f, (fastest, density) = step(f, flags, omega)
        speed, least = max(speed, fastest), min(least, density)
    stored = 0.0
    if problem.get("storage") == "half":
        stored = 2.0 ** -11 * (abs(dump["f_in"] / weights - 1).max() + abs(f / weights - 1).max() + 0.01) + 1e-10
    rounded = 1.01 * (most / least) * u * (omega * (32 + 200 * speed) + 5) + stored
    q = speed * (6 ** 0.5 + 2.13 * speed)
    growth = numpy.linalg.norm([[1, 0], [omega * q, abs(1 - omega)]], 2)
    cells = [numpy.prod(numpy.minimum(2 * k + 1, shape)) for k in range(steps + 1)]
    spread = sum(growth ** k * rounded * cells[k] ** 0.5 for k in range(1, steps + 1))
    # Density and velocity, which are those of the dumped f, but for their own rounding.
    found = dump["f"].astype(float)
    density = found.sum(axis=0)
    velocity = numpy.where(flags == 1, 0, numpy.tensordot(C.T, found, 1) / density)
    return (first_beyond("f", found, f, weights * rounded + weights ** 0.5 * spread)
            or first_beyond("rho", dump["rho"].astype(float), density, 2 * u * abs(density))
            or first_beyond("u", dump["u"].astype(float), velocity, 2 * u * abs(velocity) + 1e-14))
