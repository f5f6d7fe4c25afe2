"""Errors planted into the kernels of rpes; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "primitive": ("atoms=5", "variant=primitive,work_group=32,f0=intervals"),
    "item": ("atoms=4,geometry=chain", "variant=primitive,work_group=64,reduction=item,f0=table,memory=local"),
    "contracted": ("atoms=7", "variant=contracted,work_group=32,granularity=2,f0=erf"),
    "pairs": ("atoms=7", "variant=pairs,work_group=32,granularity=2,vector_width=1,f0=polynomial,memory=local,"
                         "functions=precise"),
    "vectors": ("atoms=7,quartets=ordered", "variant=pairs,work_group=1,granularity=2,vector_width=4,f0=polynomial,"
                                            "functions=newton"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("primitive", "off by one", "t < TERMS", "t < TERMS - 1"),
    ("primitive", "wrong formula", "(x, 0.4f, -3.0f)", "(x, 0.4f, -2.9f)"),
    ("primitive", "swapped axes", "t / PRIMITIVES % PRIMITIVES", "t / PAIRS_OF_PRIMITIVES % PRIMITIVES"),
    ("primitive", "missing barrier", "values[item] = value;@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("primitive", "past the end", "if (i < count) {", "if (i <= count) {"),
    ("item", "wrong formula", "MULTIPLY_ADD((float)point, -0.0625f, x)", "0.0f"),
    ("item", "missing barrier", "copied[i] = (table)[i];    \\@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("contracted", "wrong formula", "ROOT_PI_HALF * erf(root)", "0.886f * erf(root)"),
    ("contracted", "off by one", "ket < PAIRS_OF_PRIMITIVES", "ket < PAIRS_OF_PRIMITIVES - 1"),
    ("pairs", "off by one", "c < PAIRS_OF_PRIMITIVES", "c < PAIRS_OF_PRIMITIVES - 1"),
    ("pairs", "swapped axes", "scales[b * PAIRS_OF_PRIMITIVES + c]", "scales[b]"),
    ("pairs", "missing barrier", "rows[i] = @@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("pairs", "wrong formula", "0.0530599393f", "0.0531599393f"),
    ("vectors", "past its row", "i < VECTOR_WIDTH && column + i < columns[g]", "i < VECTOR_WIDTH"),
    ("vectors", "wrong formula", "x > TABLE_END", "x > 12.0f"),
]
