"""Errors planted into the kernels of srad; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "arrays": ("rows=70,cols=90", "variant=branches,tile_arrays=published"),
    "result": ("rows=70,cols=90", "variant=halo,tile_arrays=published"),
    "branches": ("rows=70,cols=90", "variant=branches"),
    "halo": ("rows=70,cols=90", "variant=halo"),
    "rows": ("rows=70,cols=90", "variant=fused_rows,sync=launches"),
    "phases": ("rows=70,cols=90,iterations=3", "variant=fused_rows,granularity=4,sync=flags"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("arrays", "row of the tile", "row_of(image, first_row - 1, rows", "row_of(image, first_row, rows"),
    ("arrays", "result of another pixel", "results[y][x] = own", "results[x][y] = own"),
    ("result", "result of another row", "LOADV(x, results[y])", "LOADV(x, results[y ^ 1])"),
    ("branches", "wrong factor", "0.5f * gradient", "0.6f * gradient"),
    ("branches", "off by one", "const int last_column = cols - 1;", "const int last_column = cols - 2;"),
    ("branches", "missing barrier", "void branches_diffusion_1@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("branches", "swapped axes",
     "void branches_diffusion_1@@(int)get_group_id(1) * TILE;\n  const int first_column = (int)get_group_id(0)",
     "(int)get_group_id(0) * TILE;\n  const int first_column = (int)get_group_id(1)"),
    ("halo", "row below", "void halo_diffusion_2@@first_row + y, rows, stride",
     "first_row + y - (y == TILE), rows, stride"),
    ("rows", "row too near", "float2 diffuse@@row + 2, rows, stride", "row + 1, rows, stride"),
    ("phases", "a step left out", "step <= steps", "step < steps"),
    ("phases", "always the first image", "step <= 1 ? original : ", "step <= 2 ? original : "),
    ("phases", "statistics of the first phase alone", "store_speckle(speckle, sum",
     "if (step == 0) store_speckle(speckle, sum"),
]
