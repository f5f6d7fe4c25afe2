// srad: the variant `fused_rows` with all steps in one launch, where SUM_NEXT is 1 and groups have one work-item.

#include "phases.cl"

// The sums over the rows in the same part of the image as `chunk`: whole rows, which are read fastest.
static inline float2 sums_near(global const float* image, const uint chunk, const uint chunks, const int rows,
                               const int cols, const int stride, const float shift) {
  const int end = (int)((long)rows * (chunk + 1) / chunks);
  float2 total = (float2)(0);
  for (int row = (int)((long)rows * chunk / chunks); row < end; ++row) {
    total += sums_of_row(row_of(image, row, rows, stride), 0, cols, 1, shift);
  }
  return total;
}

// In phase 0 the groups sum the image, in phase i they make step i. Chunk k is strip k % strips of the rows from
// k / strips * GRANULARITY on. The group that completes a phase computes q0^2 for the next one. `team_words`: see
// phases.cl.
kernel GROUP_OF(1, 1)
void fused_steps(global const float* original, global float* even, global float* odd, global float* speckle,
                 global float2* sums, global flag_t* team_words, const uint steps, const uint strips,
                 const uint chunks, const int rows, const int cols, const int stride, const float gain) {
  const Team team = join_team(team_words, chunks);
  for (uint step = 0; step <= steps; step = await_phase(&team, step + 1)) {
    global const float* const image = step <= 1 ? original : step % 2 == 0 ? even : odd;
    global float* const next_image = step % 2 == 1 ? even : odd;
    uint turn = 0;
    for (uint chunk = take_chunk(&team, step, &turn); chunk < chunks; chunk = take_chunk(&team, step, &turn)) {
      sums[chunk] = step == 0 ? sums_near(image, chunk, chunks, rows, cols, stride, speckle[SHIFT])
                              : diffuse(image, next_image, speckle, chunk / strips * GRANULARITY,
                                        chunk % strips * STRIP, rows, cols, stride, gain);
      if (ends_phase(&team, step)) {
        store_speckle(speckle, sum_in_chains(sums, chunks) / ((float)rows * cols));
        open_phase(&team, step + 1);
      }
    }
  }
}
