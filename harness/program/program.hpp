// A program of the device: what goes to its compiler, and what comes from it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/device/opencl.hpp"

namespace dwarfsweep {

/// All that a compiler gets. Two programs with the same text and options are the same program.
struct ProgramText {
  std::string file;     ///< its path below kernels_cl, without the ending: "lud/lud"
  std::string text;     ///< guards, prelude and kernels
  std::string options;  ///< with all macros

  friend bool operator==(const ProgramText&, const ProgramText&) = default;
};

/// A built program and the output of its build. Shared by all cases with the same options.
struct Program {
  ProgramText text;
  cl::Program program;  ///< null in a session that only lists programs
  std::string log;
  std::int64_t build_ns = 0;      ///< what the compiler took, also where the program came from a cache
  std::int64_t build_end_ns = 0;  ///< by now_ns(); 0: it came from the cache
};

/// What went to the compiler, as 16 hexadecimal digits: 64-bit FNV-1a of the text, a zero byte and the
/// options.
std::string program_id(const ProgramText& text);

/// Of a point: the id of its program; of several, FNV-1a of their ids in the order in which the point first
/// uses them. Empty for none.
std::string program_id(const std::vector<std::shared_ptr<const Program>>& programs);

}  // namespace dwarfsweep
