"""The motion, judged by steps with the stiffness matrix that SciPy adds up from its elements (see tests/judging.py)."""
import numpy
import scipy.io
import scipy.sparse

from judging import first_beyond, shape_errors, u


def write_input(folder):
    """A symmetric matrix of 100 rows, some of them empty, of which the file lists one half."""
    path = folder / "fem.mtx"
    half = scipy.sparse.random(100, 100, 0.03, random_state=5, data_rvs=numpy.random.default_rng(6).standard_normal)
    scipy.io.mmwrite(path, half + half.T, symmetry="symmetric")
    return "csr", path


def judge_product(dump):
    """y = A x with a matrix from a file: a sum of n products rounds each at most n times."""
    rows, entries = dump["problem"]["rows"], len(dump["values"])
    wrong = shape_errors(dump, offsets=("i8", (rows + 1,)), columns=("i4", (entries,)), values=("f4", (entries,)),
                         x=("f4", (rows,)), y=("f4", (rows,)))
    if wrong:
        return wrong
    matrix = scipy.sparse.csr_matrix((dump["values"].astype(float), dump["columns"], dump["offsets"]), shape=(rows, rows))
    x = dump["x"].astype(float)
    return first_beyond("y", dump["y"].astype(float), matrix @ x,
                        1.01 * u * numpy.diff(dump["offsets"]) * (abs(matrix) @ abs(x)) + 2.0 ** -100)


def judge(dump):
    """Each value, with the errors of all sums that single precision may round.

    A force is a sum of terms K u, in which differences of positions count with their absolute values, as |K|. Each is
    rounded at most 35 + 8 |V| / V times (gradients, stress, scale) and once for each term of its sum, whether by elements or
    by an assembled matrix. Edges have terms K_ij (u_j - u_i) instead, each rounded 3 times and once for each block; the larger
    of both bounds holds for any variant. A step takes the errors of the one before along with |K|.
    """
    problem = dump["problem"]
    if problem["rows"] > 0:
        return judge_product(dump)
    nodes, count = len(dump["nodes"]), len(dump["elements"])
    vectors = {name: ("f4", (nodes, 3)) for name in ("nodes", "u_in", "v_in", "u", "v")}
    wrong = shape_errors(dump, elements=("i4", (count, 4)), lame=("f4", (count, 2)), mass=("f4", (nodes,)), **vectors)
    if wrong:
        return wrong
    corners = dump["elements"]
    x = dump["nodes"].astype(float)[corners]
    edges = x[:, 1:] - x[:, :1]
    volume = numpy.linalg.det(edges) / 6
    gradient = numpy.empty((count, 4, 3))
    gradient[:, 1:] = numpy.linalg.inv(edges).transpose(0, 2, 1)
    gradient[:, 0] = -gradient[:, 1:].sum(1)
    terms, long = numpy.empty((count, 4, 3)), numpy.abs(edges)
    for k in range(3):
        a, b = long[:, (k + 1) % 3], long[:, (k + 2) % 3]
        for axis in range(3):
            p, q = (axis + 1) % 3, (axis + 2) % 3
            terms[:, k + 1, axis] = a[:, p] * b[:, q] + a[:, q] * b[:, p]
    flat = ((long[:, 0] * terms[:, 1]).sum(1) / (6 * volume)).max()
    terms[:, 1:] /= 6 * volume[:, None, None]
    terms[:, 0] = terms[:, 1:].sum(1)

    def blocks_of(g, h):
        first, second = (dump["lame"][:, k].astype(float) * volume for k in (0, 1))
        blocks = numpy.einsum("e,eap,ebq->eapbq", first, g, h) + numpy.einsum("e,eaq,ebp->eapbq", second, g, h)
        return blocks + numpy.einsum("e,ear,ebr,pq->eapbq", second, g, h, numpy.eye(3))

    def assembled(blocks):
        place = 3 * corners[:, :, None] + numpy.arange(3)
        rows = numpy.broadcast_to(place[:, :, :, None, None], blocks.shape)
        columns = numpy.broadcast_to(place[:, None, None, :, :], blocks.shape)
        return scipy.sparse.csr_matrix((blocks.ravel(), (rows.ravel(), columns.ravel())), shape=(3 * nodes, 3 * nodes))

    stiffness, largest = assembled(blocks_of(gradient, gradient)), assembled(blocks_of(terms, terms))
    of_others = numpy.zeros((count, 4, 3, 4, 3))  # on the diagonal: sums of the blocks of all other nodes
    for a in range(4):
        of_others[:, a, :, a] = blocks_of(terms[:, a:a + 1], (terms.sum(1) - terms[:, a])[:, None])[:, 0, :, 0]
    others = assembled(of_others)
    most_blocks = numpy.diff(stiffness.indptr).max()
    most = numpy.bincount(corners.ravel()).max() + most_blocks
    rounds = 1.01 * u * (35 + 8 * max(flat, 1) + most)
    edge_rounds = 1.01 * u * (3 + most_blocks / 3)
    mass, dt = numpy.repeat(dump["mass"].astype(float), 3), problem["dt"]
    moved, speed = dump["u_in"].astype(float).ravel(), dump["v_in"].astype(float).ravel()
    moved_error, speed_error = numpy.zeros(3 * nodes), numpy.zeros(3 * nodes)
    for _ in range(problem["steps"]):
        size = abs(moved) + moved_error
        of_terms = numpy.maximum(rounds * (largest @ size), edge_rounds * (largest @ size + others @ size))
        error = dt / mass * (of_terms + largest @ moved_error)
        change = -dt / mass * (stiffness @ moved)
        speed = speed + change
        speed_error = speed_error + error + u * (5 * abs(change) + 2 * (abs(speed) + speed_error))
        moved = moved + dt * speed
        moved_error = (moved_error + dt * speed_error + 3 * u * dt * (abs(speed) + speed_error)
                       + 2 * u * (abs(moved) + moved_error))
    return (first_beyond("u", dump["u"].astype(float).ravel(), moved, moved_error)
            or first_beyond("v", dump["v"].astype(float).ravel(), speed, speed_error))
