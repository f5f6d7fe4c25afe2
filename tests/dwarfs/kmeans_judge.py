"""Lloyd's steps, judged by scikit-learn and NumPy (see tests/judging.py)."""
import numpy
import sklearn.metrics

from judging import first_beyond, shape_errors, u


def judge(dump):
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
