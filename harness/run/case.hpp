// What runs: the data of a problem, and a case, which is one point ready to run on a device or on the host.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/space/problem.hpp"

namespace dwarfsweep {

class Launcher;

/// What one launch of a case, a whole execution, does. Per kernel name as reported, and for "total".
///
/// "total" is the algorithm's, the same for all variants that give the same result: each input is read once
/// and each output is written once; arrays that every step of an iteration depends on as a whole are read and
/// written once in each step, since no order of the work spares that. A kernel's own work is what it does in
/// its variant, with each of its inputs read once and each of its outputs written once per launch.
struct Work {
  std::string kernel;
  double bytes = 0;
  double operations = 0;  ///< of DwarfInfo::arithmetic, as the dwarf's head comment counts them
  double items = 0;       ///< what the dwarf's users count: cells, edges, blocks, bytes, elements
};

/// The outcome of a comparison with the reference.
struct Check {
  bool ok = false;
  double max_error = 0;
  double tolerance = 0;
  std::string message;  ///< on failure: index, got, wanted
};

/// Where `--dump` writes. Implemented by the suite.
class DumpSink {
 public:
  virtual ~DumpSink() = default;
  using Shape = std::vector<std::size_t>;
  virtual void array(const std::string& name, std::span<const std::uint8_t> data, const Shape& shape) = 0;
  virtual void array(const std::string& name, std::span<const std::int32_t> data, const Shape& shape) = 0;
  virtual void array(const std::string& name, std::span<const std::uint32_t> data, const Shape& shape) = 0;
  virtual void array(const std::string& name, std::span<const std::int64_t> data, const Shape& shape) = 0;
  virtual void array(const std::string& name, std::span<const float> data, const Shape& shape) = 0;
  /// `content` is called only where the text is kept.
  virtual void text(const std::string& file_name, const std::function<std::string()>& content) = 0;
  /// A parameter for problem.json beyond the problem's own keys.
  virtual void note(const std::string& key, const Value& value) = 0;
};

/// The data of one problem, shared by all its points, with whatever reference results have been computed for
/// it.
class Input {
 public:
  virtual ~Input() = default;
};

/// A problem together with its data.
struct Loaded {
  Problem problem;
  std::shared_ptr<const Input> input;
};

/// One point, ready to run on a device: owns its buffers (through the workspace) and kernels.
/// Life: constructed by Dwarf::prepare, upload() once, then any number of { reset(), launch() },
/// download() and check().
class Case {
 public:
  virtual ~Case() = default;
  /// Host to device, all inputs; through Workspace::upload, so that it is timed.
  virtual void upload() = 0;
  /// Brings the device's data to the state before a launch. Outside the timed region; it enqueues and
  /// may return without waiting. By default it does nothing, because the launch does not change its inputs.
  virtual void reset() {}
  /// One whole execution. Enqueues all kernels through the launcher.
  virtual void launch(Launcher& launcher) = 0;
  /// Device to host, the results; through Workspace::download.
  virtual void download() = 0;
  /// Compares what was downloaded with the reference. Shares no code with the kernels.
  [[nodiscard]] virtual Check check() const = 0;
  [[nodiscard]] virtual std::vector<Work> work() const = 0;
  /// Inputs and downloaded results, by the names in results/README.md.
  virtual void dump(DumpSink& sink) const = 0;
};

/// The dwarf on the host's own cores: the CPU reference for the speedup over one thread and over all threads.
class HostCase {
 public:
  virtual ~HostCase() = default;
  virtual void reset() {}
  virtual void run() = 0;
  [[nodiscard]] virtual Check check() const = 0;
};

}  // namespace dwarfsweep
