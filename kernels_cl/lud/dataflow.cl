// lud: the variant `dataflow`, one launch with a group for each tile of PANEL x PANEL. Part of lud.cl.
//
// A group draws the number of its tile from a counter as it starts. Tiles are numbered by squares: first the one on the
// diagonal, then alternately one below it and one to its right, and so on for the square that remains. The group holds its
// tile in registers, subtracts the products of the finished tiles left of it and above it as soon as they are there,
// and then eliminates the pivots of the tile on the diagonal, four at a time. A group waits only for tiles of lower
// numbers, so that the groups can never all wait, however many run at a time; the host orders them by launches where a
// waiting group would keep the others from running.
//
// The longest chain of dependences goes from each tile on the diagonal through an adjacent tile to the next. In it all
// three groups work at the same time: a tile is passed on by chunks of CHUNK pivots. Elsewhere a group waits for whole
// tiles, since waiting for every chunk takes registers, and so reduces how many groups run at a time.

#include "ordering.cl"

#define ACROSS (PANEL / TILE_X)
#define DOWN (PANEL / TILE_Y)
#define ITEMS (ACROSS * DOWN)

// Terms of the product that are staged at once. A tile has at least two chunks: during one of them a work-item can check
// whether the next step's tiles are ready, and during another it can notify the group.
#define CHUNK (PANEL <= 64 && ITEMS >= 4 * PANEL ? 32 : 16)
#define CHUNKS (PANEL / CHUNK)
#define STAGE (CHUNK * PANEL)

#define FLOAT4_AT(space, pointer) (*(space float4*)(pointer))

typedef struct {
  float at[TILE_Y][TILE_X];
} register_tile;

// A chunk of the tile on the left, transposed, [term][row], and of the tile above, [term][column].
typedef float chunk_pair[2][STAGE];

typedef struct {
  global float* matrix;
  global flag_t* done;  // finished chunks of each tile
  int stride;
  int tiles;  // along an edge of the matrix
} tiled_matrix;

typedef struct {
  int first;  // step of the tile: number of the square that it is in
  int row;    // in tiles, as `column`
  int column;
} tile_place;

// A work-item's position in its tile, and the tile's: right of the tile on the diagonal whose pivots are eliminated,
// below it, or neither, if it is that tile.
typedef struct {
  int x;
  int y;
  int is_right;
  int is_below;
} position;

// A tile is made of blocks of 4 x 4, dealt to the work-items in turn: neighbours then read neighbouring vectors, and
// all have work until the last pivots. `index` counts the rows or columns of a work-item.
static inline int block_row(const int index, const int y) { return index / 4 * DOWN + y; }
static inline int block_column(const int index, const int x) { return index / 4 * ACROSS + x; }
static inline int row_in_tile(const int index, const int y) { return 4 * block_row(index, y) + index % 4; }
static inline int column_in_tile(const int index, const int x) { return 4 * block_column(index, x) + index % 4; }

static inline void split(float* values, const float4 vector) {
  values[0] = vector.x;
  values[1] = vector.y;
  values[2] = vector.z;
  values[3] = vector.w;
}

static inline float4 joined(const float* values) { return (float4)(values[0], values[1], values[2], values[3]); }

// NVIDIA's division, and its native_recip as well, costs more than the rest of a pivot's elimination.
static inline float reciprocal(const float value) {
#if HAS_INLINE_PTX
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(value));
  return result;
#else
  return 1.0f / value;
#endif
}

static inline global float* tile_begin(const tiled_matrix all, const int row, const int column) {
  return all.matrix + element(row * PANEL, column * PANEL, all.stride);
}

static inline global flag_t* done_of(const tiled_matrix all, const int row, const int column) {
  return all.done + row * all.tiles + column;
}

// Finished chunks of both tiles.
static inline uint chunks_of_both(global flag_t* one, global flag_t* other) {
  return min(peek(one), peek(other));
}

// The same, once it is at least `chunks`. acquire_peeked() must follow.
static inline uint wait_for(const uint chunks, global flag_t* one, global flag_t* other) {
  uint done;
  do done = chunks_of_both(one, other);
  while (done < chunks);
  return done;
}

// The tile of that number.
static inline tile_place place_of(const int number, const int tiles) {
  const int left_over = tiles * tiles - number;  // the tiles from this one on
  int edge = (int)sqrt((float)left_over);        // of the smallest square that holds them
  while (edge * edge < left_over) ++edge;
  while ((edge - 1) * (edge - 1) >= left_over) --edge;
  const int first = tiles - edge;
  const int in_square = edge * edge - left_over;
  const int row = first + (in_square % 2 == 1 ? (in_square + 1) / 2 : 0);
  const int column = first + (in_square % 2 == 0 ? in_square / 2 : 0);
  const tile_place place = {first, row, column};
  return place;
}

#include "lud/dataflow_products.cl"
#include "lud/dataflow_pivots.cl"

static inline void load_tile(register_tile* tile, global const float* from, const int stride, const position at) {
  UNROLL_LOOP(16)
  for (int r = 0; r < TILE_Y; ++r) {
    UNROLL_LOOP(4)
    for (int c = 0; c < TILE_X; c += 4) {
      const size_t offset = element(row_in_tile(r, at.y), column_in_tile(c, at.x), stride);
      split(tile->at[r] + c, FLOAT4_AT(global const, from + offset));
    }
  }
}

// `tiles`: along an edge of the matrix. done: how many chunks of each tile are finished. next_group_id: the counter
// that groups draw their tiles from. Both are 0 at first.
kernel GROUP_OF(ITEMS, 1) void factor_tiles(global float* matrix, global flag_t* done,
                                            global flag_t* next_group_id, const int stride, const int tiles) {
  local chunk_pair stages[2] __attribute__((aligned(64)));
  local int group_id;
  local int next_is_ready[2];
  const int item = get_local_id(0);
  if (item == 0) group_id = (int)draw_number(next_group_id);
  barrier(CLK_LOCAL_MEM_FENCE);

  const tiled_matrix all = {matrix, done, stride, tiles};
  const tile_place own = place_of(group_id, tiles);
  const position at = {item % ACROSS, item / ACROSS, own.column > own.row, own.row > own.column};
  register_tile tile;
  load_tile(&tile, tile_begin(all, own.row, own.column), stride, at);
  subtract_all_products(&tile, all, own, at, stages, next_is_ready, item);
  eliminate_all_pivots(&tile, all, own, at, stages, next_is_ready, item);
}
