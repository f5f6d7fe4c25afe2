// crc: the variant per_byte.

// One answer per work-item, for the bytes from `first` on. `bytes` is the length of the whole stream.
COMPUTE void compute_per_byte(global const uchar* restrict stream, global const code_t* restrict powers,
                             global code_t* restrict answers, const ulong first, const ulong bytes) {
  code_t answer = 0;
  for (uint k = 0; k < GRANULARITY; ++k) {
    const ulong position = first + get_global_id(0) * (ulong)GRANULARITY + k;
    if (PADDING || position < bytes) {
      // CRC-32: the byte at the lowest end of a word stands for itself times x^24: shifted by its distance to the end, the
      // last byte's being 1, it becomes itself * x^(8 * bytes behind it) * x^32.
      const uint distance = DISTANCE(bytes - position);
      code_t value = stream[position];
      for (uint base = 0; base < 32; base += UNROLL) {
        UNROLL_LOOP(UNROLL)
        for (uint i = base; i < base + UNROLL; ++i) {
          if ((distance >> i) % 2 == 1) value = times_power(powers, i, value);
        }
      }
      answer ^= value;
    }
  }
  answers[get_global_id(0)] = answer;
}

// A work-group combines RUN * COMBINE_GROUP neighbouring answers.
COMBINE void combine_answers(global const code_t* restrict answers, const ulong count, global uint* restrict result) {
  local uint partial[COMBINE_GROUP];
  const ulong begin = get_group_id(0) * (ulong)(RUN * COMBINE_GROUP) + get_local_id(0);
  uint value = 0;
  for (uint k = 0; k < RUN; ++k) {
    const ulong index = begin + k * COMBINE_GROUP;
    if (index < count) value ^= answers[index];
  }
  add_to_result(result, partial, value);
}
