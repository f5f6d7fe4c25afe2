#include "harness/peaks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

#include "harness/launcher.hpp"
#include "harness/status.hpp"

namespace dwarfsweep {
namespace {

constexpr int samples = 7;
constexpr double longest_ns = 150e6;  // of all samples of one setting: a slow device gets fewer

using Peaks = std::map<std::string, double>;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Setting {
  int vector_width = 1;
  bool chunked = false;
  bool fused = true;
  int stride = 1;

  [[nodiscard]] std::string options() const {
    return fmt::format(
        " -D VECTOR_WIDTH={} -D ACCESS_ADJACENT=1 -D ACCESS_CHUNKED=2 -D ACCESS={} -D FUSED={} -D STRIDE={}",
        vector_width, chunked ? "ACCESS_CHUNKED" : "ACCESS_ADJACENT", fused ? 1 : 0, stride);
  }
};

class Bench {
 public:
  explicit Bench(Session& session)
      : session_(session),
        launcher_(session),
        group_(std::min<std::size_t>(256, session.device().limits.work_group_items)) {}

  Peaks run() {
    stream("", big_bytes());
    stream("cached_", std::max<std::uint64_t>(64U << 10U, session_.device().global_cache_bytes / 4));
    arithmetic();
    local_memory();
    launches();
    transfers();
    return peaks_;
  }

 private:
  // The median time in ns of what `launch` enqueues.
  double time_ns(const std::function<void()>& launch) {
    std::vector<double> times;
    double spent = 0;
    for (int i = 0; i <= samples && (i < 2 || spent < longest_ns); ++i) {
      Sample sample;
      launcher_.begin();
      launch();
      launcher_.finish();
      launcher_.collect(sample);
      const double ns = sample.kernels.back().ns;
      if (i > 0) times.push_back(ns);  // the first warms up
      spent += ns;
    }
    return std::max(1.0, median(times));
  }

  // A rate is in units per ns: 1e9 per second.
  void keep_best(const std::string& name, double rate) { peaks_[name] = std::max(peaks_[name], rate); }

  [[nodiscard]] std::uint64_t big_bytes() const {
    const DeviceInfo& device = session_.device();
    const std::uint64_t beyond = std::max<std::uint64_t>(256U << 20U, 4 * device.global_cache_bytes);
    const std::uint64_t most = std::min(device.limits.allocation_bytes / 2, device.limits.global_bytes / 8);
    return std::min<std::uint64_t>({beyond, most, std::uint64_t{1} << 30U}) / 4096 * 4096;
  }

  void stream(const std::string& prefix, std::uint64_t bytes) {
    bytes = bytes / 4096 * 4096;
    Workspace workspace(session_);
    const Arrays arrays{
        workspace.allocate<float>("a", bytes / sizeof(float), Role::scratch),
        workspace.allocate<float>("b", bytes / sizeof(float), Role::scratch),
        workspace.allocate<float>("out", group_ * session_.device().compute_units * 16, Role::scratch)};
    workspace.fill(arrays.a, 1.0F);
    workspace.fill(arrays.b, 2.0F);
    // Scalars and short vectors side by side suit GPUs, long vectors in chunks CPUs.
    for (const Setting& setting :
         {Setting{1, false}, Setting{4, false}, Setting{4, true}, Setting{16, true}}) {
      stream_setting(prefix, workspace, arrays, setting);
    }
  }

  struct Arrays {
    Buffer<float> a, b, out;
  };

  void stream_setting(const std::string& prefix, Workspace& workspace, const Arrays& arrays,
                      const Setting& setting) {
    const std::size_t items = setting.chunked ? group_ * session_.device().compute_units : arrays.out.count;
    const auto count =
        static_cast<cl_ulong>(arrays.a.count / static_cast<std::uint64_t>(setting.vector_width));
    const auto bytes = static_cast<double>(arrays.a.count * sizeof(float));
    const auto rate = [&](const char* name, double arrays_moved, auto... arguments) {
      Kernel kernel = workspace.kernel("peaks", setting.options(), name, name);
      return arrays_moved * bytes / time_ns([&] { launcher_.run(kernel, items, group_, arguments...); });
    };
    keep_best(prefix + "read_gb_per_s", rate("stream_read", 1, arrays.a, arrays.out, count));
    keep_best(prefix + "copy_gb_per_s", rate("stream_copy", 2, arrays.a, arrays.b, count));
    if (!prefix.empty()) return;
    keep_best("write_gb_per_s", rate("stream_write", 1, arrays.a, cl_float{3}, count));
    // The sum overwrites one of its inputs: two arrays are read and one is written, as in the original.
    keep_best("triad_gb_per_s", rate("stream_triad", 3, arrays.a, arrays.b, cl_float{0.5F}, count));
  }

  void arithmetic() {
    for (const int width : {1, 2, 4, 8, 16}) {
      for (const bool fused : {false, true}) {
        const double rate = compute_rate("multiply_add", {width, false, fused, 1}, 2.0 * width);
        keep_best(fmt::format("gflop_width_{}_per_s", width), rate);
        keep_best("gflop_per_s", rate);
      }
      keep_best("gop_per_s", compute_rate("integer", {width, false, true, 1}, 2.0 * width));
      keep_best("logic_gop_per_s", compute_rate("logic", {width, false, true, 1}, 2.0 * width));
    }
  }

  // Operations per ns, with loops doubled until a launch takes 2 ms.
  double compute_rate(const char* name, const Setting& setting, double operations_per_step) {
    constexpr double chains = 8;
    return looped_rate(name, setting, group_ * session_.device().compute_units * 32,
                       chains * operations_per_step);
  }

  double looped_rate(const char* name, const Setting& setting, std::size_t items, double per_loop) {
    Workspace workspace(session_);
    const auto in = workspace.allocate<cl_uint>("in", 2, Role::input);
    const auto out = workspace.allocate<cl_uint>("out", items, Role::scratch);
    workspace.fill(in, cl_uint{0});
    Kernel kernel = workspace.kernel("peaks", setting.options(), name, name);
    cl_uint loops = 16;
    double ns = 0;
    // 4096 loops: below llvmpipe's limit on iterations per work-item.
    for (;; loops *= 2) {
      ns = time_ns([&] { launcher_.run(kernel, items, group_, in, out, loops); });
      if (ns > 2e6 || loops >= 4096) break;
    }
    return per_loop * loops * static_cast<double>(items) / ns;
  }

  void local_memory() {
    const std::size_t items = group_ * session_.device().compute_units * 8;
    constexpr double bytes_per_loop = 8 * sizeof(cl_uint);
    for (const int stride : {1, 32}) {
      peaks_[stride == 1 ? "local_gb_per_s" : "local_conflict_gb_per_s"] =
          looped_rate("local_read", {1, false, true, stride}, items, bytes_per_loop);
    }
  }

  void launches() {
    Workspace workspace(session_);
    const auto out = workspace.allocate<cl_uint>("out", group_, Role::scratch);
    Kernel empty = workspace.kernel("selftest", "", "empty", "empty");
    launcher_.begin();
    const auto enqueue_and_time = [&](int launches, bool finish_each) {
      std::vector<double> times;
      for (int i = 0; i < samples + 1; ++i) {
        launcher_.finish();
        const auto begin = std::chrono::steady_clock::now();
        for (int k = 0; k < launches; ++k) {
          launcher_.run(empty, group_, group_, out);
          if (finish_each) launcher_.finish();
        }
        launcher_.finish();
        const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
        if (i > 0) times.push_back(took.count() / launches);
      }
      return median(times);
    };
    peaks_["launch_ns"] = enqueue_and_time(20, true);
    peaks_["pipelined_launch_ns"] = enqueue_and_time(200, false);
  }

  void transfers() {
    Workspace workspace(session_);
    const std::uint64_t bytes = std::min<std::uint64_t>(64U << 20U, big_bytes());
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
  std::size_t group_;
  Peaks peaks_;
};

}  // namespace

Peaks measure_peaks(Session& session) {
  return Bench(session).run();
}

}  // namespace dwarfsweep
