"""Errors planted into the kernels of lud; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "even": ("n=90", "variant=tiled,accumulate=local,unroll=16,unrolled_loops=even"),
    "stores": ("n=90", "variant=tiled,layout=transposed_stores,vector_width=4"),
    "tiled": ("n=90", "variant=tiled,padding=0"),
    "blocked": ("n=300", "variant=blocked"),
    "dataflow": ("n=300", "variant=dataflow"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("even", "odd loops left out", "} else {                                         \\\n    UNROLL_LOOP(1)", "} else if (i < 3) {                                         \\\n    UNROLL_LOOP(1)"),
    ("stores", "not transposed", "right[column][row] = matrix", "right[row][column] = matrix"),
    ("tiled", "wrong sign", "MULTIPLY_ADD(-factor, tile[pivot][column]", "MULTIPLY_ADD(factor, tile[pivot][column]"),
    ("tiled", "off by one", "pivot < TILE - 1; ++pivot", "pivot < TILE - 2; ++pivot"),
    ("tiled", "missing barrier",
     "MULTIPLY_ADD(-factor, tile[pivot][column], tile[row][column]);@@barrier(CLK_LOCAL_MEM_FENCE);",
     ""),
    ("tiled", "swapped axes", "tile[i][row] = matrix[element(offset + i, offset + row, stride)]",
     "tile[i][row] = matrix[element(offset + row, offset + i, stride)]"),
    ("blocked", "off by one", "void add_products@@k < CHUNK; ++k", "k < CHUNK - 1; ++k"),
    ("dataflow", "off by one", "void solve_rows@@k < 3; ++k", "k < 2; ++k"),
]
