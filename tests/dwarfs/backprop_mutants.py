"""Errors planted into the kernels of backprop; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "tree": ("inputs=333,hidden=13,outputs=3", "variant=blocks,work_group=64,vector_width=2,reduction=tree,finish=device"),
    "item": ("inputs=333,hidden=13,outputs=3", "variant=strided,work_group=64,vector_width=1,granularity=2,groups=1,"
             "unroll=1,reduction=item,finish=device"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("tree", "off by one", "half_rows > 0", "half_rows > 1"),
    ("tree", "missing barrier", "products[item + half_rows * LANES];@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("tree", "wrong formula", "row == 0 ? 1.0f", "row == 0 ? 0.0f"),
    ("tree", "wrong formula", "hidden[j] * (1.0f - hidden[j])", "(1.0f - hidden[j])"),
    ("tree", "past the end", "void update@@if (row < rows)", "if (row <= rows)"),
    ("item", "off by one", "from < WORK_GROUP; from += stride", "from < WORK_GROUP - stride; from += stride"),
    ("item", "missing barrier", "uint stride = LANES;@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("item", "swapped axes", "weights[(j + 1) * outputs + k]", "weights[(k + 1) * outputs + j]"),
    ("item", "wrong formula", "weights[at] += change", "weights[at] -= change"),
]
