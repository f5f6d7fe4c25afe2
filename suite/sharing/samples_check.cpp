#include "suite/sharing/samples_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>

#include "harness/space/text.hpp"
#include "suite/record/json.hpp"

namespace dwarfsweep {
namespace {

// Sums and quotients of whole nanoseconds, up to rounding.
bool equal(double a, double b) {
  return std::abs(a - b) <= 1e-6 * std::max(std::abs(a), std::abs(b)) + 1e-3;
}

std::optional<std::string> fault_of_clocks(const Sample& sample) {
  if (sample.launches < 1 || sample.host_begin_ns < 0 || sample.host_end_ns < sample.host_begin_ns)
    return "the host's clock goes back within it";
  const auto host_ns = static_cast<double>(sample.host_end_ns - sample.host_begin_ns);
  const double wall_ns = sample.wall_ns * static_cast<double>(sample.launches);
  if (!(wall_ns >= 0)) return "its wall time is no time";
  if (sample.launches == 1 && !equal(wall_ns, host_ns)) return "its wall time is not that of its time stamps";
  if (wall_ns > host_ns * (1 + 1e-6) + 1) return "its wall time is longer than its time stamps allow";
  // A sum of whole nanoseconds; doubles hold them exactly up to 2^53, and the quotient to 16 digits.
  if (wall_ns < 1e12 && std::abs(wall_ns - std::round(wall_ns)) > 1e-3)
    return "its wall time is not a whole number of nanoseconds";
  return std::nullopt;
}

std::optional<std::string> fault_of_kernels(const Sample& sample) {
  if (sample.kernels.empty() || sample.kernels.back().kernel != "total") return "it has no total";
  double sum = 0;
  for (const KernelTime& kernel : sample.kernels) {
    if (!(kernel.ns >= 0)) return "a kernel's time is no time";
    if (kernel.kernel != "total") sum += kernel.ns;
    if (kernel.start_ns < 0 || kernel.end_ns < kernel.start_ns)
      return "the device's clock goes back within it";
    const bool one_event = kernel.events == 1 && sample.launches == 1 && kernel.end_ns > 0;
    if (one_event && !equal(kernel.ns, static_cast<double>(kernel.end_ns - kernel.start_ns)))
      return "a kernel's time is not that of its time stamps";
  }
  if (sample.kernels.size() > 1 && !equal(sum, sample.kernels.back().ns))
    return "its total is not the sum of its kernels";
  return std::nullopt;
}

std::vector<double> variant_times(const std::vector<BlockRecord>& blocks) {
  std::vector<double> ns;
  for (const BlockRecord& block : blocks) {
    for (const BlockSample& each : block.samples) {
      if (each.role == PairRole::variant && each.sample.wall_ns >= 0) ns.push_back(each.sample.wall_ns);
    }
  }
  return ns;
}

}  // namespace

std::vector<std::string> faults_of_samples(const RunLog& log) {
  std::vector<std::string> faults;
  for (const auto& [key, blocks] : log.blocks) {
    for (const BlockRecord& block : blocks) {
      for (const BlockSample& each : block.samples) {
        auto fault = fault_of_clocks(each.sample);
        if (!fault) fault = fault_of_kernels(each.sample);
        if (fault) faults.push_back(fmt::format("a sample of {} was not measured: {}", key, *fault));
        if (faults.size() > 3) return faults;
      }
    }
  }
  return faults;
}

std::optional<std::string> fault_of_order(const std::string& log) {
  std::map<std::string, std::int64_t> last_ns;  // by device and process
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    const Json record = parse_json(line);
    if (record.at("type") == "run" || record.at("type") == "part") last_ns.clear();  // other clocks
    if (record.at("type") != "visit") continue;
    const auto block = record.get<BlockRecord>();
    std::int64_t& last = last_ns[fmt::format("{}|{}", block.key.device_id, block.process)];
    for (const BlockSample& each : block.samples) {
      if (each.sample.host_begin_ns < last)
        return fmt::format("a sample of {} was not measured: it begins before the one before it has ended",
                           block.key.text());
      last = std::max(last, each.sample.host_end_ns);
    }
  }
  return std::nullopt;
}

std::vector<std::string> doubts_of_samples(const RunLog& log) {
  constexpr std::size_t enough = 8;
  constexpr double least_spread = 1e-4, shortest_ns = 10'000;
  std::vector<std::string> doubts;
  for (const auto& [key, blocks] : log.blocks) {
    std::vector<double> ns = variant_times(blocks);
    if (ns.size() < enough) continue;
    std::ranges::sort(ns);
    const double middle = ns[ns.size() / 2];
    // By the host's clock, which counts nanoseconds: longer runs hardly ever take the same time twice.
    if (middle < shortest_ns) continue;
    if ((ns.back() - ns.front()) / middle < least_spread)
      doubts.push_back(fmt::format("the samples of {} have too little spread: {:.0f} to {:.0f} ns", key,
                                   ns.front(), ns.back()));
    const auto different = static_cast<std::size_t>(std::set<double>(ns.begin(), ns.end()).size());
    if (different * 2 < ns.size())
      doubts.push_back(fmt::format("of {} samples of {} only {} are different", ns.size(), key, different));
  }
  return doubts;
}

std::vector<std::uint64_t> sample_marks(const RunLog& log) {
  std::vector<std::uint64_t> marks;
  for (const auto& [key, blocks] : log.blocks) {
    const Sample* before = nullptr;
    for (const BlockRecord& block : blocks) {
      for (const auto& [pair, order, role, sample] : block.samples) {
        if (before != nullptr)
          marks.push_back(
              fnv1a(fmt::format("{:.0f}+{}+{:.0f}+{:.0f}", before->wall_ns,
                                static_cast<std::uint64_t>(sample.host_begin_ns) -
                                    static_cast<std::uint64_t>(before->host_end_ns),
                                sample.wall_ns, sample.kernels.empty() ? 0 : sample.kernels.back().ns)));
        before = &sample;
      }
    }
  }
  return marks;
}

std::map<std::string, SampleTimes> sample_times(const RunLog& log) {
  constexpr std::size_t some = 6;
  std::map<std::string, SampleTimes> times;
  for (const auto& [key, blocks] : log.blocks) {
    const PointKey& point = blocks.front().key;
    if (std::vector<double> ns = variant_times(blocks); ns.size() >= some)
      times[point.device_id][fmt::format("{}|{}|{}", point.dwarf, point.problem, point.config)] =
          std::move(ns);
  }
  return times;
}

std::map<std::string, std::int64_t> timer_steps(const RunLog& log) {
  constexpr std::size_t many = 50;
  std::map<std::string, std::int64_t> steps;
  std::map<std::string, std::size_t> counts;
  for (const auto& [key, blocks] : log.blocks) {
    for (const BlockRecord& block : blocks) {
      for (const BlockSample& each : block.samples) {
        for (const auto& [kernel, ns, events, queued_ns, submit_ns, start_ns, end_ns] : each.sample.kernels) {
          if (events != 1 || start_ns <= 0 || end_ns <= start_ns) continue;
          std::int64_t& step = steps[block.key.device_id];
          step = std::gcd(step, end_ns - start_ns);
          ++counts[block.key.device_id];
        }
      }
    }
  }
  std::erase_if(steps, [&](const auto& step) { return counts[step.first] < many; });
  return steps;
}

}  // namespace dwarfsweep
