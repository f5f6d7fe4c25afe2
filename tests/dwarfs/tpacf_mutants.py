"""Errors planted into the kernels of tpacf; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "tiled": ("points=333,sets=2", "variant=tiled,work_group=32,histograms=4"),
    "direct": ("points=333,sets=2", "variant=direct,work_group=32,search=linear_from_wide"),
    "columns": ("points=333,sets=2", "variant=columns,work_group=32,granularity=2,search=table,balance=tile"),
    "register": ("points=333,sets=2", "variant=register,work_group=32,granularity=2,vector_width=4,balance=tile"),
    "cumulative": ("points=333,sets=2", "variant=cumulative,work_group=32,granularity=2,edges=3,balance=tile"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("tiled", "missing barrier", "tile[item].z = point.z;\n    }\n    barrier(CLK_LOCAL_MEM_FENCE);",
     "tile[item].z = point.z;\n    }\n"),
    ("tiled", "off by one", "i >= work.a_end ? n : work.self ? i + 1 : 0", "i >= work.a_end ? n : work.self ? i : 0"),
    ("tiled", "wrong formula", "below = middle + 1", "below = middle + 2"),
    ("direct", "off by one", "work.self ? i + 1 : 0; j < n", "work.self ? i + 1 : 1; j < n"),
    ("direct", "swapped axes", "get_global_id(0) / n", "get_global_id(0) % rows"),
    ("columns", "wrong formula", "value > cell.x", "value < cell.x"),
    ("columns", "off by one", "i >= work.a_end ? n", "i > work.a_end ? n"),
    ("register", "wrong formula", "max((intv)(begin), first_partner[g])", "first_partner[g]"),
    ("register", "off by one", "edge + e + 1", "edge + e"),
    ("cumulative", "wrong formula", "one.w + other.w", "0.0f * one.w"),
    ("cumulative", "off by one", "place += count", "place += count - 1"),
    ("cumulative", "past the end", "slot = item; slot < SLOTS", "slot = item; slot <= SLOTS"),
    ("cumulative", "missing barrier", "barrier(CLK_LOCAL_MEM_FENCE);\n    // Loaded here", "// Loaded here"),
    ("cumulative", "wrong formula", "kind == 1 ? (sets + 1) * rows_of_pair", "kind == 1 ? sets * rows_of_pair"),
]
