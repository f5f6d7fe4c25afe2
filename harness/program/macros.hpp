// The macros that a kernel file is built with: every axis of the space, and what the host adds.
#pragma once

#include <cstdint>
#include <string>

#include "harness/program/lanes.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep {

class Macros {
 public:
  /// None but the capabilities that every program gets.
  Macros() = default;
  /// Every axis: `UNROLL=4`, and for strings `MEMORY_LOCAL=2 ... MEMORY=MEMORY_LOCAL`, so that a kernel
  /// compares names and a misspelt one can be caught.
  Macros(const Space& space, const Config& config);

  /// A macro that the host derives: the name in capitals, and its value.
  Macros& define(const std::string& name, std::int64_t value);

  /// Whether groups of the program wait for each other in one launch: GROUPS_WAIT. Then it is built in a
  /// version of OpenCL C that has ordered atomics, where the device offers them.
  Macros& let_groups_wait(bool wait = true) {
    groups_wait_ = wait;
    return *this;
  }
  [[nodiscard]] bool groups_wait() const { return groups_wait_; }

  /// How lanes of the program's kernels shuffle: the macros of kernels_cl/lanes.cl.
  Macros& let_lanes_shuffle(const Lanes& lanes);
  [[nodiscard]] const Lanes& lanes() const { return lanes_; }

  /// The compiler's options: " -D UNROLL=4 ...".
  [[nodiscard]] const std::string& options() const { return options_; }
  /// What stands before the kernel file: `#error` for each macro that is missing, or is no value of its axis.
  [[nodiscard]] const std::string& guards() const { return guards_; }

 private:
  std::string options_;
  std::string guards_;
  bool groups_wait_ = false;
  Lanes lanes_;
};

}  // namespace dwarfsweep
