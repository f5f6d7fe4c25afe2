"""Pair counts of tpacf, judged by NumPy in double precision (see tests/judging.py).

A product of two unit vectors in single precision is off by at most 5 u: the three products' roundings by u in all, the three
sums' by u each, and one u where 1 - product exceeds 2. A pair within 5.1 u of an edge may be on either side of it.
"""
import numpy

from judging import shape_errors, u


def beyond(one, other, edges, within):
    """For each edge, how many pairs are beyond it: surely, and at most."""
    products = one.astype(float) @ other.astype(float).T
    if within:
        products = products[numpy.triu_indices(len(one), 1)]
    surely = numpy.array([(products < edge - 5.1 * u).sum() for edge in edges])
    at_most = numpy.array([(products < edge + 5.1 * u).sum() for edge in edges])
    return surely, at_most


def judge(dump):
    problem = dump["problem"]
    n, sets, bins = problem["points"], problem["sets"], problem["bins"]
    wrong = shape_errors(dump, data=("f4", (n, 3)), random=("f4", (sets, n, 3)), edges=("f4", (bins + 1,)), dd=("i8", (bins,)),
                         dr=("i8", (bins,)), rr=("i8", (bins,)), w=("f8", (bins,)))
    if wrong:
        return wrong
    data, random, edges = dump["data"], dump["random"], dump["edges"].astype(float)
    angles = problem["min"] * (problem["max"] / problem["min"]) ** (numpy.arange(bins + 1) / bins) * numpy.pi / 10800
    # Rounded to single precision, in steps of 2 u, and once more where 1 - cosine is.
    if (abs(edges - numpy.cos(angles)) > 4 * u).any():
        return "the edges are not the cosines of the bins' angles"
    parts = {"dd": [beyond(data, data, edges, True)], "rr": [beyond(r, r, edges, True) for r in random],
             "dr": [beyond(r, data, edges, False) for r in random]}
    for name, bounds in parts.items():
        surely, at_most = numpy.sum(bounds, axis=0)
        # A bin has what is beyond its first edge but not beyond its second one.
        low, high = surely[:-1] - at_most[1:], at_most[:-1] - surely[1:]
        bad = numpy.flatnonzero((dump[name] < low) | (dump[name] > high) | (dump[name] < 0))
        if bad.size:
            k = bad[0]
            return f"{name}[{k}] is {dump[name][k]}, wanted {low[k]} to {high[k]}"
    with numpy.errstate(divide="ignore", invalid="ignore"):
        rr = dump["rr"] / sets
        w = (dump["dd"] - (n - 1) / n * dump["dr"] / sets + rr) / rr
    w[rr == 0] = numpy.nan
    if not numpy.allclose(dump["w"], w, rtol=1e-12, atol=1e-12, equal_nan=True):
        return f"w is {dump['w']}, wanted {w}"
    return None
