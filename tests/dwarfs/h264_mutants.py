"""Errors planted into the kernels of h264; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "three": ("rows=34,cols=50,frames=3,search=7", "variant=three_kernels,work_group=32,granularity=3,frames_per_launch=2"),
    "fused": ("rows=34,cols=50,frames=4,search=11,predictor=previous",
              "variant=fused,work_group=32,granularity=3,difference=bytes"),
    "vectors": ("rows=34,cols=50,frames=3,search=7,lambda=20", "variant=vectors,work_group=1,vector_width=4"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("three", "missing barrier", "local uchar pixels[16];@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("three", "off by one", "if (first + g < OFFSETS)", "if (first + g < OFFSETS - 1)"),
    ("three", "past the end", "+ group % PARTITIONS, vectors", "+ group % PARTITIONS + 1, vectors"),
    ("three", "swapped axes", "offset / SEARCH - SEARCH / 2) * FRAME_PITCH + x + offset % SEARCH",
     "offset % SEARCH - SEARCH / 2) * FRAME_PITCH + x + offset / SEARCH"),
    ("fused", "missing barrier", "barrier(CLK_LOCAL_MEM_FENCE);\n  for (int i = item; i < RUNS", "for (int i = item; i < RUNS"),
    ("fused", "wrong formula", "two >> 8 * k", "two >> 8"),
    ("fused", "off by one", "dy + g < SEARCH", "dy + g <= SEARCH"),
    ("fused", "wrong formula", "s[38] = s[32] + s[34]", "s[38] = s[32] + s[35]"),
    ("fused", "off by one", "(size_t)(frame - 2) * macroblocks", "(size_t)(frame - 2) * (macroblocks - 1)"),
    ("vectors", "wrong formula", ": NO_OFFSET << POSITION_BITS", ": 0u"),
    ("vectors", "off by one", "lane = 1; lane < VECTOR_WIDTH", "lane = 2; lane < VECTOR_WIDTH"),
    ("vectors", "wrong formula", "31 - (int)clz(number + 1)", "30 - (int)clz(number + 1)"),
]
