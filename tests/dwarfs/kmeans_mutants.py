"""Errors planted into the kernels of kmeans; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "blocks": ("points=1003,features=7,clusters=5", "variant=reduce,partial_sums=per_block"),
    "reduce": ("points=1003,features=7,clusters=5", "variant=reduce"),
    "fused": ("points=1003,features=7,clusters=5", "variant=fused"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("blocks", "half of a tree", "for (int half_size = WORK_GROUP / 2; half_size > 0; half_size /= 2) {\n    barrier(CLK_LOCAL_MEM_FENCE);\n    if (item < half_size) cells[item] +=",
     "for (int half_size = WORK_GROUP / 4; half_size > 0; half_size /= 2) {\n    barrier(CLK_LOCAL_MEM_FENCE);\n    if (item < half_size) cells[item] +="),
    ("blocks", "points beyond the last", "point < count ? assignments[point] : -1", "assignments[min(point, count - 1)]"),
    ("reduce", "wrong sign", "values - centroid_at(", "values + centroid_at("),
    ("reduce", "off by one", "choice_t nearest@@step < STEPS; ++step", "step < STEPS - 1; ++step"),
    ("reduce", "missing barrier", "SUMV(own->sums@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("reduce", "swapped axes", "(j * WORK_GROUP + (int)get_local_id(0))", "(j + WORK_GROUP * (int)get_local_id(0))"),
    ("fused", "points not counted", "if (item < LANES) atomic_add", "if (item < LANES - 1) atomic_add"),
]
