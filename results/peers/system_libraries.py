"""Comparison libraries on CPUs for lbm, fdtd, fem, pns, rc5_72, tpacf, rpes and h264; as in cpu_libraries.py. A library whose
result differs from ours is left out, with a message."""
import ctypes
import os
import shutil
import statistics
import subprocess
import tempfile
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

from cpu_libraries import describes, dumped, imported, np, timed
from ours import NotHere


def check_agreement(found, wanted, relative, absolute=0):
    """`relative` is of the largest value."""
    difference, allowed = abs(found - wanted).max(), relative * abs(wanted).max() + absolute
    if not difference <= allowed:
        raise NotHere(f"its result is {difference:.3g} off ours; {allowed:.3g} are allowed")


# C N S E W T B NE NW SE SW NT NB ST SB ET EB WT WB: x, y, z.
VELOCITIES = [(0, 0, 0), (0, 1, 0), (0, -1, 0), (1, 0, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1), (1, 1, 0), (-1, 1, 0),
              (1, -1, 0), (-1, -1, 0), (0, 1, 1), (0, 1, -1), (0, -1, 1), (0, -1, -1), (1, 0, 1), (1, 0, -1), (-1, 0, 1),
              (-1, 0, -1)]


@describes("kernels of all steps, all threads; the wrap-around is not timed",
           "float, AVX and OpenMP generated; two arrays, pull, the same equilibrium")
def lbmpy_steps(keys, ours):
    lbmpy = imported("lbmpy", "PyPI: lbmpy py-cpuinfo")
    ps = imported("pystencils", "PyPI: pystencils")
    arrays, problem = dumped(ours, "f_in", "f")
    velocities = lbmpy.LBStencil(lbmpy.Stencil.D3Q19)
    data = ps.create_data_handling(arrays["f"].shape[:0:-1], periodicity=True, default_layout="fzyx",
                                   default_target=ps.Target.CPU)
    source = data.add_array("source", values_per_cell=19, dtype=np.float32, alignment=True)
    target = data.add_array_like("target", "source")
    rule = lbmpy.create_lb_update_rule(
        lbm_config=lbmpy.LBMConfig(stencil=velocities, method=lbmpy.Method.SRT, relaxation_rate=problem["omega"],
                                   compressible=True, zero_centered=False, continuous_equilibrium=False),
        lbm_optimisation=lbmpy.LBMOptimisation(symbolic_field=source, symbolic_temporary_field=target))
    config = ps.CreateKernelConfig(target=ps.Target.CurrentCPU, default_dtype="float32")
    config.cpu.openmp.enable = config.cpu.vectorize.enable = config.cpu.vectorize.assume_inner_stride_one = True
    kernel = ps.create_kernel(rule, config).compile()
    wrap = data.synchronization_function(["source"])
    directions = [VELOCITIES.index(tuple(each)) for each in velocities.stencil_entries]

    def moved(values, direction, sign):
        return np.roll(values, [sign * shift for shift in VELOCITIES[direction][::-1]], axis=(0, 1, 2))

    def inner():
        return data.cpu_arrays["source"][1:-1, 1:-1, 1:-1]

    def once():
        total = 0
        for _ in range(keys["steps"]):
            wrap()
            begin = time.perf_counter_ns()
            data.run_kernel(kernel)
            total += time.perf_counter_ns() - begin
            data.swap("source", "target")
        return total

    # Its step begins with the move, ours ends with it.
    for i, direction in enumerate(directions):
        inner()[..., i] = moved(arrays["f_in"][direction], direction, -1).T
    once()
    for i, direction in enumerate(directions):
        check_agreement(moved(inner()[..., i].T, direction, 1), arrays["f"][direction], 1e-4)
    return once


@describes("all steps, one thread", "double; the same medium and fields")
def meep_steps(keys, ours):
    meep = imported("meep", "Debian: python3-meep")
    warnings.filterwarnings("ignore", message=".*subnormal")  # meep has them flushed
    meep.verbosity(0)
    names = ("ez_in", "hx_in", "hy_in", "ca", "cb", "ez")
    arrays, problem = dumped(ours, *names)
    ez, hx, hy, ca, cb, wanted = (arrays[name].astype(float) for name in names)
    if not (ca[1:-1, 1:-1] == 1).all() or not all(size % 2 for size in ez.shape):
        raise NotHere("the problem has a medium with losses, or an even size")
    permittivity = np.ones_like(cb)
    permittivity[1:-1, 1:-1] = problem["d"] / cb[1:-1, 1:-1]
    rows, columns = (size // 2 for size in ez.shape)

    def sampled(values, row=0.0, column=0.0):
        return lambda place: float(values[min(int(place.x + rows - row + 0.25), 2 * rows),
                                          min(int(place.y + columns - column + 0.25), 2 * columns)])

    simulation = meep.Simulation(cell_size=meep.Vector3(2 * rows, 2 * columns), resolution=1, Courant=problem["d"],
                                 dimensions=2, eps_averaging=False, epsilon_func=sampled(permittivity))
    simulation.init_sim()
    simulation.initialize_field(meep.Dz, sampled(ez * permittivity))
    simulation.initialize_field(meep.Bx, sampled(hx, 0, 0.5))
    simulation.initialize_field(meep.By, sampled(hy, 0.5, 0))

    def steps():
        for _ in range(keys["steps"]):
            simulation.fields.step()

    steps()
    places = np.random.default_rng(1).integers((1, 1), np.array(ez.shape) - 1, (1000, 2))
    found = [simulation.get_field_point(meep.Ez, meep.Vector3(*(place - (rows, columns)).astype(float))).real for place in places]
    check_agreement(np.array(found), wanted[tuple(places.T)], 1e-4)
    return timed(steps)


def stiffness(nodes, elements, lame):
    """Of linear tetrahedra, with three unknowns a node, as a matrix in compressed rows."""
    sparse = imported("scipy.sparse", "Debian: python3-scipy")
    corners = nodes.astype(float)[elements]
    edges = corners[:, 1:] - corners[:, :1]
    gradients = np.empty((len(elements), 4, 3), np.float32)
    gradients[:, 1:] = np.linalg.inv(edges).transpose(0, 2, 1)
    gradients[:, 0] = -gradients[:, 1:].sum(axis=1)
    first, second = (lame * (np.linalg.det(edges) / 6)[:, None]).T.astype(np.float32)
    blocks = np.einsum("e,eap,ebq->eapbq", first, gradients, gradients)
    blocks += np.einsum("e,eaq,ebp->eapbq", second, gradients, gradients)
    blocks += np.einsum("e,ear,ebr,pq->eapbq", second, gradients, gradients, np.eye(3, dtype=np.float32))
    unknowns = (3 * elements[:, :, None] + np.arange(3, dtype=np.int32)).astype(np.int32)
    rows, columns = (np.broadcast_to(unknowns.reshape(shape), blocks.shape).ravel()
                     for shape in ((-1, 4, 3, 1, 1), (-1, 1, 1, 4, 3)))
    return sparse.csr_matrix((blocks.ravel(), (rows, columns)), shape=(nodes.size, nodes.size))


@describes("a product for each step, one thread", "the matrix is made before; ours: whole steps")
def scipy_products(keys, ours):
    names = ("nodes", "elements", "lame", "mass", "u_in", "v_in", "u")
    arrays, problem = dumped(ours, *names)
    nodes, elements, lame, mass, moved, speed, wanted = (arrays[name] for name in names)
    matrix = stiffness(nodes, elements, lame)
    start = moved.ravel()

    def products():
        for _ in range(keys["steps"]):
            matrix @ start

    for _ in range(keys["steps"]):
        speed = speed - problem["dt"] * (matrix @ moved.ravel()).reshape(-1, 3) / mass[:, None]
        moved = moved + problem["dt"] * speed
    check_agreement(moved, wanted, 1e-3)
    return timed(products)


RC5_SEARCH = r"""
#include <string.h>
#include <tomcrypt.h>

/* The last offset in [begin, end) whose key makes `cipher` of `plain`, or -1. The last byte of a key counts fastest. */
long search(const unsigned char* plain, const unsigned char* cipher, const unsigned char* first, long begin, long end) {
  long found = -1;
  for (long offset = begin; offset < end; ++offset) {
    unsigned char key[9], result[8];
    symmetric_key schedule;
    long sum = offset;
    for (int k = 8; k >= 0; --k, sum >>= 8) key[k] = (unsigned char)(sum += first[k]);
    rc5_setup(key, 9, 12, &schedule);
    rc5_ecb_encrypt(plain, result, &schedule);
    if (memcmp(result, cipher, 8) == 0) found = offset;
  }
  return found;
}
"""


def compiled(source, *libraries):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "peer.c")
        with open(path, "w") as file:
            file.write(source)
        try:
            done = subprocess.run(["cc", "-O3", "-march=native", "-shared", "-fPIC", path, "-o", path + ".so", *libraries],
                                  capture_output=True, text=True)
        except OSError as missing:
            raise NotHere(f"{missing} (a C compiler)") from missing
        if done.returncode != 0:
            raise NotHere(done.stderr.strip().splitlines()[0])
        return ctypes.CDLL(path + ".so")


@describes("call, all threads", "rc5_setup and rc5_ecb_encrypt for each key")
def libtomcrypt_search(keys, ours):
    try:
        search = compiled(RC5_SEARCH, "-ltomcrypt").search
    except NotHere as failed:
        raise NotHere(f"{failed} (Debian: libtomcrypt-dev)") from failed
    search.restype = ctypes.c_long
    arrays, problem = dumped(ours, "matches")

    def number(name, length):
        return int(problem[name], 16).to_bytes(length, "big")

    def block(words):
        return words[3::-1] + words[:3:-1]

    plain = block(bytes(a ^ b for a, b in zip(number("plain", 8), number("iv", 8))))
    cipher, first = block(number("cipher", 8)), number("first", 9)
    threads = os.cpu_count()
    bounds = [keys["keys"] * i // threads for i in range(threads + 1)]
    pool = ThreadPoolExecutor(threads)

    def once():
        return list(pool.map(lambda begin, end: search(plain, cipher, first, ctypes.c_long(begin), ctypes.c_long(end)),
                             bounds, bounds[1:]))

    check_agreement(np.array([max(once())]), arrays["matches"][-1:].astype(int), 0)
    return timed(once)


@describes("time in its C functions, all threads", "float; cells of the sphere")
def corrfunc_pairs(_, ours):
    ddtheta = imported("Corrfunc.mocks.DDtheta_mocks", "PyPI: Corrfunc, which needs GSL").DDtheta_mocks
    warnings.filterwarnings("ignore", message="(?s).*angular separation")
    arrays, problem = dumped(ours, "data", "random", "dd", "dr", "rr")
    bins = np.geomspace(problem["min"], problem["max"], problem["bins"] + 1) / 60

    def sky(points):
        x, y, z = points.reshape(-1, 3).astype(float).T
        return [np.degrees(angles).astype(np.float32) for angles in (np.arctan2(y, x) % (2 * np.pi), np.arcsin(z))]

    data, all_sets, sets = sky(arrays["data"]), sky(arrays["random"]), [sky(each) for each in arrays["random"]]

    def counts():
        """Data with themselves, with all sets, and sets with themselves: pairs, and seconds."""
        calls = [ddtheta(0, os.cpu_count(), bins, *data, RA2=all_sets[0], DEC2=all_sets[1], c_api_timer=True)]
        calls += [ddtheta(1, os.cpu_count(), bins, *each, c_api_timer=True) for each in (data, *sets)]
        between, within, *of_sets = (pairs["npairs"] for pairs, _ in calls)
        return {"dd": within / 2, "dr": between, "rr": sum(of_sets) / 2}, sum(seconds for _, seconds in calls)

    for name, found in counts()[0].items():
        check_agreement(found, arrays[name], 1e-4, 10)
    return lambda: statistics.median(counts()[1] * 1e9 for _ in range(3))


@describes("call, all threads", "double")
def libcint_integrals(_, ours):
    gto = imported("pyscf.gto", "PyPI: pyscf")
    arrays, problem = dumped(ours, "centres", "exponents", "coefficients", "integrals")
    if problem["quartets"] != "unique":
        raise NotHere("it has no ordered quartets")
    exponents = arrays["exponents"].astype(float)
    # PySCF's coefficients are of normalised functions.
    shell = [0, *zip(exponents, arrays["coefficients"] / (2 * exponents / np.pi) ** 0.75)]
    atoms = [("H", place) for place in arrays["centres"].astype(float)]
    molecule = gto.M(atom=atoms, unit="Bohr", basis={"H": [shell]}, spin=len(atoms) % 2, verbose=0)
    check_agreement(molecule.intor("int2e", aosym="s8"), arrays["integrals"], 1e-5)
    return timed(lambda: molecule.intor("int2e", aosym="s8"))


@describes("process less one without the filter, one thread; half of its searches both ways",
           "16 x 16 only, vectors not compared; ours: 41 partitions and the bits of vectors")
def ffmpeg_search(keys, ours):
    if not shutil.which("ffmpeg"):
        raise NotHere("ffmpeg is not installed (Debian: ffmpeg)")
    arrays, _ = dumped(ours, "frames")
    count, rows, columns = arrays["frames"].shape
    frames = arrays["frames"].tobytes()

    def process(filters):
        begin = time.perf_counter_ns()
        done = subprocess.run(["ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{columns}x{rows}",
                               "-i", "-", "-vf", f"format=yuv420p{filters}", "-f", "null", "-"], input=frames,
                              capture_output=True)
        if done.returncode != 0:
            raise NotHere("ffmpeg: " + done.stderr.decode().strip())
        return time.perf_counter_ns() - begin

    def once():
        time_of_all = process(f",mestimate=method=esa:mb_size=16:search_param={keys['search'] // 2}") - process("")
        # Both ways for each frame but the last; the first one's predecessor is itself, where a search ends at once.
        return time_of_all * (count - 1) / (2 * count - 3)

    once()
    return once


LIBRARIES = {"lbmpy": lbmpy_steps, "meep": meep_steps, "SciPy products": scipy_products, "libtomcrypt": libtomcrypt_search,
             "Corrfunc": corrfunc_pairs, "libcint": libcint_integrals, "ffmpeg mestimate": ffmpeg_search}
CPU = [("lbm", "nx=120,ny=120,nz=150,steps=10,setup=periodic", "lbmpy")]
CPU += [("fdtd", "nx=1025,ny=1025,steps=20,conductivity=0", library) for library in ("meep", "OpenMP")]
CPU += [("fem", "nx=40,ny=40,nz=40,steps=10", "SciPy products"), ("pns", "n=100,steps=5000,trajectories=256", "OpenMP"),
        ("rc5_72", "keys=1048576", "libtomcrypt"), ("tpacf", "points=2048,sets=10", "Corrfunc"),
        ("rpes", "atoms=40", "libcint"), ("h264", "rows=288,cols=352,frames=10,search=33", "ffmpeg mestimate")]
