"""Levels of a breadth-first search, judged by SciPy's shortest paths (see tests/judging.py)."""
import numpy
import scipy.sparse
import scipy.sparse.csgraph

from judging import first_beyond, shape_errors


def judge(dump):
    problem = dump["problem"]
    nodes, edges = problem["nodes"], len(dump["neighbours"])
    wrong = shape_errors(dump, offsets=("i8", (nodes + 1,)), neighbours=("i4", (edges,)), source=("i4", (1,)),
                         levels=("i4", (nodes,)))
    if wrong:
        return wrong
    graph = scipy.sparse.csr_matrix((numpy.ones(edges), dump["neighbours"], dump["offsets"]), (nodes, nodes))
    distances = scipy.sparse.csgraph.shortest_path(graph, unweighted=True, indices=int(dump["source"][0]))
    return first_beyond("levels", dump["levels"], numpy.where(numpy.isinf(distances), -1, distances), 0)
