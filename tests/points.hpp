// Running points of a dwarf on the test device (DWARFSWEEP_TEST_DEVICE), with everything checked.
#pragma once

#include <string>
#include <vector>

#include "harness/dwarf.hpp"
#include "harness/measure.hpp"
#include "harness/session.hpp"
#include "harness/status.hpp"

namespace dwarfsweep::test {

/// The session on the test device, opened once per process.
Session& test_session();

struct Outcome {
  Status status = Status::ok;
  std::string reason;
  Check check;
};

/// Generates (seed 1), or takes `loaded`; prepares, runs once on poisoned outputs, checks result and guard
/// bands. Settings that the space rejects give Status::rejected with the reason.
Outcome run_point(const Dwarf& dwarf, const Loaded& loaded, const Config& config);
Outcome run_point(const Dwarf& dwarf, const ValueMap& problem, const ValueMap& settings);

/// The problem of these keys with generated data.
Loaded generated(const Dwarf& dwarf, const ValueMap& problem, std::uint64_t seed = 1);

/// Every variant at its start, and every value of every axis of that variant varied from there. All legal
/// ones must verify; at least one point must be legal. Used by every dwarf's test over odd sizes.
void check_one_at_a_time(const Dwarf& dwarf, const ValueMap& problem);

/// `count` random legal points of the full product. The seed changes daily and is printed on failure.
void check_random_points(const Dwarf& dwarf, const ValueMap& problem, int count);

/// Serial and on two threads.
void check_host(const Dwarf& dwarf, const ValueMap& problem);

/// The head comment of kernels_cl/<dwarf>.cl names every axis by its macro, and the file has a guard for
/// each.
void check_parameter_table(const Dwarf& dwarf);

}  // namespace dwarfsweep::test
