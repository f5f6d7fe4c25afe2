"""Errors planted into the kernels of hotspot; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "streaming": ("rows=90,cols=70,steps=5",
                 "variant=streaming,work_group=32,granularity=16,vector_width=4,padding=1,depth=2,exchange=local"),
    "pyramid": ("rows=90,cols=70,steps=5", "variant=pyramid,pyramid_height=2"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("streaming", "wrong sign", "MULTIPLY_ADD(weights.x, value[k], from_north)",
     "MULTIPLY_ADD(-weights.x, value[k], from_north)"),
    ("streaming", "wrong image", "inside < count ? inside : period - 1 - inside",
     "inside < count ? inside : period - inside"),
    ("streaming", "off by one", "row[-1 - at] = value", "row[-at] = value"),
    ("streaming", "missing barrier",
     "lasts[turn][level][item + 1] = middle[level][VECTOR_WIDTH - 1];@@barrier(CLK_LOCAL_MEM_FENCE);",
     ""),
    ("streaming", "swapped axes", "MULTIPLY_ADD(weights.z, beside, partial[level][k])",
     "MULTIPLY_ADD(weights.y, beside, partial[level][k])"),
    ("streaming", "row left out", "target >= first && target < end", "target > first && target < end"),
    ("pyramid", "row left out", "row < TILE - HALO &&", "row < TILE - HALO - 1 &&"),
]
