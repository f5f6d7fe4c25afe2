"""Judges of what a dump (`dwarfsweep run --dump DIR`) holds, by tools that share no code with dwarfsweep.

The judge of a dwarf is tests/dwarfs/<name>_judge.py. Its `judge(dump)` looks at a dictionary of the dump's arrays and
texts, with problem.json as `dump["problem"]`, and returns a sentence on what is wrong, or
nothing. This file has what judges share.
"""
import numpy

u = 2.0 ** -24  # the unit roundoff of single precision


def shape_errors(dump, **expected):
    """What differs from the names, types and shapes that the dwarf's page states."""
    for name, (kind, shape) in expected.items():
        if name not in dump:
            return f"there is no {name}"
        found = dump[name]
        if found.dtype != numpy.dtype(kind) or found.shape != tuple(shape):
            return f"{name} is {found.dtype}{found.shape}, wanted {kind}{tuple(shape)}"
    return None


def first_beyond(name, found, wanted, allowed):
    """The first element that is off by more than allowed; a NaN is."""
    error = numpy.abs(found - wanted)
    good = error <= allowed
    if good.all():
        return None
    place = tuple(int(i) for i in numpy.argwhere(~good)[0])
    margin = numpy.broadcast_to(allowed, good.shape)[place]
    return f"{name}{list(place)} is {found[place]}, wanted {wanted[place]} within {margin:.3g}"
