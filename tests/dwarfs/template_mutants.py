"""Errors planted into the kernel of template; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "strided": ("n=5003", "variant=strided,granularity=4"),
    "chunked": ("n=5003", "variant=chunked,granularity=4"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("strided", "off by one", "j < GRANULARITY", "j < GRANULARITY - 1"),
    ("strided", "swapped axes", "j * get_global_size(0) + get_global_id(0)", "get_global_id(0) + j * GRANULARITY"),
    ("chunked", "wrong formula", "x[i] * x[i]", "x[i] * x[0]"),
    ("chunked", "past the end", "i < n", "i <= n"),
]
