// Motion of an elastic body on an irregular mesh of linear tetrahedra, by explicit steps with lumped masses. A step, with
// the displacements u and velocities v of the nodes, and of an element with corners x_0 .. x_3 its gradients g_a of the shape
// functions, volume V and Lame's parameters L, M:
//
//   H = sum u_a (x) g_a        S = L tr(H) I + M (H + H^T)        force of corner a: - V S g_a
//   v += dt / m (sum of the forces of the node's elements)        u += dt v
//
// With edges e_k = x_k - x_0 and normals n_1 = e_2 x e_3, n_2 = e_3 x e_1, n_3 = e_1 x e_2 the volume is e_1.n_1 / 6, and
// g_a = n_a / (6 V): so that there is one division, and the force is - S n_a / 6. About 165 operations per element. At least
// 24 bytes for an element's corners and parameters, and 64 for a node.
//
// Source: O. C. Zienkiewicz and R. L. Taylor, "The Finite Element Method", 5th ed., 2000, volume 1; a kernel for each step
// over an irregular mesh: S. Ryoo et al., "Optimization principles and application performance evaluation of a
// multithreaded GPU using CUDA" (2008), section 5.1. The matrix in slices: A. Monakov, A. Lokhmotov and A. Avetisyan,
// "Automatically tuning sparse matrix-vector multiplication for GPU architectures", HiPEAC 2010.
//
// Kernels, by variant:
//   element_atomic  `force`, an element per work-item, adds to its nodes' forces atomically; `advance`, a node per
//                   work-item, makes the step and clears the forces.
//   coloured        `force` for one colour after the other: the elements of a colour have no node in common, so that
//                   sums need no atomics.
//   node_gather     `force` stores the four forces of each element, `advance` adds up those of a node.
//   csr             `step`, a node per work-item: the product of the assembled matrix, 3 x 3 blocks, with u, and the step.
//                   It reads u of before, and writes that of after to another array. SLICE nodes side by side
//                   have as many blocks as the longest of them. With a matrix from a file, of any kind, `product`
//                   computes y = A x alone; three rows make a node, and zeros fill up its blocks.
//   staged          `force`, a patch of up to PATCH neighbouring elements per group: forces of elements go to local memory,
//                   are added up for each node of the patch there, and one sum for each patch and node is stored;
//                   `advance` adds up those of a node. No atomics, and the same result in each run.
//   edges           as staged, with edges of the mesh in place of elements. The assembled matrix K is symmetric, and moving
//                   the whole body causes no force: its rows add up to 0. So an edge from i to j needs only the block
//                   K_ij: the force of i gets K_ij (u_i - u_j), and that of j the negative of K_ij^T (u_i - u_j).
//
// Index map. Work-item i has element `first` + i, or node i. staged, edges: group p has patch p; its work-items go
// through its elements, and then its nodes, in steps of WORK_GROUP; with edges through its nodes twice.
//
// Arrays. Vectors of a node lie by LAYOUT, those of forces in node_gather, staged and edges are float4. Lists of a node:
// `offsets` into `entries`, which are places in the array of forces.
//
// Macro         meaning
// VARIANT       VARIANT_ELEMENT_ATOMIC, VARIANT_COLOURED, VARIANT_NODE_GATHER, VARIANT_CSR, VARIANT_STAGED,
//               VARIANT_EDGES
// WORK_GROUP    work-items of a group
// LAYOUT        vectors of nodes: LAYOUT_AOS: three floats; LAYOUT_SOA: an array for each component; LAYOUT_FLOAT4
// ATOMICS       element_atomic: ATOMICS_CAS: compare and exchange; ATOMICS_PTX: an instruction, by inline PTX
// SLICE         csr: nodes whose blocks lie side by side
// PATCH         staged, edges: the most elements or edges of a patch, which has at most half as many nodes; with edges, also
//               at most 256
// MEMORY        staged, edges: MEMORY_GLOBAL: positions and displacements through the caches; MEMORY_LOCAL: staged for the
//               patch
// UNROLL        edges: of the loop over a node's own edges
// SUBMISSION    how the host submits launches; nothing here depends on it
//
// Not built: gradients that are stored for each element, 48 bytes, instead of positions that the caches hold. Indices of 16
// bits are the slots of staged and edges, within a patch; places have 8 or 16.
//
// Preconditions: every element has a positive volume; every node has an element; `nodes` is positive.

#if VARIANT == VARIANT_ELEMENT_ATOMIC && ATOMICS == ATOMICS_PTX && !HAS_INLINE_PTX
#error "fem.cl: ATOMICS_PTX needs inline PTX"
#endif

// A component of a node's vector.
#if LAYOUT == LAYOUT_SOA
#define COMPONENT(node, axis) ((size_t)(axis) * (size_t)nodes + (size_t)(node))
#elif LAYOUT == LAYOUT_AOS
#define COMPONENT(node, axis) ((size_t)(node) * 3 + (axis))
#else
#define COMPONENT(node, axis) ((size_t)(node) * 4 + (axis))
#endif

INLINED float4 load_vector(global const float* vectors, const int node, const int nodes) {
#if LAYOUT == LAYOUT_FLOAT4
  return ((global const float4*)vectors)[node];
#else
  return (float4)(vectors[COMPONENT(node, 0)], vectors[COMPONENT(node, 1)], vectors[COMPONENT(node, 2)], 0);
#endif
}
INLINED void store_vector(global float* vectors, const int node, const int nodes, const float4 value) {
#if LAYOUT == LAYOUT_FLOAT4
  ((global float4*)vectors)[node] = value;
#else
  vectors[COMPONENT(node, 0)] = value.x;
  vectors[COMPONENT(node, 1)] = value.y;
  vectors[COMPONENT(node, 2)] = value.z;
#endif
}

// Vectors of three components are float4 with 0 in the last, on which nothing depends: no lane is undefined.
//
// a x b and a.b, which the compiler may fuse; the built-in functions may be slower than they need to be.
INLINED float4 cross_of(const float4 a, const float4 b) {
  return (float4)(MULTIPLY_ADD(a.y, b.z, -(a.z * b.y)), MULTIPLY_ADD(a.z, b.x, -(a.x * b.z)),
                  MULTIPLY_ADD(a.x, b.y, -(a.y * b.x)), 0);
}
INLINED float dot_of(const float4 a, const float4 b) {
  return MULTIPLY_ADD(a.x, b.x, MULTIPLY_ADD(a.y, b.y, a.z * b.z));
}
INLINED float4 times(const float factor, const float4 a, const float4 b) {
  return (float4)(MULTIPLY_ADD(factor, a.x, b.x), MULTIPLY_ADD(factor, a.y, b.y), MULTIPLY_ADD(factor, a.z, b.z), 0);
}

// The forces of an element's corners, of their positions x and displacements u.
INLINED void element_forces(const float4* x, const float4* u, const float2 lame, float4* forces) {
  const float4 e1 = x[1] - x[0];
  const float4 e2 = x[2] - x[0];
  const float4 e3 = x[3] - x[0];
  const float4 n1 = cross_of(e2, e3);
  const float4 n2 = cross_of(e3, e1);
  const float4 n3 = cross_of(e1, e2);
  const float scale = 1.0f / (6.0f * dot_of(e1, n1));
  const float4 w1 = u[1] - u[0];
  const float4 w2 = u[2] - u[0];
  const float4 w3 = u[3] - u[0];
  // Rows of 6 V H.
  const float4 h1 = times(w1.x, n1, times(w2.x, n2, w3.x * n3));
  const float4 h2 = times(w1.y, n1, times(w2.y, n2, w3.y * n3));
  const float4 h3 = times(w1.z, n1, times(w2.z, n2, w3.z * n3));
  const float lambda = lame.x * scale;
  const float mu = lame.y * scale;
  const float pressure = lambda * (h1.x + h2.y + h3.z);
  const float xy = mu * (h1.y + h2.x);
  const float xz = mu * (h1.z + h3.x);
  const float yz = mu * (h2.z + h3.y);
  const float4 s1 = (float4)(MULTIPLY_ADD(2 * mu, h1.x, pressure), xy, xz, 0);
  const float4 s2 = (float4)(xy, MULTIPLY_ADD(2 * mu, h2.y, pressure), yz, 0);
  const float4 s3 = (float4)(xz, yz, MULTIPLY_ADD(2 * mu, h3.z, pressure), 0);
  forces[1] = -(float4)(dot_of(s1, n1), dot_of(s2, n1), dot_of(s3, n1), 0);
  forces[2] = -(float4)(dot_of(s1, n2), dot_of(s2, n2), dot_of(s3, n2), 0);
  forces[3] = -(float4)(dot_of(s1, n3), dot_of(s2, n3), dot_of(s3, n3), 0);
  forces[0] = -(forces[1] + forces[2] + forces[3]);
}

// The sum of the forces of a patch's node i, from their components in local memory: the k-th one lies at begins[k] + i.
INLINED float4 sum_of_forces(local const float* x, local const float* y, local const float* z, global const ushort* begins,
                             const int i, const int end) {
  float4 force = (float4)(0);
  UNROLL_LOOP(4)
  for (int k = 0; k < end; ++k) {
    const int slot = begins[k] + i;
    force.x += x[slot];
    force.y += y[slot];
    force.z += z[slot];
  }
  return force;
}

#if VARIANT == VARIANT_CSR
#include "fem/csr.cl"
#elif VARIANT == VARIANT_STAGED
#include "fem/staged.cl"
#include "fem/advance.cl"
#elif VARIANT == VARIANT_EDGES
#include "fem/edges.cl"
#include "fem/advance.cl"
#else
#include "fem/elements.cl"
#include "fem/advance.cl"
#endif
