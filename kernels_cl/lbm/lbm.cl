// A lattice-Boltzmann fluid: D3Q19, one relaxation time (BGK), on nx x ny x nz cells that wrap around. A step collides and
// moves: with rho = sum f, u = (sum c f) / rho,
//   f'_i = (1 - omega) f_i + omega W_i rho (1 + 3 c_i.u + 4.5 (c_i.u)^2 - 1.5 u.u)
// and f'_i goes to the cell at x + c_i. In an obstacle f'_i is f of the opposite direction. Accelerated cells relax towards
// the velocity (0.005, 0.002, 0). A cell and step read and write 19 numbers and read a flag, 153 bytes, with 186
// operations: memory is the limit.
//
// Variants:
//   staged      a group copies its cells, structures of 20 floats, into local memory, and a work-item collides one of them
//               (staged.cl)
//   two_arrays  work-items read one array and write the other (step.cl)
//   in_place    one array: even steps leave f'_i in the cell, in the place of the opposite direction; odd steps fetch
//               from the neighbours and put back to them (step.cl)
// Sources: S. Ryoo et al., "Optimization principles ...", PPoPP 2008, section 5.2 and figure 5, for `staged`; P. Bailey et
// al., "Accelerating lattice Boltzmann fluid flow simulations using graphics processors", ICPP 2009, for `in_place`;
// M. Lehmann et al., "Accuracy and performance of the lattice Boltzmann method with 64-bit, 32-bit, and customized 16-bit
// number formats", Phys. Rev. E 106, 2022, for the scaled halves.
//
// Index map: group (i, j, k) has WORK_GROUP x ROWS work-items. Those of a row have GRANULARITY vectors of VECTOR_WIDTH
// neighbours, WORK_GROUP vectors apart.
//
// Parameters:
//   VARIANT       VARIANT_STAGED, VARIANT_TWO_ARRAYS or VARIANT_IN_PLACE
//   WORK_GROUP    work-items of a group along x
//   ROWS          work-items of a group along y (1 in staged)
//   GRANULARITY   vectors of cells per work-item (1 in staged)
//   VECTOR_WIDTH  neighbouring cells in a vector (1 unless LAYOUT_SOA or LAYOUT_ROWS)
//   PADDING       1: rows are padded to multiples of 32 cells (the host's affair)
//   LAYOUT        of f: LAYOUT_AOS, structures; LAYOUT_SOA, an array per direction; LAYOUT_TILED and LAYOUT_ROWS, structures
//                 of arrays of 32 cells, or of a row
//   DIRECTION     two_arrays: DIRECTION_PUSH, f' goes to the neighbours; DIRECTION_PULL, f comes from them
//   FLAGS         what a cell is: FLAGS_IN_CELL, a twentieth float; FLAGS_BYTES; FLAGS_COMPUTED from its place
//   STORAGE       STORAGE_FLOAT, f; STORAGE_SHIFTED, f - W; STORAGE_HALF, 2^15 (f - W) in 16 bits
//   STORES        STORES_CACHED, or STORES_STREAMED past the caches
//   SUBMISSION    of the steps (the host's affair)
// and from the host CAVITY, 0 or 1: whether FLAGS_COMPUTED makes walls and a lid.
//
// Arrays: place() says where direction i of a cell is; a row begins with the cell (z * ny + y) * pitch. With `pull`, and after odd
// steps of `in_place`, what belongs to the cell x is in the cell x - c.

#define CELL_FIELDS (FLAGS == FLAGS_IN_CELL ? 20 : 19)
#define FLUID 0
#define OBSTACLE 1
#define ACCELERATED 2

#if STORAGE == STORAGE_HALF
#define STORED half
#else
#define STORED float
#endif

// DO(number, number of the opposite one, x, y, z)
#define EACH_DIRECTION(DO)                                                                  \
  DO(0, 0, 0, 0, 0) DO(1, 2, 0, 1, 0) DO(2, 1, 0, -1, 0) DO(3, 4, 1, 0, 0)                  \
  DO(4, 3, -1, 0, 0) DO(5, 6, 0, 0, 1) DO(6, 5, 0, 0, -1) DO(7, 10, 1, 1, 0)                \
  DO(8, 9, -1, 1, 0) DO(9, 8, 1, -1, 0) DO(10, 7, -1, -1, 0) DO(11, 14, 0, 1, 1)            \
  DO(12, 13, 0, 1, -1) DO(13, 12, 0, -1, 1) DO(14, 11, 0, -1, -1) DO(15, 18, 1, 0, 1)       \
  DO(16, 17, 1, 0, -1) DO(17, 16, -1, 0, 1) DO(18, 15, -1, 0, -1)

// Where number `i` of the cell x is, in the row that begins with the cell `row`; of `cells` in all.
INLINED size_t place(const int i, const uint row, const uint x, const uint pitch, const uint cells) {
  const uint cell = row + x;
  if (LAYOUT == LAYOUT_AOS) return (size_t)cell * CELL_FIELDS + i;
  if (LAYOUT == LAYOUT_TILED) return (size_t)(cell / 32) * (32 * CELL_FIELDS) + i * 32 + cell % 32;
  if (LAYOUT == LAYOUT_ROWS) return (size_t)row * CELL_FIELDS + (i * pitch + x);
  return (size_t)cells * i + cell;
}

INLINED int computed_flag(const int x, const int y, const int z, const int nx, const int ny, const int nz) {
  if (!CAVITY) return FLUID;
  if (x == 0 || y == 0 || z == 0 || x >= nx - 1 || y == ny - 1 || z == nz - 1) return OBSTACLE;
  return (z == 1 || z == nz - 2) && x > 1 && x < nx - 2 && y > 1 && y < ny - 2 ? ACCELERATED : FLUID;
}

#include "lbm/collide.cl"
#if VARIANT == VARIANT_STAGED
#include "lbm/staged.cl"
#else
#include "lbm/step.cl"
#endif
