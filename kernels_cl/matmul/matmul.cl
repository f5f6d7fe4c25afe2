// Matrix product in single precision: C = A B, all row-major, A m x k, B k x n, C m x n.
//
// On the device the matrices are padded by zeros to whole tiles of the variant: `cols` and `terms` below are the padded
// n and k, rows begin `terms` (A) and `cols` (B, C) elements apart, and no kernel has to look for an end.
//
// Variants:
//   untiled  a work-item per result; work-item (x, y) of the grid has C[y][x] (untiled.cl)
//   tiled    group (x, y) has a tile of WORK_GROUP rows and WORK_GROUP * GRANULARITY columns of C. It moves along A and
//            down B by tiles, which it copies to local memory: one element of A and GRANULARITY of B per work-item
//            (tiled.cl)
//   blocked  group g has GRANULARITY tiles below each other, each of TILE_Y * WORK_GROUP rows and TILE_X * WORK_GROUP
//            columns of C, and a work-item TILE_Y x TILE_X results of each. Operands may be packed before, so that what a
//            tile needs is contiguous; with several splits groups share the terms, and `reduce` adds their results
//            (blocked.cl, reduce.cl)
//   thin     for few rows, columns or terms: a work-item has TILE_Y x TILE_X results, or shares their terms with others, as
//            many as the device wants; nothing is staged or packed (thin.cl)
// The first two are of S. Ryoo et al., "Optimization principles and application performance evaluation of a multithreaded GPU
// using CUDA", PPoPP 2008, section 4 and figure 3; the results per work-item, prefetching and spilling of S. Ryoo et
// al., "Program optimization carving for GPU computing", JPDC 68(10), 2008, figure 2. Packed panels and
// the loops around them: K. Goto and R. A. van de Geijn, "Anatomy of high-performance matrix multiplication", ACM TOMS
// 34(3), 2008.
//
// Parameters:
//   VARIANT      VARIANT_UNTILED, VARIANT_TILED, VARIANT_BLOCKED or VARIANT_THIN
//   WORK_GROUP   edge of the square of work-items; tiled: and of the tiles. 1 in blocked: a work-item is alone. thin: its
//                square is the number of work-items
//   GRANULARITY  tiled: results of a work-item in a row, WORK_GROUP columns apart. blocked: tiles of a group
//   UNROLL       of the loop over the terms; tiled: WORK_GROUP is complete unrolling
//   BUFFERING    tiled: BUFFERING_PREFETCH loads the elements of the next tiles into registers before it computes these;
//                BUFFERING_NONE loads them when these are done. blocked: the same of stages; BUFFERING_DOUBLE has two
//                of them in local memory, and one barrier for each
//   SPILL        tiled: 1 keeps a work-item's positions in A and B in local memory while it computes
// of blocked and thin:
//   VECTOR_WIDTH  neighbouring columns in a vector, and elements of a load or store; thin: terms that are loaded at a time
//   TILE_X        columns of a work-item's tile; blocked: in vectors that are WORK_GROUP vectors apart
//   TILE_Y        rows of a work-item's tile, neighbours
//   SPLITS        groups that share the terms of a result, 0: the host chooses
//   FINISH        thin: who adds the shares. FINISH_LAUNCH: `reduce`. FINISH_GROUP: of the groups that have the same results
//                 the one that is last
// and of blocked:
//   MEMORY        MEMORY_LOCAL copies TILE_K terms at a time to local memory; MEMORY_GLOBAL reads operands in place
//   PACKING       what is packed before: PACKING_BOTH, PACKING_A, PACKING_B or PACKING_NONE. What is not is read as it is,
//                 and A turned on its way to a stage
//   PADDING       where stages turn A: unused elements behind each line of theirs
//   TILE_K        terms of a stage; with MEMORY_GLOBAL those for which a group goes down its tiles
//   LANES         columns of the blocks of 32 work-items, in the square of a group; 0: whole rows
//   BAND          stacks of tiles that groups process downwards before they continue with the next column
//   RESIDENT      groups of a compute unit that divide the terms of all tiles evenly, 0: see SPLITS (blocked_even.cl)
// and from the host: PACK_TERMS, terms that one work-item packs where it is alone; PACK_EDGE, edge of the square that packs
// elsewhere; REDUCE_GROUP, work-items of a group in `reduce`; REDUCE_PARTS, those of a result; in thin PARTIAL, whether
// groups share the terms; ALONG_ROWS, whether tiles follow each other along the rows; SLICES, work-items that share a tile;
// ACROSS, tiles of a group; SINGLE, whether B is one column
//
// Preconditions of blocked: rows and cols are multiples of TILE_Y * WORK_GROUP and TILE_X * WORK_GROUP, terms of TILE_K and
// PACK_EDGE, or with MEMORY_GLOBAL and a work-item alone of VECTOR_WIDTH; share is a multiple of TILE_K. Of thin: rows, cols
// and terms are multiples of TILE_Y, TILE_X and VECTOR_WIDTH; so is share of the latter.

#if VARIANT == VARIANT_UNTILED
#include "matmul/untiled.cl"
#elif VARIANT == VARIANT_TILED
#include "matmul/tiled.cl"
#else
#if VARIANT == VARIANT_THIN
#include "matmul/thin.cl"
#else
#include "matmul/blocked.cl"
#endif
#include "matmul/reduce.cl"
#endif
