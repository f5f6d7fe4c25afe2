// What has been tried of each dwarf, and what failed.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/property/shrink.hpp"

namespace dwarfsweep::property {

struct Tally {
  std::size_t trials = 0;
  std::set<std::string> shapes;          ///< distinct problems, whatever the seed of their data
  std::set<std::string> configurations;  ///< distinct configurations
  std::size_t rejected = 0;              ///< draws that are not legal, and were drawn again
  std::size_t declined = 0;              ///< trials that the device cannot run: unsupported, out_of_memory
  std::size_t timed_out = 0;
  std::size_t known = 0;  ///< failures that known faults of the driver explain
  std::size_t failures = 0;
  double seconds = 0;

  void count(const Trial& trial);
};

/// A failure with the smallest trial that was found to fail.
struct Finding {
  Trial trial;
  Outcome outcome;
};

/// A line for each dwarf and one for all.
std::string table_of(const std::map<std::string, Tally>& tallies);

}  // namespace dwarfsweep::property
