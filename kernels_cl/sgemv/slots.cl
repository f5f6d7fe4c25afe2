// What all variants of sgemv.cl but split_k share: the addresses of slots, sums over their terms, the results' stores.

// Writes the outputs of a slot that exist; a slot past the last one writes nothing.
static inline void finish(const int slot, const realv sum, const int outputs, const float alpha, const float beta,
                          global const float* y_in, global float* y) {
  float sums[OUTPUTS_PER_SLOT];
  if (TRANSPOSED) {
    STOREV(sum, 0, sums);
  } else {
    sums[0] = SUMV(sum);
  }
  UNROLL_LOOP(OUTPUTS_PER_SLOT)
  for (int i = 0; i < OUTPUTS_PER_SLOT; ++i) {
    const int output = slot * OUTPUTS_PER_SLOT + i;
    if (output < outputs) y[output] = result(sums[i], alpha, beta, y_in + output);
  }
}

static inline int number_of_slots(const int outputs) { return (outputs + OUTPUTS_PER_SLOT - 1) / OUTPUTS_PER_SLOT; }

// Offset of a slot's first element. Slots past the last one read the last one.
static inline size_t slot_offset(const int slot, const int outputs, const ulong ld) {
  const int existing = min(slot, number_of_slots(outputs) - 1);
  return TRANSPOSED ? (size_t)existing * VECTOR_WIDTH : (size_t)existing * ld;
}

// Adds to each slot's sum its products with x[0 .. count); this is lane `lane` of `lanes` that share the terms.
static inline void fold(realv* sums, MATRIX_SPACE const float* const* slots, const ulong ld,
                        VECTOR_SPACE const float* x, const int count, const int lane, const int lanes) {
  const int whole = count - count % TERMS_PER_STEP;
  UNROLL_LOOP(UNROLL)
  for (int k = lane * TERMS_PER_STEP; k < whole; k += lanes * TERMS_PER_STEP) {
    const size_t offset = TRANSPOSED ? k * ld : (size_t)k;
    const realv factor = TRANSPOSED ? (realv)(x[k]) : LOAD_VECTOR(x + k);
    FOR_EACH_SLOT(g) {
      sums[g] = MULTIPLY_ADD(LOAD_MATRIX(slots[g] + offset), factor, sums[g]);
    }
  }
  if (TRANSPOSED) return;
  for (int k = whole + lane; k < count; k += lanes) {
    FOR_EACH_SLOT(g) FIRST(sums[g]) = MULTIPLY_ADD(slots[g][k], x[k], FIRST(sums[g]));
  }
}
