#include "harness/program/program_builder.hpp"

#include <fmt/format.h>

#include <vector>

#include "harness/device/cl_error.hpp"
#include "harness/device/clock.hpp"
#include "harness/program/nvidia_log.hpp"
#include "harness/space/status.hpp"
#include "harness/space/text.hpp"

namespace dwarfsweep {
namespace {

std::string shortened(const std::string& log) {
  constexpr std::size_t max_bytes = 4000;
  return log.size() <= max_bytes
             ? log
             : log.substr(0, max_bytes) + fmt::format("\n... ({} bytes of log)", log.size());
}

}  // namespace

bool keeps_binaries(const DeviceInfo& device) {
  if (device.checks_bounds) return false;
  const std::string platform = lower(device.platform);
  for (const char* name : {"nvidia", "portable computing language", "rusticl"}) {
    if (platform.find(name) != std::string::npos) return false;
  }
  return true;
}

std::shared_ptr<const Program> ProgramBuilder::build(const ProgramText& text) const {
  const ProgramKey key(text, info_);
  auto program = std::make_shared<Program>();
  program->text = text;
  const auto known = cache_.find(key);
  if (known && !known->binary.empty()) program->program = load(text, known->binary);
  Built built;
  if (!program->program()) {
    built = compile(text);
    program->program = built.program;
  }
  if (known) {
    program->log = known->log;
    program->build_ns = known->build_ns;
    return program;
  }
  // The driver had it in its own cache. With a kernel more, whose number nobody has had, all are compiled.
  if (lost_its_log(built)) {
    ProgramText again = text;
    again.text += fmt::format("\nkernel void built_at(global ulong* to) {{ *to = {}ul; }}\n", now_ns());
    built = compile(again);
  }
  program->log = built.log;
  program->build_ns = built.build_ns;
  program->build_end_ns = built.end_ns;
  cache_.store(key, {built.build_ns, built.log, keeps_binaries(info_) ? binary_of(program->program) : ""});
  return program;
}

ProgramBuilder::Built ProgramBuilder::compile(const ProgramText& text) const {
  const auto doing = [&](const cl::Error& error) {
    return fmt::format("building {}.cl failed: {}; device {}, driver {}; options {}", text.file,
                       describe(error), info_.name, info_.driver, text.options);
  };
  Built built;
  const std::int64_t begin = now_ns();
  try {
    built.program = cl::Program(context_, text.text);
    built.program.build(text.options.c_str());
  } catch (const cl::BuildError& error) {
    std::string log;
    for (const auto& entry : error.getBuildLog()) log += entry.second;
    throw PointFailure(Status::build_failed, fmt::format("{}; log: {}", doing(error), shortened(log)));
  } catch (const cl::Error& error) {
    throw PointFailure(Status::build_failed, doing(error));
  }
  built.end_ns = now_ns();
  built.build_ns = built.end_ns - begin;
  built.log = built.program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_);
  return built;
}

cl::Program ProgramBuilder::load(const ProgramText& text, const std::string& binary) const {
  try {
    cl::Program program(context_, {device_}, {std::vector<unsigned char>(binary.begin(), binary.end())});
    program.build(text.options.c_str());
    return program;
  } catch (const cl::Error&) {
    return {};
  }
}

bool ProgramBuilder::lost_its_log(const Built& built) const {
  return info_.has_extension("cl_nv_compiler_options") && !tells_registers(built.log);
}

std::string ProgramBuilder::binary_of(const cl::Program& program) const {
  try {
    for (const auto& binary : program.getInfo<CL_PROGRAM_BINARIES>()) return {binary.begin(), binary.end()};
  } catch (const cl::Error&) {
    // A driver that gives no binary compiles the source again.
  }
  return "";
}

}  // namespace dwarfsweep
