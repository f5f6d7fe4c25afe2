"""Comparison libraries on CPUs for the dwarfs other than the nine of the front page: NumPy, SciPy and FINUFFT."""
from cpu_libraries import describes, dumped, imported, np, require_openblas, timed


@describes("call, all threads; y is restored before, as ours is")
def openblas_axpy(keys, _):
    blas = imported("scipy.linalg.blas", "Debian: python3-scipy")
    require_openblas()
    random = np.random.default_rng(1)
    x, y = random.random(keys["n"], dtype=np.float32), random.random(keys["n"], dtype=np.float32)
    original = y.copy()
    return timed(lambda: blas.saxpy(x, y, a=1e-3), 9, lambda: np.copyto(y, original))  # into y


@describes("call", "forward by OpenBLAS, the update by NumPy on one thread")
def numpy_backprop(keys, _):
    require_openblas()
    rate = momentum = np.float32(0.3)
    random = np.random.default_rng(1)
    hidden, outputs = keys.get("hidden", 16), keys.get("outputs", 1)
    inputs = with_bias(random.random(keys["inputs"], dtype=np.float32))
    target = random.random(outputs, dtype=np.float32)
    weights = [(random.random(shape, dtype=np.float32) - np.float32(0.5)) / shape[0]
               for shape in ((len(inputs), hidden), (hidden + 1, outputs))]
    changes = [np.zeros_like(each) for each in weights]
    products = [np.empty_like(each) for each in weights]

    def step():
        middle = with_bias(sigmoid(inputs @ weights[0]))
        output = sigmoid(middle @ weights[1])
        output_error = output * (1 - output) * (target - output)
        middle_error = middle[1:] * (1 - middle[1:]) * (weights[1][1:] @ output_error)
        for layer, units, errors in ((1, middle, output_error), (0, inputs, middle_error)):
            np.multiply(units[:, None], rate * errors, out=products[layer])
            changes[layer] *= momentum
            changes[layer] += products[layer]
            weights[layer] += changes[layer]

    return timed(step)


def with_bias(units):
    return np.concatenate([np.ones(1, np.float32), units])


def sigmoid(sums):
    return 1 / (1 + np.exp(-sums))


@describes("call, one thread", "25 weights of a filter")
def scipy_stencil(keys, _):
    ndimage = imported("scipy.ndimage", "Debian: python3-scipy")
    grid = np.random.default_rng(1).random((keys["nz"], keys["ny"], keys["nx"]), dtype=np.float32)
    # Taylor's, of eighth order; those of value 0 are left out by SciPy.
    side = np.array([-1 / 560, 8 / 315, -1 / 5, 8 / 5], np.float32)
    weights = np.zeros((9, 9, 9), np.float32)
    line = np.concatenate([side, [-205 / 72], side[::-1]])
    weights[:, 4, 4] += line
    weights[4, :, 4] += line
    weights[4, 4, :] += line
    result = np.empty_like(grid)
    return timed(lambda: ndimage.correlate(grid, weights, output=result), 1)


@describes("call, one thread", "an atom at a time over the whole grid")
def numpy_potential(_, ours):
    inputs, description = dumped(ours, "atoms")
    xs, ys = (np.arange(description[key], dtype=np.float32) * np.float32(description["spacing"]) for key in ("nx", "ny"))
    atoms = inputs["atoms"]

    def once():
        potential = np.zeros((len(ys), len(xs)), np.float32)
        for x, y, z, charge in atoms:
            potential += charge / np.sqrt((xs - x) ** 2 + ((ys - y) ** 2 + z * z)[:, None])
        return potential

    return timed(once, 1)


@describes("call, all threads, the points' sorting included", "a non-uniform fast transform of tolerance 1e-5; ours: direct sums")
def finufft_image(_, ours):
    finufft = imported("finufft", "PyPI: finufft")
    inputs, description = dumped(ours, "voxels", "samples", "phi")
    voxels, samples = (np.ascontiguousarray(inputs[name].T) for name in ("voxels", "samples"))
    phi = np.ascontiguousarray(inputs["phi"]).view(np.complex64)[:, 0]
    adjoint = description["kind"] == "fhd"
    strengths = phi if adjoint else (abs(phi) ** 2).astype(np.complex64)
    places = [np.float32(2 * np.pi) * each for each in samples]
    return timed(lambda: finufft.nufft3d3(*places, strengths, *voxels, eps=1e-5, isign=-1 if adjoint else 1))
