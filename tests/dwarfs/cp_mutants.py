"""Errors planted into the kernels of cp; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "direct": ("atoms=37,nx=35,ny=19", "variant=direct,work_group=32,granularity=2,output=neighbours"),
    "global": ("atoms=37,nx=35,ny=19", "variant=direct,work_group=32,data_memory=global"),
    "launches": ("atoms=4100,nx=9,ny=5", "variant=direct,work_group=16"),
    "tiled": ("atoms=37,nx=35,ny=19", "variant=tiled,work_group=32,granularity=2,vector_width=4,rows=2,functions=newton,"
              "padding=0,output=coalesced"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("direct", "swapped axes", "column_of(g) * spacing", "row * spacing"),
    ("direct", "off by one", "i < count", "i < count - 1"),
    ("direct", "wrong formula", "MULTIPLY_ADD(dy, dy, atom.z)", "MULTIPLY_ADD(dy, dy, atom.z * atom.z)"),
    ("direct", "past the end", "if (!PADDING && row >= ny) return;", ""),
    ("global", "wrong vector", "const float4 atom = atoms[i];",
     "const float4 atom = DATA_MEMORY == DATA_MEMORY_GLOBAL ? atoms[i].yxzw : atoms[i];"),
    ("launches", "wrong formula", "if (add) sums +=", "if (!add) sums +="),
    ("tiled", "wrong formula", "(realv)(0.5f)", "(realv)(0.25f)"),
    ("tiled", "swapped axes", "first_row + r * GROUP_Y) * spacing", "first_row * GROUP_Y + r) * spacing"),
    ("tiled", "past the end", "if (!PADDING && row >= ny) continue;", ""),
]
