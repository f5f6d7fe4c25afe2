// The commands that one execution of a point enqueues. `--dump` writes them, so that other programs can
// repeat the execution.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/device/opencl.hpp"
#include "harness/run/case.hpp"
#include "harness/run/range.hpp"
#include "harness/run/workspace.hpp"

namespace dwarfsweep {

struct LaunchLog {
  struct Argument {
    enum class Kind { buffer, local, value };
    Kind kind = Kind::value;
    cl::Buffer buffer{};
    std::size_t local_bytes = 0;
    std::vector<std::uint8_t> value{};  ///< as the host has it in memory
  };
  /// A kernel; or a fill, which has no function, and the buffer and the pattern as arguments.
  struct Command {
    std::string function{};
    std::size_t filled_bytes = 0;
    cl::Program program{};
    Range global{};
    Range local{};
    std::vector<Argument> arguments{};
  };

  std::vector<Command> commands;
  /// False if the commands do not suffice: the host reads, writes or computes during the execution, or a
  /// kernel has an argument that is neither a buffer nor a number.
  bool complete = true;

  void add(const cl::Kernel& kernel, const Range& global, const Range& local,
           std::vector<Argument> arguments) {
    commands.push_back({.function = kernel.getInfo<CL_KERNEL_FUNCTION_NAME>(),
                        .program = kernel.getInfo<CL_KERNEL_PROGRAM>(),
                        .global = global,
                        .local = local,
                        .arguments = std::move(arguments)});
  }

  template <typename T>
  Argument argument(const Buffer<T>& buffer) {
    return {.kind = Argument::Kind::buffer, .buffer = buffer.buffer};
  }
  Argument argument(const cl::LocalSpaceArg& local) {
    return {.kind = Argument::Kind::local, .local_bytes = local.size_};
  }
  template <typename T>
  Argument argument(const T& value) {
    Argument argument;
    if constexpr (std::is_trivially_copyable_v<T>) {
      const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&value);
      argument.value.assign(bytes, bytes + sizeof(T));
    } else {
      complete = false;  // an image
    }
    return argument;
  }
};

/// Runs the case twice more. Writes the commands of the second run as launches.json, and the bytes of each
/// buffer before and after it as buffer_N_before and buffer_N_after. N counts from 0, in the order in which
/// the commands first use the buffers. `initialised` is false for a buffer that held only the pattern of
/// Workspace::poison(). Programs have the numbers of the dumped program files. Throws PointFailure.
void dump_launches(Workspace& workspace, Case& subject, DumpSink& sink);

}  // namespace dwarfsweep
