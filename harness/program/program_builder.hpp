// Builds programs for one device, and takes from a cache what is known of them.
//
// What is loaded of a program that was built before depends on the driver, as measured. NVIDIA's (580) and
// PoCL (3.1) keep what they compiled themselves, and give it for the same source within milliseconds; a
// binary of NVIDIA's is PTX, which its driver compiles once more, and asking PoCL for a binary compiles every
// kernel. rusticl and Oclgrind compile the source in about 10 ms, and Oclgrind's messages quote it. With all
// others the binary is kept and loaded; where the driver refuses it, the source is compiled.
#pragma once

#include <memory>
#include <string>

#include "harness/device/device.hpp"
#include "harness/device/opencl.hpp"
#include "harness/program/program.hpp"
#include "harness/program/program_cache.hpp"

namespace dwarfsweep {

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

/// Whether entries of this device hold the binary.
bool keeps_binaries(const DeviceInfo& device);

}  // namespace dwarfsweep
