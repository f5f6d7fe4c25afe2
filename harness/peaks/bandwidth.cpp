#include "harness/peaks/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <vector>

#include "harness/run/workspace.hpp"
#include "harness/statistics/statistics.hpp"

namespace dwarfsweep {
namespace {

// On the devices that were looked at, the step from cache to memory is a factor of 1.8 to 4 within two
// octaves, and memory alone varies by less than 1.3 from size to size.
constexpr double clearly_faster = 1.5;
constexpr std::size_t min_sizes = 6;

// Each rate as the median of itself and its neighbours, the last one no higher than the one before: one
// disturbed size moves the answer by a step at most.
std::vector<double> smoothed(const std::vector<double>& rates) {
  std::vector<double> smooth = rates;
  const std::size_t last = rates.size() - 1;
  for (std::size_t i = 1; i < last; ++i)
    smooth[i] = median(std::vector<double>{rates[i - 1], rates[i], rates[i + 1]});
  smooth[last] = std::min(rates[last], rates[last - 1]);
  return smooth;
}

}  // namespace

double last_level_cache_bytes(const std::map<double, double>& gb_per_s, double memory_gb_per_s) {
  if (gb_per_s.size() < min_sizes) return 0;
  std::vector<double> sizes;
  std::vector<double> rates;
  for (const auto& [bytes, rate] : gb_per_s) {
    sizes.push_back(bytes);
    rates.push_back(rate);
  }
  const double far_beyond = median(std::vector<double>(rates.end() - 3, rates.end()));
  const double memory = memory_gb_per_s > 0 ? std::min(memory_gb_per_s, far_beyond) : far_beyond;
  const std::vector<double> smooth = smoothed(rates);
  const auto slow = std::find_if(smooth.rbegin(), smooth.rend(),
                                 [&](double rate) { return rate > clearly_faster * memory; });
  if (slow == smooth.rbegin() || slow == smooth.rend()) return 0;
  return sizes[static_cast<std::size_t>(std::distance(slow, smooth.rend())) - 1];
}

namespace {

// How an array is distributed over work-items. `vectors_per_item` 0: four groups on every compute unit.
struct Shape {
  int vector_width;
  std::size_t group;
  std::size_t vectors_per_item;
};

struct Arrays {
  Buffer<float> a, b, c;
};

// The work of a streaming kernel: this many bytes of each array, this many times.
struct Traffic {
  std::uint64_t bytes;
  cl_uint passes = 1;
};

// A streaming kernel: its function, the name of its rate, and the number of arrays that it reads or writes.
struct Stream {
  const char* kernel;
  const char* value;
  double arrays;
};
constexpr Stream streams[] = {{"stream_copy", "copy_gb_per_s", 2},
                              {"stream_read", "read_gb_per_s", 1},
                              {"stream_write", "write_gb_per_s", 1},
                              {"stream_triad", "triad_gb_per_s", 3}};

constexpr double max_launch_ns = 50e6;
constexpr std::uint64_t page = 4096;

class Bandwidths {
 public:
  Bandwidths(PeakBench& bench, Peaks& peaks) : bench_(bench), peaks_(peaks) {}

  // Four times the cache that the driver states, and more where a launch over that is so short that its
  // overhead counts; less where memory is so slow that a launch would take more than 50 ms. The stated size
  // is not always that of the last level, so that is measured as well.
  void run() {
    const std::uint64_t max_bytes =
        std::min({bench_.capabilities().allocation_bytes / 2, bench_.capabilities().global_bytes / 8,
                  std::uint64_t{bench_.capabilities().is_gpu ? 1024U : 512U} << 20U}) /
        page * page;
    std::uint64_t bytes = std::min<std::uint64_t>(max_bytes, 64U << 20U);
    std::uint64_t factor = 2;
    for (; bytes < max_bytes; bytes = std::min(max_bytes, factor * bytes)) {
      Workspace workspace(bench_.session());
      const Arrays arrays = allocate(workspace, bytes);
      const double rate = stream_rate(workspace, arrays, shapes({bytes}).front(), streams[0], {bytes}, false);
      const double launch_ns = 2 * static_cast<double>(bytes) / rate;
      const bool beyond_cache = bytes >= 4 * bench_.device().global_cache_bytes;
      if (launch_ns > max_launch_ns || (beyond_cache && launch_ns > PeakBench::long_enough_ns)) break;
      factor = 8 * launch_ns <= max_launch_ns ? 8 : 2;  // each size costs its first touch
    }
    // The caches before the others: without them data in caches seem faster than the peak.
    constexpr std::size_t needed = 2;
    Workspace workspace(bench_.session());
    const Arrays arrays = allocate(workspace, bytes);
    streams_over("", workspace, arrays, {bytes}, std::span(streams).first<needed>());
    if (bench_.in_time()) measure_within_caches();
    if (bench_.in_time()) streams_over("", workspace, arrays, {bytes}, std::span(streams).subspan<needed>());
  }

 private:
  void measure_within_caches() {
    const double cache_bytes = measure_caches();
    // Three arrays share a quarter of it.
    const auto within = static_cast<std::uint64_t>(cache_bytes / 12) / page * page;
    if (within == 0 || !bench_.in_time()) return;
    Workspace workspace(bench_.session());
    streams_over("cached_", workspace, allocate(workspace, within), traffic_within(within), streams);
  }

  // For one pass over an array, many groups with few vectors each. For several passes, only groups that run
  // at the same time: a group that starts later would find in the caches what the others have just read. On a
  // CPU, where a group is a loop on one core, mostly groups of one work-item.
  [[nodiscard]] std::vector<Shape> shapes(const Traffic& traffic) const {
    const auto group = [&](std::size_t target) { return bench_.group(target); };
    if (!bench_.capabilities().is_gpu) return {{16, 1, 0}, {4, 1, 0}, {1, group(256), 8}};
    if (traffic.passes > 1) return {{1, group(512), 0}, {2, group(512), 0}, {4, group(512), 0}};
    return {{1, group(256), 8}, {2, group(256), 4}, {4, group(256), 4}};
  }

  [[nodiscard]] std::size_t items(const Shape& shape, std::uint64_t vectors) const {
    const std::uint64_t groups = shape.vectors_per_item == 0
                                     ? 4ULL * bench_.capabilities().compute_units
                                     : vectors / (shape.group * shape.vectors_per_item) + 1;
    return groups * shape.group;
  }

  // Bytes per ns; `often`: from the median of several launches, else from the faster of two.
  double stream_rate(Workspace& workspace, const Arrays& arrays, const Shape& shape, const Stream& stream,
                     const Traffic& traffic, bool often) {
    Kernel kernel = workspace.kernel("peaks", PeakMacros{shape.vector_width, shape.group, 1}.macros(),
                                     stream.kernel, stream.kernel);
    const auto count =
        static_cast<cl_ulong>(traffic.bytes / sizeof(float) / static_cast<std::uint64_t>(shape.vector_width));
    const std::size_t global = items(shape, count);
    const auto launch = [&] {
      const std::string name = stream.kernel;
      if (name == "stream_copy") {
        bench_.launcher().run(kernel, global, shape.group, arrays.a, arrays.b, count, traffic.passes);
      } else if (name == "stream_read") {
        bench_.launcher().run(kernel, global, shape.group, arrays.a, arrays.c, count, traffic.passes);
      } else if (name == "stream_write") {
        bench_.launcher().run(kernel, global, shape.group, arrays.c, cl_float{3}, count, traffic.passes);
      } else {
        bench_.launcher().run(kernel, global, shape.group, arrays.a, arrays.b, arrays.c, cl_float{0.5F},
                              count, traffic.passes);
      }
    };
    (void)bench_.once_ns(launch);
    const double bytes = stream.arrays * traffic.passes * static_cast<double>(traffic.bytes);
    return bytes /
           (often ? bench_.time_ns(launch) : std::min(bench_.once_ns(launch), bench_.once_ns(launch)));
  }

  static Arrays allocate(Workspace& workspace, std::uint64_t bytes) {
    const std::uint64_t count = bytes / sizeof(float);
    const Arrays arrays{workspace.allocate<float>("a", count, Role::scratch),
                        workspace.allocate<float>("b", count, Role::scratch),
                        workspace.allocate<float>("c", count, Role::scratch)};
    workspace.fill(arrays.a, 1.0F);
    workspace.fill(arrays.b, 2.0F);
    workspace.fill(arrays.c, 3.0F);
    return arrays;
  }

  // The fastest shape, from two launches of each.
  Shape best_shape(Workspace& workspace, const Arrays& arrays, const Stream& stream, const Traffic& traffic) {
    const std::vector<Shape> all = shapes(traffic);
    Shape best = all.front();
    double best_rate = 0;
    for (const Shape& shape : all) {
      if (!bench_.in_time() && best_rate > 0) break;
      const double rate = stream_rate(workspace, arrays, shape, stream, traffic, false);
      if (rate > best_rate) best = shape;
      best_rate = std::max(rate, best_rate);
    }
    return best;
  }

  void streams_over(const std::string& prefix, Workspace& workspace, const Arrays& arrays,
                    const Traffic& traffic, std::span<const Stream> kinds) {
    for (const Stream& stream : kinds) {
      const Shape shape = best_shape(workspace, arrays, stream, traffic);
      peaks_[prefix + stream.value] = stream_rate(workspace, arrays, shape, stream, traffic, true);
      if (!bench_.in_time()) return;
    }
  }

  // As many passes as take long enough at twice the bandwidth beyond the cache.
  Traffic traffic_within(std::uint64_t bytes) {
    const double pass_ns = static_cast<double>(bytes) / (2 * peaks_["read_gb_per_s"]);
    return {bytes, static_cast<cl_uint>(std::clamp(PeakBench::long_enough_ns / pass_ns, 2.0, 1000.0))};
  }

  // The largest working set: well beyond any cache, as far as the device's memory allows, and time: a pass is
  // to take 50 ms at most. The largest caches known are 256 MiB on GPUs; CPUs with some 500 MiB have more,
  // which one process hardly gets for itself.
  [[nodiscard]] std::uint64_t largest_working_set() {
    const auto in_time = static_cast<std::uint64_t>(max_launch_ns * peaks_["read_gb_per_s"]);
    const std::uint64_t allowed = std::min(
        {bench_.capabilities().allocation_bytes / 2, bench_.capabilities().global_bytes / 4, in_time});
    std::uint64_t size = std::uint64_t{bench_.capabilities().is_gpu ? 1024U : 512U} << 20U;
    while (size > allowed) size /= 2;
    return size;
  }

  // Reads working sets in several passes each, the largest first, as where the last level ends matters most.
  double measure_caches() {
    constexpr std::uint64_t smallest = 64U << 10U;  // that of a first-level cache
    constexpr std::uint64_t half_steps_from = 2U << 20U;
    const std::uint64_t largest = largest_working_set();
    Workspace workspace(bench_.session());
    const Arrays arrays{workspace.allocate<float>("a", largest / sizeof(float), Role::scratch),
                        {},
                        workspace.allocate<float>("out", 1, Role::scratch)};
    workspace.fill(arrays.a, 1.0F);
    const Shape shape = best_shape(workspace, arrays, streams[1], traffic_within(64 * smallest));
    std::map<double, double> curve;
    const auto measure = [&](std::uint64_t size) {
      if (!bench_.in_time()) return;
      const double rate = stream_rate(workspace, arrays, shape, streams[1], traffic_within(size), false);
      peaks_[fmt::format("read_{}_kib_gb_per_s", size >> 10U)] = rate;
      curve[static_cast<double>(size)] = rate;
    };
    for (std::uint64_t size = largest; size >= smallest; size /= 2) {
      measure(size);
      if (size > half_steps_from) measure(size / 4 * 3);
    }
    const double bytes = last_level_cache_bytes(curve, peaks_["read_gb_per_s"]);
    if (bytes > 0) peaks_["last_level_cache_bytes"] = bytes;
    return bytes;
  }

  PeakBench& bench_;
  Peaks& peaks_;
};

}  // namespace

void measure_bandwidths(PeakBench& bench, Peaks& peaks) {
  Bandwidths(bench, peaks).run();
}

}  // namespace dwarfsweep
