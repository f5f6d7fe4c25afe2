"""Errors planted into the kernels of sad; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "direct": ("rows=13,cols=18,search=5", "variant=direct,work_group=32,granularity=4,blocks=2"),
    "words": ("rows=13,cols=18,search=5", "variant=words,work_group=32,granularity=2,blocks=4,difference=bytes"),
    "vectors": ("rows=13,cols=18,search=11", "variant=vectors,work_group=1,granularity=4,vector_width=8"),
    "gathered": ("rows=13,cols=18,search=9", "variant=direct,work_group=1,granularity=27,register_tile=3,results=local"),
    "image": ("rows=13,cols=18,search=5", "variant=direct,work_group=32,granularity=4,source=image,results=local"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("direct", "missing barrier", "barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("direct", "swapped axes", "offset / search - margin", "offset % search - margin"),
    ("direct", "off by one", "c < 4", "c < 3"),
    ("direct", "off by one", "if (first + g < offsets)", "if (first + g <= offsets)"),
    ("gathered", "other pixel", "row[t + c]", "row[c]"),
    ("gathered", "off by one", "min(offsets - begin,", "min(offsets - begin - 1,"),
    ("image", "missing barrier", "(ushort)sums[g];\n        barrier(CLK_LOCAL_MEM_FENCE);", "(ushort)sums[g];"),
    ("image", "swapped axes", "(int2)(x, y)", "(int2)(y, x)"),
    ("words", "wrong formula", "pixels[r], sums[row - r]", "pixels[r], sums[row - r] + (row == 3)"),
    ("words", "off by one", "clamp(x - margin, 0, cols - 1)", "clamp(x - margin, 0, cols - 2)"),
    ("words", "swapped axes", "block_y + dy) * pitch + block_x + dx", "block_y + dx) * pitch + block_x + dy"),
    ("vectors", "off by one", "min(begin, search - VECTOR_WIDTH)", "min(begin, search - VECTOR_WIDTH - 1)"),
    ("vectors", "past the end", "min(first + GRANULARITY, search)", "first + GRANULARITY"),
]
