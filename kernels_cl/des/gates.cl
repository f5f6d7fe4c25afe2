// des: the S-boxes as circuits on words; each word has a bit of 32 * VECTOR_WIDTH blocks.

// Compilers for x86 declare whether they have the instruction for vectors.
#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__has_builtin)
#if __has_builtin(__builtin_ia32_pternlogd512_mask)
#define HAS_VECTOR_LOGIC 1
#endif
#endif
#ifndef HAS_VECTOR_LOGIC
#define HAS_VECTOR_LOGIC 0
#endif

// Any function of three: bit 4 * a + 2 * b + c of the constant `table` is its value.
#if HAS_INLINE_PTX && VECTOR_WIDTH == 1
#define HAS_THREE_INPUT 1
#define LUT(d, a, b, c, table) \
  wordv d;                     \
  asm("lop3.b32 %0, %1, %2, %3, " #table ";" : "=r"(d) : "r"(a), "r"(b), "r"(c));
#elif HAS_VECTOR_LOGIC && VECTOR_WIDTH == 16
#define HAS_THREE_INPUT 1
#define LUT(d, a, b, c, table) \
  const wordv d = as_uint16(__builtin_ia32_pternlogd512_mask(as_int16(a), as_int16(b), as_int16(c), table, 0xFFFF));
#elif HAS_VECTOR_LOGIC && VECTOR_WIDTH == 8
#define HAS_THREE_INPUT 1
#define LUT(d, a, b, c, table) \
  const wordv d = as_uint8(__builtin_ia32_pternlogd256_mask(as_int8(a), as_int8(b), as_int8(c), table, 0xFF));
#elif HAS_VECTOR_LOGIC && VECTOR_WIDTH == 4
#define HAS_THREE_INPUT 1
#define LUT(d, a, b, c, table) \
  const wordv d = as_uint4(__builtin_ia32_pternlogd128_mask(as_int4(a), as_int4(b), as_int4(c), table, 0xFF));
#else
#define HAS_THREE_INPUT 0
#define LUT(d, a, b, c, table) \
  const wordv d = bitselect(function_of_two(b, c, (table) & 15), function_of_two(b, c, (table) >> 4), a);

INLINED wordv function_of_two(const wordv b, const wordv c, const uint table) {
  if (table == 0) return (wordv)(0u);
  if (table == 1) return ~(b | c);
  if (table == 2) return ~b & c;
  if (table == 3) return ~b;
  if (table == 4) return b & ~c;
  if (table == 5) return ~c;
  if (table == 6) return b ^ c;
  if (table == 7) return ~(b & c);
  if (table == 8) return b & c;
  if (table == 9) return ~(b ^ c);
  if (table == 10) return c;
  if (table == 11) return ~b | c;
  if (table == 12) return b;
  if (table == 13) return b | ~c;
  if (table == 14) return b | c;
  return (wordv)(0xFFFFFFFFu);
}
#endif

#define AND(d, a, b) const wordv d = a & b;
#define OR(d, a, b) const wordv d = a | b;
#define XOR(d, a, b) const wordv d = a ^ b;
#define NOT(d, a) const wordv d = ~a;
// b where c is set, else a.
#define SEL(d, a, b, c) const wordv d = bitselect(a, b, c);

// a1 to a6 are the six bits that go into an S-box, x1 to x4 those that come out, in the standard's order.
#define CIRCUIT(name)                                                                                                \
  INLINED void name(const wordv a1, const wordv a2, const wordv a3, const wordv a4, const wordv a5, const wordv a6, \
                   wordv* y1, wordv* y2, wordv* y3, wordv* y4) {
#define END_CIRCUIT \
  *y1 = x1;         \
  *y2 = x2;         \
  *y3 = x3;         \
  *y4 = x4;         \
  }

#if GATES == GATES_THREE_INPUT || (GATES == GATES_AUTO && HAS_THREE_INPUT)

// Gates found by Y. Sovyn, February 2024 (177 in all), as published in John the Ripper's opencl_sboxes.h, which says
// that the formulas are not copyrighted.
CIRCUIT(box_1)
  LUT(t1, a3, a2, a1, 0x29) LUT(t2, a6, a5, t1, 0x96) LUT(t3, a6, a5, a1, 0x35) LUT(t4, a4, a3, t3, 0x2E)
  LUT(t5, a5, a2, t2, 0x9C) LUT(t6, a4, t1, t5, 0x61) LUT(x1, t2, t4, t6, 0xD1) LUT(t7, a5, a1, t1, 0x94)
  LUT(t8, a4, t1, t2, 0x6B) LUT(t9, a1, t6, t8, 0xD8) LUT(t10, a6, a4, a3, 0x89) LUT(t11, t1, t2, t10, 0xE9)
  LUT(x2, t7, t9, t11, 0xC6) LUT(t12, a6, a2, t8, 0x88) LUT(t13, a6, a4, x1, 0x01) LUT(t14, a3, a1, t13, 0xB6)
  LUT(t15, a3, t1, t2, 0x7C) LUT(t16, a5, t6, t15, 0x79) LUT(x4, t12, t14, t16, 0xC6) LUT(t17, a4, a1, t3, 0xCD)
  LUT(t18, t9, t13, t17, 0xDA) LUT(t19, a6, t5, t16, 0x81) LUT(x3, t15, t18, t19, 0xE3)
END_CIRCUIT

CIRCUIT(box_2)
  LUT(t1, a5, a4, a1, 0x69) LUT(t2, a6, a3, a2, 0xC1) LUT(t3, a6, a5, a1, 0xC7) LUT(t4, a4, a3, t3, 0x28)
  LUT(t5, a6, a2, t4, 0x94) LUT(x2, t1, t2, t5, 0xD2) LUT(t6, a5, a1, t2, 0x19) LUT(t7, a5, a2, t1, 0x98)
  LUT(t8, a4, a2, t4, 0x21) LUT(t9, a6, a3, t8, 0x09) LUT(x1, t6, t7, t9, 0xC9) LUT(t10, a6, a1, x1, 0x74)
  LUT(t11, a4, t5, t10, 0x68) LUT(t12, a6, a5, x1, 0x4D) LUT(t13, a2, x2, t12, 0x69) LUT(x4, t10, t11, t13, 0xC5)
  LUT(t14, a5, x1, t11, 0x09) LUT(t15, t13, x4, t14, 0x69) LUT(t16, t2, t3, x2, 0xB7) LUT(t17, a2, t4, t10, 0xE2)
  LUT(t18, t5, t11, t16, 0x92) LUT(x3, t15, t17, t18, 0xF2)
END_CIRCUIT

CIRCUIT(box_3)
  LUT(t1, a5, a3, a1, 0x37) LUT(t2, a6, a2, t1, 0x96) LUT(t3, a6, a5, a4, 0x63) LUT(t4, a4, a1, t3, 0x68)
  LUT(t5, a2, a1, t3, 0x80) LUT(x4, t2, t4, t5, 0xC9) LUT(t6, a4, t1, t2, 0x62) LUT(t7, a4, a3, a2, 0x29)
  LUT(t8, a1, t3, t7, 0x69) LUT(t9, a3, a1, x4, 0xAE) LUT(t10, a4, a2, t9, 0x19) LUT(x1, t6, t8, t10, 0xC9)
  LUT(t11, a6, a5, a2, 0x06) LUT(t12, a4, t8, t11, 0x6C) LUT(t13, a4, a3, t12, 0xA9) LUT(t14, t7, x1, t12, 0x83)
  LUT(t15, a5, x4, t14, 0x26) LUT(x2, a3, t13, t15, 0x39) LUT(t16, a3, x1, t11, 0xA7) LUT(t17, t14, t15, t16, 0x56)
  LUT(t18, a1, t10, x2, 0x0D) LUT(t19, a5, x4, x2, 0x4E) LUT(t20, a2, x1, t19, 0x96) LUT(x3, t17, t18, t20, 0xB8)
END_CIRCUIT

CIRCUIT(box_4)
  LUT(t1, a5, a4, a1, 0xC9) LUT(t2, a3, a2, t1, 0x64) LUT(t3, a5, a4, a3, 0xDB) LUT(t4, a1, t2, t3, 0x6D)
  LUT(t5, a5, a4, a1, 0x93) LUT(t6, a3, a2, t5, 0x46) LUT(t7, a1, t3, t6, 0x49) LUT(t8, a1, t4, t6, 0x2C)
  LUT(t9, a5, t7, t8, 0x16) LUT(t10, a3, a2, t9, 0x6A) LUT(t11, t3, t4, t7, 0xE4) LUT(t12, a4, a2, t11, 0xD8)
  LUT(t13, t4, t10, t12, 0x96) LUT(x1, a6, t7, t13, 0xC6) LUT(x2, a6, t7, t13, 0x9C) LUT(x3, a6, t4, t10, 0xC6)
  LUT(x4, a6, t4, t10, 0x63)
END_CIRCUIT

CIRCUIT(box_5)
  LUT(t1, a6, a4, a3, 0x46) LUT(t2, a5, a1, t1, 0xE9) LUT(t3, a6, a2, t2, 0x69) LUT(t4, a6, a3, a1, 0x97)
  LUT(t5, a5, a2, t4, 0x27) LUT(x2, a4, t3, t5, 0xC9) LUT(t6, a6, a2, t4, 0x8C) LUT(t7, a5, a2, t1, 0x53)
  LUT(t8, a4, a1, t7, 0x94) LUT(t9, a3, a1, x2, 0x25) LUT(t10, a6, t2, t9, 0x6E) LUT(x3, t6, t8, t10, 0xC6)
  LUT(t11, a4, t1, t2, 0x29) LUT(t12, a4, a2, a1, 0x76) LUT(t13, a4, t4, t12, 0xB6) LUT(t14, a5, a2, a1, 0x1F)
  LUT(t15, a6, x2, t14, 0x6A) LUT(x1, t11, t13, t15, 0xC6) LUT(t16, a5, a2, x2, 0xB9) LUT(t17, a3, x1, t16, 0xE6)
  LUT(t18, t1, t2, t3, 0x6B) LUT(t19, t9, t13, t18, 0x24) LUT(x4, x3, t17, t19, 0xB4)
END_CIRCUIT

CIRCUIT(box_6)
  LUT(t1, a6, a5, a1, 0x36) LUT(t2, a4, a3, t1, 0x6C) LUT(t3, a2, a1, t1, 0x1E) LUT(t4, a6, a4, t3, 0x69)
  LUT(t5, a6, a1, t4, 0x3A) LUT(t6, t1, t3, t5, 0xD2) LUT(x4, t2, t4, t6, 0xC6) LUT(t7, a5, t2, t5, 0x96)
  LUT(t8, a4, t4, t6, 0xBA) LUT(t9, a6, a4, t7, 0x09) LUT(t10, t1, x4, t9, 0x9A) LUT(x3, t7, t8, t10, 0xB4)
  LUT(t11, a6, a5, t4, 0x4A) LUT(t12, a2, t2, t11, 0x9A) LUT(t13, a2, t4, t5, 0x24) LUT(t14, a5, t2, t13, 0xA9)
  LUT(x1, t8, t12, t14, 0xE1) LUT(t15, a6, a5, x4, 0x51) LUT(t16, a2, x3, t15, 0x69) LUT(t17, t4, t5, x3, 0x6B)
  LUT(t18, t3, t11, t17, 0x96) LUT(x2, x1, t16, t18, 0x3A)
END_CIRCUIT

CIRCUIT(box_7)
  LUT(t1, a5, a4, a2, 0x59) LUT(t2, a6, a5, a4, 0x49) LUT(t3, a3, a1, t2, 0x96) LUT(t4, a2, a1, t3, 0xB8)
  LUT(t5, a6, a3, t4, 0x9C) LUT(x4, t1, t3, t5, 0x36) LUT(t6, a1, t1, t5, 0x65) LUT(t7, a5, a2, a1, 0x74)
  LUT(t8, a6, t1, t2, 0x49) LUT(t9, a6, t3, t6, 0xC2) LUT(t10, a6, t8, t9, 0x61) LUT(x1, t6, t7, t10, 0x47)
  LUT(t11, a5, t1, t3, 0x69) LUT(t12, a4, a1, t8, 0xAB) LUT(t13, a4, t2, t4, 0x65) LUT(t14, a5, a1, t6, 0x25)
  LUT(t15, a6, t13, t14, 0xC6) LUT(x3, t11, t12, t15, 0x74) LUT(t16, x4, t6, t12, 0x96) LUT(t17, a4, a2, t13, 0xB9)
  LUT(t18, a6, a4, t17, 0x8A) LUT(t19, a1, t2, t5, 0x0E) LUT(x2, t16, t18, t19, 0x4B)
END_CIRCUIT

CIRCUIT(box_8)
  LUT(t1, a5, a4, a3, 0x56) LUT(t2, a5, a2, t1, 0x1B) LUT(t3, a6, a4, t2, 0x96) LUT(t4, a6, t1, t3, 0x06)
  LUT(t5, a2, t1, t4, 0xA4) LUT(t6, a5, a4, t5, 0xA6) LUT(x2, a1, t3, t6, 0x6C) LUT(t7, a4, t6, x2, 0xC5)
  LUT(t8, a1, t1, t7, 0x69) LUT(t9, a2, a1, t4, 0x17) LUT(t10, a5, t7, t9, 0xC9) LUT(t11, a4, a2, t10, 0xA6)
  LUT(x4, a6, t8, t11, 0x36) LUT(t12, t5, t6, x2, 0x76) LUT(t13, a3, a2, t8, 0x9A) LUT(t14, a3, t4, t9, 0x24)
  LUT(t15, t7, t11, t14, 0x6E) LUT(x1, t12, t13, t15, 0xD1) LUT(t16, a4, t2, x1, 0x91) LUT(t17, a3, t8, t16, 0x69)
  LUT(t18, t4, t12, t14, 0xBA) LUT(t19, t11, x1, t18, 0x5B) LUT(x3, t12, t17, t19, 0x47)
END_CIRCUIT
#else

// Gates found by R. Rusakov, 2011 (263 in all), as published in John the Ripper's sboxes-s.c, which says that the
// formulas are not copyrighted and free for reuse by anyone.
CIRCUIT(box_1)
  SEL(t1, a3, a2, a5) XOR(t2, a2, a3) OR(t3, a1, a4) XOR(t4, t2, t3) SEL(t5, a5, t1, t4) XOR(t6, a4, t5)
  XOR(t7, a1, t6) SEL(t8, t7, t3, t1) SEL(t9, t2, t4, a5) XOR(t10, t8, t9) SEL(t11, t3, t7, t10)
  SEL(t12, t6, t7, a5) SEL(t13, t11, t10, t12) XOR(t14, t1, t13) SEL(t15, t4, t6, t11) SEL(t16, t1, t4, t7)
  SEL(t17, a5, t16, t14) XOR(t18, t15, t17) SEL(t19, t7, t16, a3) SEL(t20, a4, t1, t14) SEL(t21, t18, t19, t20)
  NOT(t22, t21) SEL(x1, t22, t18, a6) SEL(t23, t22, a3, t17) SEL(t24, t19, a2, t4) SEL(t25, t23, a4, t24)
  XOR(t26, t14, t25) SEL(x2, t26, t7, a6) SEL(t27, t12, t9, t25) SEL(t28, t24, t7, t5) XOR(t29, t27, t28)
  SEL(x4, t29, t14, a6) SEL(t30, t22, t4, t13) SEL(t31, a3, t30, t23) SEL(t32, t31, t2, t28) SEL(x3, t32, t10, a6)
END_CIRCUIT

CIRCUIT(box_2)
  SEL(t1, a1, a3, a6) SEL(t2, a6, t1, a5) SEL(t3, a3, a4, t2) XOR(t4, a1, t3) XOR(t5, a5, a6) XOR(t6, t4, t5)
  SEL(t7, a4, t4, a6) NOT(t8, t7) XOR(t9, t1, t8) XOR(t10, t5, t9) SEL(x2, t10, t6, a2) XOR(t11, a4, t2)
  SEL(t12, t4, a6, t5) SEL(t13, t9, t11, t12) SEL(t14, t9, t11, a5) XOR(t15, a3, t11) SEL(t16, t14, t15, a1)
  SEL(t17, t4, t6, t9) SEL(t18, a4, t16, a5) XOR(t19, t17, t18) XOR(t20, t8, t19) SEL(x1, t20, t16, a2)
  SEL(t21, t16, t20, t5) SEL(t22, t6, t9, a1) SEL(t23, t21, t22, t12) SEL(t24, t17, t20, t16) SEL(t25, t22, a3, t2)
  SEL(t26, t24, t25, a5) SEL(x4, t13, t26, a2) SEL(t27, t22, t18, a6) SEL(t28, t7, t23, t27) XOR(t29, t25, t28)
  SEL(x3, t23, t29, a2)
END_CIRCUIT

CIRCUIT(box_3)
  SEL(t1, a4, a3, a5) XOR(t2, a6, t1) XOR(t3, a2, t2) SEL(t4, a3, a6, t3) SEL(t5, a5, a3, t2) SEL(t6, a5, t2, a2)
  SEL(t7, t5, a4, t6) XOR(t8, t4, t7) SEL(t9, t3, t6, a4) SEL(t10, t9, t8, a3) NOT(t11, t10) SEL(x2, t8, t11, a1)
  XOR(t12, t5, t8) SEL(t13, a2, t2, t7) SEL(t14, t10, a2, a5) SEL(t15, t12, t13, t14) XOR(t16, t5, t11)
  SEL(t17, t16, t9, t3) XOR(t18, t13, t17) XOR(t19, t14, t18) SEL(t20, t16, t18, t8) SEL(t21, t14, t6, a4)
  SEL(t22, a5, a6, t16) SEL(t23, t20, t21, t22) SEL(x1, t23, t19, a1) SEL(t24, t17, t14, t2) AND(t25, t1, t6)
  SEL(t26, t24, t22, t25) SEL(x4, t3, t26, a1) SEL(t27, t8, t14, t15) SEL(t28, t17, t25, a4) XOR(t29, t27, t28)
  SEL(x3, t29, t15, a1)
END_CIRCUIT

CIRCUIT(box_4)
  SEL(t1, a5, a3, a1) SEL(t2, t1, a1, a4) XOR(t3, a3, t2) SEL(t4, a1, t3, a2) SEL(t5, a3, a5, a1) XOR(t6, a4, t5)
  SEL(t7, t6, a3, a5) XOR(t8, t4, t7) NOT(t9, t8) SEL(t10, a4, a2, t2) XOR(t11, a1, t1) SEL(t12, t9, t10, t11)
  XOR(t13, t5, t12) NOT(t14, t13) SEL(t15, t11, t14, a4) SEL(t16, t7, t6, t5) SEL(t17, t9, t16, a2)
  XOR(t18, t15, t17) SEL(x3, t18, t8, a6) SEL(x4, t9, t18, a6) SEL(t19, a2, a4, t6) SEL(t20, t10, t19, t11)
  XOR(t21, t14, t20) XOR(t22, t18, t21) SEL(x1, t14, t22, a6) SEL(x2, t22, t13, a6)
END_CIRCUIT

CIRCUIT(box_5)
  SEL(t1, a1, a3, a5) NOT(t2, t1) SEL(t3, t2, a1, a3) XOR(t4, a2, t3) XOR(t5, a5, a6) XOR(t6, t4, t5)
  SEL(t7, a3, t2, a2) SEL(t8, a2, t6, t4) SEL(t9, a6, t1, t8) SEL(t10, t9, a5, a1) XOR(t11, t7, t10)
  SEL(t12, t5, t11, t4) SEL(t13, a6, a1, t12) SEL(t14, t8, a6, t13) XOR(t15, t11, t14) SEL(x3, t15, t11, a4)
  SEL(t16, t2, t9, t12) SEL(t17, t14, t1, a1) XOR(t18, t16, t17) SEL(x2, t18, t6, a4) SEL(t19, t18, t17, a6)
  SEL(t20, t19, t10, a2) SEL(t21, t7, a2, t6) SEL(t22, t20, t21, t18) SEL(t23, a5, t18, t6) SEL(t24, t4, t15, t16)
  SEL(t25, t23, t24, t20) SEL(t26, t7, t6, a6) SEL(t27, t4, t25, a1) SEL(t28, t26, t27, t18) SEL(x1, t28, t25, a4)
  SEL(t29, t14, t20, t21) SEL(t30, t17, t5, t23) XOR(t31, t29, t30) SEL(x4, t22, t31, a4)
END_CIRCUIT

CIRCUIT(box_6)
  SEL(t1, a1, a4, a5) XOR(t2, a2, t1) SEL(t3, t2, a4, a3) XOR(t4, a1, t3) XOR(t5, a5, t4) NOT(t6, t5)
  SEL(t7, t4, t5, a4) SEL(t8, a3, a4, t7) XOR(t9, t2, t8) XOR(t10, t5, t9) SEL(t11, a4, t4, t7) XOR(t12, a3, t11)
  SEL(t13, a4, a3, t5) SEL(t14, t12, t13, t9) SEL(t15, t6, t13, t9) SEL(t16, a5, t12, t14) SEL(t17, t15, t5, t16)
  SEL(x1, t6, t17, a6) SEL(t18, t4, t17, a2) SEL(t19, a1, t15, t18) XOR(t20, t10, t19) SEL(x4, t10, t20, a6)
  SEL(t21, t12, t3, t5) SEL(t22, t21, t13, t8) XOR(t23, t20, t22) XOR(t24, t1, t23) SEL(t25, a5, t17, t15)
  SEL(t26, t24, t23, t25) NOT(t27, t26) SEL(x2, t27, t24, a6) SEL(t28, t25, t20, t23) SEL(t29, t19, t21, t3)
  XOR(t30, t28, t29) SEL(x3, t14, t30, a6)
END_CIRCUIT

CIRCUIT(box_7)
  SEL(t1, a2, a6, a3) XOR(t2, a4, t1) SEL(t3, a3, a5, a2) SEL(t4, a6, a2, a4) SEL(t5, t3, t4, a5) XOR(t6, t2, t5)
  XOR(t7, a5, a6) XOR(t8, a2, a3) SEL(t9, a3, t5, a4) SEL(t10, t8, t9, t2) XOR(t11, t7, t10) SEL(x1, t11, t6, a1)
  XOR(t12, a2, t11) SEL(t13, t12, a5, t8) SEL(t14, t11, t13, a6) SEL(t15, t2, t12, a6) SEL(t16, t15, t8, t7)
  XOR(t17, t4, t16) SEL(t18, t2, t17, a2) NOT(t19, a5) SEL(t20, t19, t12, t9) XOR(t21, t18, t20)
  SEL(x2, t21, t14, a1) XOR(t22, t8, t21) SEL(t23, t14, t22, t18) SEL(t24, t23, t6, t20) SEL(x3, t24, t17, a1)
  SEL(t25, t12, t22, t2) XOR(t26, t12, t22) SEL(t27, t25, t26, a4) SEL(t28, t9, t25, t21) SEL(t29, t27, t28, a6)
  NOT(t30, t29) SEL(x4, t27, t30, a1)
END_CIRCUIT

CIRCUIT(box_8)
  SEL(t1, a5, a1, a3) XOR(t2, a4, t1) SEL(t3, a3, a4, a5) SEL(t4, a2, a5, a1) SEL(t5, t2, t3, t4) XOR(t6, a2, t5)
  SEL(t7, t2, a4, a3) SEL(t8, a5, t7, a2) SEL(t9, a1, t6, t8) SEL(t10, a3, a5, a2) XOR(t11, t9, t10)
  SEL(t12, t6, a5, t2) SEL(t13, t12, a1, t7) XOR(t14, t11, t13) SEL(x3, t14, t11, a6) SEL(t15, t10, t14, a5)
  XOR(t16, t8, t15) XOR(t17, t6, t16) NOT(t18, t17) SEL(t19, t5, a2, t15) SEL(t20, t18, t19, t13) XOR(t21, t16, t20)
  SEL(x2, t21, t6, a6) SEL(t22, t9, t10, t19) SEL(t23, t5, t22, t11) XOR(t24, t18, t23) SEL(x4, t18, t24, a6)
  SEL(t25, t5, a2, t11) OR(t26, a1, t13) XOR(t27, t25, t26) XOR(t28, t20, t27) SEL(x1, t28, t17, a6)
END_CIRCUIT
#endif
