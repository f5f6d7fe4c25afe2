// What NVIDIA's compiler says with -cl-nv-verbose.
#pragma once

#include <cstdint>
#include <string>

namespace dwarfsweep {

struct NvidiaUse {
  std::uint64_t registers = 0;    ///< 0: the log does not say
  std::uint64_t spill_bytes = 0;  ///< of spill stores
};

/// Of that kernel. The log has, per kernel: "Compiling entry function 'NAME'", then "... bytes spill stores"
/// and "Used 32 registers".
NvidiaUse read_nvidia_log(const std::string& log, const std::string& function);

/// Whether the log tells the use of any kernel. A program that came from the driver's own cache has no such
/// log.
bool tells_registers(const std::string& log);

}  // namespace dwarfsweep
