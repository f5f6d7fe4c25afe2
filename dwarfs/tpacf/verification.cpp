// The check of the counts. Shares no code with the kernels or with the host version: every pair is compared
// in double precision with both ends of the interval in which rounding may move an edge.
//
// Bound. u = 2^-24. Points are floats, and their product in double precision is exact as far as u is
// concerned. A device rounds x x' + y y' + z z', or 1 less that, or a multiple of 1 less that:
// - Products: each by at most u of it. Their magnitudes sum to at most 1 (+ 4 u), so by at most u in all.
// - Three sums: each is at most 2 (but for rounding), where single precision rounds by at most u. So 3 u.
// - A sum just above 2, because points are rounded: by 2 u. So u more.
// That is 5 u, with or without fused multiply-add; 2^-8 of it covers what is of higher order. At least as
// many pairs are beyond an edge as are beyond it by more than 5 u, and at most as many as are not nearer than
// the edge by more than 5 u.
#include "dwarfs/tpacf/sky.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dwarfs/x86_levels.hpp"

namespace dwarfsweep::tpacf {
namespace {

constexpr double margin = 5 * 0x1p-24 * (1 + 0x1p-8);
constexpr std::int64_t strip = 512;
constexpr const char* names[kinds] = {"dd", "dr", "rr"};

// Adds to each count how many of the distances of `a` and the partners are beyond the threshold.
FOR_EACH_X86_LEVEL void add_partners(const SkyPoint& a, const double* x, const double* y, const double* z,
                                     std::int64_t count, const double* thresholds,
                                     std::size_t thresholds_count, std::int64_t* counts) {
  double distances[strip];
  for (std::int64_t j = 0; j < count; ++j) distances[j] = 1 - (a.x * x[j] + a.y * y[j] + a.z * z[j]);
  for (std::size_t t = 0; t < thresholds_count; ++t) {
    std::int64_t beyond = 0;
    for (std::int64_t j = 0; j < count; ++j) beyond += distances[j] > thresholds[t] ? 1 : 0;
    counts[t] += beyond;
  }
}

// The set's coordinates, each by itself.
struct Coordinates {
  std::vector<double> x, y, z;
};

Coordinates coordinates_of(const SkyPoint* points, std::int64_t count) {
  Coordinates result;
  for (std::int64_t i = 0; i < count; ++i) {
    result.x.push_back(points[i].x);
    result.y.push_back(points[i].y);
    result.z.push_back(points[i].z);
  }
  return result;
}

}  // namespace

Bounds bounds_of(const Sky& sky) {
  const std::size_t edges = sky.edges.distances.size();
  std::vector<double> thresholds;
  for (const double sign : {1.0, -1.0})
    for (const float edge : sky.edges.distances) thresholds.push_back(edge + sign * margin);
  std::vector<std::int64_t> counts(kinds * thresholds.size(), 0);
  const std::int64_t strips = (sky.points + strip - 1) / strip;
#pragma omp parallel
  {
    std::vector<std::int64_t> own(counts.size(), 0);
#pragma omp for schedule(dynamic) nowait
    for (std::int64_t work = 0; work < (2 * sky.sets + 1) * strips; ++work) {
      const SetPair pair = set_pair(sky, work / strips);
      const std::int64_t begin = work % strips * strip;
      const std::int64_t end = std::min(begin + strip, sky.points);
      const Coordinates partners = coordinates_of(sky.set(pair.other) + begin, end - begin);
      for (std::int64_t i = 0; i < (pair.self() ? end : sky.points); ++i) {
        const std::int64_t from = pair.self() ? std::max<std::int64_t>(0, i + 1 - begin) : 0;
        add_partners(sky.set(pair.one)[i], partners.x.data() + from, partners.y.data() + from,
                     partners.z.data() + from, end - begin - from, thresholds.data(), thresholds.size(),
                     own.data() + pair.kind * thresholds.size());
      }
    }
#pragma omp critical
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += own[i];
  }
  Bounds bounds;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const auto first = counts.begin() + static_cast<std::ptrdiff_t>(kind * thresholds.size());
    const auto middle = first + static_cast<std::ptrdiff_t>(edges);
    bounds.surely.insert(bounds.surely.end(), first, middle);
    bounds.at_most.insert(bounds.at_most.end(), middle, middle + static_cast<std::ptrdiff_t>(edges));
  }
  return bounds;
}

Check check_counts(const Sky& sky, const Bounds& bounds, const Counts& counts) {
  const std::size_t edges = sky.edges.distances.size();
  Check check;
  check.ok = true;
  const auto fail = [&](const std::string& message) {
    check.ok = false;
    check.message = message;
    return check;
  };
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const std::int64_t* slots = counts.data() + kind * sky.slots();
    std::int64_t beyond = 0;
    for (std::size_t slot = sky.slots(); slot-- > 0;) {
      if (slots[slot] < 0) return fail(fmt::format("slot {} of {} is {}", slot, names[kind], slots[slot]));
      beyond += slots[slot];
      if (slot == 0) break;
      const std::size_t edge = slot - 1;
      const std::int64_t least = bounds.surely[kind * edges + edge];
      const std::int64_t most = bounds.at_most[kind * edges + edge];
      const double nearest = static_cast<double>(std::clamp(beyond, least, most));
      check.max_error = std::max(check.max_error, std::abs(static_cast<double>(beyond) - nearest));
      check.tolerance = std::max(check.tolerance, static_cast<double>(most - least));
      if (beyond >= least && beyond <= most) continue;
      return fail(fmt::format("{} pairs of {} are beyond edge {}, wanted {} to {}", beyond, names[kind], edge,
                              least, most));
    }
    if (beyond != sky.pairs(kind))
      return fail(fmt::format("{} has {} pairs in all, wanted {}", names[kind], beyond, sky.pairs(kind)));
  }
  return check;
}

}  // namespace dwarfsweep::tpacf
