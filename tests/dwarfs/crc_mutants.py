"""Errors planted into the kernels of crc; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "each": ("bytes=70001", "variant=per_byte,granularity=4,answers=each"),
    "slicing": ("bytes=70001", "variant=slicing"),
    "interleaved": ("bytes=70001", "variant=interleaved"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("each", "answer of another byte", "if (EACH_ANSWER) own[k] = 0;", "if (EACH_ANSWER) own[0] = 0;"),
    ("slicing", "wrong table", "table[512u + ((word >> 8)", "table[256u + ((word >> 8)"),
    ("slicing", "off by one", "void combine_residues@@k < RUN; ++k", "k < RUN - 1; ++k"),
    ("slicing", "missing barrier", "partial[item] = value;@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("slicing", "swapped axes", "const ulong chunk = run * RUN + k;", "const ulong chunk = k * runs + run;"),
    ("interleaved", "swapped axes", "i % (STATE_WORDS / VECTOR_WIDTH)", "i / (STATE_WORDS / VECTOR_WIDTH)"),
]
