// The published figures in results/published/*.csv, as rows. README.md there says what the columns mean.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/space/value.hpp"
#include "suite/output/table_model.hpp"

namespace dwarfsweep {

/// A published time, rate or speedup. Numbers are kept as they were printed; empty where the figure has none.
struct PublishedRow {
  std::string source, figure, device, dwarf, kernel, size;
  std::string optimisation, setting;  ///< the work's words: "Granularity", "2x coarsening"
  std::string reference;  ///< what the speedup is over: another setting, or "1 CPU thread" and the like
  Config changes;         ///< what the setting changes in our baseline: columns axis and value
  std::string time_ns, speedup;
  std::string rate, rate_unit;  ///< "46.49", "gflop_per_s"
};

constexpr const char* one_cpu_thread = "1 CPU thread";
constexpr const char* four_cpu_threads = "4 CPU threads";

/// All files of the folder, in the order of their names. Throws InputError.
std::vector<PublishedRow> read_published(const std::filesystem::path& folder);

/// Speedups over threads of the CPU, not over another setting.
bool is_over_threads(const PublishedRow& row);

/// The best of many settings that the paper does not name: it is compared with the best of ours.
bool is_best_of_search(const PublishedRow& row);

/// The row of the figure that `row`'s speedup is over; null where that is not a setting, or has no row.
const PublishedRow* find_reference(const std::vector<PublishedRow>& figure, const PublishedRow& row);

/// As printed, or of the printed times or rates. None for the reference itself, and where there are no
/// numbers.
std::optional<double> published_speedup(const std::vector<PublishedRow>& figure, const PublishedRow& row);

/// The rows by figure, dwarf, kernel and size, in the order of their first row.
std::vector<std::vector<PublishedRow>> group_by_figure(const std::vector<PublishedRow>& rows);

/// Is our table about the published size? "n=4096" is the problem "m=4096;n=4096;gap=10" if every value of it
/// is the same there. A figure that does not state its size is compared with the problems of size `paper`,
/// which we chose for it.
bool is_published_problem(const std::string& size, const SettingTable& ours);

struct OurSpeedup {
  double ratio = 0;     ///< above 1 is faster
  std::string verdict;  ///< of a paired comparison with our baseline; empty: a ratio of medians
};

/// Joins one figure's rows with our table of the same dwarf, kernel and problem.
class PublishedJoin {
 public:
  /// The figure and the table must outlive the join.
  PublishedJoin(const SettingTable& ours, const std::vector<PublishedRow>& figure);

  /// Ours of that setting and column; null where it was not part of the run.
  [[nodiscard]] const MeasurementRow* measurement(const PublishedRow& row, std::size_t column) const;

  /// None where there is nothing to compare with. Over threads of the CPU it is as published: the whole
  /// program with the transfers, a kernel alone.
  [[nodiscard]] std::optional<OurSpeedup> speedup(const PublishedRow& row, std::size_t column) const;

  /// Of a row over CPU threads: our time, with the transfers where the speedup has them. None where it was
  /// not measured.
  [[nodiscard]] static std::optional<double> time_over_threads(const PublishedRow& row,
                                                               const MeasurementRow& ours);

  /// Empty where the table has no baseline.
  [[nodiscard]] const Config& baseline() const { return baseline_; }

 private:
  /// Our setting of a published one; null where there is none.
  [[nodiscard]] const Setting* setting_of(const PublishedRow& row, std::size_t column) const;
  /// The setting with these changes of the baseline and no other; null if there is none. A row names every
  /// axis in which its setting differs, also those that only its variant has: it never stands next to a
  /// similar setting.
  [[nodiscard]] const Setting* find(const Config& changes) const;
  /// The setting that took least in that column of all that have these changes, whatever else they change.
  [[nodiscard]] const Setting* find_fastest(const Config& changes, std::size_t column) const;
  [[nodiscard]] bool has_changes(const Config& config, const Config& changes) const;
  [[nodiscard]] bool has_no_other_changes(const Config& config, const Config& changes) const;
  [[nodiscard]] std::optional<OurSpeedup> over_threads(const PublishedRow& row, std::size_t column) const;

  const SettingTable& ours_;
  const std::vector<PublishedRow>& figure_;
  Config baseline_;
};

}  // namespace dwarfsweep
