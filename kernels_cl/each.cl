// Repeats a macro F for successive indices. Unlike a loop it gives constant indices on every compiler, which arrays
// need in order to live in registers.

#define EACH_4(F, first) F(first) F((first) + 1) F((first) + 2) F((first) + 3)
#define EACH_8(F, first) EACH_4(F, first) EACH_4(F, (first) + 4)
#define EACH_32(F) EACH_8(F, 0) EACH_8(F, 8) EACH_8(F, 16) EACH_8(F, 24)
