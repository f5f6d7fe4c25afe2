#include "harness/peaks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "harness/clock.hpp"
#include "harness/quantile.hpp"
#include "harness/launcher.hpp"
#include "harness/status.hpp"

namespace dwarfsweep {
namespace {

using Clock = std::chrono::steady_clock;
using Peaks = std::map<std::string, double>;

constexpr int samples = 7;
constexpr double longest_ns = 150e6;  // of all samples of one value: a slow device gets fewer
constexpr double enough_ns = 1e6;     // a launch that takes this long is not a measurement of launching

// The macros of peaks.cl.
struct Setting {
  int vector_width = 1;
  std::size_t group = 1;
  int stride = 1;

  [[nodiscard]] std::string options() const {
    return fmt::format(" -D VECTOR_WIDTH={} -D GROUP={} -D STRIDE={}", vector_width, group, stride);
  }
};

// How an array is spread: vectors per work-item, or 0 for four groups on every compute unit.
struct Shape {
  int vector_width;
  std::size_t group;
  std::size_t vectors_per_item;
};

struct Arrays {
  Buffer<float> a, b, c;
};

// What a streaming kernel goes over: so many bytes of each array, so many times.
struct Walk {
  std::uint64_t bytes;
  cl_uint passes = 1;
};

// One streaming kernel: its name there and here, and how many arrays it moves.
struct Stream {
  const char* kernel;
  const char* value;
  double arrays;
};
constexpr Stream streams[] = {{"stream_copy", "copy_gb_per_s", 2},
                              {"stream_read", "read_gb_per_s", 1},
                              {"stream_write", "write_gb_per_s", 1},
                              {"stream_triad", "triad_gb_per_s", 3}};

class Bench {
 public:
  Bench(Session& session, Clock::time_point deadline)
      : session_(session),
        launcher_(session),
        device_(session.device()),
        group_(std::min<std::size_t>(256, device_.capabilities.work_group_items)),
        deadline_(deadline) {}

  Peaks run() {
    bandwidths();
    if (in_time()) launches();
    for (const int width : {16, 1, 4, 2, 8}) {
      if (in_time()) arithmetic(width);
    }
    if (in_time()) transfers();
    if (in_time()) local_memory();
    return peaks_;
  }

 private:
  [[nodiscard]] bool in_time() const { return Clock::now() < deadline_; }

  double once_ns(const std::function<void()>& launch) {
    Sample sample;
    launcher_.begin();
    launch();
    launcher_.finish();
    launcher_.collect(sample);
    return std::max(1.0, sample.kernels.back().ns);
  }

  // The median time in ns of what `launch` enqueues; it has run before.
  double time_ns(const std::function<void()>& launch) {
    std::vector<double> times;
    double spent = 0;
    for (int i = 0; i < samples && (i < 1 || spent < longest_ns); ++i) {
      times.push_back(once_ns(launch));
      spent += times.back();
    }
    return median(times);
  }

  // A rate is in units per ns: 1e9 per second.
  void keep_best(const std::string& name, double rate) { peaks_[name] = std::max(peaks_[name], rate); }

  // --- streams ---

  // Over an array once, many groups with little each; over it again and again, groups that are all at work at
  // once, for those that wait would find what the others have just read. Where local memory is ordinary
  // memory, so that a group is a loop on one core, mostly groups of one work-item.
  [[nodiscard]] std::vector<Shape> shapes(const Walk& walk) const {
    const auto group = [&](std::size_t wish) {
      return std::min(wish, device_.capabilities.work_group_items);
    };
    if (!device_.capabilities.is_gpu) return {{16, 1, 0}, {4, 1, 0}, {1, group(256), 8}};
    if (walk.passes > 1) return {{1, group(512), 0}, {2, group(512), 0}, {4, group(512), 0}};
    return {{1, group(256), 8}, {2, group(256), 4}, {4, group(256), 4}};
  }

  [[nodiscard]] std::size_t items(const Shape& shape, std::uint64_t vectors) const {
    const std::uint64_t groups = shape.vectors_per_item == 0
                                     ? 4ULL * device_.capabilities.compute_units
                                     : vectors / (shape.group * shape.vectors_per_item) + 1;
    return groups * shape.group;
  }

  // Bytes per ns; `often`: the median of many launches, else the better of two.
  double stream_rate(Workspace& workspace, const Arrays& arrays, const Shape& shape, const Stream& stream,
                     const Walk& walk, bool often) {
    Kernel kernel = workspace.kernel("peaks", Setting{shape.vector_width, shape.group, 1}.options(),
                                     stream.kernel, stream.kernel);
    const auto count =
        static_cast<cl_ulong>(walk.bytes / sizeof(float) / static_cast<std::uint64_t>(shape.vector_width));
    const std::size_t global = items(shape, count);
    const auto launch = [&] {
      const std::string name = stream.kernel;
      if (name == "stream_copy") {
        launcher_.run(kernel, global, shape.group, arrays.a, arrays.b, count, walk.passes);
      } else if (name == "stream_read") {
        launcher_.run(kernel, global, shape.group, arrays.a, arrays.c, count, walk.passes);
      } else if (name == "stream_write") {
        launcher_.run(kernel, global, shape.group, arrays.c, cl_float{3}, count, walk.passes);
      } else {
        launcher_.run(kernel, global, shape.group, arrays.a, arrays.b, arrays.c, cl_float{0.5F}, count,
                      walk.passes);
      }
    };
    (void)once_ns(launch);
    const double bytes = stream.arrays * walk.passes * static_cast<double>(walk.bytes);
    return bytes / (often ? time_ns(launch) : std::min(once_ns(launch), once_ns(launch)));
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

  // A quick look at every shape, a long one at the best.
  Shape best_shape(Workspace& workspace, const Arrays& arrays, const Stream& stream, const Walk& walk) {
    const std::vector<Shape> all = shapes(walk);
    Shape best = all.front();
    double best_rate = 0;
    for (const Shape& shape : all) {
      if (!in_time() && best_rate > 0) break;
      const double rate = stream_rate(workspace, arrays, shape, stream, walk, false);
      if (rate > best_rate) best = shape;
      best_rate = std::max(rate, best_rate);
    }
    return best;
  }

  void streams_over(const std::string& prefix, Workspace& workspace, const Arrays& arrays, const Walk& walk) {
    for (const Stream& stream : streams) {
      const Shape shape = best_shape(workspace, arrays, stream, walk);
      peaks_[prefix + stream.value] = stream_rate(workspace, arrays, shape, stream, walk, true);
      if (!in_time()) return;
    }
  }

  // Four times the cache, and more where that is over too soon for the start of a launch not to count. What a
  // driver tells of its cache is not always the last level, so the size of that is measured as well.
  void bandwidths() {
    constexpr std::uint64_t page = 4096;
    const std::uint64_t most = std::min({device_.capabilities.allocation_bytes / 2,
                                         device_.capabilities.global_bytes / 8, std::uint64_t{1} << 30U}) /
                               page * page;
    std::uint64_t bytes =
        std::min(most, std::max<std::uint64_t>(64U << 20U, 4 * device_.global_cache_bytes)) / page * page;
    for (; bytes < most; bytes = std::min(most, 2 * bytes)) {
      Workspace workspace(session_);
      const Arrays arrays = allocate(workspace, bytes);
      const double rate = stream_rate(workspace, arrays, shapes({bytes}).front(), streams[0], {bytes}, false);
      if (2 * static_cast<double>(bytes) / rate > enough_ns) break;
    }
    Workspace workspace(session_);
    const Arrays arrays = allocate(workspace, bytes);
    streams_over("", workspace, arrays, {bytes});
    if (!in_time()) return;
    const double cache_bytes = measure_caches(workspace, arrays);
    // Three arrays share a quarter of it.
    const auto within = static_cast<std::uint64_t>(cache_bytes / 12) / page * page;
    if (within > 0 && in_time()) streams_over("cached_", workspace, arrays, walk_within(within));
  }

  // As many passes as take long enough at twice the bandwidth beyond the cache.
  Walk walk_within(std::uint64_t bytes) {
    const double pass_ns = static_cast<double>(bytes) / (2 * peaks_["read_gb_per_s"]);
    return {bytes, static_cast<cl_uint>(std::clamp(enough_ns / pass_ns, 2.0, 1000.0))};
  }

  // Reading again and again what fits into the caches, from the first to the last. The last level ends where
  // that is no longer clearly faster than beyond all caches.
  double measure_caches(Workspace& workspace, const Arrays& arrays) {
    constexpr double clearly = 1.5;
    const std::uint64_t largest = arrays.a.count * sizeof(float) / 2;
    constexpr std::uint64_t smallest = 64U << 10U;
    const Shape shape = best_shape(workspace, arrays, streams[1], walk_within(64 * smallest));
    double& cache_bytes = peaks_["cache_bytes"];
    for (std::uint64_t size = smallest; size <= largest; size *= 2) {
      const double rate = stream_rate(workspace, arrays, shape, streams[1], walk_within(size), false);
      peaks_[fmt::format("read_{}_kib_gb_per_s", size >> 10U)] = rate;
      if (rate > clearly * peaks_["read_gb_per_s"]) cache_bytes = static_cast<double>(size);
    }
    return cache_bytes;
  }

  // --- arithmetic and local memory ---

  // Where a group is a loop on one core, a compiler may make vectors of its work-items, or turn that loop and
  // the kernel's own inside out and keep all their chains in memory. So groups of one are tried as well.
  void arithmetic(int width) {
    constexpr double chains = 8;
    const auto rate = [&](const char* kernel, double operations) {
      const auto with_groups_of = [&](std::size_t group) {
        return looped_rate(kernel, {width, group, 1}, group * device_.capabilities.compute_units * 32,
                           operations * chains * width);
      };
      const double grouped = with_groups_of(group_);
      return device_.capabilities.is_gpu ? grouped : std::max(grouped, with_groups_of(1));
    };
    const double floating = rate("multiply_add", 2);
    peaks_[fmt::format("gflop_width_{}_per_s", width)] = floating;
    keep_best("gflop_per_s", floating);
    keep_best("gop_per_s", rate("integer", 2));
    keep_best("logic_gop_per_s", rate("logic", 2));
  }

  // Units per ns, with loops doubled until a launch takes long enough.
  double looped_rate(const char* name, const Setting& setting, std::size_t items, double per_loop) {
    Workspace workspace(session_);
    const auto in = workspace.allocate<cl_uint>("in", 2, Role::input);
    const auto out = workspace.allocate<cl_uint>("out", items, Role::scratch);
    workspace.fill(in, cl_uint{0});
    Kernel kernel = workspace.kernel("peaks", setting.options(), name, name);
    cl_uint loops = 16;
    const auto launch = [&] { launcher_.run(kernel, items, setting.group, in, out, loops); };
    (void)once_ns(launch);
    // llvmpipe's limit on iterations per work-item is 65,535.
    while (loops < 32768 && once_ns(launch) < enough_ns) loops *= 2;
    return per_loop * loops * static_cast<double>(items) / time_ns(launch);
  }

  void local_memory() {
    const std::size_t items = group_ * device_.capabilities.compute_units * 8;
    constexpr double bytes_per_loop = 8 * sizeof(cl_uint);
    for (const int stride : {1, 32}) {
      peaks_[stride == 1 ? "local_gb_per_s" : "local_conflict_gb_per_s"] =
          looped_rate("local_read", {1, group_, stride}, items, bytes_per_loop);
    }
  }

  // --- the host's side ---

  void launches() {
    Workspace workspace(session_);
    const auto out = workspace.allocate<cl_uint>("out", group_, Role::scratch);
    Kernel empty = workspace.kernel("selftest", "", "empty", "empty");
    launcher_.begin();
    const auto enqueue_and_time = [&](int launches, bool finish_each) {
      std::vector<double> times;
      for (int i = 0; i < samples + 1; ++i) {
        launcher_.finish();
        const std::int64_t begin = now_ns();
        for (int k = 0; k < launches; ++k) {
          launcher_.run(empty, group_, group_, out);
          if (finish_each) launcher_.finish();
        }
        launcher_.finish();
        const auto took_ns = static_cast<double>(now_ns() - begin);
        if (i > 0) times.push_back(took_ns / launches);  // the first warms up
      }
      return median(times);
    };
    peaks_["launch_ns"] = enqueue_and_time(20, true);
    peaks_["pipelined_launch_ns"] = enqueue_and_time(200, false);
  }

  void transfers() {
    Workspace workspace(session_);
    const std::uint64_t bytes =
        std::min<std::uint64_t>(64U << 20U, device_.capabilities.allocation_bytes / 2);
    const auto buffer = workspace.allocate<std::uint8_t>("transfer", bytes, Role::scratch);
    std::vector<std::uint8_t> host(bytes, 1);
    std::vector<double> up;
    std::vector<double> down;
    for (int i = 0; i < samples; ++i) {
      workspace.upload(host, buffer);
      up.push_back(static_cast<double>(workspace.take_upload_ns()));
      workspace.download(buffer, host);
      down.push_back(static_cast<double>(workspace.take_download_ns()));
    }
    peaks_["upload_gb_per_s"] = static_cast<double>(bytes) / median(up);
    peaks_["download_gb_per_s"] = static_cast<double>(bytes) / median(down);
  }

  Session& session_;
  Launcher launcher_;
  const DeviceInfo& device_;
  std::size_t group_;
  Clock::time_point deadline_;
  Peaks peaks_;
};

}  // namespace

Peaks measure_peaks(Session& session, std::chrono::milliseconds limit) {
  return Bench(session, Clock::now() + limit).run();
}

}  // namespace dwarfsweep
