"""How many of the threads (waves) that a compute unit can hold are there at once, from a kernel's registers, its local
memory and the size of its work-groups, by the vendors' rules:

AMD: a SIMD's registers are given to waves in granules; a compute unit (from gfx10 on a pair of them, which the driver
reports as one) has four SIMDs, and holds whole groups only (LLVM, AMDGPUBaseInfo.cpp; AMD, RDNA and CDNA ISA guides).

Intel: each thread has its registers whether it uses them or not; a subslice (Xe-core) has so many threads, so much
local memory and so many barriers (Intel, oneAPI GPU Optimization Guide, "Thread Mapping and GPU Occupancy").

The numbers stand in the device's file, under `offline`."""


def ceil_div(total, part):
    return -(-total // part)


def waves_by_scalars(scalar_registers):
    """GCN from its third generation on: a SIMD has 800 scalar registers, given in granules of 16."""
    return 10 if scalar_registers <= 80 else 9 if scalar_registers <= 88 else 8 if scalar_registers <= 100 else 7


def waves_by_registers(unit, kernel):
    """Waves of a SIMD."""
    granule = unit["register_granularity"]
    waves = unit["registers_per_simd"] // (granule * max(1, ceil_div(kernel["registers"], granule)))
    if unit["scalar_limits"]:
        waves = min(waves, waves_by_scalars(kernel["scalar_registers"]))
    return min(waves, unit["waves_per_simd"])


def occupancy(unit, kernel, group_items):
    """From 0, where not even one group fits, to 1."""
    if unit["compiler"] == "clang":
        most = unit["simds_per_unit"] * unit["waves_per_simd"]
        room = unit["simds_per_unit"] * waves_by_registers(unit, kernel)
        threads = ceil_div(group_items, unit["wave"])
        bounded = threads > 1  # groups of one wave need no barrier, of which there are so many
    else:
        most = room = unit["threads_per_unit"]
        threads = ceil_div(group_items, kernel["simd"])
        bounded = kernel["barriers"] > 0
    groups = room // threads
    if bounded:
        groups = min(groups, unit["groups_per_unit"])
    if kernel["local_bytes"]:
        groups = min(groups, unit["local_bytes_per_unit"] // kernel["local_bytes"])
    return groups * threads / most
