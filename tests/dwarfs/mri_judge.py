"""The reconstruction, judged by NumPy in double precision (see tests/judging.py)."""
import numpy

from judging import first_beyond, shape_errors, u


def judge(dump):
    """A phase of m turns in absolute value is off by 10 pi u m; of the other roundings there are 3 per sample or fewer."""
    problem = dump["problem"]
    voxels, samples, kind = problem["voxels"], problem["samples"], problem["kind"]
    wrong = shape_errors(dump, voxels=("f4", (voxels, 3)), samples=("f4", (samples, 3)), phi=("f4", (samples, 2)),
                         **({"data": ("f4", (samples, 2))} if kind == "fhd" else {}), **{kind: ("f4", (voxels, 2))})
    if wrong:
        return wrong
    x, k, phi, data = (dump[name].astype(float)
                       for name in ("voxels", "samples", "phi", "data" if kind == "fhd" else "phi"))
    # F is the matrix that takes an image to samples, exp(-2 pi i k.x) with the coil's phi; its adjoint is NumPy's.
    forward = numpy.exp(-2j * numpy.pi * (k @ x.T))
    wanted = forward.conj().T @ ((phi @ [1, 1j]).conj() * (data @ [1, 1j]))
    size = (phi ** 2).sum(1) if kind == "q" else numpy.abs(phi).sum(1) * numpy.abs(data).sum(1)
    allowed = 10 * numpy.pi * u * (numpy.abs(x) @ numpy.abs(k.T)) @ size + (3 * samples + 12) * u * size.sum()
    return first_beyond(kind, dump[kind].astype(float), numpy.stack([wanted.real, wanted.imag], 1), allowed[:, None])
