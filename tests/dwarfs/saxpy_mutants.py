"""Errors planted into the kernels of saxpy; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "plain": ("n=5003,a=-0.25", "variant=interleaved,granularity=2,vector_width=4,work_group=16,unroll=1,padding=0"),
    "single": ("n=5003,a=-0.25", "variant=staged,granularity=4,vector_width=4,work_group=16,loaders=32,"
               "buffering=single,loader=split,padding=0"),
    "double": ("n=5003,a=-0.25", "variant=staged,granularity=4,vector_width=2,work_group=64,loaders=32,"
               "buffering=double,loader=split,padding=0"),
    "prefetch": ("n=5003,a=-0.25", "variant=staged,granularity=4,vector_width=2,work_group=64,loaders=32,"
                 "buffering=double,loader=split,padding=0,prefetch=1"),
    "few groups": ("n=5003,a=-0.25", "variant=interleaved,vector_width=4,work_group=16,groups=2"),
    "async": ("n=5003,a=-0.25", "variant=staged,granularity=4,vector_width=2,work_group=64,loaders=32,"
              "buffering=double,loader=async,padding=0"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("plain", "swapped axes", "j * WORK_GROUP + get_local_id(0)", "j + WORK_GROUP * get_local_id(0)"),
    ("plain", "off by one", "j < SHARE", "j < SHARE - 1"),
    ("plain", "past the end", "i = at; i < n", "i = at; i <= n"),
    ("single", "missing barrier", "if (BUFFERS == 1) barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);", ""),
    ("single", "off by one", "i = at; i < count; ++i) to[i] = from[i]", "i = at; i + 1 < count; ++i) to[i] = from[i]"),
    ("double", "missing barrier", "if (item < WORK_GROUP && stage >= 0)@@barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);", ""),
    ("double", "wrong formula", "at = lane * VECTOR_WIDTH", "at = (lane + 1) * VECTOR_WIDTH"),
    ("prefetch", "other stage", "fetch_stage(held_y, y + at + STAGE", "fetch_stage(held_y, y + at"),
    ("prefetch", "off by one", "count)) held[k] =", "count)) held[k / 2] ="),
    ("few groups", "other group", "get_group_id(0) * SHARE * WORK_GROUP", "get_group_id(0) * GRANULARITY * WORK_GROUP"),
    ("async", "wrong formula", "async_work_group_copy(tile_y@@y + at", "x + at"),
]
