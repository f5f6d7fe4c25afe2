"""Errors planted into the kernels of fem; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "atomic": ("nx=3,ny=4,nz=3,steps=2", "variant=element_atomic,layout=soa"),
    "coloured": ("nx=3,ny=4,nz=3,steps=2", "variant=coloured"),
    "gather": ("nx=3,ny=4,nz=3,steps=2", "variant=node_gather,layout=float4"),
    "csr": ("nx=3,ny=4,nz=3,steps=2", "variant=csr,slice=8,work_group=16"),
    "edges": ("nx=3,ny=4,nz=3,steps=2", "variant=edges,patch=64,work_group=16,memory=local"),
    "staged": ("nx=3,ny=4,nz=3,steps=2", "variant=staged,patch=64,work_group=16,memory=local"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("atomic", "wrong formula", "const float xy = mu * (h1.y + h2.x)", "const float xy = mu * (h1.y + h1.y)"),
    ("atomic", "swapped axes", "-(float4)(dot_of(s1, n2), dot_of(s2, n2)", "-(float4)(dot_of(s2, n2), dot_of(s1, n2)"),
    ("atomic", "forces that stay", "store_vector(forces, node, nodes, (float4)(0));", ""),
    ("atomic", "off by one", "if (node >= nodes) return;", "if (node >= nodes - 1) return;"),
    ("coloured", "sum left out", "load_vector(forces, node[a], nodes) + of_corner[a]", "of_corner[a]"),
    ("gather", "off by one", "k < end; ++k) force +=", "k < end - 1; ++k) force +="),
    ("gather", "wrong sign", "times(dt / mass[node], force", "times(-dt / mass[node], force"),
    ("csr", "wrong component", "block[5 * SLICE], other.y", "block[5 * SLICE], other.x"),
    ("csr", "wrong slice", "(9 * SLICE) + lane", "(9 * SLICE)"),
    ("csr", "displacement of after", "= product_of(offsets, columns, blocks, u,", "= product_of(offsets, columns, blocks, next_u,"),
    ("staged", "missing barrier", "staged[5][i] = moved.z;@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("staged", "missing barrier", "of_corner[2][slot[a]] = of_element[a].z;@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("staged", "wrong slot", "slot = begins[k] + i", "slot = begins[0] + i"),
    ("staged", "sums past the end", "forces[first_node + i] = sum_of_forces(of_corner",
     "forces[first_node + i + 1] = sum_of_forces(of_corner"),
    ("edges", "wrong transposition", "of_end[0][slot] = -dot_of(low, difference)",
     "of_end[0][slot] = -dot_of((float4)(low.x, low.w, high.z, 0), difference)"),
    ("edges", "wrong sign", "of_end[0][slot] = -dot_of", "of_end[0][slot] = dot_of"),
    ("edges", "wrong block", "(size_t)edges + edge];@@8 * (size_t)edges + edge", "8 * (size_t)edges"),
    ("edges", "off by one", "turn_begins[k] + i)", "turn_begins[k] + i + 1)"),
    ("edges", "edge left out", "const int end = own.y;", "const int end = own.y - 1;"),
    ("edges", "missing barrier", "staged[2][i] = moved.z;@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("edges", "missing barrier", "of_end[2][own.x] = sum.z;@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
]
