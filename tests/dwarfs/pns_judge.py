"""The Petri net, simulated again in Python by its rule; the words of MT19937 are NumPy's (see tests/judging.py)."""
import numpy

from judging import first_beyond, shape_errors, u

REFILL = 624


def mersenne(seed, refills):
    generator = numpy.random.RandomState(seed % 2 ** 32)
    for _ in range(refills):
        generator.randint(0, 2 ** 32, REFILL, dtype="u4")
        yield [int(word) for word in generator.get_state()[1]]


def philox(key, refills):
    for counter in range(0, refills * REFILL // 4, REFILL // 4):
        words = []
        for block in range(counter, counter + REFILL // 4):
            a, b, c, d, k0, k1 = block, 0, 0, 0, *key
            for _ in range(10):
                p, q = 0xD2511F53 * a, 0xCD9E8D57 * c
                a, b, c, d = q >> 32 ^ b ^ k0, q % 2 ** 32, p >> 32 ^ d ^ k1, p % 2 ** 32
                k0, k1 = (k0 + 0x9E3779B9) % 2 ** 32, (k1 + 0xBB67AE85) % 2 ** 32
            words += [a, b, c, d]
        yield words


def simulated(n, refills, batch):
    marks = numpy.ones((2 * n, n), int)
    number = 0
    for words in refills:
        for first in range(0, REFILL, batch):
            drawn = {divmod(word % (2 * n * n), n) for word in words[first:first + batch]}
            claimed = {(r, c) for r, c in drawn if marks[r - 1, (c + r % 2) % n] and marks[r, c]}
            fires = [(r, c) for r, c in claimed if r % 2 == number % 2 or not claimed & {
                ((r - 1) % (2 * n), (c + r % 2) % n), ((r + 1) % (2 * n), (c - (r + 1) % 2) % n)}]
            for r, c in fires:
                marks[r - 1, (c + r % 2) % n] -= 1
                marks[r, c] -= 1
                marks[(r + 1) % (2 * n), (c + r % 2) % n] += 1
                marks[r, (c + 1) % n] += 1
            number += 1
    return marks


def judge(dump):
    """The mean is of whole numbers, which are exact: two conversions, a division (5 u) and a subtraction."""
    problem = dump["problem"]
    n, trajectories, refills = problem["n"], problem["trajectories"], -(-problem["steps"] // 312)
    wrong = shape_errors(dump, marks=("u1", (trajectories, 2 * n, n)), statistics=("f4", (trajectories, 2)))
    if wrong:
        return wrong
    wanted = []
    for t in range(trajectories):
        words = mersenne(problem["seed"] + t, refills) if problem["rng"] == "mt19937" else philox((problem["seed"], t), refills)
        wanted.append(simulated(n, words, problem["batch"]))
    wanted = numpy.array(wanted)
    found = first_beyond("marks", dump["marks"].astype(int), wanted, 0)
    if found:
        return found
    squares = (wanted.astype(float) ** 2).mean(axis=(1, 2))
    statistics = dump["statistics"].astype(float)
    return (first_beyond("mean", statistics[:, 0], squares - 1, 9 * u * squares)
            or first_beyond("maximum", statistics[:, 1], wanted.max(axis=(1, 2)), 0))
