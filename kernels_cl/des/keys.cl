// des: the keys of a search, and the lists of candidates and of keys found.

// F(bit of the key's number, bit it changes: 0 is the first that permuted choice 1 takes).
#define EACH_KEY_BIT(F)                                                                                             \
  F(0, 0) F(1, 1) F(2, 2) F(3, 3) F(4, 4) F(5, 5) F(6, 6) F(7, 7) F(8, 8) F(9, 18) F(10, 25) F(11, 35) F(12, 54)    \
  F(13, 22) F(14, 9) F(15, 10) F(16, 11) F(17, 12) F(18, 13) F(19, 14) F(20, 15) F(21, 16) F(22, 17) F(23, 19)      \
  F(24, 20) F(25, 21) F(26, 23) F(27, 24) F(28, 26) F(29, 27) F(30, 28) F(31, 29) F(32, 30) F(33, 31) F(34, 32)     \
  F(35, 33) F(36, 34) F(37, 36) F(38, 37) F(39, 38) F(40, 39) F(41, 40) F(42, 41) F(43, 42) F(44, 43) F(45, 44)     \
  F(46, 45) F(47, 46) F(48, 47) F(49, 48) F(50, 49) F(51, 50) F(52, 51) F(53, 52) F(54, 53) F(55, 55)

INLINED ulong searched_bits(const ulong base, const ulong number) {
  ulong bits = base;
#define CHANGE_KEY_BIT(of_number, of_key) if ((number >> (of_number)) & 1) bits ^= 1ul << (55 - (of_key));
  EACH_KEY_BIT(CHANGE_KEY_BIT)
  return bits;
}

// Both halves rotated to the left by one, or by two.
INLINED ulong rotated_key(const ulong bits, const uint by_two) {
  const ulong once = ((bits << 1) & 0xFFFFFFEFFFFFFEul) | ((bits >> 27) & 0x00000010000001ul);
  const ulong twice = ((bits << 2) & 0xFFFFFFCFFFFFFCul) | ((bits >> 26) & 0x00000030000003ul);
  return by_two ? twice : once;
}

// Round 1 (index 0), 2, 9 and 16 shift by one.
#define SHIFTS_BY_TWO(round) ((0x7EFCu >> (round)) & 1u)

// counts[0]: keys that matched in part (bitslice), counts[1]: keys found. What exceeds a list is counted, not listed.
#define MAX_CANDIDATES 65536u
#define MAX_FOUND 64u

INLINED void append(global uint* count, global ulong* list, const uint most, const ulong number) {
  const uint slot = atomic_inc(count);
  if (slot < most) list[slot] = number;
}
