// From two points to the slot of their pair, for tpacf.cl.
#include "table_memory.cl"

#if SEARCH == SEARCH_TABLE
// An edge, and the slot before it: what is known of a cell of values with the same leading bits.
typedef float2 lookup_entry;
#else
typedef float lookup_entry;  // an edge
#endif

// What a point is multiplied by. For the table it is -1/4 of it, so that the value lies in [0, 1/2].
INLINED float4 prepared(const float4 point) { return SEARCH == SEARCH_TABLE ? point * -0.25f : point; }

// Falls with the angle if edges are searched; for the table it is (1 - product) / 4, which grows. Rounding may make that
// negative for equal points.
#define VALUE_OF(a, b)                                                                                              \
  (SEARCH == SEARCH_TABLE                                                                                           \
       ? clamp(MULTIPLY_ADD((a).z, (b).z, MULTIPLY_ADD((a).y, (b).y, MULTIPLY_ADD((a).x, (b).x, 0.25f))), 0.0f, 1.0f) \
       : MULTIPLY_ADD((a).z, (b).z, MULTIPLY_ADD((a).y, (b).y, (a).x * (b).x)))

// How many edges the pair is beyond.
INLINED int slot_of(const float value, TABLE_SPACE const lookup_entry* lookup) {
#if SEARCH == SEARCH_TABLE
  const float2 cell = lookup[as_uint(value) >> CELL_SHIFT];
  return as_int(cell.y) + (value > cell.x ? 1 : 0);
#elif SEARCH == SEARCH_BINARY
  int below = 0;
  int above = EDGES_TOTAL;
  while (below < above) {
    const int middle = (below + above) / 2;
    if (value < lookup[middle]) {
      below = middle + 1;
    } else {
      above = middle;
    }
  }
  return below;
#else
  int slot = EDGES_TOTAL;
  while (slot > 0 && !(value < lookup[slot - 1])) --slot;
  return slot;
#endif
}
