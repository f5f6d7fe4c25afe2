// The space as a search sees it: points are numbers, and a point's neighbours are the legal points near it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/space/space.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep {

/// A point as a mixed-radix number: the parts of the space one after the other, and within a part one digit
/// for each axis, the last axis counting fastest. From 0 to SearchSpace::numbers() - 1, illegal points
/// included.
using PointNumber = std::uint64_t;

/// One axis of a part.
struct SearchAxis {
  std::string name;
  std::vector<Value> values;  ///< numbers in ascending order; strings in any
  bool ordered = false;       ///< numbers, so that there is a next one: a step has a meaning
};

/// The points of one variant: the axes that mean something in it. A space without variants is one part.
struct SpacePart {
  std::vector<SearchAxis> axes;
  ValueMap fixed = {};                            ///< what all its points have in common
  std::optional<PointNumber> default_point = {};  ///< its default configuration, where it has one
  PointNumber first = 0;                          ///< number of its first point
  PointNumber count = 0;                          ///< product of its axes
};

/// A point taken apart: the index of its part, and of the value of each of the part's axes.
struct Coordinates {
  std::size_t part = 0;
  std::vector<std::uint32_t> digits = {};
};

/// A point's two metrics for optimisation carving (carve.hpp), the more the better.
struct CarveMetrics {
  double efficiency = 0;
  std::optional<double> utilisation;  ///< none where registers are unknown, and on CPUs
};

/// Numbers by size, strings by the alphabet.
bool comes_before(const Value& left, const Value& right);
/// Sorts the values, each once.
SearchAxis make_axis(const std::string& name, std::vector<Value> values);

class SearchSpace {
 public:
  virtual ~SearchSpace() = default;
  SearchSpace(const SearchSpace&) = delete;
  SearchSpace(SearchSpace&&) = default;
  SearchSpace& operator=(const SearchSpace&) = delete;

  [[nodiscard]] virtual bool is_legal(PointNumber point) const = 0;
  /// One draw, none where it hits an illegal point: repeated, it gives every legal point with equal
  /// probability. A number is drawn, which takes a variant in proportion to the product of its axes, and then
  /// each value of each axis with equal probability.
  [[nodiscard]] virtual std::optional<PointNumber> try_draw(Random& random) const;
  /// The first legal point from `first` on, of at most `max_scan` numbers.
  [[nodiscard]] virtual std::optional<PointNumber> next_legal(PointNumber first,
                                                              std::uint64_t max_scan) const;

  /// None if nothing was counted of the point.
  [[nodiscard]] virtual std::optional<CarveMetrics> carve_metrics(PointNumber point) const {
    (void)point;
    return std::nullopt;
  }

  [[nodiscard]] const std::vector<SpacePart>& parts() const { return parts_; }
  /// How many numbers there are: legal points and others.
  [[nodiscard]] PointNumber numbers() const { return numbers_; }
  [[nodiscard]] Coordinates coordinates(PointNumber point) const;
  [[nodiscard]] PointNumber number(const Coordinates& coordinates) const;
  /// Axis -> value, what is fixed included.
  [[nodiscard]] ValueMap values(PointNumber point) const;

 protected:
  /// Throws UsageError where the parts have more than 2^63 points.
  explicit SearchSpace(std::vector<SpacePart> parts);
  void set_default(std::size_t part, PointNumber point) { parts_[part].default_point = point; }

 private:
  std::vector<SpacePart> parts_;
  PointNumber numbers_ = 0;
};

/// A variant that is searched: its default configuration, fixed settings included, and the axes that vary in
/// it, with the values they take.
struct SearchedVariant {
  Config default_config;
  std::vector<Axis> axes;
};

/// A dwarf's space on one device, for one problem: one part for each variant. What is referred to outlives
/// the space. Throws UsageError if there are more than 2^63 points.
class DwarfSpace : public SearchSpace {
 public:
  DwarfSpace(const Space& space, const Problem& problem, const Capabilities& device,
             const std::vector<SearchedVariant>& variants);

  /// Lets the points of the other `count` - 1 shards be illegal; `index` from 1. Points are dealt out by the
  /// hash of their numbers, so that no value of an axis is in one shard alone.
  void keep_shard(int index, int count);

  /// Of the points that were counted.
  void set_metrics(std::map<PointNumber, CarveMetrics> metrics) { metrics_ = std::move(metrics); }
  [[nodiscard]] std::optional<CarveMetrics> carve_metrics(PointNumber point) const override;

  [[nodiscard]] bool is_legal(PointNumber point) const override;
  [[nodiscard]] Config config(PointNumber point) const { return values(point); }
  /// The point of that configuration; none where it is not in the space. It may be illegal.
  [[nodiscard]] std::optional<PointNumber> find(const Config& config) const;

 private:
  const Space& space_;
  const Problem& problem_;
  const Capabilities& device_;
  std::uint64_t shard_ = 0;  // from 0
  std::uint64_t shards_ = 1;
  std::map<PointNumber, CarveMetrics> metrics_;
};

/// The smallest change of one axis: to the next value, up or down, of an ordered axis; to any other value of
/// an unordered one. Symmetric: a neighbour's neighbours contain the point.
std::vector<PointNumber> step_neighbours(const SearchSpace& space, PointNumber point);

/// Any other value of one axis. Symmetric.
std::vector<PointNumber> axis_neighbours(const SearchSpace& space, PointNumber point);

/// Two axes changed together, by a step each, where one of the changes alone is not legal: what a constraint
/// that reads both axes takes for a single move, such as a wider tile of a smaller group. Which axes a
/// constraint reads is found by trying, and so the same for a dwarf's space as for a recorded one, whose
/// constraints nobody knows. Symmetric up to which of the changes alone is legal.
std::vector<PointNumber> pair_neighbours(const SearchSpace& space, PointNumber point);

/// The default configuration of every other variant.
std::vector<PointNumber> variant_neighbours(const SearchSpace& space, PointNumber point);

using IsNew = std::function<bool(PointNumber)>;

/// A new legal point, every one equally likely. If they have become rare, the next one after a random number,
/// which is not quite uniform; none if that finds nothing either.
std::optional<PointNumber> draw_new(const SearchSpace& space, const IsNew& is_new, Random& random);

}  // namespace dwarfsweep
