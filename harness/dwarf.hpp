// What a dwarf is: information, sizes, a space, and cases to run. Dwarfs are stateless.
//
// Adding one: dwarfs/<name>.cpp that defines `const Dwarf& <name>_dwarf()`, kernels_cl/<name>.cl,
// tests/<name>_test.cpp, and the word in CMakeLists.txt's list of dwarfs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/launcher.hpp"
#include "harness/problem.hpp"
#include "harness/rounding.hpp"
#include "harness/space.hpp"
#include "harness/workspace.hpp"

namespace dwarfsweep {

/// What one launch of a case does, algorithmically: each input read once, each output written once. Per
/// kernel name as reported, and for "total".
struct Work {
  std::string kernel;
  double bytes = 0;
  double operations = 0;  ///< arithmetic or logic operations, as the dwarf's head comment counts them
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
  virtual void text(const std::string& file_name, const std::string& content) = 0;
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
  /// Brings the device's data to the state before a launch. Outside the timed region; enqueues, need not
  /// wait.
  virtual void reset() = 0;
  /// One whole run. Enqueues all kernels through the launcher.
  virtual void launch(Launcher& launcher) = 0;
  /// Device to host, the results; through Workspace::download.
  virtual void download() = 0;
  /// Compares what was downloaded with the reference. Shares no code with the kernels.
  [[nodiscard]] virtual Check check() const = 0;
  [[nodiscard]] virtual std::vector<Work> work() const = 0;
  /// Inputs and downloaded results, by the names in results/README.md.
  virtual void dump(DumpSink& sink) const = 0;
};

/// The dwarf on the host's own cores: the yardstick "one thread" and "all threads".
class HostCase {
 public:
  virtual ~HostCase() = default;
  virtual void reset() = 0;
  virtual void run() = 0;
  [[nodiscard]] virtual Check check() const = 0;
};

/// A published experiment: these sizes with these settings, no more and no less.
struct PaperSetting {
  std::string figure;  ///< source and figure, e.g. "thesis 6.2"
  ValueMap problem;
  ValueMap settings;  ///< over the baseline
};

struct DwarfInfo {
  std::string name;
  std::string title;                 ///< "LU decomposition without pivoting"
  std::string pattern;               ///< the class of dwarfs: "dense linear algebra"
  std::vector<std::string> kernels;  ///< names under which times are reported, in order of use
  std::string item;                  ///< what `items` counts: "cells"
  std::vector<ProblemKey> keys;
  std::vector<Size> sizes;    ///< tiny, small, medium, large, and paper (one or several)
  std::string input_formats;  ///< for --input; empty: takes no file
  /// Variants that leave out part of the baseline's result. They are measured and compared with it like any
  /// other, but never named the best.
  std::vector<std::string> partial_variants = {};
};

/// For dwarfs of many launches: their cases run them in batches (Launcher::batch), and the harness submits a
/// batch as this axis says. The kernels do not ask.
inline Axis submission_axis() {
  return {"submission",
          "queue: launches one by one; command_buffer: recorded and submitted as a whole, where the device "
          "has command buffers",
          {"queue", "command_buffer"},
          "queue"};
}

class Dwarf {
 public:
  virtual ~Dwarf() = default;
  [[nodiscard]] virtual const DwarfInfo& info() const = 0;
  [[nodiscard]] virtual const Space& space() const = 0;
  /// Random data from the seed, the same on every machine.
  [[nodiscard]] virtual std::shared_ptr<const Input> generate(const Problem& problem,
                                                              std::uint64_t seed) const = 0;
  /// Reads real data. `request` holds what the user set; sizes come from the files. Throws UsageError.
  [[nodiscard]] virtual Loaded load(const ValueMap& request, const std::vector<std::string>& files) const = 0;
  /// Builds kernels and allocates buffers. `loaded` is what generate or load of this dwarf gave. Throws
  /// PointFailure.
  [[nodiscard]] virtual std::unique_ptr<Case> prepare(Workspace& workspace, const Loaded& loaded,
                                                      const Config& config) const = 0;
  /// On `threads` threads (1: serial).
  [[nodiscard]] virtual std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const = 0;
  [[nodiscard]] virtual std::vector<PaperSetting> paper_settings() const = 0;
};

}  // namespace dwarfsweep
