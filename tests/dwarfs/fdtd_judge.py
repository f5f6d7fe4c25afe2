"""The fields, judged by Yee's steps with NumPy in double precision (see tests/judging.py)."""
import math

import numpy

from judging import first_beyond, shape_errors, u


def judge(dump):
    """The energy of all errors together.

    In the norm of the energy, sum w Ez^2 + H . (H + D curl Ez), no step amplifies an error. With w from Ca and Cb as below
    it is at least 0.18 of the sum of w Ez^2, and of H^2, as D^2 is 0.405. A new H rounds three times, a new Ez at
    most six times; sums of four neighbours have at most sqrt(8) times the norm: less than 60 u of the norm per step.
    """
    problem = dump["problem"]
    shape = (problem["nx"], problem["ny"])
    names = ("ez_in", "hx_in", "hy_in", "ca", "cb", "ez", "hx", "hy")
    wrong = shape_errors(dump, **{name: ("f4", shape) for name in names})
    if wrong:
        return wrong
    d = problem["d"]
    ez, hx, hy, ca, cb = (dump[name].astype(float) for name in ("ez_in", "hx_in", "hy_in", "ca", "cb"))
    inner = (slice(1, -1), slice(1, -1))
    loss = (1 - ca[inner]) / (1 + ca[inner])
    weight = d / (cb[inner] * (1 + loss))

    def norm(ez, hx, hy):
        curl_x, curl_y = numpy.zeros(shape), numpy.zeros(shape)
        curl_x[:, :-1], curl_y[:-1] = -numpy.diff(ez, axis=1), numpy.diff(ez, axis=0)
        return math.sqrt((weight * ez[inner] ** 2).sum() + (hx * (hx + d * curl_x) + hy * (hy + d * curl_y)).sum())

    size = norm(ez, hx, hy)
    for step in range(problem["steps"]):
        hx[:, :-1] -= d * numpy.diff(ez, axis=1)
        hy[:-1] += d * numpy.diff(ez, axis=0)
        curl = numpy.diff(hy[:-1, 1:-1], axis=0) - numpy.diff(hx[1:-1, :-1], axis=1)
        ez[inner] = ca[inner] * ez[inner] + cb[inner] * curl
        if problem["source"] == "point":
            place = problem["source_row"], problem["source_column"]
            ez[place] += dump["source_values"][step]
            size += math.sqrt(weight[place[0] - 1, place[1] - 1]) * abs(float(dump["source_values"][step]))
    outer = numpy.ones(shape, bool)
    outer[inner] = False
    if dump["ez"][outer].any():
        return "ez is not 0 on the outermost cells"
    allowed = size * math.expm1(60 * u * problem["steps"]) + 2.0 ** -100
    found = norm(dump["ez"] - ez, dump["hx"] - hx, dump["hy"] - hy)
    return first_beyond("norm of the errors", numpy.array([found]), numpy.zeros(1), allowed)
