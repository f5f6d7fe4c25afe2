// fem: a whole step as a product with the assembled matrix. `offsets`, of a slice, counts rows of SLICE blocks; a block
// that fills up a slice has its node's own number and zeros.

// The product of a node's row of blocks with `u`.
INLINED float4 product_of(global const int* offsets, global const int* columns,
                          global const float* blocks, global const float* u, const int node,
                          const int nodes) {
  const int slice = node / SLICE;
  const int lane = node - slice * SLICE;
  float4 product = (float4)(0);
  const int end = offsets[slice + 1];
  for (int k = offsets[slice]; k < end; ++k) {
    const float4 other = load_vector(u, columns[(size_t)k * SLICE + lane], nodes);
    global const float* const block = blocks + (size_t)k * (9 * SLICE) + lane;
    product.x = MULTIPLY_ADD(block[0], other.x, product.x);
    product.y = MULTIPLY_ADD(block[SLICE], other.x, product.y);
    product.z = MULTIPLY_ADD(block[2 * SLICE], other.x, product.z);
    product.x = MULTIPLY_ADD(block[3 * SLICE], other.y, product.x);
    product.y = MULTIPLY_ADD(block[4 * SLICE], other.y, product.y);
    product.z = MULTIPLY_ADD(block[5 * SLICE], other.y, product.z);
    product.x = MULTIPLY_ADD(block[6 * SLICE], other.z, product.x);
    product.y = MULTIPLY_ADD(block[7 * SLICE], other.z, product.y);
    product.z = MULTIPLY_ADD(block[8 * SLICE], other.z, product.z);
  }
  return product;
}

kernel GROUP_OF(WORK_GROUP, 1)
void step_of_nodes(global const int* restrict offsets, global const int* restrict columns,
                   global const float* restrict blocks, global const float* restrict mass, const float dt,
                   global const float* restrict u, global float* restrict next_u, global float* restrict v,
                   const int nodes) {
  const int node = (int)get_global_id(0);
  if (node >= nodes) return;
  const float4 product = product_of(offsets, columns, blocks, u, node, nodes);
  const float4 velocity = times(-dt / mass[node], product, load_vector(v, node, nodes));
  store_vector(v, node, nodes, velocity);
  store_vector(next_u, node, nodes, times(dt, velocity, load_vector(u, node, nodes)));
}

// y = A x for a matrix from a file: three rows and columns are a node, and zeros fill the last one up.
kernel GROUP_OF(WORK_GROUP, 1)
void product_of_nodes(global const int* restrict offsets, global const int* restrict columns,
                      global const float* restrict blocks, global const float* restrict x, global float* restrict y,
                      const int nodes) {
  const int node = (int)get_global_id(0);
  if (node >= nodes) return;
  store_vector(y, node, nodes, product_of(offsets, columns, blocks, x, node, nodes));
}
