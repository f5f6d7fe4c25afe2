"""Errors planted into the kernels of pns; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
PROBLEM = "n=7,steps=700,trajectories=3,batch=100"
POINTS = {
    "group": (PROBLEM, "variant=group,work_group=32,granularity=4"),
    "local": (PROBLEM, "variant=local,work_group=32,granularity=4,flags=bit,update=atomic,vector_width=16"),
    "phases": (PROBLEM, "variant=local,work_group=32,granularity=4,flags=bit,update=phases"),
    "item": (PROBLEM, "variant=item,work_group=32,flags=bit,layout=interleaved"),
    "philox": (PROBLEM + ",rng=philox", "variant=local,work_group=32,granularity=4"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("group", "wrong formula", "far ^ (mixed >> 1)", "far ^ (mixed >> 2)"),
    ("group", "off by one", "flags[transition] > before", "flags[transition] + 1 > before"),
    ("group", "missing rival", "&& !is_claimed(flags, at[j].rival, number)", ""),
    ("local", "swapped rows", "below + shifted", "above + shifted"),
    ("local", "no clearing", "others[old[j] / 32] = 0;", ""),
    ("local", "past the end", "i < net.places; i += WORK_GROUP)@@result[(size_t)trajectory * net.places + i]",
     "result[(size_t)trajectory * net.places + i + 1]"),
    ("phases", "missing barrier", "if (UPDATE == UPDATE_PHASES) barrier(FENCE);", ""),
    ("phases", "missing barrier", "EACH_TRY if (fires[j]) change(marks, at[j].right, 1);@@barrier(FENCE);", ""),
    ("item", "wrong place", "MARK(right[j]) += fires", "MARK(down[j]) += fires"),
    ("item", "wrong parity", "at.parity ^ batches % 2", "at.parity"),
    ("philox", "wrong number", "round < 10", "round < 9"),
]
