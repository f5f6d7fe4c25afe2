"""Errors planted into the kernels of mri; tests/check_mutations.py says how."""
# Where errors are planted: a small odd problem, and settings under which every planted error shows.
POINTS = {
    "local": ("voxels=131,samples=37,kind=q", "variant=direct,work_group=32,accumulate=local,data_memory=global"),
    "direct": ("voxels=131,samples=37,kind=fhd", "variant=direct,work_group=32,layout=aos"),
    "launches": ("voxels=131,samples=100,kind=q", "variant=direct,work_group=32,samples_per_launch=32"),
    "tiled": ("voxels=131,samples=37,kind=q", "variant=tiled,work_group=32,granularity=2,vector_width=4,"
              "functions=polynomial,layout=soa,padding=0"),
}
# Point, what is planted, text of a kernel file, what it becomes.
MUTANTS = [
    ("local", "another number", "#define IMAGINARY_SUM OWN_NUMBER(4)", "#define IMAGINARY_SUM OWN_NUMBER(3)"),
    ("direct", "swapped axes", "voxels[voxels_pitch + voxel]", "voxels[2 * voxels_pitch + voxel]"),
    ("direct", "off by one", "i < count", "i < count - 1"),
    ("direct", "wrong formula", "(realv)(-SAMPLE(i, 4)), sine", "(realv)(SAMPLE(i, 4)), sine"),
    ("direct", "wrong formula", "real * signal[3] - imaginary", "real * signal[3] + imaginary"),
    ("launches", "off by one", "if (i >= count) return;", "if (i >= count - 1) return;"),
    ("direct", "off by one", "left >= VECTOR_WIDTH", "left >= VECTOR_WIDTH - 1"),
    ("launches", "wrong formula", "if (add) sums +=", "if (!add) sums +="),
    ("tiled", "wrong formula", "<< 31", "<< 30"),
    ("tiled", "wrong formula", "39.5367041f", "-39.5367041f"),
    ("tiled", "swapped axes", "samples[(part) * count + (i)]", "samples[(i) * SAMPLE_FLOATS + (part)]"),
    ("tiled", "off by one", "left >= VECTOR_WIDTH", "left >= 0"),
]
