// The variant staged of lbm.cl, the paper's: work-items side by side copy numbers side by side, of a part of a row; then
// each has a cell in local memory to itself.

kernel GROUP_OF(WORK_GROUP, 1)
void collide_and_move(global const STORED* restrict from, global STORED* restrict to, global const uchar* restrict bytes,
               const int nx, const int ny, const int nz, const int pitch, const uint cells, const float omega) {
  local float staged[WORK_GROUP * CELL_FIELDS];
  const int item = (int)get_local_id(0);
  const int first = (int)get_group_id(0) * WORK_GROUP;
  const int y = (int)get_group_id(1);
  const int z = (int)get_group_id(2);
  const uint row = ((uint)z * ny + y) * pitch;
  const int count = min(WORK_GROUP, nx - first);
  for (int i = item; i < count * CELL_FIELDS; i += WORK_GROUP) staged[i] = from[(size_t)(row + first) * CELL_FIELDS + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < count) {
    const int x = first + item;
    float f[19];
#define TAKE(i, opposite, cx, cy, cz) f[i] = staged[item * CELL_FIELDS + i];
    EACH_DIRECTION(TAKE)
    const int flag = FLAGS == FLAGS_IN_CELL ? (int)staged[item * CELL_FIELDS + CELL_FIELDS - 1]
                     : FLAGS == FLAGS_BYTES ? bytes[row + x]
                                            : computed_flag(x, y, z, nx, ny, nz);
    collide(f, flag, omega);
    const uint xs[3] = {x == 0 ? nx - 1 : x - 1, x, x == nx - 1 ? 0 : x + 1};
    const uint ys[3] = {y == 0 ? ny - 1 : y - 1, y, y == ny - 1 ? 0 : y + 1};
    const uint zs[3] = {z == 0 ? nz - 1 : z - 1, z, z == nz - 1 ? 0 : z + 1};
#define PUSH(i, opposite, cx, cy, cz) \
  to[place(i, (zs[1 + cz] * ny + ys[1 + cy]) * pitch, xs[1 + cx], pitch, cells)] = f[i];
    EACH_DIRECTION(PUSH)
  }
}
