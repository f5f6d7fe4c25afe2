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
// Both are of S. Ryoo et al., "Optimization principles and application performance evaluation of a multithreaded GPU
// using CUDA", PPoPP 2008, section 4 and figure 3; the results per work-item, prefetching and spilling of S. Ryoo et
// al., "Program optimization carving for GPU computing", JPDC 68(10), 2008, figure 2.
//
// Parameters:
//   VARIANT      VARIANT_UNTILED, VARIANT_TILED
//   WORK_GROUP   edge of the square of work-items; tiled: and of the tiles
//   GRANULARITY  tiled: results of a work-item in a row, WORK_GROUP columns apart
//   UNROLL       of the loop over the terms; tiled: WORK_GROUP is complete unrolling
//   BUFFERING    tiled: BUFFERING_PREFETCH loads the elements of the next tiles into registers before it computes these;
//                BUFFERING_NONE loads them when these are done
//   SPILL        tiled: 1 keeps a work-item's positions in A and B in local memory while it computes

#if VARIANT == VARIANT_UNTILED
#include "matmul/untiled.cl"
#else
#include "matmul/tiled.cl"
#endif
