"""Errors planted into the kernels of matmul; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "untiled": ("m=61,n=43,k=37", "variant=untiled"),
    "tiled": ("m=61,n=43,k=37", "variant=tiled,granularity=2,work_group=8,unroll=1"),
    "alone": ("m=57,n=43,k=37", "variant=blocked,work_group=1,memory=global,packing=both,tile_k=8,vector_width=4,"
              "buffering=none,tile_x=4,tile_y=4,granularity=2,splits=2,lanes=0"),
    "in place": ("m=57,n=43,k=37", "variant=blocked,work_group=1,memory=global,packing=none,tile_k=8,vector_width=4,"
                 "buffering=none,tile_x=4,tile_y=4,granularity=2,splits=1,lanes=0"),
    "staged": ("m=61,n=43,k=37", "variant=blocked,work_group=8,memory=local,packing=none,tile_k=8,vector_width=4,"
               "buffering=double,tile_x=4,tile_y=4,granularity=1,splits=1,lanes=8,padding=0"),
    "even": ("m=61,n=43,k=137", "variant=blocked,work_group=8,memory=local,packing=none,tile_k=8,vector_width=4,"
             "buffering=none,tile_x=4,tile_y=4,granularity=1,lanes=0,padding=0,resident=4"),
    "prefetch": ("m=61,n=43,k=37", "variant=tiled,buffering=prefetch,spill=1"),
    "few rows": ("m=13,n=143,k=237", "variant=thin,work_group=8,tile_y=2,unroll=1,splits=2"),
    "finish": ("m=13,n=143,k=237", "variant=thin,work_group=8,tile_y=2,unroll=1,splits=2,finish=group"),
    "few columns": ("m=143,n=13,k=237", "variant=thin,work_group=8,tile_y=2,unroll=1,splits=1"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("untiled", "swapped axes", "index_b += cols", "index_b += terms"),
    ("untiled", "off by one", "i < terms; ++i", "i < terms - 1; ++i"),
    ("tiled", "missing barrier", "index_b += (size_t)TILE * cols;@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("tiled", "swapped axes", "tile_a[y][i]", "tile_a[i][y]"),
    ("alone", "off by one", "other < shares", "other < shares - 1"),
    ("alone", "wrong formula", "if (k == begin) {", "if (k >= begin) {"),
    ("alone", "past the end", "if (at < elements) c", "if (at <= elements) c"),
    ("in place", "swapped axes", "left[r * from->stride_a + k]", "left[k * from->stride_a + r]"),
    ("in place", "wrong formula", "from.stride_b = PACKS_B ? GROUP_X : cols", "from.stride_b = GROUP_X"),
    ("staged", "missing barrier", "if (more) store_stage(&part, stage, next, item);@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("staged", "swapped axes", "[at % TILE_K + lane][at / TILE_K]", "[at / TILE_K][at % TILE_K + lane]"),
    ("even", "off by one", "other <= highest", "other < highest"),
    ("finish", "off by one", "other = slice; other <", "other = slice; other + 1 <"),
    ("finish", "off by one", "is_last_of((uint)get_num_groups(1)", "is_last_of((uint)get_num_groups(1) + 1"),
    ("even", "wrong formula", "(uint)(highest - lowest + 1)", "(uint)(highest - lowest + 2)"),
    ("few columns", "off by one", "distance > 0;", "distance > 1;"),
    ("few rows", "wrong formula", "/ layers * ACROSS + tile", "/ layers * ACROSS + slice"),
    ("few rows", "off by one", "other = part; other < shares", "other = part; other < shares - 1"),
    ("few rows", "off by one", "other < REDUCE_PARTS", "other < REDUCE_PARTS - 7"),
    ("few columns", "swapped axes", "left + (size_t)r * terms + k", "left + (size_t)r * cols + k"),
    ("few columns", "missing barrier", "shared[i][place] = sums[i / TILE_X][i % TILE_X];@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("prefetch", "off by one", "begin + TILE < terms", "begin + 2 * TILE < terms"),
    ("prefetch", "wrong formula", "spilled_b[y][x] = index_b", "spilled_b[y][x] = index_a"),
]
