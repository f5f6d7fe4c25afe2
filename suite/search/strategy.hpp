// A search: it proposes points, is told what became of them, and measures nothing itself.
//
// A driver (replay, or a tuner with a device) asks for `next`, finds out, calls `tell`, and so on; what is
// told goes into the archive. The same space, seeds and results give the same proposals: an interrupted
// search goes on by being told again what is known already.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "suite/search/archive.hpp"
#include "suite/search/search_space.hpp"

namespace dwarfsweep {

/// What a search is about. The space outlives the strategy.
struct SearchTask {
  const SearchSpace& space;
  /// Legal points to begin with, such as the best known ones; the variants' defaults are added by those
  /// strategies that take any.
  std::vector<PointNumber> known = {};
  /// How many points may be measured in all, as far as can be told; some strategies end otherwise than they
  /// go on. A driver may correct it with set_evaluations.
  std::size_t evaluations = 0;
  std::uint64_t seed = 1;
  /// `carve` measures the points of a ControlSample in turn with its own: where no recorded space tells what
  /// random search would have found, that is how it is found out.
  bool with_control = false;
};

struct Proposal {
  PointNumber point = 0;
  const char* proposer = "";  ///< for the log
};

/// Whether what a strategy proposes depends on results. Where it does not, it is planned far ahead, so that
/// all builders have something to build.
enum class Planning { by_results, ahead };

class Strategy {
 public:
  explicit Strategy(SearchTask task, Planning planning = Planning::by_results)
      : task_(std::move(task)), planning_(planning) {}
  virtual ~Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;

  /// The next point to measure: legal, and none that was told already. Without one the search has ended: the
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
/// Throws UsageError listing the strategies where there is none of that name.
void require_strategy(const std::string& name);
/// Throws UsageError listing the strategies where there is none of that name.
std::unique_ptr<Strategy> make_strategy(const std::string& name, SearchTask task);

}  // namespace dwarfsweep
