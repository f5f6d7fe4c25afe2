// One point as the parent names it to a worker.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <string>
#include <vector>

#include "harness/space/problem.hpp"

namespace dwarfsweep {

struct PointRequest {
  std::string dwarf;
  Problem problem;                 ///< complete; with files only the keys that the user set
  std::vector<std::string> files;  ///< input files; empty: generated
  std::uint64_t seed = 1;
  Config config;
  std::string kernels;   ///< folder of the .cl files; empty: those of the run
  int host_threads = 0;  ///< above 0: the dwarf's plain C++ on the host's cores instead of a kernel

  /// The same for two points that share their data.
  [[nodiscard]] std::string data_key() const {
    return fmt::format("{}|{}|{}|{}|{}", dwarf, problem.size, problem.values.to_string(),
                       fmt::join(files, ","), seed);
  }
  [[nodiscard]] std::string key() const {
    return fmt::format("{}|{}|{}|{}", data_key(), config.to_string(), host_threads, kernels);
  }
};

}  // namespace dwarfsweep
