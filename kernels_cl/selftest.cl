// Kernels for testing the device's timer.

// Its time is linear in `loops`: a chain of dependent operations that no compiler can shorten (the constants are those
// of a 32-bit linear congruential generator). One result per work-item.
kernel void spin(global uint* restrict out, const uint loops) {
  uint state = (uint)get_global_id(0) + 1u;
  for (uint i = 0; i < loops; ++i) state = state * 1664525u + (1013904223u ^ (state >> 16));
  out[get_global_id(0)] = state;
}

// Does nothing: for measuring the overhead of a launch.
kernel void empty(global uint* restrict out) {
  if (get_global_size(0) == 0) out[0] = 0;
}
