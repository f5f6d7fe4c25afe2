// A search: it proposes points and receives their outcomes; it measures nothing itself.
//
// A driver (replay, or a tuner with a device) calls `next`, obtains the result, calls `tell`, and so on; all
// results go into the archive. The same space, seeds and results give the same proposals, so an interrupted
// search continues once it has received the known results again.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "suite/search/search_space.hpp"

namespace dwarfsweep {

/// What became of a point.
struct Evaluation {
  PointNumber point = 0;
  std::optional<double> time;  ///< or another objective, the less the better; none: the point failed
  const char* proposer = "";   ///< the strategy, or part of one, that asked for it
};

/// Everything that a search has asked for, with the results: all strategies of a search share it.
class Archive {
 public:
  void add(const Evaluation& evaluation) {
    if (!places_.emplace(evaluation.point, evaluations_.size()).second) return;
    evaluations_.push_back(evaluation);
    if (evaluation.time && *evaluation.time < best_time()) best_ = evaluations_.size() - 1;
  }

  [[nodiscard]] bool has(PointNumber point) const { return places_.count(point) > 0; }
  /// Of a point that the archive has. A failed point is slower than all others.
  [[nodiscard]] double time(PointNumber point) const {
    return evaluations_[places_.at(point)].time.value_or(std::numeric_limits<double>::infinity());
  }
  /// In the order in which they were asked for.
  [[nodiscard]] const std::vector<Evaluation>& evaluations() const { return evaluations_; }
  /// The best points, the fastest first; of equal ones the earlier. Failed ones are left out.
  [[nodiscard]] std::vector<PointNumber> fastest(std::size_t count) const;
  /// The fastest; none while nothing but failures is known.
  [[nodiscard]] const Evaluation* best() const { return best_ ? &evaluations_[*best_] : nullptr; }
  [[nodiscard]] double best_time() const {
    return best_ ? *evaluations_[*best_].time : std::numeric_limits<double>::infinity();
  }

 private:
  std::vector<Evaluation> evaluations_;
  std::unordered_map<PointNumber, std::size_t> places_;
  std::optional<std::size_t> best_;
};

/// What a search is about. The space outlives the strategy.
struct SearchTask {
  const SearchSpace& space;
  /// Legal points to begin with, such as the best known ones; the variants' defaults are added by those
  /// strategies that take any.
  std::vector<PointNumber> known = {};
  /// An estimate of how many points may be measured in all; some strategies behave differently near the end.
  /// A driver may correct it with set_evaluations.
  std::size_t evaluations = 0;
  std::uint64_t seed = 1;
  /// `carve` measures the points of a ControlSample in turn with its own: without a recorded space, only this
  /// shows what random search would have found.
  bool with_control = false;
};

struct Proposal {
  PointNumber point = 0;
  const char* proposer = "";  ///< for the log
};

/// Whether what a strategy proposes depends on results. If it does not, it is planned far ahead, so that all
/// builders have something to build.
enum class Planning { by_results, ahead };

class Strategy {
 public:
  explicit Strategy(SearchTask task, Planning planning = Planning::by_results)
      : task_(std::move(task)), planning_(planning) {}
  virtual ~Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;

  /// The next point to measure: legal, and without a result so far. Without one the search has ended: the
  /// space has no other legal point, or none that could be found.
  [[nodiscard]] std::optional<Proposal> next();
  /// What became of a point: of the one that `next` gave, or of any other.
  void tell(const Evaluation& evaluation);
  /// What `next` will probably give afterwards, at most `count` points, for building ahead.
  [[nodiscard]] virtual std::vector<PointNumber> upcoming(std::size_t count) const;

  void set_evaluations(std::size_t evaluations) { task_.evaluations = evaluations; }
  [[nodiscard]] const Archive& archive() const { return archive_; }

 protected:
  /// Plans what to propose next, by `enqueue`. The queue is empty, or, where a strategy plans ahead, short.
  /// Where nothing is enqueued, the search ends with the queue.
  virtual void plan() = 0;
  /// After a result has entered the archive.
  virtual void learn(const Evaluation& evaluation) { (void)evaluation; }

  /// Unless it is known or waits already. Returns whether it was taken.
  bool enqueue(PointNumber point, const char* proposer);
  /// A new legal point, every one equally likely. False if none was found.
  bool enqueue_drawn(Random& random);
  void drop_queue() { queue_.clear(); }
  [[nodiscard]] bool was_proposed(PointNumber point) const { return proposed_.count(point) > 0; }
  [[nodiscard]] bool is_new(PointNumber point) const;
  [[nodiscard]] const SearchTask& task() const { return task_; }
  [[nodiscard]] const SearchSpace& space() const { return task_.space; }
  [[nodiscard]] std::size_t evaluations_left() const;

 private:
  void fill_queue();

  SearchTask task_;
  Planning planning_;
  bool all_planned_ = false;  ///< ahead, to the end of the space
  Archive archive_;
  std::deque<Proposal> queue_;
  std::unordered_set<PointNumber> proposed_;
};

/// auto, random, exhaustive, local, genetic and carve.
const std::vector<std::string>& strategy_names();
/// Throws UsageError that lists the strategies if there is none of that name.
void require_strategy(const std::string& name);
/// Throws as `require_strategy`, and UsageError if `carve` finds no point with metrics.
std::unique_ptr<Strategy> make_strategy(const std::string& name, SearchTask task);

}  // namespace dwarfsweep
