"""Errors planted into the kernel of staging; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "plain": ("n=1517,multiply_adds=4", "variant=plain,work_group=64,groups=1"),
    "split": ("n=1517,multiply_adds=4", "variant=split,work_group=64,groups=1,loaders=32,buffering=double"),
    "prefetch": ("n=1517,multiply_adds=4", "variant=split,work_group=64,groups=1,loaders=32,buffering=single,prefetch=1"),
    "strided": ("n=1517,multiply_adds=4", "variant=plain,work_group=64,groups=1,element=8"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("plain", "missing barrier", "if (BUFFERS == 1) barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("plain", "off by one", "m < multiply_adds", "m + 1 < multiply_adds"),
    ("plain", "past the end", "= SUMV(sum);", "= SUMV(sum); sums[get_num_groups(0) * WORK_GROUP] = 1.0f;"),
    ("plain", "wrong and past the end", "= SUMV(sum);",
     "= SUMV(sum) + 1.0f; sums[get_num_groups(0) * WORK_GROUP] = 1.0f;"),
    ("split", "missing barrier", "if (item < WORK_GROUP && now >= 0)@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("split", "wrong formula", "add_tile(sum, tile[now % BUFFERS], item, multiply_adds, one);\n    barrier",
     "add_tile(sum, tile[incoming % BUFFERS], item, multiply_adds, one);\n    barrier"),
    ("prefetch", "other tile", "fetch_tile(held, part, incoming + 1, count, loader)", "fetch_tile(held, part, incoming, count, loader)"),
    ("prefetch", "off by one", "k * COPYING < VECTORS) to", "k * COPYING + 1 < VECTORS) to"),
    ("strided", "other element", "* count + now) * RUN", "* count + now) * RUN + (now > 0)"),
    ("strided", "swapped axes", "(i / RUN) * count + now)", "(i / RUN) + now * (VECTORS / RUN))"),
    ("split", "swapped axes", "WORK_GROUP - 1 - item]", "item]"),
]
