// What the files of kmeans declare to each other: its space, its cases, its host version.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dwarfs/kmeans/input.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::kmeans {

// The axes of kmeans, their defaults and constraints.

const Space& space();

// k-means in plain C++.

/// The centroids that follow from assignments; a cluster without points keeps its own. What the paper leaves
/// to the host, on one thread.
void update_on_host(const KmeansInput& input, const std::vector<std::int32_t>& assignments,
                    const std::vector<float>& previous, std::vector<float>& next);

/// All steps on `threads` threads: the CPU reference.
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const KmeansInput> input, int threads);

// The cases of kmeans on a device.

/// The case of a point: chooses among the variants.
std::unique_ptr<Case> make_case(const Setup& setup);
/// assign_only.cpp: assignments on the device, centroids on the host.
std::unique_ptr<Case> assign_only_case(const Setup& setup);
/// reducing.cpp: the variants reduce, blocked and fused, all on the device.
std::unique_ptr<Case> reducing_case(const Setup& setup);

}  // namespace dwarfsweep::kmeans
