// Sums of absolute differences of bytes, four to a word. A file that uses this has the axis `difference`.

// sum + |a - b| of the four bytes.
INLINED uint add_differences(const uint a, const uint b, const uint sum) {
#if DIFFERENCE == DIFFERENCE_PTX && HAS_INLINE_PTX
  uint result;
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
  return result;
#else
  const uchar4 d = abs_diff(as_uchar4(a), as_uchar4(b));
  return sum + d.x + d.y + d.z + d.w;
#endif
}
