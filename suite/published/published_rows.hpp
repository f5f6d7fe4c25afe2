// The published figures in results/published/*.csv, as rows. README.md there says what the columns mean.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/space/value.hpp"

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

/// The best of many settings, which the work does not name: the best of ours stands beside it.
bool is_best_of_search(const PublishedRow& row);

/// The row of the figure that `row`'s speedup is over; null where that is not a setting, or has no row.
const PublishedRow* find_reference(const std::vector<PublishedRow>& figure, const PublishedRow& row);

/// As printed, or of the printed times or rates. None for the reference itself, and where there are no
/// numbers.
std::optional<double> published_speedup(const std::vector<PublishedRow>& figure, const PublishedRow& row);

/// The rows by figure, dwarf, kernel and size, in the order of their first row.
std::vector<std::vector<PublishedRow>> group_by_figure(const std::vector<PublishedRow>& rows);

}  // namespace dwarfsweep
