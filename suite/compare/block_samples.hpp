// The measurement blocks of a run by which its points are compared with those of another.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "suite/record/run_rows.hpp"

namespace dwarfsweep {

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

}  // namespace dwarfsweep
