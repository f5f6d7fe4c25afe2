// Programs of one device: building them, taking from a cache what is known of them, and what their compiler
// said.
//
// What is loaded of a program that was built before depends on the driver, as measured. NVIDIA's (580) and
// PoCL (3.1) keep what they compiled themselves, and give it for the same source within milliseconds; a
// binary of NVIDIA's is PTX, which its driver compiles once more, and asking PoCL for a binary compiles every
// kernel. rusticl and Oclgrind compile the source in about 10 ms, and Oclgrind's messages quote it. With all
// others the binary is kept and loaded; where the driver refuses it, the source is compiled.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/device/device.hpp"
#include "harness/device/opencl.hpp"
#include "harness/program/program_cache.hpp"

namespace dwarfsweep {

/// A built program and the output of its build. Shared by all cases with the same options.
struct Program {
  ProgramText text;
  cl::Program program;  ///< null in a dry run
  std::string log;
  std::int64_t build_ns = 0;      ///< what the compiler took, also where the program came from a cache
  std::int64_t build_end_ns = 0;  ///< by now_ns(); 0: it came from the cache
};

/// Of a point: the id of its program; of several, FNV-1a of their ids in the order in which the point first
/// uses them. Empty for none.
std::string program_id(const std::vector<std::shared_ptr<const Program>>& programs);

/// What the device's capabilities decided in a point's programs: "groups wait by ordered atomics", "lanes
/// shuffle in sub-groups of 16". Each once; none where the programs do nothing of the kind. Taken from the
/// options, which are all that a compiler knows of a device.
std::vector<std::string> device_features_used(const std::vector<std::shared_ptr<const Program>>& programs);

struct NvidiaUse {
  std::uint64_t registers = 0;    ///< 0: the log does not say
  std::uint64_t spill_bytes = 0;  ///< of spill stores
};

/// Of that kernel. The log has, per kernel: "Compiling entry function 'NAME'", then "... bytes spill stores"
/// and "Used 32 registers".
NvidiaUse read_nvidia_log(const std::string& log, const std::string& function);

/// Whether the log reports the resources of any kernel. A program from the driver's own cache has no such
/// log.
bool tells_registers(const std::string& log);

class ProgramBuilder {
 public:
  ProgramBuilder(const DeviceInfo& info, cl::Device device, cl::Context context, ProgramCache cache)
      : info_(info), device_(std::move(device)), context_(std::move(context)), cache_(std::move(cache)) {}

  /// Log and build time are those of the build that compiled the source. Throws PointFailure(build_failed)
  /// with the compiler's log.
  [[nodiscard]] std::shared_ptr<const Program> build(const ProgramText& text) const;

 private:
  struct Built {
    cl::Program program;
    std::string log;
    std::int64_t build_ns = 0;
    std::int64_t end_ns = 0;
  };

  [[nodiscard]] Built compile(const ProgramText& text) const;
  /// Null where the driver refuses the binary.
  [[nodiscard]] cl::Program load(const ProgramText& text, const std::string& binary) const;
  [[nodiscard]] bool lost_its_log(const Built& built) const;
  [[nodiscard]] std::string binary_of(const cl::Program& program) const;

  DeviceInfo info_;
  cl::Device device_;
  cl::Context context_;
  ProgramCache cache_;
};

}  // namespace dwarfsweep
