"""Needleman and Wunsch's alignment, judged by the textbook's fill and the published scores (see tests/judging.py)."""
import numpy

from judging import first_beyond, shape_errors

# From the published BLOSUM62 (S. and J. G. Henikoff, PNAS 89, 1992): its diagonal and some neighbours.
BLOSUM62 = {**{letter * 2: score for letter, score in zip("ARNDCQEGHILKMFPSTWYV", (
    4, 5, 6, 6, 9, 5, 5, 6, 8, 4, 4, 5, 5, 6, 7, 4, 5, 11, 7, 4))},
    "WY": 2, "IV": 3, "DE": 2, "KR": 2, "FY": 3, "CW": -2, "GI": -4, "AS": 1, "LM": 2, "PW": -4}


def scores_of(problem):
    letters = problem["letters"]
    table = [[int(score) for score in row.split()] for row in problem["match_table"].split(";")]
    return {a + b: table[i][j] for i, a in enumerate(letters) for j, b in enumerate(letters)}


def scoring_errors(problem, scores):
    if problem["scoring"] == "dna":
        wanted = {a + b: 5 if a == b else -4 for a in "ACGT" for b in "ACGT"}
    else:
        wanted = BLOSUM62
    wrong = [pair for pair, score in wanted.items() if not scores[pair] == scores[pair[::-1]] == score]
    return f"the scores of {wrong} are not the published ones" if wrong else None


def alignment_errors(text, first, second, scores, gap, wanted):
    lines = text.split("\n")
    if len(lines) != 3 or lines[2] != "" or len(lines[0]) != len(lines[1]):
        return "alignment.txt is not two lines of equal length"
    upper, lower = lines[:2]
    if upper.replace("-", "") != first or lower.replace("-", "") != second:
        return "alignment.txt does not hold the two sequences"
    if "--" in (a + b for a, b in zip(upper, lower)):
        return "alignment.txt pairs a gap with a gap"
    score = sum(-gap if "-" in a + b else scores[a + b] for a, b in zip(upper, lower))
    return None if score == wanted else f"alignment.txt scores {score}, wanted {wanted}"


def judge(dump):
    """The textbook's fill, a cell at a time."""
    problem = dump["problem"]
    m, n, gap = problem["m"], problem["n"], problem["gap"]
    wrong = shape_errors(dump, first=("u1", (m,)), second=("u1", (n,)), score=("i4", (1,)))
    if wrong:
        return wrong
    scores = scores_of(problem)
    first, second = dump["first"].tobytes().decode(), dump["second"].tobytes().decode()
    best = numpy.zeros((m + 1, n + 1), int)
    best[:, 0] = -gap * numpy.arange(m + 1)
    best[0, :] = -gap * numpy.arange(n + 1)
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            best[i, j] = max(best[i - 1, j - 1] + scores[first[i - 1] + second[j - 1]],
                             best[i - 1, j] - gap, best[i, j - 1] - gap)
    wrong = scoring_errors(problem, scores) or first_beyond("score", dump["score"], best[-1:, -1], 0)
    if wrong or problem["config"]["variant"].startswith("score_only"):
        return wrong
    return (shape_errors(dump, matrix=("i4", (m + 1, n + 1))) or first_beyond("matrix", dump["matrix"], best, 0)
            or alignment_errors(dump["alignment.txt"], first, second, scores, gap, best[-1, -1]))
