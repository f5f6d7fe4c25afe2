// lud: the variant `blocked`, two launches per step of PANEL columns; lud.cl describes the kernels, and how the
// panels are packed.

#define ITEMS (WORK_GROUP * WORK_GROUP)
#define GROUP_X (TILE_X * WORK_GROUP)
#define GROUP_Y (TILE_Y * WORK_GROUP)
#define STAGED (MEMORY == MEMORY_LOCAL)

// A group of one work-item needs no barrier; PoCL 3.1 would keep every value in memory across one all the same.
#if WORK_GROUP == 1
#define GROUP_BARRIER()
#else
#define GROUP_BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

// A vector at an address that is a multiple of its size: without that guarantee a GPU compiler loads element by
// element.
#define VECTOR_AT(space, pointer) (*(space realv*)(pointer))

// In the triangular solves a work-item handles SOLVE_WIDTH right-hand sides (lanes): a vector of them if it is alone in
// its group, else one.
#if WORK_GROUP == 1
#define SOLVE_ITEMS 1
#define SOLVE_WIDTH VECTOR_WIDTH
#define LOADS_AHEAD 1
#define TERMS_AHEAD 1
typedef realv solvev;
#else
#define SOLVE_ITEMS (PANEL < 64 ? PANEL : 64)
#define SOLVE_WIDTH 1
// Unroll factors that keep enough loads in flight: a group has too few work-items to hide the latency otherwise.
#define LOADS_AHEAD 16
#define TERMS_AHEAD 4
typedef float solvev;
#endif
#define SOLVE_AT(space, pointer) (*(space solvev*)(pointer))

// Pivots that are eliminated together, within a block on the diagonal and within the perimeter's triangles.
#define STEP 16
#define HALF_STEP 8
#define VECTORS (STEP / VECTOR_WIDTH)

#include "lud/blocked_diagonal.cl"
#include "lud/blocked_perimeter.cl"
#include "lud/blocked_internal.cl"
