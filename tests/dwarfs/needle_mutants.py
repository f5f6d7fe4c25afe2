"""Errors planted into the kernels of needle; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "global": ("m=100,n=150", "variant=global"),
    "wavefront": ("m=100,n=150", "variant=wavefront,granularity=1,vector_width=1"),
    "strip": ("m=30,n=150", "variant=strip,handover=local"),
    "scan": ("m=100,n=150", "variant=scan"),
    "launches": ("m=100,n=700", "variant=scan,sync=launches"),
    "score": ("m=100,n=150", "variant=score_only_scan"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("global", "wrong neighbour", "-gap * (int)(x + y) : above[-1]", "-gap * (int)(x + y) : above[0]"),
    ("global", "off by one", "-gap * (int)(y + 1) : own[-1]", "-gap * (int)y : own[-1]"),
    ("wavefront", "wrong sign", "cells[CELL(y, x - 1)]) - gap", "cells[CELL(y, x - 1)]) + gap"),
    ("wavefront", "off by one", "for (int d = TILE - 2; d >= 0; --d)", "for (int d = TILE - 2; d > 0; --d)"),
    ("wavefront", "missing barrier",
     "compute_cell(cells, pairs, d - item + 1, item + 1, gap);@@barrier(CLK_LOCAL_MEM_FENCE);",
     ""),
    ("wavefront", "swapped axes", "{top + (uint)get_group_id(0), right - (uint)get_group_id(0)}",
     "{right - (uint)get_group_id(0), top + (uint)get_group_id(0)}"),
    ("strip", "wrong turn", "(step % 2 * LANES + lane - 1)", "((step + 1) % 2 * LANES + lane - 1)"),
    ("strip", "missing barrier", "strip.letters + (step - lane) * ROWS));@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("scan", "wrong neighbour", "MOVED_BY_1(north, before) + ", "north + "),
    ("launches", "tile of another diagonal", "right - get_group_id(0)", "right - get_group_id(0) / 2"),
    ("score", "off by one", "gap * (rows + last)", "gap * (rows + last - 1)"),
]
