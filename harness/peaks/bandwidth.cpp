#include "harness/peaks/bandwidth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/workspace.hpp"

namespace dwarfsweep {
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

class Bandwidths {
 public:
  Bandwidths(PeakBench& bench, Peaks& peaks) : bench_(bench), peaks_(peaks) {}

  // Four times the cache, and more where a launch over that is so short that its overhead counts. The cache
  // size that a driver reports is not always that of the last level, so that size is measured as well.
  void run() {
    constexpr std::uint64_t page = 4096;
    const std::uint64_t max_bytes =
        std::min({bench_.capabilities().allocation_bytes / 2, bench_.capabilities().global_bytes / 8,
                  std::uint64_t{1} << 30U}) /
        page * page;
    std::uint64_t bytes =
        std::min(max_bytes, std::max<std::uint64_t>(64U << 20U, 4 * bench_.device().global_cache_bytes)) /
        page * page;
    for (; bytes < max_bytes; bytes = std::min(max_bytes, 2 * bytes)) {
      Workspace workspace(bench_.session());
      const Arrays arrays = allocate(workspace, bytes);
      const double rate = stream_rate(workspace, arrays, shapes({bytes}).front(), streams[0], {bytes}, false);
      if (2 * static_cast<double>(bytes) / rate > PeakBench::long_enough_ns) break;
    }
    Workspace workspace(bench_.session());
    const Arrays arrays = allocate(workspace, bytes);
    streams_over("", workspace, arrays, {bytes});
    if (!bench_.in_time()) return;
    const double cache_bytes = measure_caches(workspace, arrays);
    // Three arrays share a quarter of it.
    const auto within = static_cast<std::uint64_t>(cache_bytes / 12) / page * page;
    if (within > 0 && bench_.in_time()) streams_over("cached_", workspace, arrays, traffic_within(within));
  }

 private:
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
                    const Traffic& traffic) {
    for (const Stream& stream : streams) {
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

  // Reads sizes from that of a first-level cache on, in several passes. The last-level cache is the largest
  // size that is read clearly faster than memory beyond all caches.
  double measure_caches(Workspace& workspace, const Arrays& arrays) {
    constexpr double clearly = 1.5;
    const std::uint64_t largest = arrays.a.count * sizeof(float) / 2;
    constexpr std::uint64_t smallest = 64U << 10U;
    const Shape shape = best_shape(workspace, arrays, streams[1], traffic_within(64 * smallest));
    double& cache_bytes = peaks_["cache_bytes"];
    for (std::uint64_t size = smallest; size <= largest; size *= 2) {
      const double rate = stream_rate(workspace, arrays, shape, streams[1], traffic_within(size), false);
      peaks_[fmt::format("read_{}_kib_gb_per_s", size >> 10U)] = rate;
      if (rate > clearly * peaks_["read_gb_per_s"]) cache_bytes = static_cast<double>(size);
    }
    return cache_bytes;
  }

  PeakBench& bench_;
  Peaks& peaks_;
};

}  // namespace

void measure_bandwidths(PeakBench& bench, Peaks& peaks) {
  Bandwidths(bench, peaks).run();
}

}  // namespace dwarfsweep
