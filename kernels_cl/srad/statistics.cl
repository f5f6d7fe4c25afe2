// srad: the sums over the region of interest, and q0^2 from them.
//
// The buffer `speckle` holds q0^2, q0^2 (1 + q0^2), q0^4, and at SHIFT the value from which deviations are summed: at
// first the mean of the original region, then the mean of the image before the last step. Diffusion moves the mean of
// a small region: from a fixed value its variance, which falls, would be lost in the rounding errors of that distance.
#define SHIFT 3

// The sum over a work-group, in work-item 0. All of the group's `items` work-items, a power of two, must call it.
static inline float2 sum_over_group(local float2* cells, const float2 value, const int item, const int items) {
  if (items == 1) return value;
  cells[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_size = items / 2; half_size > 0; half_size /= 2) {
    if (item < half_size) cells[item] += cells[item + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return cells[0];
}

// Independent sums per work-item: enough for a CPU's vectors, and for loads in flight on a GPU.
#define LANES 16

// The sums over the pixels begin, begin + step, ... of a row.
INLINED float2 sums_of_row(global const float* pixels, const int begin, const int end, const int step,
                           const float shift) {
  float lane_sums[LANES];
  float lane_squares[LANES];
  for (int lane = 0; lane < LANES; ++lane) lane_sums[lane] = lane_squares[lane] = 0;
  int column = begin;
  for (; column + (LANES - 1) * step < end; column += LANES * step) {
    for (int lane = 0; lane < LANES; ++lane) {
      const float deviation = pixels[column + lane * step] - shift;
      lane_sums[lane] += deviation;
      lane_squares[lane] = MULTIPLY_ADD(deviation, deviation, lane_squares[lane]);
    }
  }
  for (; column < end; column += step) {
    const float deviation = pixels[column] - shift;
    lane_sums[0] += deviation;
    lane_squares[0] = MULTIPLY_ADD(deviation, deviation, lane_squares[0]);
  }
  for (int half_size = LANES / 2; half_size > 0; half_size /= 2) {
    for (int lane = 0; lane < half_size; ++lane) {
      lane_sums[lane] += lane_sums[lane + half_size];
      lane_squares[lane] += lane_squares[lane + half_size];
    }
  }
  return (float2)(lane_sums[0], lane_squares[0]);
}

// Group g sums the rows g, g + groups, ... of the region, row by row, so that no chain of additions is long.
// `region`: its first row, the row behind its last, its first column, the column behind its last.
kernel void region_sums(global const float* restrict image, global float2* restrict sums, const int rows,
                        const int stride, const int4 region, global const float* restrict speckle) {
  local float2 cells[STATISTICS_GROUP];
  const int item = get_local_id(0);
  const float shift = speckle[SHIFT];
  float2 total = (float2)(0);
  for (int row = region.x + (int)get_group_id(0); row < region.y; row += (int)get_num_groups(0)) {
    total += sums_of_row(row_of(image, row, rows, stride), region.z + item, region.w, STATISTICS_GROUP, shift);
  }
  total = sum_over_group(cells, total, item, STATISTICS_GROUP);
  if (item == 0) sums[get_group_id(0)] = total;
}

// `means`: of the deviations from the shift, and of their squares. The mean becomes the next shift.
static inline void store_speckle(global float* speckle, const float2 means) {
  const float mean = means.x + speckle[SHIFT];
  const float variance = means.y - means.x * means.x;
  const float q0_squared = fmax(variance / (mean * mean), MIN_SPECKLE);
  speckle[0] = q0_squared;
  speckle[1] = q0_squared * (1 + q0_squared);
  speckle[2] = q0_squared * q0_squared;
  speckle[SHIFT] = mean;
}

// The number of chains of additions does not depend on the group's size, so that no chain is long in a small group.
#define SPECKLE_CHAINS 256

// The sum of `count` pairs by a single work-item.
static inline float2 sum_in_chains(global const float2* sums, const int count) {
  float2 chains[SPECKLE_CHAINS];
  for (int chain = 0; chain < SPECKLE_CHAINS; ++chain) chains[chain] = chain < count ? sums[chain] : (float2)(0);
  for (int i = SPECKLE_CHAINS; i < count; ++i) chains[i % SPECKLE_CHAINS] += sums[i];
  for (int half_size = SPECKLE_CHAINS / 2; half_size > 0; half_size /= 2) {
    for (int chain = 0; chain < half_size; ++chain) chains[chain] += chains[chain + half_size];
  }
  return chains[0];
}

// Launched as one group.
kernel void region_speckle(global const float2* restrict sums, global float* restrict speckle, const int count,
                           const float pixels) {
  local float2 cells[SPECKLE_GROUP];
  const int item = get_local_id(0);
  float2 total = (float2)(0);
  for (int chain = item; chain < SPECKLE_CHAINS; chain += SPECKLE_GROUP) {
    float2 part = (float2)(0);
    for (int i = chain; i < count; i += SPECKLE_CHAINS) part += sums[i];
    total += part;
  }
  total = sum_over_group(cells, total, item, SPECKLE_GROUP) / pixels;
  if (item == 0) store_speckle(speckle, total);
}
