// What a dwarf says of itself: names, problem, sizes, the work of a run, where to begin. Plans, tables and
// reports need no more of a dwarf than this and its space, and no OpenCL. harness/run/dwarf.hpp runs it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/space/check_data.hpp"
#include "harness/space/problem.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep {

/// A published experiment: these sizes with these settings, no more and no less.
struct PaperSetting {
  PaperSetting(std::string_view published, ValueMap published_problem, ValueMap published_settings);
  PaperSetting(const PaperSetting&);
  PaperSetting(PaperSetting&&) noexcept;
  PaperSetting& operator=(const PaperSetting&);
  PaperSetting& operator=(PaperSetting&&) noexcept;
  ~PaperSetting();

  std::string figure;  ///< source and figure, e.g. "thesis 6.2"
  ValueMap problem;
  ValueMap settings;  ///< over the baseline
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
  DwarfInfo();
  DwarfInfo(const DwarfInfo&);
  DwarfInfo(DwarfInfo&&) noexcept;
  DwarfInfo& operator=(const DwarfInfo&);
  DwarfInfo& operator=(DwarfInfo&&) noexcept;
  ~DwarfInfo();

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
  /// Settings, the variant among them, to begin with on a device if no point is known that was measured on a
  /// device of the same type for such a problem.
  std::function<ValueMap(const Problem&, const Capabilities&)> first_choice = {};
  CheckData checks = {};
};

/// For dwarfs of many launches: their cases run them in batches (Launcher::batch), and the harness submits a
/// batch as this axis says. The kernels do not ask.
Axis submission_axis();

}  // namespace dwarfsweep
