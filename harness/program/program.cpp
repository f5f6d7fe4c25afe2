#include "harness/program/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/device/host.hpp"
#include "harness/space/error.hpp"
#include "harness/space/text.hpp"

namespace dwarfsweep {
namespace {

// The value of a macro among a compiler's options, "-D NAME=7".
std::optional<int> macro(const std::string& options, const std::string& name) {
  const std::size_t at = (" " + options).find("-D " + name + "=");
  if (at == std::string::npos) return std::nullopt;
  return std::atoi(options.c_str() + at + name.size() + 3);
}

bool is_set(const std::string& options, const std::string& name) {
  return macro(options, name).value_or(0) != 0;
}

// GROUPS_WAIT of prelude.cl.
std::string waiting_method(const std::string& options) {
  return is_set(options, "HAS_ORDERED_ATOMICS") ? "groups wait by ordered atomics" : "groups wait by PTX";
}

// SHUFFLE and SUB_GROUP of lanes.cl.
std::string shuffle_method(const std::string& options) {
  constexpr int sub_groups = 1;
  switch (macro(options, "SHUFFLE").value_or(0)) {
    case 0:
      return "lanes pass values through local memory";
    case sub_groups:
      return fmt::format("lanes shuffle in sub-groups of {}", macro(options, "SUB_GROUP").value_or(0));
    default:
      return fmt::format("{} lanes shuffle by PTX", macro(options, "SUB_GROUP").value_or(32));
  }
}

// The first number between two texts.
std::optional<std::uint64_t> number_between(const std::string& text, std::string_view before,
                                            std::string_view after) {
  for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, at + 1)) {
    std::uint64_t number = 0;
    const char* const text_end = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data() + at + before.size(), text_end, number);
    if (error == std::errc() && std::string_view(end, text_end).starts_with(after)) return number;
  }
  return std::nullopt;
}

std::string shortened(const std::string& log) {
  constexpr std::size_t max_bytes = 4000;
  return log.size() <= max_bytes
             ? log
             : log.substr(0, max_bytes) + fmt::format("\n... ({} bytes of log)", log.size());
}

}  // namespace

std::string program_id(const std::vector<std::shared_ptr<const Program>>& programs) {
  if (programs.empty()) return "";
  if (programs.size() == 1) return program_id(programs.front()->text);
  std::string ids;
  for (const auto& program : programs) ids += program_id(program->text);
  return fmt::format("{:016x}", fnv1a(ids));
}

std::vector<std::string> device_features_used(const std::vector<std::shared_ptr<const Program>>& programs) {
  std::vector<std::string> used;
  const auto add = [&](const std::string& feature) {
    if (std::find(used.begin(), used.end(), feature) == used.end()) used.push_back(feature);
  };
  for (const auto& program : programs) {
    const std::string& options = program->text.options;
    if (is_set(options, "GROUPS_WAIT")) add(waiting_method(options));
    if (macro(options, "SHUFFLE")) add(shuffle_method(options));
  }
  return used;
}

NvidiaUse read_nvidia_log(const std::string& log, const std::string& function) {
  NvidiaUse use;
  const std::size_t begin = log.find("entry function '" + function + "'");
  if (begin == std::string::npos) return use;
  const std::size_t end = std::min(log.find("entry function '", begin + 1), log.size());
  const std::string part = log.substr(begin, end - begin);
  use.registers = number_between(part, "Used ", " registers").value_or(0);
  use.spill_bytes = number_between(part, "", " bytes spill stores").value_or(0);
  return use;
}

bool tells_registers(const std::string& log) {
  return number_between(log, "Used ", " registers").has_value();
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
