// How kmeans.cl reads points: where an element lies by LAYOUT, and loads through SOURCE.

#if SOURCE == SOURCE_IMAGE
#define POINTS read_only image1d_buffer_t
#define POINTS_ARGUMENT POINTS
#else
#define POINTS global const float*
#define POINTS_ARGUMENT global const float* restrict
#endif

// The index of the first element of a point, or of the vector of points that begins with it.
INLINED size_t base_of(const size_t point) {
#if LAYOUT == LAYOUT_AOS
  return point * ROW;
#elif LAYOUT == LAYOUT_SOA
  return point;
#else
  return point / TILE * (TILE * FEATURES) + point % TILE;
#endif
}

// The distance from an element to the corresponding one of the next step.
INLINED size_t step_stride(const ulong stride) {
#if LAYOUT == LAYOUT_AOS
  return FEATURE_LANES;
#elif LAYOUT == LAYOUT_SOA
  return stride;
#else
  return TILE;
#endif
}

INLINED float load_one(POINTS points, const size_t index) {
#if SOURCE == SOURCE_BUFFER
  return points[index];
#elif VECTOR_WIDTH == 1
  return read_imagef(points, (int)index).x;
#else
  float lanes[4];
  vstore4(read_imagef(points, (int)(index / 4)), 0, lanes);
  return lanes[index % 4];
#endif
}

#if LAYOUT == LAYOUT_AOS
// ROW_LANES neighbouring features of a point, from element `index` on, a multiple of as many.
#if ROW_LANES == 1
typedef float row_t;
#define STORE_ROW(value, to) (*(to) = (value))
#else
typedef JOIN(float, ROW_LANES) row_t;
#define STORE_ROW(value, to) JOIN(vstore, ROW_LANES)((value), 0, (to))
#endif
INLINED row_t load_row(POINTS points, const size_t index) {
#if ROW_LANES == 1
  return load_one(points, index);
#else
  return *(global const row_t*)(points + index);
#endif
}
#endif

// The whole vector at base + offset. `offset` is added to a pointer to `base`: compilers keep the pointer through a
// loop over offsets, where they would otherwise compute indices in vectors and extract them.
INLINED realv load_whole(POINTS points, const size_t base, const size_t offset) {
#if SOURCE == SOURCE_IMAGE && VECTOR_WIDTH == 1
  return read_imagef(points, (int)(base + offset)).x;
#elif SOURCE == SOURCE_IMAGE
  return read_imagef(points, (int)((base + offset) / 4));
#elif ALIGNED
  return *(global const realv*)((points + base) + offset);
#else
  return LOADV(offset, points + base);
#endif
}

// The vector at `step` of the point, or vector of points, that begins at `base`. Where a row ends within a vector,
// zeros follow.
INLINED realv load_points(POINTS points, const size_t base, const ulong stride, const int step) {
  const size_t offset = step * step_stride(stride);
#if LAYOUT == LAYOUT_AOS && ROW < STEPS * FEATURE_LANES
  if (step == STEPS - 1) {
    float lanes[FEATURE_LANES];
    UNROLL_WHOLE
    for (int lane = 0; lane < FEATURE_LANES; ++lane) {
      lanes[lane] = (STEPS - 1) * FEATURE_LANES + lane < FEATURES ? load_one(points, base + offset + lane) : 0;
    }
    return LOADV(0, lanes);
  }
#endif
  return load_whole(points, base, offset);
}

// Where the vectors of a point are read from: `points` itself, or a group's copy of a tile.
#define BUFFERED (VARIANT == VARIANT_FUSED && BUFFERING == BUFFERING_LOCAL)
#define TILE_VECTORS (WORK_GROUP * GRANULARITY)
#if BUFFERED
#define TAKEN local const realv*
#define TAKE(taken, base, stride, step) (((taken) + (base))[(step)*TILE_VECTORS])
#else
#define TAKEN POINTS
#define TAKE(taken, base, stride, step) load_points((taken), (base), (stride), (step))
#endif
