"""The sums of staging, judged by NumPy (see tests/judging.py): together they are those of the data, exactly."""
import numpy

from judging import shape_errors, u

COUNTS = (1, 2, 4, 8, 16, 32, 64, 128, 256)


def judge(dump):
    """Which work-item has which float follows from the configuration, the sum over all work-items does not. Sums of small
    data are exact: (m + 1) times multiples of 1/8, below 2^24 of them."""
    wrong = shape_errors(dump, data=("f4", (dump["problem"]["n"],)))
    if wrong:
        return wrong
    data = dump["data"].astype(float)
    for count in [each for each in COUNTS if each <= dump["problem"]["multiply_adds"]]:
        sums = dump[f"sums_{count}"].astype(float)
        wanted = (count + 1) * data.sum()
        exact = (count + 1) * 8 * numpy.abs(data).sum() < 2.0 ** 24
        allowed = 0 if exact else data.size * u * (count + 1) * numpy.abs(data).sum()
        if not abs(sums.sum() - wanted) <= allowed:
            return f"sums_{count} together are {sums.sum()}, wanted {wanted}"
    return None
