#include "suite/sweep/paired_sweep.hpp"

#include <fmt/format.h>

#include <numeric>

#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep {
namespace {

DeviceClient::Settings settings_for(const Options& options, const std::filesystem::path& folder,
                                    const PairedSide& side) {
  DeviceClient::Settings settings{options.kernels, options.cache, (folder / "workers.log").string()};
  settings.half_width = options.quality.half_width;
  settings.environment = side.variables;
  return settings;
}

RunLog log_of(const RunRecord& run) {
  RunLog log;
  log.run = run;
  return log;
}

}  // namespace

PairedSweep::PairedSweep(const Options& options, const std::filesystem::path& folder, const RunRecord& run,
                         const PairedSides& sides)
    : options_(options),
      log_(folder, log_of(run)),
      budget_(options.budget),
      progress_(budget_),
      failures_(options.give_up_after),
      outcomes_(log_, failures_, options.cache),
      builds_(options_, folder / "workers.log", 1),
      context_{options_, outcomes_, progress_, builds_},
      sides_(sides),
      clients_{DeviceClient(sides[0].device, settings_for(options, folder, sides[0])),
               DeviceClient(sides[1].device, settings_for(options, folder, sides[1]))} {}

void PairedSweep::run(std::vector<PairedGroup>& groups) {
  log_.append(RunRecord(log().run));
  open_devices();
  std::int64_t points = 0;
  for (const PairedGroup& group : groups) points += static_cast<std::int64_t>(2 * group[0].points.size());
  log_.append(PlanRecord{points});
  progress_.start(static_cast<std::size_t>(points));
  std::size_t left = groups.size();
  for (PairedGroup& group : groups) {
    // What a group leaves of its share is for those after it.
    const auto share = budget_.unlimited() ? unlimited_share : budget_.left() / static_cast<long>(left);
    measure(group, Clock::now() + share);
    progress_.add_done(2 * group[0].points.size());
    --left;
  }
  progress_.clear();
}

void PairedSweep::open_devices() {
  for (std::size_t side = 0; side < sides_.size(); ++side) {
    progress_.show(sides_[side].text + " · opening " + sides_[side].device.name);
    const auto fail = [&](const std::runtime_error& error) {
      throw NoDeviceError(
          fmt::format("opening {} with '{}': {}", sides_[side].device.name, sides_[side].text, error.what()));
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
    log_.append(record);
  }
}

void PairedSweep::agree_on_timer() {
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

void PairedSweep::measure(PairedGroup& group, Clock::time_point deadline) {
  Measurers measurers = {PointMeasurer(context_, clients_[0], group[0]),
                         PointMeasurer(context_, clients_[1], group[1])};
  for (std::size_t point = 0; point < group[0].points.size(); ++point) {
    for (std::size_t side = 0; side < 2; ++side) {
      SweepPoint& each = group[side].points[point];
      if (each.rejected.empty()) {
        measurers[side].prepare(each);
      } else {
        outcomes_.reject(each);
      }
    }
  }
  const int per_process = options_.quality.blocks_per_process;
  int round = 0;
  for (; round < options_.quality.rounds && (round == 0 || Clock::now() < deadline); ++round) {
    if (per_process > 0 && round > 0 && round % per_process == 0) {
      for (PointMeasurer& measurer : measurers) measurer.renew_process();
    }
    measure_round(group, measurers, round, deadline);
  }
  for (PointMeasurer& measurer : measurers) measurer.check_last_outputs();
  end_points(group, round == options_.quality.rounds);
  for (DeviceClient& client : clients_) client.stop();  // the next group has other data
}

void PairedSweep::measure_round(PairedGroup& group, Measurers& measurers, int round,
                                Clock::time_point deadline) {
  Random random(seed_of_part(options_.seed, static_cast<std::uint64_t>(round)));
  std::vector<std::size_t> order(group[0].points.size());
  std::iota(order.begin(), order.end(), 0);
  random.shuffle(order);
  for (const std::size_t point : order) {
    if (round > 0 && Clock::now() > deadline) return;
    const std::size_t first = random.below(2);
    for (const std::size_t side : {first, 1 - first}) {
      // A point that works on one side alone has nothing to be compared with.
      if (!group[0].points[point].alive || !group[1].points[point].alive) continue;
      SweepPoint& each = group[side].points[point];
      if (measurers[side].has_time_for_block(each))
        measurers[side].measure_block(each, {.round = round, .pairs = options_.quality.pairs, .alone = true});
    }
  }
}

void PairedSweep::end_points(PairedGroup& group, bool all_rounds) {
  for (SweepGroup& side : group) {
    for (SweepPoint& point : side.points) {
      if (point.alive && !point.ended) outcomes_.end(point, all_rounds ? "rounds" : out_of_budget);
    }
  }
}

}  // namespace dwarfsweep
