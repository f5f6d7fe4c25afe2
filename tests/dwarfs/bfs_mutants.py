"""Errors planted into the kernels of bfs; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "topology": ("nodes=3000", "variant=topology,granularity=4,unroll=1,vector_width=1,padding=0"),
    "queue": ("nodes=3000", "variant=queue"),
    "lists": ("nodes=200", "variant=queue,work_group=128"),
    "pull": ("nodes=3000,graph=kronecker,degree=16",
            "variant=direction_optimising,claims=atomic,work_group=256,granularity=16"),
    "merge": ("nodes=30000", "variant=direction_optimising,claims=merged,work_group=1,granularity=512,sync=launches"),
    "phases": ("nodes=30000", "variant=direction_optimising,claims=merged,work_group=1,granularity=512,sync=barrier"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("topology", "wrong level", "const int level = levels[node] + 1;", "const int level = levels[node] + 2;"),
    ("topology", "off by one", "void topology_expand@@left >= STEP; left -= STEP", "left > STEP; left -= STEP"),
    ("topology", "swapped axes", "const int node = first + k * local_items;", "const int node = first + k;"),
    ("queue", "lists overwritten", "void append_all@@at += chunks_of(degree);", ""),
    ("lists", "missing barrier", "void append_all@@barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("pull", "nothing found", "int leads_from_reached@@offsets[node + 1];", "offsets[node];"),
    ("merge", "edge chunks left out", "min(chunks - first, (uint)NOTED_CHUNKS)",
     "min(chunks - first, (uint)NOTED_CHUNKS - 1)"),
    ("merge", "lists overwritten", "void merge_words@@at += chunks_of(degree);", ""),
    ("merge", "ends of lists left out", "left += !hit && at < end;", "left += 0;"),
    ("phases", "wrong bitmap", "less(front.unexplored, front.edges), 0, front.bitmap,",
     "less(front.unexplored, front.edges), 0, front.bitmap ^ 1,"),
    ("phases", "a share left out", "first_of(words / MERGED_WORDS, phase_chunk + 1, phase_chunks)",
     "first_of(words / MERGED_WORDS, phase_chunk, phase_chunks)"),
]
