"""The integrals, judged by NumPy in double precision with the error function of Python (see tests/judging.py)."""
import math

import numpy

from judging import first_beyond, shape_errors, u

erf = numpy.vectorize(math.erf, otypes=[float])


def judge(dump):
    """Each term is off by some 70 u, by 10 u times the arguments of its exponentials, and by what rounded centres make of
    F0's argument, whose relative effect is at most a third of the change of x; a sum of n terms by n u of their
    magnitudes."""
    problem = dump["problem"]
    atoms, primitives = problem["atoms"], problem["primitives"]
    pairs = atoms * (atoms + 1) // 2
    count = pairs * (pairs + 1) // 2
    if problem["quartets"] == "ordered":
        count = math.comb(atoms + 3, 4)
    wrong = shape_errors(dump, centres=("f4", (atoms, 3)), exponents=("f4", (primitives,)),
                         coefficients=("f4", (primitives,)), quartets=("i4", (count, 4)), integrals=("f4", (count,)))
    if wrong:
        return wrong
    quartets = dump["quartets"]
    if len(numpy.unique(quartets, axis=0)) != count:
        return "a quartet is listed twice"
    r = dump["centres"].astype(float)[quartets]
    a, c = dump["exponents"].astype(float), dump["coefficients"].astype(float)
    wanted, allowed = numpy.zeros(count), numpy.full(count, primitives ** 4 * 3.3e-12)
    square = [((r[:, 0] - r[:, 1]) ** 2).sum(axis=1), ((r[:, 2] - r[:, 3]) ** 2).sum(axis=1)]
    furthest = abs(r).max(axis=(1, 2))
    for term in numpy.ndindex((primitives,) * 4):
        i, j, k, l = a[list(term)]
        p, q = i + j, k + l
        argument = i * j / p * square[0] + k * l / q * square[1]
        apart = numpy.linalg.norm((i * r[:, 0] + j * r[:, 1]) / p - (k * r[:, 2] + l * r[:, 3]) / q, axis=1)
        alpha = p * q / (p + q)
        x = alpha * apart ** 2
        safe = numpy.maximum(x, 1e-9)
        boys = numpy.where(x > 1e-9, numpy.sqrt(math.pi / safe) / 2 * erf(numpy.sqrt(safe)), 1.0)
        value = 2 * math.pi ** 2.5 / (p * q * math.sqrt(p + q)) * c[list(term)].prod() * numpy.exp(-argument) * boys
        moved = 35 * u * furthest + u * apart
        change = 12 * u + alpha * (2 * apart * moved + moved ** 2) * numpy.minimum(1 / 3, 0.5 / safe)
        wanted += value
        allowed += abs(value) * ((80 + primitives ** 4) * u + 10 * u * argument + 1.1 * change)
    return first_beyond("integrals", dump["integrals"].astype(float), wanted, allowed)
