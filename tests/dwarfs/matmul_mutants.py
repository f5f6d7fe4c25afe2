"""Errors planted into the kernels of matmul; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "untiled": ("m=61,n=43,k=37", "variant=untiled"),
    "tiled": ("m=61,n=43,k=37", "variant=tiled,granularity=2,work_group=8,unroll=1"),
    "prefetch": ("m=61,n=43,k=37", "variant=tiled,buffering=prefetch,spill=1"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("untiled", "swapped axes", "index_b += cols", "index_b += terms"),
    ("untiled", "off by one", "i < terms; ++i", "i < terms - 1; ++i"),
    ("tiled", "missing barrier", "index_b += (size_t)TILE * cols;@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("tiled", "swapped axes", "tile_a[y][i]", "tile_a[i][y]"),
    ("tiled", "past the end", "c[row * cols + col + g * TILE] = sums[g]",
     "c[row * cols + col + (g + 1) * TILE] = sums[g]"),
    ("prefetch", "off by one", "begin + TILE < terms", "begin + 2 * TILE < terms"),
    ("prefetch", "wrong formula", "spilled_b[y][x] = index_b", "spilled_b[y][x] = index_a"),
]
