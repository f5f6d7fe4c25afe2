"""Errors planted into the kernels of rc5_72; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows. The key of the first
# two is the last one of the search, behind a carry; of `half` only the first word matches.
PAIR = "plain=0x206568546E6B6E75,iv=0x1F59CE07419A1486,cipher=0x562D285A2FB7852A"
LAST = f"keys=391,first=0xC90C0353C0D4E1FCFF,{PAIR}"
HALF = "keys=9,first=0x0545C2E10D273D00FD,iv=0x757CE4AC1E2F7BB4,plain=0xB314FB6C11741D33,cipher=0x10508EF21A601C7D"
POINTS = {
    "per_key": (LAST, "variant=per_key,work_group=32"),
    "half": (HALF, "variant=per_key"),
    "pipes": (LAST, "variant=pipes,work_group=32,granularity=2,vector_width=4"),
    "shared": (LAST, "variant=shared_prefix,work_group=32,granularity=2,vector_width=4,keys_per_prefix=16"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("per_key", "off by one", "number >= keys", "number >= keys - 1"),
    ("per_key", "wrong formula", "s[i] + a + b, 3u", "s[i] + a + b, 2u"),
    ("per_key", "swapped words", "l1 = reversed_bytes((uint)prefix)", "l1 = (uint)prefix"),
    ("per_key", "missing carry", "prefix + (sum >> 8)", "prefix"),
    ("half", "half a comparison", "if (found.y == pair.w) ", ""),
    ("pipes", "off by one", "i < SUBKEYS - 2", "i < SUBKEYS - 4"),
    ("pipes", "wrong formula", "y[p] ^ x[p], x[p]", "y[p] ^ x[p], y[p]"),
    ("pipes", "wrong number", "q % VECTOR_WIDTH", "q % GRANULARITY"),
    ("shared", "wrong formula", "k8 + sum", "k8 + s2"),
    ("shared", "off by one", "uint turn = 0", "uint turn = TURN_KEYS"),
    ("shared", "lost keys", "s[p][2] = m[p].a", "m[p].a"),
]
