"""The chip's temperature, judged by Euler steps with NumPy (see tests/judging.py)."""
import numpy

from judging import first_beyond, shape_errors, u


def judge(dump):
    """Forward Euler steps of the chip's thermal network, in double precision, with the classic constants.

    The weights of a step are not negative and add up to at most 1, so that it amplifies no error; its own is one
    rounding of the temperature and at most 16 in the increment, relative to the magnitudes that are added up in it.
    """
    rows, cols = dump["problem"]["rows"], dump["problem"]["cols"]
    names = {name: ("f4", (rows, cols)) for name in ("temperature", "power", "output")}
    wrong = shape_errors(dump, **names)
    if wrong:
        return wrong
    chip, thickness, ambient, density, precision, heat, conductivity, factor = (
        0.016, 0.0005, 80.0, 3e6, 0.001, 1.75e6, 100.0, 0.5)
    height, width = chip / rows, chip / cols
    time_step = precision / (density / (factor * thickness * heat))
    scale = time_step / (factor * heat * thickness * width * height)
    from_sides = scale * 2 * conductivity * thickness * height / width
    from_ends = scale * 2 * conductivity * thickness * width / height
    from_air = scale * conductivity * height * width / thickness
    temperature, power = dump["temperature"].astype(float), dump["power"].astype(float)
    allowed = 0.0
    for _ in range(dump["problem"]["steps"]):
        framed = numpy.pad(temperature, 1, mode="edge")
        ends, sides = framed[:-2, 1:-1] + framed[2:, 1:-1], framed[1:-1, :-2] + framed[1:-1, 2:]
        largest = numpy.abs(temperature).max()
        added = scale * numpy.abs(power).max() + (4 * from_sides + 4 * from_ends + from_air) * (largest + ambient)
        temperature = (temperature + scale * power + from_ends * (ends - 2 * temperature)
                       + from_sides * (sides - 2 * temperature) + from_air * (ambient - temperature))
        allowed += u * (largest + 16 * added)
    return first_beyond("output", dump["output"].astype(float), temperature, allowed)
