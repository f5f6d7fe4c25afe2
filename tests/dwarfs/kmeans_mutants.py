"""Errors planted into the kernels of kmeans; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "blocks": ("points=1003,features=7,clusters=5", "variant=reduce,partial_sums=per_block"),
    "reduce": ("points=1003,features=7,clusters=5", "variant=reduce"),
    "fused": ("points=1003,features=7,clusters=5", "variant=fused"),
    "prefetch": ("points=259,features=35,clusters=41",
                 "variant=blocked,layout=aos,distances=products,buffering=prefetch,memory=local,work_group=64,"
                 "vector_width=2,granularity=2,cluster_lanes=4,unroll_clusters=4"),
    "clusters": ("points=203,features=70,clusters=64", "variant=reduce,layout=aos,memory=global,work_group=64"),
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
    ("prefetch", "off by one", "same_tile ? chunk + CHUNK_FEATURES", "same_tile ? chunk"),
    ("prefetch", "missing barrier", "store_batch(&next, point_copy@@BARRIER_OF_COPIES", ""),
    ("clusters", "off by one", "at + i < listed)", "at + i < listed - 1)"),
    ("clusters", "swapped axes", "own * SUM_GROUP, ROW", "own + SUM_GROUP, ROW"),
    ("clusters", "missing barrier", "append(list, &listed, added, others@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("fused", "points not counted", "if (item < LANES) atomic_add", "if (item < LANES - 1) atomic_add"),
]
