// The space as a search sees it: points are numbers, and a point's neighbours are the legal points near it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/space/value.hpp"
#include "harness/statistics/random.hpp"
#include "suite/search/carve_metrics.hpp"

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

/// Numbers by size, strings by the alphabet.
bool comes_before(const Value& left, const Value& right);

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

  /// What carving goes by; none where nothing was counted.
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

}  // namespace dwarfsweep
