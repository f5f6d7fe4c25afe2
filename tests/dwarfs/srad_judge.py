"""The diffused image, judged by the published formulas with NumPy (see tests/judging.py)."""
import numpy

from judging import first_beyond, shape_errors, u


def srad_step(image, problem, speckle_factor=1.0):
    top, left = problem["roi_top"], problem["roi_left"]
    region = image[top:top + (problem["roi_rows"] or len(image)), left:left + (problem["roi_cols"] or image.shape[1])]
    speckle = max(region.var() / region.mean() ** 2, 2.0 ** -40) * speckle_factor
    framed = numpy.pad(image, 1, mode="edge")
    north, south = framed[:-2, 1:-1] - image, framed[2:, 1:-1] - image
    west, east = framed[1:-1, :-2] - image, framed[1:-1, 2:] - image
    gradient = (north ** 2 + south ** 2 + west ** 2 + east ** 2) / image ** 2
    laplacian = (north + south + west + east) / image
    variation = (gradient / 2 - (laplacian / 4) ** 2) / (1 + laplacian / 4) ** 2
    c = numpy.clip(1 / (1 + (variation - speckle) / (speckle * (1 + speckle))), 0, 1)
    framed = numpy.pad(c, 1, mode="edge")
    flux = c * north + framed[2:, 1:-1] * south + c * west + framed[1:-1, 2:] * east
    return image + problem["lambda"] / 4 * flux, speckle


def judge(dump):
    """The published formulas, in double precision.

    A step in single precision puts at most (2 + 120 lambda q0) u, relative, into a pixel and 256 u into q0^2 (derived
    in dwarfs/srad/verification.cpp). How later steps pass errors on depends on the image, so that errors of that size
    and of random signs are put into eight more runs; twice the largest of what comes out, and a last rounding, is
    allowed.
    """
    problem = dump["problem"]
    shape = (problem["rows"], problem["cols"])
    wrong = shape_errors(dump, image=("f4", shape), output=("f4", shape))
    if wrong:
        return wrong

    def diffused(disturb):
        image = dump["image"].astype(float)
        for _ in range(problem["iterations"]):
            image, speckle = srad_step(image, problem, 1 + disturb() * 256 * u)
            image = image * (1 + disturb(shape) * (2 + 120 * problem["lambda"] * speckle ** 0.5) * u)
        return image

    wanted = diffused(lambda shape=None: 0)
    random = numpy.random.default_rng(1)
    spread = max(numpy.max(numpy.abs(diffused(lambda shape=None: random.choice([-1, 1], shape)) / wanted - 1))
                 for _ in range(8))
    return first_beyond("output", dump["output"].astype(float), wanted, (2 * spread + u) * numpy.abs(wanted))
