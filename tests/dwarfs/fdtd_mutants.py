"""Errors planted into the kernels of fdtd; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "two": ("nx=45,ny=39,steps=3,source=point", "variant=two_kernels"),
    "tiled": ("nx=45,ny=39,steps=3,source=point", "variant=tiled,layout=soa"),
    "fused": ("nx=45,ny=39,steps=3", "variant=fused,work_group=8,granularity=4,vector_width=2,padding=0,medium=index"),
    "columns": ("nx=45,ny=70,steps=5,source=point",
                "variant=streaming,work_group=16,granularity=16,vector_width=2,padding=0,depth=2,exchange=local"),
    "rows": ("nx=45,ny=170,steps=5,source=point",
             "variant=streaming,work_group=1,granularity=16,vector_width=4,padding=1,depth=3,strip=128"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("two", "wrong sign", "(realv)(-d), east - ez", "(realv)(d), east - ez"),
    ("two", "wrong formula", "media.ca * ez", "ez"),
    ("two", "swapped axes", "row_begin(row + 1, nx, stride), plane, column, ny)",
     "row_begin(row, nx, stride), plane, column + 1, ny)"),
    ("two", "source left out", "row != at.x", "row != at.x + 1"),
    ("tiled", "off by one", "const realv hx_west = hx_tile[y * (WORK_GROUP + 1) + x]",
     "const realv hx_west = hx_tile[y * (WORK_GROUP + 1) + x + 1]"),
    ("tiled", "missing barrier", "fill_tile(tile, WORK_GROUP + 1@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("fused", "row left out", "max(first - 1, 0)", "max(first, 0)"),
    ("fused", "wrong medium", "table[bytes[k]]", "table[bytes[0]]"),
    ("fused", "swapped axes", "next_hx(old_hx, ez, east, d)", "next_hx(old_hx, ez, south, d)"),
    ("columns", "missing barrier", "last_hx[turn][level][item + 1] = LAST_OF(rows[level].hx);@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("columns", "off by one", "clamp(block + j + PREFETCH, 0, nx - 1)", "clamp(block + j + PREFETCH, 0, nx - 2)"),
    ("columns", "wrong level", "rows[level].media = rows[level - 1].media", "rows[level].media = media"),
    ("columns", "halo too small", "item * VECTOR_WIDTH >= HALO &&", "item * VECTOR_WIDTH >= HALO - VECTOR_WIDTH &&"),
    ("rows", "off by one", "2 * level <= turn", "2 * level < turn"),
    ("rows", "wrong row", "rows[(here - 1) % KEPT].hy", "rows[here % KEPT].hy"),
    ("rows", "wrong step", "source[step + level - 1]", "source[step + level]"),
    ("rows", "into the row past the end", "x < stored; x += VECTOR_WIDTH", "x < stored + 64; x += VECTOR_WIDTH"),
]
