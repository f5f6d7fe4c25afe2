// The search of one group on its device, from its log to its answer.
#pragma once

#include <chrono>

#include "suite/tune/carving.hpp"
#include "suite/tune/device_candidates.hpp"
#include "suite/tune/finals.hpp"
#include "suite/tune/search_group.hpp"
#include "suite/tune/search_loop.hpp"

namespace dwarfsweep {

/// What one search may use.
struct SearchShare {
  std::size_t evaluations = 0;        ///< 0: no limit
  std::chrono::milliseconds time{0};  ///< in this sitting; 0: no limit
  bool extends = false;               ///< a search that has ended continues if it has not used this up
};

class DeviceSearch : private SearchSite {
 public:
  /// `client`: of the group's device, which is open.
  DeviceSearch(SweepContext& context, BuildAhead& builds, DeviceClient& client, SearchGroup& searched,
               const SearchShare& share);

  /// Continues where the log ends. Throws Interrupted, and UsageError if the log is of another search.
  void run();

 private:
  using Clock = std::chrono::steady_clock;

  void begin_or_resume();
  void enter_phase(const std::string& phase);
  [[nodiscard]] SearchTask task() const;
  void find_answer(SearchLoop& loop);
  /// Of the baseline and the best point, if the device reports it.
  void measure_energies(const FinalResult& result);
  void write_answer(const FinalResult& result, const std::vector<FrontMember>& front,
                    std::size_t evaluations);
  [[nodiscard]] Evaluated evaluated_points() const;
  [[nodiscard]] std::optional<double> joules_of(std::size_t point) const;
  [[nodiscard]] double share_seconds() const;
  [[nodiscard]] double median_ns(std::size_t point) const;

  std::optional<RunTimes> enter(std::size_t point) override { return candidates_.enter(point); }
  std::optional<double> joules(std::size_t point) override { return candidates_.joules(point); }
  std::vector<PairTimes> measure(const Block& block) override { return candidates_.measure(block); }
  bool leave(std::size_t point) override { return candidates_.leave(point); }
  [[nodiscard]] bool runs(std::size_t point) const override { return candidates_.runs(point); }
  std::size_t index_of(PointNumber point) override;
  [[nodiscard]] std::optional<PointNumber> number_of(std::size_t index) const override;
  std::size_t index_of(const std::string& config) override;
  [[nodiscard]] std::string config_of(std::size_t index) const override;
  void write(std::size_t point, EvaluationRecord record) override;
  void expect(const std::vector<PointNumber>& points) override;
  [[nodiscard]] double seconds() const override;
  [[nodiscard]] double final_seconds(const Standings& standings) const override;
  void show(std::size_t evaluations, std::size_t planned, const Standings& standings) override;
  void restore(std::size_t point, const EvaluationRecord& record) override;

  SweepContext& context_;
  BuildAhead& builds_;
  SweepLog& log_;
  SearchGroup& searched_;
  SearchShare share_;
  Objective objective_;
  DeviceCandidates candidates_;
  SearchRecord search_;  // as last logged
  Clock::time_point begin_ = Clock::now();
  double seconds_before_ = 0;   // in earlier sittings
  double prepare_seconds_ = 0;  // the longest that building and verifying a contender has taken
};

}  // namespace dwarfsweep
