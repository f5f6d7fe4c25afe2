"""What a dump (`dwarfsweep run --dump DIR`) must hold, by tools that share no code with dwarfsweep: NumPy, SciPy,
scikit-learn, zlib, OpenSSL.

`judges[dwarf](dump)` looks at a dictionary of the dump's arrays and texts, with problem.json as `dump["problem"]`, and
returns what is wrong in words, or nothing. u is the unit roundoff of single precision throughout.
"""
import subprocess
import zlib

import numpy
import scipy.linalg
import scipy.sparse
import sklearn.metrics

u = 2.0 ** -24


def shape_errors(dump, **expected):
    """Names, types and shapes, as the table of formats states them."""
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


def lud(dump):
    """Elimination without pivoting, column by column, in double precision.

    Computed factors obey |A - LU| <= g |L||U| with g = (n + 8) u (Higham, Accuracy and Stability, theorem 9.3; the 8
    for a division by way of a reciprocal). To first order a change E of A moves L by L tril(L^-1 E U^-1), below the
    diagonal, and U by triu(L^-1 E U^-1) U; doubled for the higher orders.
    """
    n = dump["problem"]["n"]
    wrong = shape_errors(dump, matrix=("f4", (n, n)), lu=("f4", (n, n)))
    if wrong:
        return wrong
    matrix = dump["matrix"].astype(float)
    left = matrix.copy()
    for k in range(n):
        left[k + 1:, k] /= left[k, k]
        left[k + 1:, k + 1:] -= numpy.outer(left[k + 1:, k], left[k, k + 1:])
    lower, upper = numpy.tril(left, -1) + numpy.eye(n), numpy.triu(left)
    g = (n + 8) * u
    growth = (numpy.abs(scipy.linalg.inv(lower)) @ (g * numpy.abs(lower) @ numpy.abs(upper))
              @ numpy.abs(scipy.linalg.inv(upper)))
    allowed = 2 * (numpy.abs(lower) @ numpy.tril(growth, -1) + numpy.triu(growth) @ numpy.abs(upper))
    lu = dump["lu"].astype(float)
    wrong = first_beyond("lu", lu, left, allowed)
    if wrong:
        return wrong
    lower, upper = numpy.tril(lu, -1) + numpy.eye(n), numpy.triu(lu)
    return first_beyond("L U", lower @ upper, matrix, g * numpy.abs(lower) @ numpy.abs(upper))


def crc(dump):
    wrong = shape_errors(dump, data=("u1", (dump["problem"]["bytes"],)), crc=("u4", (1,)))
    if wrong:
        return wrong
    found, wanted = int(dump["crc"][0]), zlib.crc32(dump["data"].tobytes())
    return None if found == wanted else f"crc is {found:#010x}, zlib says {wanted:#010x}"


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


def needle(dump):
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


def srad(dump):
    """The published formulas, in double precision.

    A step in single precision puts at most (2 + 120 lambda q0) u, relative, into a pixel and 256 u into q0^2 (derived
    in dwarfs/srad/verification.cpp). How later steps pass errors on depends on the image, so that errors of that size and
    of random signs are put into eight more runs; twice the largest of what comes out, and a last rounding, is allowed.
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


def bfs(dump):
    problem = dump["problem"]
    nodes, edges = problem["nodes"], len(dump["neighbours"])
    wrong = shape_errors(dump, offsets=("i8", (nodes + 1,)), neighbours=("i4", (edges,)), source=("i4", (1,)),
                         levels=("i4", (nodes,)))
    if wrong:
        return wrong
    graph = scipy.sparse.csr_matrix((numpy.ones(edges), dump["neighbours"], dump["offsets"]), (nodes, nodes))
    distances = scipy.sparse.csgraph.shortest_path(graph, unweighted=True, indices=int(dump["source"][0]))
    return first_beyond("levels", dump["levels"], numpy.where(numpy.isinf(distances), -1, distances), 0)


def sgemv(dump):
    """In double precision. A sum of k products in any order, scaled and added to: k + 4 roundings in each term."""
    problem = dump["problem"]
    m, n = problem["m"], problem["n"]
    long, short = (n, m) if problem["transposed"] else (m, n)
    wrong = shape_errors(dump, matrix=("f4", (m, n)), x=("f4", (short,)), y_in=("f4", (long,)), y=("f4", (long,)))
    if wrong:
        return wrong
    matrix = dump["matrix"].astype(float)
    if problem["transposed"]:
        matrix = matrix.T
    x, y_in = dump["x"].astype(float), dump["y_in"].astype(float)
    alpha, beta = problem["alpha"], problem["beta"]
    size = numpy.abs(alpha) * (numpy.abs(matrix) @ numpy.abs(x)) + numpy.abs(beta * y_in)
    return first_beyond("y", dump["y"].astype(float), alpha * (matrix @ x) + beta * y_in, (short + 4) * u * size)


def kmeans(dump):
    """Lloyd's step: scikit-learn assigns, NumPy takes the means; a cluster without points stays where it is.

    A squared distance of p and c has at most features + 8 roundings, relative to (|p| + |c|)^2, into which it may be
    expanded, and an error e of c from the step before moves it by 2 |p - c| |e|. Where two centroids are that close the
    assignment may go either way, and such a problem is refused. A mean of n points has at most n + 2 roundings,
    relative to the mean of the magnitudes.
    """
    problem = dump["problem"]
    points, features, clusters = problem["points"], problem["features"], problem["clusters"]
    wrong = shape_errors(dump, points=("f4", (points, features)), centroids_in=("f4", (clusters, features)),
                         assignments=("i4", (points,)), centroids=("f4", (clusters, features)))
    if wrong:
        return wrong
    data, centroids = dump["points"].astype(float), dump["centroids_in"].astype(float)
    allowed = numpy.zeros_like(centroids)
    for _ in range(problem["iterations"]):
        assignments = sklearn.metrics.pairwise_distances_argmin(data, centroids)
        distances = ((data[:, None] - centroids[None]) ** 2).sum(axis=2)
        reach = numpy.linalg.norm(data, axis=1)[:, None] + numpy.linalg.norm(centroids, axis=1)[None]
        blur = (features + 8) * u * reach ** 2 + 2 * numpy.sqrt(distances) * numpy.linalg.norm(allowed, axis=1)[None]
        nearest = distances[numpy.arange(points), assignments]
        others = distances - 2 * blur.max(axis=1)[:, None]
        others[numpy.arange(points), assignments] = numpy.inf
        if (others.min(axis=1) <= nearest).any():
            return "a point lies between two clusters: this check needs another seed"
        for k in range(clusters):
            members = data[assignments == k]
            if len(members):
                centroids[k] = members.mean(axis=0)
                allowed[k] = (len(members) + 2) * u * numpy.abs(members).mean(axis=0)
    return (first_beyond("assignments", dump["assignments"], assignments, 0)
            or first_beyond("centroids", dump["centroids"], centroids, allowed + u * numpy.abs(centroids)))


def des(dump):
    size = 8 * (1 if dump["problem"]["mode"] == "search" else dump["problem"]["blocks"])
    wrong = shape_errors(dump, plaintext=("u1", (size,)), ciphertext=("u1", (size,)), key=("u1", (8,)))
    if wrong:
        return wrong
    # DES left OpenSSL's default provider with version 3.
    wanted = subprocess.run(
        ["openssl", "enc", "-des-ecb", "-nopad", "-K", dump["key"].tobytes().hex(), "-provider", "legacy", "-provider",
         "default"], input=dump["plaintext"].tobytes(), check=True, capture_output=True).stdout
    return first_beyond("ciphertext", dump["ciphertext"].astype(int), numpy.frombuffer(wanted, "u1").astype(int), 0)


def hotspot(dump):
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


judges = {"lud": lud, "crc": crc, "needle": needle, "srad": srad, "bfs": bfs, "sgemv": sgemv, "kmeans": kmeans,
          "des": des, "hotspot": hotspot}
