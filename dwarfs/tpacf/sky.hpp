// The points of tpacf, the edges of its bins, and the check of the counts.
//
// Edge k of the bins is the angle min (max / min)^(k / bins). Slot s of a histogram counts the pairs that are
// beyond exactly s of the bins + 1 edges: slot 0 is closer than all bins, slot k + 1 is bin k, and the last
// slot is beyond all bins.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "harness/run/case.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::tpacf {

/// A unit vector; `unused` pads it to 16 bytes.
struct SkyPoint {
  float x = 0, y = 0, z = 0, unused = 0;
};

/// Edges in single precision, in two forms that do not round each other: distance = 1 - cosine exactly.
struct Edges {
  std::vector<double> angles;    ///< in radians, ascending
  std::vector<float> distances;  ///< 1 - cosine, ascending
  [[nodiscard]] float cosine(std::size_t k) const { return 1 - distances[k]; }
};
/// Throws UsageError unless min < max.
Edges edges_of(const Problem& problem);

/// DD, DR, RR.
constexpr std::size_t kinds = 3;

struct Sky {
  std::int64_t points = 0;  ///< of the data and of each random set
  std::int64_t sets = 0;    ///< random sets
  Edges edges;
  std::vector<SkyPoint> all;  ///< the data, then each random set

  [[nodiscard]] std::size_t slots() const { return edges.distances.size() + 1; }
  [[nodiscard]] std::size_t bins() const { return edges.distances.size() - 1; }
  [[nodiscard]] const SkyPoint* set(std::int64_t number) const { return all.data() + number * points; }
  /// All pairs of a kind.
  [[nodiscard]] std::int64_t pairs(std::size_t kind) const;
};

/// Counts of kinds x slots.
using Counts = std::vector<std::int64_t>;

/// The two sets of pair number `pair`: 0 is the data with itself, 1 to `sets` a random set with itself, then
/// each random set with the data.
struct SetPair {
  std::int64_t one = 0, other = 0;
  std::size_t kind = 0;
  [[nodiscard]] bool self() const { return one == other; }
};
SetPair set_pair(const Sky& sky, std::int64_t pair);

/// Landy and Szalay's estimate for each bin; NaN where no pair of random points is in it.
std::vector<double> correlation(const Sky& sky, const Counts& counts);

/// For each kind and edge, how many pairs are beyond it: surely, and at most.
struct Bounds {
  std::vector<std::int64_t> surely, at_most;
};
Bounds bounds_of(const Sky& sky);

/// That the counts are within the bounds, and that no pair is lost or counted twice.
Check check_counts(const Sky& sky, const Bounds& bounds, const Counts& counts);

class SkyInput final : public Input {
 public:
  explicit SkyInput(Sky sky) : sky_(std::move(sky)) {}

  [[nodiscard]] const Sky& sky() const { return sky_; }
  [[nodiscard]] Check check(const Counts& counts) const {
    std::call_once(bounded_, [this] { bounds_ = bounds_of(sky_); });
    return check_counts(sky_, bounds_, counts);
  }

 private:
  Sky sky_;
  mutable std::once_flag bounded_;
  mutable Bounds bounds_;
};

/// Uniform random sets, and data half of which is in clusters. Throws PointFailure.
std::shared_ptr<const SkyInput> generate_sky(const Problem& problem, std::uint64_t seed);

/// Reads the data, and random sets from further files; if there are none, they are generated. Throws
/// UsageError, InputError.
Loaded load_sky(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files);

}  // namespace dwarfsweep::tpacf
