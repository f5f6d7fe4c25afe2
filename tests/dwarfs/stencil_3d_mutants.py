"""Errors planted into the kernels of stencil_3d; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "reference": ("nx=21,ny=19,nz=14", "variant=reference,work_group=8,rows=4,granularity=2"),
    "double": ("nx=21,ny=19,nz=14", "variant=halo_only_double,work_group=8,rows=4,vector_width=2"),
    "block": ("nx=21,ny=27,nz=14", "variant=block_halo_single,work_group=8,rows=4,padding=1"),
    "prefetch": ("nx=45,ny=27,nz=14", "variant=halo_only_double,work_group=32,rows=4,vector_width=1,prefetch=1"),
    "columns": ("nx=39,ny=21,nz=14", "variant=streaming,work_group=8,rows=2,granularity=2,vector_width=2,unroll=1,"
                "padding=0,memory=local,depth=0"),
    "ring": ("nx=39,ny=21,nz=14", "variant=streaming,work_group=8,rows=2,granularity=2,vector_width=2,unroll=1,padding=1,"
             "memory=local,depth=0,ring=3"),
    "alone": ("nx=39,ny=21,nz=14", "variant=streaming,work_group=1,rows=1,granularity=2,vector_width=4,unroll=1,"
              "padding=0,memory=global,depth=8"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("reference", "off by one", "z < end; ++z", "z < end - 1; ++z"),
    ("reference", "swapped axes", "(centre[-k * LINE] + centre[k * LINE])", "(centre[-k] + centre[k])"),
    ("reference", "missing barrier", "if (BUFFERS == 1) barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("double", "wrong formula", "column[g][RADIUS + lead]", "column[g][RADIUS]"),
    ("double", "off by one", "incoming < end && (LOADER", "incoming < end - 1 && (LOADER"),
    ("double", "missing barrier", "if (BUFFERS == 2) barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("block", "off by one", "load_region(leading, TILE_COLS, part, from, shape, tile, z + RADIUS)",
     "load_region(leading, TILE_COLS, part, from, shape, tile, z + RADIUS - 1)"),
    ("prefetch", "other plane", "tile, incoming + LOADER_SETS, lane)", "tile, incoming, lane)"),
    ("prefetch", "off by one", "store_vector(to, line, part, held[k], i)", "store_vector(to, line, part, held[k / 2], i)"),
    ("columns", "missing barrier", "// Two tiles that alternate, so that one barrier a plane is enough.@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("columns", "swapped axes", "tile + own + r * LINE) = LOADV", "tile + own + r) = LOADV"),
    ("columns", "into the border", "x + k < nx - RADIUS", "x + k <= nx - RADIUS"),
    ("ring", "missing barrier", "WAIT_FOR_COPIES(RING - 2);@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("ring", "off by one", "min(z + RING - 1, nz - 1)", "min(z + RING - 1, nz - 2)"),
    ("ring", "swapped axes", "window[RADIUS + k - d], *sum", "window[RADIUS + k + d], *sum"),
    ("alone", "wrong formula", "k * plane) + load_at", "k * stride) + load_at"),
    ("alone", "into the border", "k < cols - whole", "k <= cols - whole"),
]
