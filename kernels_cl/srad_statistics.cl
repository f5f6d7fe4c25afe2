// srad: the sums over the region of interest, and q0^2 of them.

// The sum over a work-group, in work-item 0. All of the group's `items` work-items, a power of two, must call it.
float2 sum_over_group(local float2* cells, const float2 value, const int item, const int items) {
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

// Group g sums the rows g, g + groups, ... of the region, row by row, so that no chain of additions is long.
// `region`: its first row, the row behind its last, its first column, the column behind its last.
kernel void region_sums(global const float* restrict image, global float2* restrict sums, const int rows,
                        const int stride, const int4 region, const float shift) {
  local float2 cells[STATISTICS_GROUP];
  const int item = get_local_id(0);
  float2 total = (float2)(0);
  for (int row = region.x + (int)get_group_id(0); row < region.y; row += (int)get_num_groups(0)) {
    global const float* const pixels = row_of(image, row, rows, stride);
    float lane_sums[LANES];
    float lane_squares[LANES];
    for (int lane = 0; lane < LANES; ++lane) lane_sums[lane] = lane_squares[lane] = 0;
    int column = region.z + item;
    for (; column + (LANES - 1) * STATISTICS_GROUP < region.w; column += LANES * STATISTICS_GROUP) {
      for (int lane = 0; lane < LANES; ++lane) {
        const float deviation = pixels[column + lane * STATISTICS_GROUP] - shift;
        lane_sums[lane] += deviation;
        lane_squares[lane] = MULTIPLY_ADD(deviation, deviation, lane_squares[lane]);
      }
    }
    for (; column < region.w; column += STATISTICS_GROUP) {
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
    total += (float2)(lane_sums[0], lane_squares[0]);
  }
  total = sum_over_group(cells, total, item, STATISTICS_GROUP);
  if (item == 0) sums[get_group_id(0)] = total;
}

// As many chains of additions whatever the group's width, so that none is long where it is narrow.
#define SPECKLE_CHAINS 256

// One group. speckle: q0^2, and for `coefficient` q0^2 (1 + q0^2) and q0^4.
kernel void region_speckle(global const float2* restrict sums, global float* restrict speckle, const int count,
                           const float pixels, const float shift) {
  local float2 cells[SPECKLE_GROUP];
  const int item = get_local_id(0);
  float2 total = (float2)(0);
  for (int chain = item; chain < SPECKLE_CHAINS; chain += SPECKLE_GROUP) {
    float2 part = (float2)(0);
    for (int i = chain; i < count; i += SPECKLE_CHAINS) part += sums[i];
    total += part;
  }
  total = sum_over_group(cells, total, item, SPECKLE_GROUP) / pixels;
  if (item == 0) {
    const float mean = total.x + shift;
    const float variance = total.y - total.x * total.x;
    const float q0_squared = fmax(variance / (mean * mean), SMALLEST_SPECKLE);
    speckle[0] = q0_squared;
    speckle[1] = q0_squared * (1 + q0_squared);
    speckle[2] = q0_squared * q0_squared;
  }
}
