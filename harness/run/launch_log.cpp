#include "harness/run/launch_log.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "harness/run/launcher.hpp"

namespace dwarfsweep {
namespace {

using Kind = LaunchLog::Argument::Kind;

std::string hexadecimal(const std::vector<std::uint8_t>& bytes) {
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

std::string sizes_of(const Range& range) {
  return fmt::format("{}", fmt::join(range.sizes.begin(), range.sizes.begin() + range.dimensions, ", "));
}

std::vector<cl::Buffer> buffers_of(const LaunchLog& log) {
  std::vector<cl::Buffer> buffers;
  for (const LaunchLog::Command& command : log.commands) {
    for (const LaunchLog::Argument& argument : command.arguments) {
      if (argument.kind == Kind::buffer &&
          std::none_of(buffers.begin(), buffers.end(),
                       [&](const cl::Buffer& each) { return each() == argument.buffer(); }))
        buffers.push_back(argument.buffer);
    }
  }
  return buffers;
}

std::string json_of(const LaunchLog::Argument& argument, const std::vector<cl::Buffer>& buffers) {
  if (argument.kind == Kind::local) return fmt::format(R"({{"local_bytes": {}}})", argument.local_bytes);
  if (argument.kind == Kind::value) return fmt::format(R"({{"value": "{}"}})", hexadecimal(argument.value));
  const auto found = std::find_if(buffers.begin(), buffers.end(),
                                  [&](const cl::Buffer& each) { return each() == argument.buffer(); });
  return fmt::format(R"({{"buffer": {}}})", found - buffers.begin());
}

std::size_t number_of(const cl::Program& program, const Workspace& workspace) {
  const auto& programs = workspace.programs();
  const auto found = std::find_if(programs.begin(), programs.end(),
                                  [&](const auto& each) { return each->program() == program(); });
  return static_cast<std::size_t>(found - programs.begin()) + 1;
}

std::string json_of(const LaunchLog::Command& command, const std::vector<cl::Buffer>& buffers,
                    const Workspace& workspace) {
  std::vector<std::string> arguments;
  for (const LaunchLog::Argument& argument : command.arguments)
    arguments.push_back(json_of(argument, buffers));
  const std::string what =
      command.function.empty()
          ? fmt::format(R"("filled_bytes": {})", command.filled_bytes)
          : fmt::format(R"("kernel": "{}", "program": {}, "global": [{}], "local": [{}])", command.function,
                        number_of(command.program, workspace), sizes_of(command.global),
                        sizes_of(command.local));
  return fmt::format(R"({{{}, "arguments": [{}]}})", what, fmt::join(arguments, ", "));
}

std::string json_of(const LaunchLog& log, const std::vector<cl::Buffer>& buffers,
                    const std::vector<bool>& initialised, const Workspace& workspace) {
  std::vector<std::string> commands;
  for (const LaunchLog::Command& command : log.commands)
    commands.push_back("    " + json_of(command, buffers, workspace));
  return fmt::format("{{\n  \"complete\": {},\n  \"initialised\": [{}],\n  \"commands\": [\n{}\n  ]\n}}\n",
                     log.complete, fmt::join(initialised, ", "), fmt::join(commands, ",\n"));
}

void run_once(Session& session, Case& subject, LaunchLog& log) {
  Launcher launcher(session);
  launcher.log_to(log);
  subject.reset();
  subject.launch(launcher);
  launcher.finish();
}

std::vector<std::uint8_t> content(Session& session, const cl::Buffer& buffer) {
  std::vector<std::uint8_t> bytes(buffer.getInfo<CL_MEM_SIZE>());
  session.read(buffer, bytes.data(), bytes.size());
  return bytes;
}

}  // namespace

// The first run shows which buffers the kernels use. The second run is the one that is written.
void dump_launches(Workspace& workspace, Case& subject, DumpSink& sink) {
  Session& session = workspace.session();
  LaunchLog first;
  run_once(session, subject, first);
  const std::vector<cl::Buffer> buffers = buffers_of(first);
  const auto dump = [&](std::size_t i, const char* when) {
    const std::vector<std::uint8_t> bytes = content(session, buffers[i]);
    sink.array(fmt::format("buffer_{}_{}", i, when), std::span<const std::uint8_t>(bytes), {bytes.size()});
    return Workspace::count_poison(bytes) < bytes.size() / sizeof(cl_uint);
  };
  workspace.poison();
  subject.reset();
  std::vector<bool> initialised;
  for (std::size_t i = 0; i < buffers.size(); ++i) initialised.push_back(dump(i, "before"));
  LaunchLog log;
  run_once(session, subject, log);
  for (std::size_t i = 0; i < buffers.size(); ++i) dump(i, "after");
  sink.text("launches.json", [&] { return json_of(log, buffers, initialised, workspace); });
}

}  // namespace dwarfsweep
