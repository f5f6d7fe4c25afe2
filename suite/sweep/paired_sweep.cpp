#include "suite/sweep/paired_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <sstream>

#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"
#include "harness/statistics/statistics.hpp"
#include "suite/engine/block_loop.hpp"
#include "suite/engine/measurer.hpp"
#include "suite/record/point_samples.hpp"
#include "suite/sweep/sweep_plan.hpp"

namespace dwarfsweep {
namespace {

// Opening a device loads its driver, compiles the self-test's kernels and runs them.
constexpr std::chrono::milliseconds min_open_limit{20'000};

std::vector<std::string> parse_environment(const std::string& text) {
  std::vector<std::string> variables;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word.find('=') == std::string::npos || word[0] == '=')
      throw UsageError(fmt::format(
          "--pairs takes two environments, as OCL_ICD_VENDORS=/old OCL_ICD_VENDORS=/new; '{}' has no '='",
          word));
    variables.push_back(word);
  }
  return variables;
}

// The points of one side, as the other has them.
SweepPoint on_side(const SweepPoint& point, const SweepGroup& group, const PairedSide& side) {
  const PointRequest& request = point.request;
  PointKey key = point.key;
  key.device_id = side.id;
  return {.request = request,
          .key = key,
          .baseline = point.baseline,
          .rejected =
              group.dwarf->space().why_rejected({request.config, request.problem, side.device.capabilities})};
}

bool same_data(const SweepGroup& one, const SweepGroup& other) {
  const PointKey& a = one.points.front().key;
  const PointKey& b = other.points.front().key;
  return a.dwarf == b.dwarf && a.size == b.size && a.problem == b.problem;
}

PairedGroup paired(const SweepGroup& before, const SweepGroup& after, const PairedSides& sides) {
  std::vector<SweepPoint> all = before.points;
  for (const SweepPoint& point : after.points) {
    const bool known =
        std::ranges::any_of(all, [&](const SweepPoint& each) { return each.key.config == point.key.config; });
    if (!known) all.push_back(point);
  }
  SweepGroup group = before;
  group.points = std::move(all);
  return on_both_sides(group, sides);
}

// The median time of each block, by round.
std::map<int, double> times_by_round(const std::vector<BlockRecord>& blocks, const std::string& kernel,
                                     RunTime run_time) {
  std::map<int, double> times;
  for (const BlockRecord& block : blocks) {
    for (const KernelSamples& each : collect_samples({block}, run_time)) {
      if (each.kernel == kernel && !each.blocks.front().empty())
        times[block.round] = median(each.blocks.front());
    }
  }
  return times;
}

DeviceClient::Settings settings_for(const Options& options, const std::filesystem::path& folder,
                                    const PairedSide& side) {
  DeviceClient::Settings settings{options.kernels, options.cache, (folder / "workers.log").string()};
  settings.half_width = options.quality.half_width;
  settings.open_limit = std::min(settings.open_limit, std::max(options.point_timeout, min_open_limit));
  settings.environment = side.variables;
  return settings;
}

RunLog log_of(const RunRecord& run) {
  RunLog log;
  log.run = run;
  return log;
}

class PairedSweep {
 public:
  // Writes into `folder`. `run`: this program on this host.
  PairedSweep(const Options& options, const std::filesystem::path& folder, const RunRecord& run,
              const PairedSides& sides, const KnowsEnough& enough)
      : context_(options, folder, log_of(run)),
        sides_(sides),
        enough_(enough),
        clients_{DeviceClient(sides[0].device, settings_for(options, folder, sides[0])),
                 DeviceClient(sides[1].device, settings_for(options, folder, sides[1]))} {}

  // Every point of the groups on both sides: prepared, verified, measured in rounds, its last output
  // checked. Throws NoDeviceError where a device does not open, and Interrupted.
  void run(std::vector<PairedGroup>& groups) {
    context_.log.append(RunRecord(log().run));
    open_devices();
    std::int64_t points = 0;
    for (const PairedGroup& group : groups) points += static_cast<std::int64_t>(2 * group[0].points.size());
    context_.log.append(PlanRecord{points});
    context_.progress.start(static_cast<std::size_t>(points));
    std::size_t left = groups.size();
    for (PairedGroup& group : groups) {
      // What a group leaves of its share is for those after it.
      const auto share =
          context_.budget.unlimited() ? unlimited_share : context_.budget.left() / static_cast<long>(left);
      measure(group, Clock::now() + share);
      context_.progress.add_done(2 * group[0].points.size());
      --left;
    }
    context_.progress.clear();
  }

  [[nodiscard]] const RunLog& log() const { return context_.log.run(); }

 private:
  using Clock = std::chrono::steady_clock;
  using Measurers = std::array<Measurer, 2>;

  void open_devices() {
    for (std::size_t side = 0; side < sides_.size(); ++side) {
      context_.progress.show(sides_[side].text + " · opening " + sides_[side].device.name);
      const auto fail = [&](const std::runtime_error& error) {
        throw NoDeviceError(fmt::format("opening {} with '{}': {}", sides_[side].device.name,
                                        sides_[side].text, error.what()));
      };
      try {
        (void)clients_[side].timer();
      } catch (const WorkerCrash& crash) {
        fail(crash);
      } catch (const WorkerTimeout& timeout) {
        fail(timeout);
      }
    }
    agree_on_timer();
    for (std::size_t side = 0; side < sides_.size(); ++side) {
      DeviceRecord record{clients_[side].device(), clients_[side].timer()};
      record.info.id = sides_[side].id;
      context_.log.append(record);
    }
  }

  // The device's timer, or the host's clock for both: times by two clocks are not compared.
  void agree_on_timer() {
    const auto passes = [&](std::size_t side) {
      return clients_[side].timer().timer == Timer::device && clients_[side].timer().spans;
    };
    // On a busy machine the test may fail by chance.
    constexpr int attempts = 3;
    for (int attempt = 1; attempt < attempts && passes(0) != passes(1); ++attempt)
      clients_[passes(0) ? 1 : 0].test_timer_again();
    if (passes(0) == passes(1)) return;
    const std::size_t better = passes(0) ? 0 : 1;
    clients_[better].use_timer(clients_[1 - better].timer());
  }

  void measure(PairedGroup& group, Clock::time_point deadline) {
    Measurers measurers = {Measurer(context_, clients_[0], group[0]),
                           Measurer(context_, clients_[1], group[1])};
    for (std::size_t point = 0; point < group[0].points.size(); ++point) {
      for (std::size_t side = 0; side < 2; ++side) {
        SweepPoint& each = group[side].points[point];
        if (each.rejected) {
          context_.outcomes.reject(each);
        } else if (point > 0 && Clock::now() >= deadline) {
          context_.outcomes.fail(each, Status::not_run, "not measured: the budget was spent before its turn",
                                 out_of_budget);
        } else {
          measurers[side].prepare(each);
        }
      }
    }
    const Options& options = context_.options;
    Random random(options.seed);
    std::vector<std::size_t> order;
    const auto next_round = [&](int round) {
      for (Measurer& measurer : measurers) measurer.begin_round(round);
      random = Random(seed_of_part(options.seed, static_cast<std::uint64_t>(round)));
      order.resize(group[0].points.size());
      std::iota(order.begin(), order.end(), 0);
      std::erase_if(order, [&](std::size_t point) { return is_decided(group, point); });
      random.shuffle(order);
      return order;
    };
    const int rounds = measure_blocks(
        first_of({after_rounds(options.quality.rounds), at_deadline(deadline)}), next_round,
        [&](std::size_t point, int round) { measure_both_sides(group, measurers, point, round, random); });
    for (Measurer& measurer : measurers) measurer.verify_last_outputs();
    end_points(group, rounds == options.quality.rounds);
    for (DeviceClient& client : clients_) client.stop();  // the next group has other data
  }

  // Nothing more is to be found out about the point.
  bool is_decided(const PairedGroup& group, std::size_t point) const {
    const SweepPoint& before = group[0].points[point];
    const SweepPoint& after = group[1].points[point];
    if (!enough_) return false;
    return !before.works() || !after.works() ||
           enough_(log_ratios(context_.log.blocks(before), context_.log.blocks(after)));
  }

  void measure_both_sides(PairedGroup& group, Measurers& measurers, std::size_t point, int round,
                          Random& random) {
    const std::size_t first = random.below(2);
    for (const std::size_t side : {first, 1 - first}) {
      // A point that works on one side alone has nothing to be compared with.
      if (!group[0].points[point].works() || !group[1].points[point].works()) continue;
      SweepPoint& each = group[side].points[point];
      if (!measurers[side].has_time_for_block(each)) continue;
      measurers[side].measure_block(each, {.round = round,
                                           .pairs = context_.options.quality.pairs,
                                           .seed = measurers[side].order_seed(round, each)});
    }
  }

  void end_points(PairedGroup& group, bool all_rounds) {
    for (std::size_t point = 0; point < group[0].points.size(); ++point) {
      const char* const reason = is_decided(group, point) ? narrow_enough
                                 : all_rounds             ? "rounds"
                                                          : out_of_budget;
      for (SweepGroup& side : group) {
        if (side.points[point].works() && !side.points[point].stop_reason)
          context_.outcomes.end(side.points[point], reason);
      }
    }
  }

  SweepContext context_;
  const PairedSides& sides_;
  const KnowsEnough& enough_;
  std::array<DeviceClient, 2> clients_;
};

}  // namespace

PairedSide find_side(const std::string& text, const std::string& name,
                     const std::vector<std::string>& selectors, std::chrono::milliseconds limit) {
  PairedSide side;
  side.text = text;
  side.variables = parse_environment(text);
  Options options;
  options.devices = selectors;
  const std::vector<DeviceInfo> devices = chosen_devices(options, ask_inventory(side.variables, limit));
  if (devices.size() != 1) {
    std::string names;
    for (const DeviceInfo& each : devices) names += (names.empty() ? "" : ", ") + describe(each);
    throw UsageError(
        fmt::format("one device is compared with one, and with '{}' there are {}: {}; choose by --device",
                    text, devices.size(), names));
  }
  side.device = devices.front();
  side.id = fmt::format("{}@{}", side.device.id, name);
  return side;
}

PairedSides find_sides(const std::vector<std::string>& environments,
                       const std::vector<std::string>& devices) {
  if (environments.size() != 2)
    throw UsageError(
        fmt::format("--pairs takes two environments, as OCL_ICD_VENDORS=/old OCL_ICD_VENDORS=/new; "
                    "{} given",
                    environments.size()));
  if (devices.size() > 2)
    throw UsageError("with --pairs --device names the device of each environment: one selector, or two");
  const auto of = [&](std::size_t side) {
    return devices.size() == 2 ? std::vector<std::string>{devices[side]} : devices;
  };
  return {find_side(environments[0], "old", of(0)), find_side(environments[1], "new", of(1))};
}

std::vector<PairedGroup> plan_pairs(const Options& options, const PairedSides& sides) {
  if (takes_auto_size(options))
    throw UsageError(
        "with --pairs each plan but ci needs its --size or --problem, the same for both devices");
  Options here = options;
  here.devices.clear();
  std::array<std::vector<SweepGroup>, 2> planned;
  for (std::size_t side = 0; side < sides.size(); ++side) {
    Inventory inventory;
    inventory.devices = {sides[side].device};
    planned[side] = plan_sweep(here, inventory);
  }
  std::vector<PairedGroup> groups;
  for (const SweepGroup& before : planned[0]) {
    for (const SweepGroup& after : planned[1]) {
      if (same_data(before, after)) groups.push_back(paired(before, after, sides));
    }
  }
  return groups;
}

PairedGroup on_both_sides(const SweepGroup& group, const PairedSides& sides) {
  PairedGroup pair = {group, group};
  for (std::size_t side = 0; side < sides.size(); ++side) {
    pair[side].points.clear();
    for (const SweepPoint& point : group.points)
      pair[side].points.push_back(on_side(point, group, sides[side]));
    pair[side].device = sides[side].device;
    pair[side].device.id = sides[side].id;
  }
  return pair;
}

std::vector<double> log_ratios(const std::vector<BlockRecord>& before, const std::vector<BlockRecord>& after,
                               const std::string& kernel) {
  // By one kind of time on both sides.
  const bool spans = run_time_of(before) == RunTime::span && run_time_of(after) == RunTime::span;
  const RunTime run_time = spans ? RunTime::span : RunTime::wall;
  const auto new_times = times_by_round(after, kernel, run_time);
  std::vector<double> logs;
  for (const auto& [round, old_ns] : times_by_round(before, kernel, run_time)) {
    if (const auto found = new_times.find(round); found != new_times.end())
      logs.push_back(std::log(found->second / old_ns));
  }
  return logs;
}

RunLog measure_pairs(const Options& options, const std::filesystem::path& folder, const RunRecord& run,
                     const PairedSides& sides, std::vector<PairedGroup>& groups, const KnowsEnough& enough) {
  PairedSweep sweep(options, folder, run, sides, enough);
  sweep.run(groups);
  return sweep.log();
}

}  // namespace dwarfsweep
