// The configurations of each kind of plan. Each function adds them to `configs`, in the order of the plan.
#pragma once

#include <set>

#include "suite/plan/plan.hpp"

namespace dwarfsweep {

/// Collects configurations in order, each once.
class ConfigList {
 public:
  /// `check_for_stop`: as in PlanRequest.
  explicit ConfigList(const std::function<void()>& check_for_stop) : check_for_stop_(check_for_stop) {}

  void add(const Config& config) {
    check_for_stop_();
    if (seen_.insert(config.to_string()).second) list_.push_back(config);
  }
  [[nodiscard]] std::size_t count() const { return list_.size(); }
  /// Hands them over: a full product has millions, too many for a second copy.
  [[nodiscard]] std::vector<Config> take() {
    seen_.clear();
    return std::move(list_);
  }

 private:
  const std::function<void()>& check_for_stop_;
  std::vector<Config> list_;
  std::set<std::string> seen_;
};

/// What all kinds of plan start from.
struct PlanOrigin {
  const Dwarf& dwarf;
  const Problem& problem;
  const Capabilities& capabilities;
  const PlanRequest& request;
  Config config;  ///< the baseline with the fixed settings of `request`
};

/// Each axis varied from the origin; then each other variant at its default configuration, with the axes that
/// the origin's variant does not have.
void add_one_at_a_time(const PlanOrigin& origin, ConfigList& configs);
/// The product of all varied values. This and the drawn plans throw UsageError if the points would not fit
/// into the host's memory.
void add_full(const PlanOrigin& origin, ConfigList& configs);
/// Legal points of the whole space, every one equally likely. Fewer if no more are found.
void add_uniform(const PlanOrigin& origin, ConfigList& configs);
/// Legal points, each variant as likely as every other. Fewer if no more are found.
void add_stratified(const PlanOrigin& origin, ConfigList& configs);
/// The settings published for this problem; all published settings if the problem is of no published size.
void add_paper(const PlanOrigin& origin, ConfigList& configs);

/// Every variant's default configuration, and from there each axis by itself at its smallest and its largest
/// legal value; of an axis of strings, which has no order, at every legal one.
void add_corners(const PlanOrigin& origin, ConfigList& configs);

}  // namespace dwarfsweep
