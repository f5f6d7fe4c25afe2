// What a dwarf is: information, sizes, a space, and cases to run. Dwarfs are stateless.
//
// Adding one: dwarfs/<name>/<name>.cpp that defines `const Dwarf& <name>_dwarf()`,
// kernels_cl/<name>/<name>.cl, tests/dwarfs/<name>_test.cpp, and the name in CMakeLists.txt's list of dwarfs.
// README.md shows the smallest.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/run/case.hpp"
#include "harness/run/launcher.hpp"
#include "harness/run/setup.hpp"
#include "harness/run/workspace.hpp"
#include "harness/space/problem.hpp"
#include "harness/space/rounding.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep {

/// A published experiment: these sizes with these settings, no more and no less.
struct PaperSetting {
  std::string figure;  ///< source and figure, e.g. "thesis 6.2"
  ValueMap problem;
  ValueMap settings;  ///< over the baseline
};

/// What the property tests (tests/property) have to know to draw random problems, beside the ranges of the
/// problem's keys. They bound the product of all integer keys, which is taken for the problem's size.
struct RandomProblems {
  /// Integer keys that are no sizes, or sizes with more work than so many elements: these are drawn up to the
  /// value given here, and the product is that of the others.
  ValueMap maxima = {};
  /// Makes values legal that were drawn independently of each other, and leaves legal ones as they are;
  /// empty: all are legal.
  std::function<ValueMap(const ValueMap&)> fit = {};
};

/// What the checks over all dwarfs use; printed by `list --json`.
struct CheckData {
  std::vector<ValueMap> odd_problems;          ///< small and odd; every variant solves each of them
  std::vector<ValueMap> refused_problems;      ///< beyond any machine: refused in a sentence with numbers
  std::vector<ValueMap> large_problems;        ///< about a gigabyte: refused where the host has less memory
  std::vector<ValueMap> single_item_settings;  ///< run where a work-group has at most one work-item
  std::vector<ValueMap> small_local_settings;  ///< run where a work-group has 8 KiB of local memory
  std::vector<std::string> results;            ///< what of `--dump` is a result; all else is input
  RandomProblems random_problems = {};         ///< not printed
};

/// The kind of operation that a dwarf counts. Each has a peak rate of its own (harness/peaks/peaks.hpp), and
/// a dwarf's operations are compared with that of their kind alone.
enum class Arithmetic {
  floating,  ///< single precision; a multiply-add is two operations
  integer,   ///< 32-bit additions, comparisons, maxima
  logic,     ///< bitwise operations of two operands on 32-bit words
};

/// "float", "integer" or "logic".
std::string_view to_string(Arithmetic arithmetic);

/// What a run of a good variant asks of a device, roughly: for the choice of a size.
struct Demand {
  double working_set_bytes = 0;  ///< data that is read or written
  double bytes = 0;              ///< what memory moves at least
  double operations = 0;
  double launches = 1;
};

struct DwarfInfo {
  std::string name;
  std::string title;                             ///< "LU decomposition without pivoting"
  std::string pattern;                           ///< the class of dwarfs: "dense linear algebra"
  std::vector<std::string> kernels;              ///< names under which times are reported, in order of use
  std::string item;                              ///< what `items` counts: "cells"
  Arithmetic arithmetic = Arithmetic::floating;  ///< what `operations` counts
  std::vector<ProblemKey> keys;
  std::vector<Size> sizes;    ///< tiny, small, medium, large, and paper (one or several)
  std::string input_formats;  ///< for --input; empty: takes no file
  /// Variants that leave out part of the baseline's result. They are measured and compared with it like any
  /// other, but never named the best.
  std::vector<std::string> partial_variants = {};
  /// By the problem. Without it the size `auto` is `small`.
  std::function<Demand(const Problem&)> demand = {};
  /// Settings, the variant among them, to begin with on such a device where no point is known that was
  /// measured on a device of the same type for such a problem.
  std::function<ValueMap(const Problem&, const Capabilities&)> first_choice = {};
  CheckData checks = {};
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
  Dwarf(DwarfInfo info, Space space) : info_(std::move(info)), space_(std::move(space)) {}
  Dwarf(const Dwarf&) = delete;
  Dwarf& operator=(const Dwarf&) = delete;
  virtual ~Dwarf() = default;

  [[nodiscard]] const DwarfInfo& info() const { return info_; }
  [[nodiscard]] const Space& space() const { return space_; }
  /// Random data from the seed, the same on every machine.
  [[nodiscard]] virtual std::shared_ptr<const Input> generate(const Problem& problem,
                                                              std::uint64_t seed) const = 0;
  /// Reads real data. `request` holds what the user set; sizes come from the files. Throws UsageError. By
  /// default the dwarf takes no files.
  [[nodiscard]] virtual Loaded load(const ValueMap& request, const std::vector<std::string>& files) const;
  /// Builds kernels and allocates buffers. `loaded` is what generate or load of this dwarf gave. Throws
  /// PointFailure.
  [[nodiscard]] std::unique_ptr<Case> prepare(Workspace& workspace, const Loaded& loaded,
                                              const Config& config) const;
  /// On `threads` threads (1: serial); null where the dwarf has no version for the host, as by default.
  [[nodiscard]] virtual std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const;
  /// The published settings; none by default.
  [[nodiscard]] virtual std::vector<PaperSetting> paper_settings() const { return {}; }

 protected:
  [[nodiscard]] virtual std::unique_ptr<Case> make_case(const Setup& setup) const = 0;

 private:
  DwarfInfo info_;
  Space space_;
};

}  // namespace dwarfsweep
