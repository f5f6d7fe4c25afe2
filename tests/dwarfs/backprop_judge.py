"""A step of back propagation, judged by NumPy in double precision (see tests/judging.py)."""
import numpy

from judging import first_beyond, shape_errors, u


def sigmoid(t):
    return 1 / (1 + numpy.exp(-t))


def judge(dump):
    """Bounds of first order, doubled. Sums of generated inputs and weights are exact; the sigmoid adds 12 u of its result."""
    problem = dump["problem"]
    n, hidden, outputs = problem["inputs"], problem["hidden"], problem["outputs"]
    wrong = shape_errors(dump, inputs=("f4", (n,)), targets=("f4", (outputs,)),
                         weights_1_in=("f4", (n + 1, hidden)), weights_2_in=("f4", (hidden + 1, outputs)),
                         weights_1=("f4", (n + 1, hidden)), weights_2=("f4", (hidden + 1, outputs)),
                         hidden=("f4", (hidden,)), output=("f4", (outputs,)))
    if wrong:
        return wrong
    rate = float(numpy.float32(0.3))
    x = numpy.concatenate(([1.0], dump["inputs"].astype(float)))
    w, v = dump["weights_1_in"].astype(float), dump["weights_2_in"].astype(float)
    h = sigmoid(x @ w)
    extended = numpy.concatenate(([1.0], h))
    o = sigmoid(extended @ v)
    d = o * (1 - o) * (dump["targets"].astype(float) - o)
    e = h * (1 - h) * (v[1:] @ d)
    terms = (hidden + outputs + 40) * u
    o_off = terms * (1 + extended @ numpy.abs(v))
    d_off = 2 * o_off + 8 * u
    e_off = (numpy.abs(v[1:]) @ (d_off + terms * numpy.abs(d))) + 40 * u * numpy.abs(e) + 24 * u * numpy.abs(v[1:] @ d)
    for name, wanted, allowed in (
            ("hidden", h, 24 * u * h), ("output", o, o_off),
            ("weights_2", v + rate * numpy.outer(extended, d),
             4 * u * numpy.abs(v) + rate * numpy.outer(extended, d_off + 30 * u * numpy.abs(d))),
            ("weights_1", w + rate * numpy.outer(x, e),
             4 * u * numpy.abs(w) + rate * numpy.outer(x, e_off + 8 * u * numpy.abs(e)))):
        wrong = first_beyond(name, dump[name].astype(float), wanted, allowed + 2.0 ** -120)
        if wrong:
            return wrong
    return None
