"""Errors planted into the kernels of fft_1d; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "global": ("n=128,batch=3", "variant=global,radix=4,granularity=2"),
    "staged": ("n=512,batch=1", "variant=staged,work_group=16,granularity=8,vector_width=2,unroll=2,layout=rows"),
    "prefetch": ("n=512,batch=3", "variant=staged,work_group=32,granularity=32,vector_width=1,unroll=4,layout=rows,prefetch=1"),
    "groups": ("n=1024,batch=1", "variant=stockham,work_group=32,granularity=4,vector_width=1,unroll=1,padding=1,radix=32,roots=computed"),
    "table": ("n=1024,batch=1", "variant=stockham,work_group=32,granularity=4,vector_width=1,unroll=1,padding=1,radix=32,roots=table"),
    "parts": ("n=1024,batch=1", "variant=stockham,work_group=32,granularity=4,vector_width=2,unroll=1,padding=1,radix=32,roots=computed,exchange=parts"),
    "alone": ("n=256,batch=3", "variant=stockham,work_group=1,granularity=4,vector_width=4,unroll=2,padding=0,radix=16,roots=computed"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("global", "wrong formula", "const float real = re[PLACE(PASS_BITS, o)]", "const float real = im[PLACE(PASS_BITS, o)]"),
    ("global", "off by one", "r > 0 && !IS_FIRST", "r > 1 && !IS_FIRST"),
    ("global", "wrong formula", "const numbers re_1 = re[c] + im[d];", "const numbers re_1 = re[c] - im[d];"),
    ("staged", "missing barrier", "} else if (n + 1 < UNROLL) {@@MEET_TO_COMPUTE;", ""),
    ("staged", "off by one", "at < TILE_NUMBERS", "at < TILE_NUMBERS - 2"),
    ("prefetch", "other tile", "min(first_tile + n + 2, last_tile)", "min(first_tile + n + 1, last_tile)"),
    ("prefetch", "off by one", "= held[n * LOAD_WIDTH];", "= held[n / 2 * 2 * LOAD_WIDTH];"),
    ("groups", "swapped axes", "int in_t = ACROSS ? item / COLUMNS : item % COLUMN_ITEMS;", "int in_t = ACROSS ? item % COLUMNS : item / COLUMN_ITEMS;"),
    ("groups", "wrong formula", "(uint)input_place(t, w) * k", "(uint)input_place(w, t) * k"),
    ("groups", "wrong formula", "-1.6666667e-1f", "-1.66e-1f"),
    ("table", "off by one", "(size_t)(POINTS_BITS + t) * apart", "(size_t)(POINTS_BITS + t - 1) * apart"),
    ("table", "off by one", "bit <= LOWEST_BIT(w); ++bit", "bit < LOWEST_BIT(w); ++bit"),
    ("table", "wrong formula", "*im = MULTIPLY_ADD(real, root.y, *im * root.x)", "*im = MULTIPLY_ADD(real, root.x, *im * root.y)"),
    ("parts", "missing barrier", "load_parts(exchange, re, out_column, out_t, is_next_last);@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("parts", "wrong formula", "scaled(re[w], im[w], scale), scaled(re[w + 1]", "scaled(re[w + 1], im[w], scale), scaled(re[w]"),
    ("parts", "wrong formula", "(w / butterflies << EARLY_BITS)", "(w % butterflies << EARLY_BITS)"),
    ("alone", "wrong formula", "(m * k) << (PASS_BITS - bits - before_bits)", "(m * k) << (PASS_BITS - bits)"),
    ("alone", "off by one", "o < R; ++o", "o < R - 1; ++o"),
]
