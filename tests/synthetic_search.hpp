// A search on a device that does not exist: points whose true times are known, and noise that is the same
// whenever the same block of the same point is measured again.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/statistics/random.hpp"
#include "suite/search/recorded_space.hpp"
#include "suite/tune/search_loop.hpp"

namespace dwarfsweep::test {

/// What a killed search leaves behind is what it has written.
struct Killed : std::runtime_error {
  Killed() : std::runtime_error("killed") {}
};

class SyntheticSite : public SearchSite {
 public:
  /// `deviation`: of a sample's logarithm. `drift`: of the logarithm of a common factor, from one block to
  /// the next. The first row of the table is the baseline.
  SyntheticSite(const RecordedTable& table, double deviation, std::uint64_t seed, double drift = 0)
      : table_(table), space_(table), deviation_(deviation), drift_(drift), seed_(seed), random_(seed) {
    for (PointNumber number = 0; number < space_.numbers(); ++number) {
      if (space_.is_legal(number) && space_.values(number) == values_of(table.rows.front())) index_of(number);
    }
  }

  [[nodiscard]] const RecordedSpace& space() const { return space_; }
  [[nodiscard]] double true_time(std::size_t point) const { return *space_.time(points_[point].number); }
  [[nodiscard]] std::size_t samples() const { return samples_; }
  [[nodiscard]] std::size_t pairs_of(std::size_t point) const { return points_[point].pairs; }
  /// From now on the point fails.
  void break_down(std::size_t point) { points_[point].runs = false; }
  /// Throws Killed at that many calls from now.
  void kill_after(int calls) { calls_left_ = calls; }

  std::vector<EvaluationRecord> written = {};
  /// The true energy of a run; none: the device does not report it.
  std::function<double(const ValueMap&)> true_joules = {};

  std::optional<RunTimes> enter(std::size_t point) override {
    count_call();
    Point& entered = points_[point];
    entered.runs = space_.time(entered.number).has_value();
    if (!entered.runs) return std::nullopt;
    Random noise = noise_of(entered);
    return RunTimes{0, sample(point, noise)};
  }

  std::optional<double> joules(std::size_t point) override {
    if (!true_joules) return std::nullopt;
    Random noise = noise_of(points_[point]);
    return sample_joules(point, noise);
  }

  std::vector<PairTimes> measure(const Block& block) override {
    count_call();
    if (!runs(block.point) || !runs(block.reference)) return {};
    Random noise = noise_of(points_[block.point]);
    std::vector<PairTimes> pairs;
    for (int i = 0; i < block.pairs; ++i)
      pairs.push_back({{0, sample(block.reference, noise), sample_joules(block.reference, noise)},
                       {0, sample(block.point, noise), sample_joules(block.point, noise)}});
    points_[block.point].pairs += pairs.size();
    return pairs;
  }

  bool leave(std::size_t point) override { return points_[point].runs; }
  [[nodiscard]] bool runs(std::size_t point) const override { return points_[point].runs; }

  std::size_t index_of(PointNumber number) override {
    const auto found = std::find_if(points_.begin(), points_.end(),
                                    [&](const Point& each) { return each.number == number; });
    const auto index = static_cast<std::size_t>(found - points_.begin());
    if (found == points_.end()) points_.push_back({number});
    return index;
  }
  [[nodiscard]] std::optional<PointNumber> number_of(std::size_t index) const override {
    return points_[index].number;
  }
  std::size_t index_of(const std::string& config) override {
    for (PointNumber number = 0; number < space_.numbers(); ++number) {
      if (space_.values(number).to_string() == config) return index_of(number);
    }
    throw std::logic_error("no such point");
  }
  [[nodiscard]] std::string config_of(std::size_t index) const override {
    return space_.values(points_[index].number).to_string();
  }
  void write(std::size_t point, EvaluationRecord record) override {
    count_call();
    record.key.config = config_of(point);
    record.blocks = points_[point].blocks;
    record.seconds = seconds();
    written.push_back(std::move(record));
  }
  void expect(const std::vector<PointNumber>& points) override { expected += points.size(); }
  [[nodiscard]] double seconds() const override { return static_cast<double>(written.size()); }
  [[nodiscard]] double final_seconds(const Standings&) const override { return 2; }
  void show(std::size_t, std::size_t, const Standings&) override {}
  void restore(std::size_t point, const EvaluationRecord& record) override {
    points_[point].runs = record.time_ns.has_value();
    points_[point].blocks = record.blocks;
  }

  std::size_t expected = 0;

 private:
  struct Point {
    PointNumber number = 0;
    bool runs = false;
    std::int64_t blocks = 0;
    std::size_t pairs = 0;
  };

  ValueMap values_of(const RecordedTable::Row& row) const {
    ValueMap values;
    for (std::size_t i = 0; i < table_.parameters.size(); ++i)
      values = values.with(table_.parameters[i], row.values[i]);
    return values;
  }
  Random noise_of(Point& point) {
    level_ += drift_ * random_.normal();
    return Random(
        seed_of_part(seed_of_part(seed_, point.number), static_cast<std::uint64_t>(point.blocks++)));
  }
  double sample(std::size_t point, Random& noise) {
    ++samples_;
    const bool disturbed = noise.uniform01() < 0.02;
    return true_time(point) * std::exp(level_ + deviation_ * noise.normal()) * (disturbed ? 1.5 : 1);
  }
  double sample_joules(std::size_t point, Random& noise) {
    if (!true_joules) return 0;
    return true_joules(space_.values(points_[point].number)) * std::exp(deviation_ / 2 * noise.normal());
  }
  void count_call() {
    if (calls_left_ > 0 && --calls_left_ == 0) throw Killed();
  }

  RecordedTable table_;
  RecordedSpace space_;
  double deviation_;
  double drift_;
  std::uint64_t seed_;
  Random random_;
  double level_ = 0;
  std::vector<Point> points_;
  std::size_t samples_ = 0;
  int calls_left_ = 0;
};

/// Points 0, 1, ... with these times; none: the point fails.
inline RecordedTable table_of(const std::vector<std::optional<double>>& times) {
  RecordedTable table{"synthetic", {"point"}, {}};
  for (std::size_t i = 0; i < times.size(); ++i)
    table.rows.push_back({{Value(static_cast<std::int64_t>(i))}, times[i]});
  return table;
}

}  // namespace dwarfsweep::test
