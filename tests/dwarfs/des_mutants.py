"""Errors planted into the kernels of des; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "bit_ifs": ("blocks=301", "variant=per_bit,permutations=ifs"),
    "lut": ("blocks=301", "variant=lut,memory=local,padding=0"),
    "per_bit": ("blocks=301", "variant=per_bit,memory=local"),
    "select": ("blocks=301", "variant=bitslice,gates=select,work_group=1,vector_width=16,unroll=1,padding=1"),
    "three_input": ("blocks=301", "variant=bitslice,gates=three_input,work_group=1,vector_width=16,unroll=1,padding=1"),
    "search": ("blocks=70001,mode=search", "variant=bitslice,granularity=4"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("bit_ifs", "wrong bit", "if (from == 33) from = 1;\n  return", "if (from == 33) from = 2;\n  return"),
    ("bit_ifs", "swapped permutations", "#define FINAL_BIT(bit) final_bit_by_ifs", "#define FINAL_BIT(bit) initial_bit_by_ifs"),
    ("lut", "wrong entry", "boxes[64 * box + six]", "boxes[64 * box + (six == 1 ? 0 : six)]"),
    ("lut", "off by one", "given[index]), round_keys, 16)", "given[index]), round_keys, 15)"),
    ("lut", "missing barrier", "tables[i] = (given_tables)[i];@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("lut", "swapped halves", "void crypt_lut@@SWAPPED_HALVES(block)", "block"),
    ("per_bit", "wrong bit", "(3 - from % 4)", "from % 4"),
    ("per_bit", "missing swap", "8 * byte + i) + 32) % 64", "8 * byte + i)) % 64"),
    ("select", "wrong gate", "XOR(t28, t20, t27)", "OR(t28, t20, t27)"),
    ("select", "off by one", "round < 16; round += UNROLL", "round < 15; round += UNROLL"),
    ("three_input", "wrong gate", "LUT(t11, a4, a2, t10, 0xA6)", "LUT(t11, a4, a2, t10, 0xA2)"),
    ("three_input", "swapped axes", "box_4, 26, 20, 10, 1)", "box_4, 20, 26, 10, 1)"),
    ("three_input", "transposed bits", "EXCHANGE(k, 1, 0x55555555u)", "EXCHANGE(k, 1, 0xAAAAAAAAu)"),
    ("search", "wrong number", "(turn << 9)", "(turn << 8)"),
]
