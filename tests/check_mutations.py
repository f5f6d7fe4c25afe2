"""Kernels with planted errors: a wrong formula, an off-by-one, a missing barrier, swapped axes. Each must be caught by
the check of its dwarf on a small odd problem, where the kernel as it is passes. A missing barrier hardly ever shows on
PoCL, which runs the work-items between two barriers one after the other: there it is Oclgrind that must see it. Where
a kernel no longer has an error's place, this says so, and the error needs another."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from checks import PROGRAM, check, finish

KERNELS = pathlib.Path(__file__).resolve().parent.parent / "kernels_cl"
OCLGRIND = pathlib.Path(os.environ["OCL_ICD_VENDORS"]).parent / "oclgrind"
BARRIER = "barrier(CLK_LOCAL_MEM_FENCE);"

WANTED = sys.argv[1:]  # dwarfs; none means all

# The first word of a name is the dwarf.
PROBLEMS = {
    "lud": ["--problem", "n=90", "--set", "variant=tiled,padding=0"],
    "lud blocked": ["--problem", "n=300", "--set", "variant=blocked"],
    "lud dataflow": ["--problem", "n=300", "--set", "variant=dataflow"],
    "crc": ["--problem", "bytes=70001", "--set", "variant=slicing"],
    "crc interleaved": ["--problem", "bytes=70001", "--set", "variant=interleaved"],
    "needle": ["--problem", "m=100,n=150", "--set", "variant=wavefront,granularity=1,vector_width=1"],
    "needle strip": ["--problem", "m=30,n=150", "--set", "variant=strip,handover=local"],
    "needle scan": ["--problem", "m=100,n=150", "--set", "variant=scan"],
    "needle launches": ["--problem", "m=100,n=700", "--set", "variant=scan,sync=launches"],
    "needle score": ["--problem", "m=100,n=150", "--set", "variant=score_only_scan"],
    "srad": ["--problem", "rows=70,cols=90", "--set", "variant=branches"],
    "srad halo": ["--problem", "rows=70,cols=90", "--set", "variant=halo"],
    "srad rows": ["--problem", "rows=70,cols=90", "--set", "variant=fused_rows,sync=launches"],
    "srad phases": ["--problem", "rows=70,cols=90,iterations=3", "--set", "variant=fused_rows,granularity=4,sync=flags"],
    "bfs": ["--problem", "nodes=3000", "--set", "variant=topology,granularity=4,unroll=1,vector_width=1,padding=0"],
    "bfs queue": ["--problem", "nodes=3000", "--set", "variant=queue"],
    "bfs lists": ["--problem", "nodes=200", "--set", "variant=queue,work_group=128"],
    "bfs pull": ["--problem", "nodes=3000,graph=kronecker,degree=16",
                 "--set", "variant=direction_optimising,claims=atomic,work_group=256,granularity=16"],
    "bfs merge": ["--problem", "nodes=30000", "--set",
                  "variant=direction_optimising,claims=merged,work_group=1,granularity=512,sync=launches"],
    "bfs phases": ["--problem", "nodes=30000", "--set",
                   "variant=direction_optimising,claims=merged,work_group=1,granularity=512,sync=barrier"],
    "sgemv": ["--problem", "m=101,n=133", "--set", "variant=row_per_group,vector_width=4,padding=0"],
    "sgemv split_k": ["--problem", "m=101,n=133", "--set", "variant=split_k,splits=2"],
    "kmeans": ["--problem", "points=1003,features=7,clusters=5", "--set", "variant=reduce"],
    "kmeans fused": ["--problem", "points=1003,features=7,clusters=5", "--set", "variant=fused"],
    "hotspot": ["--problem", "rows=90,cols=70,steps=5",
                "--set", "variant=streaming,work_group=32,granularity=16,vector_width=4,padding=1,depth=2,exchange=local"],
    "hotspot pyramid": ["--problem", "rows=90,cols=70,steps=5", "--set", "variant=pyramid,pyramid_height=2"],
    "des lut": ["--problem", "blocks=301", "--set", "variant=lut,memory=local,padding=0"],
    "des select": ["--problem", "blocks=301",
                   "--set", "variant=bitslice,gates=select,work_group=1,vector_width=16,unroll=1,padding=1"],
    "des three_input": ["--problem", "blocks=301",
                        "--set", "variant=bitslice,gates=three_input,work_group=1,vector_width=16,unroll=1,padding=1"],
    "des search": ["--problem", "blocks=70001,mode=search", "--set", "variant=bitslice,granularity=4"],
}

# problem, what is planted, text of a kernel file, what it becomes (at its first place behind the text before "@@")
MUTANTS = [
    ("lud", "wrong sign", "MULTIPLY_ADD(-factor, tile[pivot][column]", "MULTIPLY_ADD(factor, tile[pivot][column]"),
    ("lud", "off by one", "pivot < TILE - 1; ++pivot", "pivot < TILE - 2; ++pivot"),
    ("lud", "missing barrier", "MULTIPLY_ADD(-factor, tile[pivot][column], tile[row][column]);@@" + BARRIER, ""),
    ("lud", "swapped axes", "tile[i][row] = matrix[element(offset + i, offset + row, stride)]",
     "tile[i][row] = matrix[element(offset + row, offset + i, stride)]"),
    ("crc", "wrong table", "table[512u + ((word >> 8)", "table[256u + ((word >> 8)"),
    ("crc", "off by one", "void combine_residues@@k < RUN; ++k", "k < RUN - 1; ++k"),
    ("crc", "missing barrier", "partial[item] = value;@@" + BARRIER, ""),
    ("crc", "swapped axes", "const ulong chunk = run * RUN + k;", "const ulong chunk = k * runs + run;"),
    ("needle", "wrong sign", "cells[CELL(y, x - 1)]) - gap", "cells[CELL(y, x - 1)]) + gap"),
    ("needle", "off by one", "for (int d = TILE - 2; d >= 0; --d)", "for (int d = TILE - 2; d > 0; --d)"),
    ("needle", "missing barrier", "compute_cell(cells, pairs, d - item + 1, item + 1, gap);@@" + BARRIER, ""),
    ("needle", "swapped axes", "{top + (uint)get_group_id(0), right - (uint)get_group_id(0)}",
     "{right - (uint)get_group_id(0), top + (uint)get_group_id(0)}"),
    ("srad", "wrong factor", "0.5f * gradient", "0.6f * gradient"),
    ("srad", "off by one", "const int last_column = cols - 1;", "const int last_column = cols - 2;"),
    ("srad", "missing barrier", "void branches_diffusion_1@@" + BARRIER, ""),
    ("srad", "swapped axes", "void branches_diffusion_1@@(int)get_group_id(1) * TILE;\n  const int first_column = (int)get_group_id(0)",
     "(int)get_group_id(0) * TILE;\n  const int first_column = (int)get_group_id(1)"),
    ("bfs", "wrong level", "const int level = levels[node] + 1;", "const int level = levels[node] + 2;"),
    ("bfs", "off by one", "void topology_expand@@left >= STEP; left -= STEP", "left > STEP; left -= STEP"),
    ("bfs", "swapped axes", "const int node = first + k * local_items;", "const int node = first + k;"),
    ("sgemv", "wrong sign", "shared[lane] += shared[lane + half_width]", "shared[lane] -= shared[lane + half_width]"),
    ("sgemv", "off by one", "for (int k = whole + lane; k < count;", "for (int k = whole + lane; k < count - 1;"),
    ("sgemv", "missing barrier", "shared[lane] = TO_SHARED(sums[g]);@@" + BARRIER, ""),
    ("sgemv", "swapped axes", "TRANSPOSED ? k * ld : (size_t)k", "TRANSPOSED ? (size_t)k : k * ld"),
    ("kmeans", "wrong sign", "values - centroid_at(", "values + centroid_at("),
    ("kmeans", "off by one", "choice_t nearest@@step < STEPS; ++step", "step < STEPS - 1; ++step"),
    ("kmeans", "missing barrier", "void store_sums@@" + BARRIER, ""),
    ("kmeans", "swapped axes", "(j * WORK_GROUP + (int)get_local_id(0))", "(j + WORK_GROUP * (int)get_local_id(0))"),
    ("hotspot", "wrong sign", "MULTIPLY_ADD(weights.x, value[k], from_north)",
     "MULTIPLY_ADD(-weights.x, value[k], from_north)"),
    ("hotspot", "wrong image", "inside < count ? inside : period - 1 - inside", "inside < count ? inside : period - inside"),
    ("hotspot", "off by one", "row[-1 - at] = value", "row[-at] = value"),
    ("hotspot", "missing barrier", "lasts[turn][level][item + 1] = middle[level][VECTOR_WIDTH - 1];@@" + BARRIER, ""),
    ("hotspot", "swapped axes", "MULTIPLY_ADD(weights.z, beside, partial[level][k])",
     "MULTIPLY_ADD(weights.y, beside, partial[level][k])"),
    ("hotspot", "row left out", "target >= first && target < end", "target > first && target < end"),
    ("des lut", "wrong entry", "boxes[64 * box + six]", "boxes[64 * box + (six == 1 ? 0 : six)]"),
    ("des lut", "off by one", "given[index]), round_keys, 16)", "given[index]), round_keys, 15)"),
    ("des lut", "missing barrier", "tables[i] = (given_tables)[i];@@" + BARRIER, ""),
    ("des lut", "swapped halves", "void crypt_lut@@SWAPPED_HALVES(block)", "block"),
    ("des select", "wrong gate", "XOR(t28, t20, t27)", "OR(t28, t20, t27)"),
    ("des select", "off by one", "round < 16; round += UNROLL", "round < 15; round += UNROLL"),
    ("des three_input", "wrong gate", "LUT(t11, a4, a2, t10, 0xA6)", "LUT(t11, a4, a2, t10, 0xA2)"),
    ("des three_input", "swapped axes", "box_4, 26, 20, 10, 1)", "box_4, 20, 26, 10, 1)"),
    ("des three_input", "transposed bits", "EXCHANGE(k, 1, 0x55555555u)", "EXCHANGE(k, 1, 0xAAAAAAAAu)"),
    ("needle scan", "wrong neighbour", "MOVED_BY_1(north, before) + ", "north + "),
    ("needle launches", "tile of another diagonal", "right - get_group_id(0)", "right - get_group_id(0) / 2"),
    ("needle score", "off by one", "gap * (rows + last)", "gap * (rows + last - 1)"),
    ("srad halo", "row below", "void halo_diffusion_2@@first_row + y, rows, stride",
     "first_row + y - (y == TILE), rows, stride"),
    ("srad rows", "row too near", "float2 diffuse@@row + 2, rows, stride", "row + 1, rows, stride"),
    ("srad phases", "a step left out", "step <= steps", "step < steps"),
    ("srad phases", "always the first image", "step <= 1 ? original : ", "step <= 2 ? original : "),
    ("srad phases", "statistics of the first phase alone", "store_speckle(speckle, sum", "if (step == 0) store_speckle(speckle, sum"),
    ("bfs queue", "lists overwritten", "void append_all@@at += pieces_of(degree);", ""),
    ("bfs pull", "nothing found", "int leads_from_reached@@offsets[node + 1];", "offsets[node];"),
    ("bfs merge", "pieces left out", "min(pieces - first, (uint)NOTED_PIECES)",
     "min(pieces - first, (uint)NOTED_PIECES - 1)"),
    ("bfs phases", "wrong bitmap", "less(front.unexplored, front.edges), 0, front.bitmap,",
     "less(front.unexplored, front.edges), 0, front.bitmap ^ 1,"),
    ("bfs phases", "a share left out", "share_of(words / MERGED_WORDS, piece + 1, pieces)",
     "share_of(words / MERGED_WORDS, piece, pieces)"),
    ("bfs merge", "lists overwritten", "void merge_words@@at += pieces_of(degree);", ""),
    ("bfs merge", "ends of lists left out", "left += !hit && at < end;", "left += 0;"),
    ("kmeans fused", "points not counted", "if (item < LANES) atomic_add", "if (item < LANES - 1) atomic_add"),
    ("hotspot pyramid", "row left out", "row < TILE - HALO &&", "row < TILE - HALO - 1 &&"),
    ("lud blocked", "off by one", "void add_products@@k < CHUNK; ++k", "k < CHUNK - 1; ++k"),
    ("lud dataflow", "off by one", "void solve_rows@@k < 3; ++k", "k < 2; ++k"),
    ("crc interleaved", "swapped axes", "i % (STATE_WORDS / VECTOR_WIDTH)", "i / (STATE_WORDS / VECTOR_WIDTH)"),
    ("needle strip", "wrong turn", "(step % 2 * LANES + lane - 1)", "((step + 1) % 2 * LANES + lane - 1)"),
    ("needle strip", "missing barrier", "strip.letters + (step - lane) * ROWS));@@" + BARRIER, ""),
    ("bfs lists", "missing barrier", "void append_all@@" + BARRIER, ""),
    ("sgemv split_k", "off by one", "c < chunks; c +=", "c < chunks - 1; c +="),
    ("sgemv split_k", "past the end", "item < REDUCE_OUTPUTS && output < outputs", "item < REDUCE_OUTPUTS && output <= outputs"),
    ("des search", "wrong number", "(turn << 9)", "(turn << 8)"),
]


def dwarf_of(problem):
    return problem.split()[0]


def is_wanted(problem):
    return not WANTED or dwarf_of(problem) in WANTED


def run(problem, kernels, **environment):
    return subprocess.run([PROGRAM, "run", "--dwarf", dwarf_of(problem), *PROBLEMS[problem], "--kernels", str(kernels),
                           "--budget", "1ms", "--rounds", "1", "--blocks", "1", "--pairs", "1", "--point-timeout", "120s"],
                          capture_output=True, text=True, timeout=300, env=dict(os.environ, **environment))


def plant(dwarf, kernels, place, replacement):
    """Changes the first of the dwarf's kernel files that has the place; says whether one has."""
    before, _, wanted = place.rpartition("@@")
    main = kernels / dwarf / f"{dwarf}.cl"
    for source in [main, *sorted(set(main.parent.glob("*.cl")) - {main})]:
        text = source.read_text()
        begin = text.find(before)
        at = text.find(wanted, begin + len(before)) if begin >= 0 else -1
        if at >= 0:
            source.write_text(text[:at] + replacement + text[at + len(wanted):])
            return True
    return False


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for problem in filter(is_wanted, PROBLEMS):
        done = run(problem, KERNELS)
        check(done.returncode == 0, f"{problem} as it is: {done.stderr}")
    for problem, planted, place, replacement in MUTANTS:
        if not is_wanted(problem):
            continue
        kernels = folder / f"{problem}_{planted}".replace(" ", "_")
        shutil.copytree(KERNELS, kernels)
        if not check(plant(dwarf_of(problem), kernels, place, replacement),
                     f"{problem}, {planted}: the kernels have no '{place}'; plant it elsewhere"):
            continue
        if planted == "missing barrier":
            if OCLGRIND.exists():
                done = run(problem, kernels, OCL_ICD_VENDORS=str(OCLGRIND), OCLGRIND_DATA_RACES="1")
                check("data race at local" in done.stderr, f"{problem}, {planted}: not seen: {done.stderr[-500:]}")
            continue
        done = run(problem, kernels)
        print(f"{problem:16} {planted:16} {done.stderr.strip().splitlines()[-1][:110] if done.stderr else 'not caught'}")
        check(done.returncode == 1 and re.search(r"dwarfsweep: (wrong_result|crashed|timed_out) on", done.stderr),
              f"{problem}, {planted}: not caught: {done.stdout} {done.stderr}")
        check(planted != "past the end" or "a kernel wrote past the last element of" in done.stderr,
              f"{problem}, {planted}: not told: {done.stderr}")
finish()
