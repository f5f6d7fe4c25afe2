"""Errors planted into the kernels of sgemv; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "all": ("m=301,n=533", "variant=vec_single,loader=all"),
    "prefetch": ("m=301,n=530", "variant=vec_double,loader=split,vector_width=2,prefetch=1"),
    "row_per_group": ("m=101,n=133", "variant=row_per_group,vector_width=4,padding=0"),
    "split_k": ("m=101,n=133", "variant=split_k,splits=2"),
    "finish": ("m=101,n=133,transposed=1", "variant=split_k,splits=8,work_group=64,lanes=32,finish=group"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("all", "other stage", "load_stage(&problem, stage, vector_tiles[0], matrix_tiles[0], held, lane);",
     "load_stage(&problem, stage / 2 * 2, vector_tiles[0], matrix_tiles[0], held, lane);"),
    ("prefetch", "other stage", "fetch_run(held, x + later * TILE", "fetch_run(held, x + incoming * TILE"),
    ("prefetch", "off by one", "VECTOR_WIDTH <= count) STOREV(held", "VECTOR_WIDTH < count) STOREV(held"),
    ("row_per_group", "wrong sign", "shared[lane] += shared[lane + half_width]",
     "shared[lane] -= shared[lane + half_width]"),
    ("row_per_group", "off by one", "for (int k = whole + lane; k < count;",
     "for (int k = whole + lane; k < count - 1;"),
    ("row_per_group", "missing barrier", "shared[lane] = TO_SHARED(sums[g]);@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("row_per_group", "swapped axes", "TRANSPOSED ? k * ld : (size_t)k", "TRANSPOSED ? (size_t)k : k * ld"),
    ("split_k", "off by one", "c < chunks; c +=", "c < chunks - 1; c +="),
    ("finish", "off by one", "is_last_of((uint)chunks", "is_last_of((uint)chunks + 1"),
    ("split_k", "past the end", "item < together && output < outputs",
     "item < together && output <= outputs"),
]
