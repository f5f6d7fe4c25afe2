// The two sides of a comparison: each a run, or one device of a run, with its points by names that both
// share.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "suite/record/run_rows.hpp"

namespace dwarfsweep {

/// Names the points of one run so that the same point of another run has the same name. An axis that the
/// dwarf got only after one of the runs was made is left out of the name where it has the value that is the
/// most frequent for the variant: with that value the point is the one that the other run knows without the
/// axis.
class PointNames {
 public:
  PointNames(const RunData& run, const RunData& other);

  /// `device_id` is that of the old run.
  [[nodiscard]] std::string name(RowIdentity row, const std::string& device_id) const;

  /// Axes that the other run does not know: "sync of srad".
  [[nodiscard]] const std::set<std::string>& unknown_axes() const { return unknown_axes_; }

 private:
  std::map<std::string, std::string> usual_values_;  // by dwarf, variant and axis
  std::set<std::string> unknown_axes_;
};

struct ComparedDevice {
  std::string name, driver, host;
};

/// By device id.
std::map<std::string, ComparedDevice> devices_of(const RunData& run);

/// Device id of the new run -> device id of the old run: by id, else by a name that no other device has, else
/// the only one where both runs have one device.
std::map<std::string, std::string> match_devices(const std::map<std::string, ComparedDevice>& before,
                                                 const std::map<std::string, ComparedDevice>& after);

/// The natural logarithms of a point's block medians, in the order in which they were taken.
struct PointBlocks {
  std::vector<double> logs;
  std::vector<std::int64_t> rounds;  ///< of each
};

/// The name of a sample's point; empty: it is not compared.
using NameOf = std::function<std::string(const SampleRow&)>;

/// The times of whole runs, by name of the point. A best candidate that was re-measured has its fresh blocks
/// alone: those by which it was chosen are biased in its favour, and would make it seem slower in every later
/// run. Of a run of several parts the last one that has the point counts.
std::map<std::string, PointBlocks> blocks_of(const std::vector<SampleRow>& samples, const NameOf& name_of);

/// By how much correlation between successive blocks raises the variance of a median of block medians: 1 +
/// 2 (r_1 + r_2 + ...), with r_k the correlation of signs about the point's median, k blocks apart. That is
/// the factor for a median (it depends on the series through these signs alone: Sen, "On the properties of
/// U-statistics when the observations are not independent", 1963; for the sample median Gastwirth and Rubin,
/// "The behavior of robust estimators on dependent data", Annals of Statistics 3, 1975). One point has far
/// too few blocks for an estimate, and so all points of the run are pooled; signs have no scale, so that
/// noisy points weigh no more than quiet ones. The sum ends before the first r_k that is not positive (Geyer,
/// "Practical Markov chain Monte Carlo", Statistical Science 7, 1992), and at a quarter of the blocks. At
/// least 1, and 1 where there is too little to estimate it from.
double variance_inflation(const std::vector<const std::vector<double>*>& points);

/// One of the two sides.
struct ComparedSide {
  /// `ids`: id of a device of this run -> its id on both sides. Rows of other devices are left out.
  ComparedSide(const RunData& own, const RunData& other, std::map<std::string, std::string> ids);

  const RunData& run;
  PointNames names;
  std::map<std::string, ComparedDevice> devices;  ///< by id in this run
  std::map<std::string, std::string> ids;
  std::map<std::string, const MeasurementRow*> rows;  ///< the last part's, by name of the point
  std::map<std::string, PointBlocks> blocks;          ///< by name of the point
  std::map<std::string, double> inflations;           ///< see variance_inflation; by id on both sides

  /// The name of the row's point; empty where its device is on this side alone.
  [[nodiscard]] std::string name(const RowIdentity& row) const;
};

/// The names of those points of this side that are baselines or re-measured best candidates: of the latter
/// all count, because the fastest of them is again chosen by its samples.
std::set<std::string> best_names(const ComparedSide& side);

}  // namespace dwarfsweep
