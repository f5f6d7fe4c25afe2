"""Errors planted into the kernels of lbm; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
FAST = "work_group=32,layout=soa,granularity=1,padding=0"
SINGLE = "vector_width=1"
POINTS = {
    "staged": ("nx=37,ny=7,nz=6,steps=2", "variant=staged,work_group=32"),
    "pull": ("nx=37,ny=7,nz=6,steps=2", f"variant=two_arrays,direction=pull,stores=cached,flags=bytes,{SINGLE},{FAST}"),
    "computed": ("nx=37,ny=7,nz=6,steps=2",
                 f"variant=two_arrays,direction=pull,stores=cached,flags=computed,{SINGLE},{FAST}"),
    "vectors": ("nx=37,ny=7,nz=6,steps=3,setup=periodic", f"variant=in_place,flags=bytes,vector_width=4,{FAST}"),
    "half": ("nx=37,ny=7,nz=6,steps=2", f"variant=in_place,flags=bytes,storage=half,{SINGLE},{FAST}"),
    "tiled": ("nx=37,ny=7,nz=6,steps=2", "variant=two_arrays,layout=tiled,direction=push,stores=cached,flags=bytes,"
                                         "vector_width=1,work_group=32,granularity=2,padding=0"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("staged", "missing barrier", "barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("staged", "swapped axes", "(zs[1 + cz] * ny + ys[1 + cy])", "(zs[1 + cy] * ny + ys[1 + cz])"),
    ("staged", "off by one", "item < count", "item < count - 1"),
    ("pull", "wrong formula", "4.5f * weighted", "4.0f * weighted"),
    ("pull", "wrong formula", "(1.0f / 36)", "(1.0f / 37)"),
    ("pull", "off by one", "x == 0 ? nx - 1 : x - 1, x, VECTOR_WIDTH", "x == 0 ? nx - 2 : x - 1, x, VECTOR_WIDTH"),
    ("pull", "swapped axes", "((f[7] - f[10]) - (f[9] - f[8]))", "((f[7] - f[10]) + (f[9] - f[8]))"),
    ("computed", "off by one", "x >= nx - 1", "x >= nx"),
    ("computed", "wrong formula", "(z == 1 || z == nz - 2)", "(z == 1)"),
    ("vectors", "off by one", "k < VECTOR_WIDTH && x + k < nx", "k < VECTOR_WIDTH && x + k < nx - 1"),
    ("vectors", "wrong formula", "turns ? opposite : i", "i"),
    ("half", "wrong formula", "IS_SHIFTED ? 1.0f + sum : sum", "sum"),
    ("tiled", "wrong formula", "cell % 32;", "cell % 16;"),
]
