"""The key search, judged by NumPy, which encrypts with all keys of the search (see tests/judging.py)."""
import numpy

from judging import shape_errors

WORD = numpy.uint32


def rotated(words, amounts):
    amounts = amounts & WORD(31)
    return numpy.where(amounts == 0, words, words << amounts | words >> ((WORD(32) - amounts) & WORD(31)))


def encrypted(first, keys, a, b):
    """RC5-32/12/9 of Rivest's paper with the keys of nine bytes from `first` on, read as numbers."""
    numbers = [(first + i).to_bytes(9, "big") for i in range(keys)]
    padded = numpy.frombuffer(b"".join(number + bytes(3) for number in numbers), "<u4").reshape(keys, 3)
    words = [column.astype(WORD) for column in padded.T]
    table = [numpy.full(keys, (0xB7E15163 + i * 0x9E3779B9) % 2 ** 32, WORD) for i in range(26)]
    x = y = numpy.zeros(keys, WORD)
    for step in range(78):
        x = table[step % 26] = rotated(table[step % 26] + x + y, WORD(3))
        y = words[step % 3] = rotated(words[step % 3] + x + y, x + y)
    x, y = table[0] + WORD(a), table[1] + WORD(b)
    for i in range(2, 26, 2):
        x = rotated(x ^ y, y) + table[i]
        y = rotated(y ^ x, x) + table[i + 1]
    return x, y


def judge(dump):
    problem = dump["problem"]
    words = {name: divmod(int(problem[name], 16), 2 ** 32) for name in ("plain", "iv", "cipher")}
    plain = [word ^ iv for word, iv in zip(words["plain"], words["iv"])]
    x, y = encrypted(int(problem["first"], 16), problem["keys"], *plain)
    half = x == WORD(words["cipher"][0])
    wanted = numpy.flatnonzero(half & (y == WORD(words["cipher"][1])))
    wrong = shape_errors(dump, matches=("u8", wanted.shape), half_matches=("u8", (1,)))
    if wrong:
        return wrong
    if list(dump["matches"]) != list(wanted):
        return f"matches are {dump['matches']}, wanted {wanted}"
    if dump["half_matches"][0] != half.sum():
        return f"half_matches is {dump['half_matches'][0]}, wanted {half.sum()}"
    return None
