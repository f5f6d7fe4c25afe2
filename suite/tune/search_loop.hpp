// A search: a strategy proposes points, each is raced, and its outcome goes to the strategy and into the log,
// until the evaluations or the time are used up.
#pragma once

#include "suite/search/strategy.hpp"
#include "suite/tune/race.hpp"

namespace dwarfsweep {

/// Where a search takes place: its points, its log and its clock.
class SearchSite : public Candidates {
 public:
  /// The index of the space's point in the group, where it becomes the last one unless it is known.
  virtual std::size_t index_of(PointNumber point) = 0;
  [[nodiscard]] virtual std::optional<PointNumber> number_of(std::size_t index) const = 0;
  /// Completes the record by the point's key, the seconds and the costs, and writes it.
  virtual void write(std::size_t point, EvaluationRecord record) = 0;
  /// These will probably be asked for next: they may be built already.
  virtual void expect(const std::vector<PointNumber>& points) = 0;
  /// Spent on the search so far.
  [[nodiscard]] virtual double seconds() const = 0;
  /// What will be needed when the search is over.
  [[nodiscard]] virtual double final_seconds(const Standings& standings) const = 0;
  /// For the terminal.
  virtual void show(std::size_t evaluations, std::size_t planned, const Standings& standings) = 0;
  /// A record of the log belongs to the point again: that many blocks are used.
  virtual void restore(std::size_t point, const EvaluationRecord& record) = 0;
  /// The index of the point of that configuration, which is or becomes one of the group.
  virtual std::size_t index_of(const std::string& config) = 0;
  [[nodiscard]] virtual std::string config_of(std::size_t index) const = 0;
};

struct SearchLimits {
  std::size_t evaluations = 0;  ///< 0: no limit
  double seconds = 0;           ///< the finals included; 0: no limit
};

class SearchLoop {
 public:
  SearchLoop(SearchSite& site, Strategy& strategy, const RaceRules& rules)
      : site_(site), strategy_(strategy), rules_(rules) {
    // A second's energy is less noisy than a run's time.
    if (rules.objective != Objective::time) state_.noise = PairNoise(0.02);
  }

  /// Continues where a killed search stopped: asks the strategy again and reports the outcomes to it.
  /// Throws UsageError if it proposes other points than it did then, or if the records cannot be those of a
  /// search.
  void restore(const std::vector<EvaluationRecord>& records);
  /// The baseline first. Returns when a limit is reached, or the strategy has nothing more to propose.
  void run(const SearchLimits& limits);

  [[nodiscard]] RaceState& state() { return state_; }
  [[nodiscard]] std::size_t evaluations() const { return evaluations_; }

 private:
  void evaluate(std::size_t point, EvaluationRecord record, const char* proposer);
  void tell(std::size_t point, const std::optional<double>& value, const char* proposer);
  void restore(const EvaluationRecord& record);
  void restore_standing(std::size_t point, const EvaluationRecord& record);
  [[nodiscard]] bool is_over(const SearchLimits& limits) const;
  [[nodiscard]] double seconds_left(const SearchLimits& limits) const;
  /// How many evaluations there will be in all.
  [[nodiscard]] std::size_t planned(const SearchLimits& limits) const;

  SearchSite& site_;
  Strategy& strategy_;
  const RaceRules& rules_;
  RaceState state_;
  std::size_t evaluations_ = 0;  // without the baseline
  bool has_baseline_ = false;
};

}  // namespace dwarfsweep
