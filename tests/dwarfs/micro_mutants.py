"""Errors planted into the kernels of micro; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
PROBLEM = "items=333,rounds=3,bits=56"
POINTS = {
    "initial": (PROBLEM, "granularity=2"),
    "columns": (PROBLEM, "variant=columns,padding=1,vector_width=2"),
    "divergence": (PROBLEM, "variant=divergence,divergent=12"),
    "tables": (PROBLEM, "variant=tables"),
    "local": (PROBLEM, "variant=latency,memory=local"),
    "global": (PROBLEM, "variant=latency"),
    "groups": ("items=333,rounds=3", "work_group=128,granularity=2"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("initial", "wrong formula", "sum + k * 0x9E3779B9u", "sum + k * 0x9E3779B7u"),
    ("initial", "other turn", "* GRANULARITY + turn)", "* GRANULARITY + turn / 2 * 2)"),
    ("columns", "swapped axes", "VARIANT == VARIANT_COLUMNS ? lane : (k)", "VARIANT == VARIANT_COLUMNS ? 0 : (k)"),
    ("columns", "off by one", "round < rounds; ++round) {", "round + 1 < rounds; ++round) {"),
    ("divergence", "off by one", "lane < DIVERGENT", "lane <= DIVERGENT"),
    ("divergence", "wrong formula", "2u * number", "4u * number"),
    ("initial", "wrong formula", "IF_IN_ROW(3, 63)", "IF_IN_ROW(3, 62)"),
    ("initial", "off by one", "position < BITS && at", "position <= BITS && at"),
    ("tables", "off by one", "return at < BITS ?", "return at <= BITS ?"),
    ("tables", "wrong table", "57, 49, 41, 33", "57, 41, 49, 33"),
    ("global", "off by one", "i < loads", "i + 1 < loads"),
    ("local", "wrong copy", "copy[i] = chain[i]", "copy[i] = chain[i / 2]"),
    ("groups", "missing barrier", "++round) {\n      barrier(CLK_LOCAL_MEM_FENCE);\n      const uint at",
     "++round) {\n      const uint at"),
]
