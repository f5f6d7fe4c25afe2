// crc: the variant per_byte.

#define EACH_ANSWER (ANSWERS == ANSWERS_EACH)
#if EACH_ANSWER && GRANULARITY > 1
#if CODE_BITS == 8
typedef JOIN(uchar, GRANULARITY) answersv;
#else
typedef JOIN(uint, GRANULARITY) answersv;
#endif
#define STORE_ANSWERS(values) \
  (*(global answersv*)(answers + get_global_id(0) * GRANULARITY) = JOIN(vload, GRANULARITY)(0, values))
#else
#define STORE_ANSWERS(values) (answers[get_global_id(0)] = (values)[0])
#endif

// One answer per work-item, or per byte, for the bytes from `first` on. `bytes` is the length of the whole stream.
COMPUTE void compute_per_byte(global const uchar* restrict stream, global const code_t* restrict powers,
                             global code_t* restrict answers, const ulong first, const ulong bytes) {
  code_t own[EACH_ANSWER ? GRANULARITY : 1];
  own[0] = 0;
  for (uint k = 0; k < GRANULARITY; ++k) {
    const ulong position = first + get_global_id(0) * (ulong)GRANULARITY + k;
    if (EACH_ANSWER) own[k] = 0;
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
      own[EACH_ANSWER ? k : 0] ^= value;
    }
  }
  STORE_ANSWERS(own);
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
