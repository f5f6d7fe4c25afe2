#include "suite/record/speedup_row.hpp"

#include <algorithm>
#include <vector>

#include "harness/statistics/quantile.hpp"

namespace dwarfsweep {
namespace {

// "within noise" -> "within_noise", as in the files.
std::string verdict_text(Verdict verdict) {
  std::string text(to_string(verdict));
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

}  // namespace

SpeedupRow add_speedup_columns(MeasurementRow& row, const Speedup& speedup, const KernelSamples& samples,
                               const std::string& baseline_config) {
  row.speedup = speedup.ratio;
  row.speedup_low = speedup.low;
  row.speedup_high = speedup.high;
  row.verdict = verdict_text(speedup.verdict);

  SpeedupRow paired;
  static_cast<RowIdentity&>(paired) = row;
  paired.speedup = row.speedup;
  paired.speedup_low = row.speedup_low;
  paired.speedup_high = row.speedup_high;
  paired.verdict = row.verdict;
  paired.pairs = static_cast<std::int64_t>(samples.pair_count());
  paired.baseline_config = baseline_config;
  std::vector<double> baseline_ns;
  std::vector<double> variant_ns;
  for (const auto& block : samples.pairs) {
    paired.blocks += block.empty() ? 0 : 1;
    for (const SamplePair& pair : block) {
      baseline_ns.push_back(pair.baseline_ns);
      variant_ns.push_back(pair.variant_ns);
    }
  }
  paired.baseline_median_ns = median(baseline_ns);
  paired.variant_median_ns = median(variant_ns);
  return paired;
}

}  // namespace dwarfsweep
