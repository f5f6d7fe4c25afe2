// k-means in plain C++.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dwarfs/kmeans/input.hpp"

namespace dwarfsweep::kmeans {

/// The centroids that follow from assignments; a cluster without points keeps its own. What the paper leaves
/// to the host, on one thread.
void update_on_host(const KmeansInput& input, const std::vector<std::int32_t>& assignments,
                    const std::vector<float>& previous, std::vector<float>& next);

/// All steps on `threads` threads: the CPU reference.
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const KmeansInput> input, int threads);

}  // namespace dwarfsweep::kmeans
