// Which optimisation pays off: pairs of points that differ in one axis and nothing else.
//
// A context is what stays the same: device, dwarf, problem and the values of all other axes. Within one, the
// value of the baseline, or the smallest where that was not measured, is what the others are compared with.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "suite/report/html.hpp"
#include "suite/report/report.hpp"

namespace dwarfsweep {

struct MatchedPair {
  std::string axis, from, to;
  const MeasurementRow* before = nullptr;  ///< has `from`
  const MeasurementRow* after = nullptr;   ///< has `to`
  Speedup gain;  ///< time of `before` over time of `after`; above 1: the change helps
};

/// The axis by which whole variants are compared with the baseline, each with its own defaults: no matched
/// pair, since those may differ in other axes too.
inline constexpr const char* variant_with_defaults = "variant with its defaults";

/// What an axis does to a dwarf on a device.
struct AxisEffect {
  std::string dwarf, axis;
  std::size_t column = 0;
  /// For each context, the value that gains most. Its interval is not corrected for that choice.
  std::vector<MatchedPair> best_of_context;
  std::vector<MatchedPair> pairs;  ///< all of them

  [[nodiscard]] std::size_t contexts() const { return best_of_context.size(); }
  /// Contexts in which some value is faster by more than noise.
  [[nodiscard]] std::size_t helped() const;
  /// Contexts in which every other value is slower by more than noise.
  [[nodiscard]] std::size_t hurt() const;
};

/// Dwarf by dwarf in the order of the rows, of all devices.
std::vector<AxisEffect> axis_effects(const ReportData& data, bool with_transfers = true);

/// Those without the points of the plan `transfer`, which were taken because they were the best somewhere:
/// pairs among them are no sample of contexts. With them if there is nothing else.
std::vector<AxisEffect> shown_effects(const ReportData& data);

/// How much quicker `after` is than `before`, both points of one dwarf, problem and device. From rounds that
/// have both: what they share cancels. Else, as in two runs, from each point's own blocks; without samples
/// from the intervals of the rows. None where neither has a baseline.
std::optional<Speedup> gain_between(const ReportData& data, const MeasurementRow& before,
                                    const MeasurementRow& after);

/// Two changes, alone and together.
struct Interaction {
  std::string dwarf;
  std::size_t column = 0;
  std::string first, second;  ///< "unroll 1 to 4"
  const MeasurementRow* neither = nullptr;
  const MeasurementRow* both = nullptr;
  double product = 1;  ///< of the two gains alone
  double together = 1;
  Speedup excess;  ///< together over the product: above 1, they help each other
};

/// Where a plan has all four points, beginning with the baseline or the default of a variant; the largest of
/// each dwarf and device, at most `most` of each.
std::vector<Interaction> interactions(const ReportData& data, std::size_t most);

/// Round -> median of ln(baseline / point) over the pairs of its block.
using RoundGains = std::map<std::int64_t, double>;
RoundGains round_gains(const std::vector<ReportBlock>& blocks);

/// What a paper claims, and whether it holds on each device.
struct Claim {
  enum class Outcome { holds, fails, undecided, not_about_it };
  struct Verdict {
    Outcome outcome = Outcome::undecided;
    std::string evidence = {};  ///< counts and examples; where nothing was measured, what is missing
    std::string command = {};   ///< where nothing was measured: what would decide; empty: nothing here can
  };
  std::string text;
  std::string work;                    ///< the name of the work in results/published
  std::string rule;                    ///< how the verdicts follow from what was measured
  std::vector<Verdict> verdicts = {};  ///< by column
};
std::vector<Claim> check_claims(const ReportData& data, const std::vector<AxisEffect>& effects);
/// "holds", "does not hold", "undecided"; empty where the claim is about other devices.
const char* verdict_words(Claim::Outcome outcome);
Html claims_part(const ReportData& data, const std::vector<AxisEffect>& effects);
/// A line for each claim and device.
std::string claims_csv(const ReportData& data);

}  // namespace dwarfsweep
