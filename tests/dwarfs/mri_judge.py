"""The reconstruction, judged by NumPy in double precision (see tests/judging.py)."""
import numpy

from judging import first_beyond, shape_errors, u


def judge(dump):
    """A phase of m turns in absolute value is off by 10 pi u m; of the other roundings there are 3 per sample or fewer."""
    problem = dump["problem"]
    voxels, samples, kind = problem["voxels"], problem["samples"], problem["kind"]
    wrong = shape_errors(dump, voxels=("f4", (voxels, 3)), samples=("f4", (samples, 3)), phi=("f4", (samples, 2)),
                         **{kind: ("f4", (voxels, 2))})
    if wrong:
        return wrong
    x, k, phi = (dump[name].astype(float) for name in ("voxels", "samples", "phi"))
    phi = phi @ [1, 1j]
    turned = numpy.exp(2j * numpy.pi * (x @ k.T) * (1 if kind == "q" else -1))
    # Of F^H d the real part is phi_r cos + phi_i sin, the imaginary one phi_i cos - phi_r sin: phi exp(-i ...).
    weight = numpy.abs(phi) ** 2 if kind == "q" else phi
    wanted = turned @ weight
    size = numpy.abs(phi.real) + numpy.abs(phi.imag) if kind == "fhd" else weight
    allowed = 10 * numpy.pi * u * (numpy.abs(x) @ numpy.abs(k.T)) @ size + (3 * samples + 12) * u * size.sum()
    return first_beyond(kind, dump[kind].astype(float), numpy.stack([wanted.real, wanted.imag], 1), allowed[:, None])
