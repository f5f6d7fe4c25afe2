#include "suite/sweep/size_choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <optional>

#include "harness/peaks/peaks.hpp"
#include "suite/engine/measurer.hpp"
#include "suite/plan/auto_size.hpp"
#include "suite/plan/known_sizes.hpp"
#include "suite/record/standard_error.hpp"

namespace dwarfsweep {
namespace {

constexpr double max_trial_seconds = 5;

PointRequest request_at(const LadderSize& size, const SweepPoint& point) {
  PointRequest request = point.request;
  request.problem = {size.name, ValueMap::parse(size.problem)};
  return request;
}

double seconds_of(std::chrono::milliseconds duration) {
  return std::chrono::duration<double>(duration).count();
}

bool is_host(const SweepGroup& group) {
  return group.device.type == "host";
}

struct VariantLoad {
  const SweepPoint* first = nullptr;  ///< its default, or the next that can run
  double points = 0;                  ///< to be afforded
};

// The default configurations of all variants, and a third of the other points that can run: the most
// informative points are measured first.
std::vector<VariantLoad> points_to_afford(const SweepGroup& group) {
  std::map<std::string, std::size_t> places;
  std::vector<VariantLoad> variants;
  for (const SweepPoint& point : group.points) {
    if (point.rejected) continue;
    const auto [place, is_new] = places.emplace(point.request.config.string("variant"), variants.size());
    if (is_new) variants.push_back({&point, 0});
    variants[place->second].points += is_new ? 1 : 1.0 / 3;
  }
  return variants;
}

std::size_t index_of(const std::vector<LadderSize>& ladder, const std::string& size) {
  const auto found = std::ranges::find(ladder, size, &LadderSize::name);
  return static_cast<std::size_t>(found - ladder.begin());
}

// Null if the size stands for another problem now.
const KnownSize* find_known(const KnownSizes& all, const DeviceInfo& device, const std::string& dwarf,
                            const std::vector<LadderSize>& ladder) {
  const KnownSize* const known = all.find(device, dwarf);
  if (!known) return nullptr;
  const std::size_t index = index_of(ladder, known->size);
  const bool same = index < ladder.size() && ladder[index].problem == known->problem &&
                    index_of(ladder, known->target) < ladder.size();
  return same ? known : nullptr;
}

// What measuring costs at a size, by the group's baseline.
class SizeTrials {
 public:
  using Clock = std::chrono::steady_clock;

  // `smallest`: at which the programs are built ahead.
  SizeTrials(DeviceClient& client, BuildAhead& builds, const SweepPoint& baseline, const LadderSize& smallest,
             std::chrono::milliseconds point_timeout)
      : client_(client),
        builds_(builds),
        baseline_(baseline),
        smallest_(smallest),
        point_timeout_(point_timeout) {}

  // Empty if the baseline fails (then the points fail in the same way, and say why), or takes far longer than
  // expected.
  std::optional<SizeCost> run(const LadderSize& size, const SizeCost& expected) {
    if (baseline_.rejected) return std::nullopt;
    const std::optional<TrialCost> cost = try_at(size, baseline_, expected.once + expected.prepared_point());
    if (!cost) return std::nullopt;
    // The first verification also compiles, if a driver does so at the first launch, and makes the reference
    // results; at the smallest size these take no time.
    const double beside_check = std::max(0.0, 1e-9 * cost->preparation.verify_ns - cost->verify_s);
    compile_s_ = std::min(compile_s_, beside_check);
    return SizeCost{cost->load_s + beside_check - compile_s_,
                    1e-9 * static_cast<double>(cost->preparation.upload_ns) + cost->verify_s,
                    1e-9 * cost->preparation.sample_ns};
  }

  // The defaults of the variants, as many as that time allows; the others are taken to be like them. The
  // sweep finds their programs in the caches.
  void add_variants(const LadderSize& size, const std::vector<VariantLoad>& variants, double seconds,
                    SizeCost& cost) {
    const auto end =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    double points = 0;
    double defaults = 0;
    double others = 0;
    cost.anchor = cost.sample;
    for (const VariantLoad& variant : variants) {
      double sample = cost.sample;
      if (variant.first != &baseline_) {
        const auto begin = Clock::now();
        const auto tried =
            begin < end ? try_at(size, *variant.first, cost.once + cost.prepared_point()) : std::nullopt;
        if (!tried) continue;
        const double sample_ns = tried->preparation.sample_ns;
        builds_.prepared(Clock::now() - begin, sample_ns);
        sample = 1e-9 * sample_ns;
      }
      cost.anchor = std::min(cost.anchor, sample);
      points += variant.points;
      defaults += sample;
      others += variant.points - 1;
    }
    // Slow points do not keep the fast ones at sizes where they are launches: the budget leaves them out.
    cost.typical = points > 0 ? (defaults + others * cost.anchor) / points : cost.sample;
  }

 private:
  std::optional<TrialCost> try_at(const LadderSize& size, const SweepPoint& point, double expected_s) {
    constexpr std::chrono::seconds time_to_build{20};
    const auto limit = std::min<std::chrono::milliseconds>(
        point_timeout_, time_to_build + std::chrono::milliseconds(static_cast<long>(3000 * expected_s)));
    const PointRequest request = request_at(size, point);
    (void)builds_.outcome_of(request_at(smallest_, point));
    (void)builds_.outcome_of(request);
    return try_point(client_, request, limit);
  }

  DeviceClient& client_;
  BuildAhead& builds_;
  const SweepPoint& baseline_;
  const LadderSize& smallest_;
  std::chrono::milliseconds point_timeout_;
  double compile_s_ = std::numeric_limits<double>::infinity();  // within the first run of the baseline
};

class SizeChooser {
 public:
  SizeChooser(SweepContext& context, SweepDevices& devices, BuildAhead& builds)
      : options_(context.options),
        budget_(context.budget),
        devices_(devices),
        builds_(builds),
        log_(context.log),
        progress_(context.progress),
        known_(KnownSizes::default_path()) {}

  // `groups`: planned at any size; only their devices, dwarfs and numbers of points matter. Each choice goes
  // to the log and to standard error. Sizes that the log has chosen or measured before are kept. Where the
  // budget is too short for all groups, the others have none. Throws Interrupted.
  void choose(const std::vector<SweepGroup>& groups) {
    const auto count = static_cast<double>(
        std::ranges::count_if(groups, [](const SweepGroup& group) { return !is_host(group); }));
    test_devices(groups);
    const DeviceInfo* device = nullptr;
    for (const SweepGroup& group : groups) {
      // There is no time to measure what is left.
      if (&group != &groups.front() && budget_.is_nearly_spent()) return;
      if (is_host(group) || is_settled(group)) continue;
      if (device == nullptr || device->id != group.device.id) build_defaults(group.device, groups);
      device = &group.device;
      choose(group, seconds_of(options_.budget) / std::max(1.0, count));
    }
  }

 private:
  // All devices are tested before builders could disturb a test.
  void test_devices(const std::vector<SweepGroup>& groups) {
    for (const SweepGroup& group : groups) {
      const bool is_needed = !is_host(group) && !is_settled(group) && !group.device.checks_bounds;
      if (is_needed) (void)devices_.test(devices_.client_of(group.device));
    }
  }

  enum class Size { smallest, largest };

  // The default configurations of the dwarfs whose sizes have to be tried on the device.
  [[nodiscard]] std::vector<std::vector<PointRequest>> defaults_of(const DeviceInfo& device,
                                                                   const std::vector<SweepGroup>& groups,
                                                                   Size size) const {
    std::vector<std::vector<PointRequest>> defaults;
    for (const SweepGroup& group : groups) {
      const std::vector<LadderSize> ladder = ladder_of(*group.dwarf);
      if (group.device.id != device.id || is_settled(group) || ladder.empty() ||
          find_known(known_, device, group.dwarf->info().name, ladder) != nullptr)
        continue;
      std::vector<PointRequest>& of_group = defaults.emplace_back();
      for (const VariantLoad& variant : points_to_afford(group))
        of_group.push_back(
            request_at(size == Size::smallest ? ladder.front() : ladder.back(), *variant.first));
    }
    return defaults;
  }

  // Most programs are the same at all sizes, so those of the smallest size are compiled. Builders also
  // compile those of the largest, at which most GPUs are measured.
  void build_defaults(const DeviceInfo& device, const std::vector<SweepGroup>& groups) {
    constexpr std::chrono::milliseconds most{20'000};
    constexpr int part_of_budget = 20;
    DeviceClient* const client = devices_.find_open(device);
    if (client == nullptr) return;
    progress_.show(device.name + " · compiling the defaults");
    const auto limit = budget_.unlimited() ? most : std::min(most, options_.budget / part_of_budget);
    std::vector<std::vector<PointRequest>> defaults = defaults_of(device, groups, Size::smallest);
    if (builds_.has_builders(device)) {
      for (std::vector<PointRequest>& points : defaults_of(device, groups, Size::largest))
        defaults.push_back(std::move(points));
    }
    builds_.begin_unplanned(*client, defaults, std::chrono::steady_clock::now() + limit);
    // The cores that this device leaves compile for CPUs, whose turn comes later.
    for (const SweepGroup& group : groups) {
      DeviceClient* const later = devices_.find_open(group.device);
      if (later == nullptr || !builds_.can_launch_meanwhile(group.device)) continue;
      std::vector<PointRequest> all;
      for (const std::vector<PointRequest>& points : defaults_of(group.device, groups, Size::smallest))
        all.insert(all.end(), points.begin(), points.end());
      builds_.launch_meanwhile(*later, all);
    }
  }

  void choose(const SweepGroup& group, double group_seconds) {
    const std::string& dwarf = group.dwarf->info().name;
    const std::vector<LadderSize> ladder = ladder_of(*group.dwarf);
    SizeRecord record{group.device.id, dwarf, "small", "", ""};
    if (ladder.empty()) {
      record.reason = "the dwarf does not state what its sizes demand";
    } else if (group.device.checks_bounds) {
      record.size = ladder.front().name;
      record.reason = "an interpreter";
    } else {
      DeviceClient& client = devices_.client_of(group.device);
      if (devices_.open(client)) return;  // its points fail with the reason
      progress_.show(fmt::format("{} · {} choosing a size", group.device.name, dwarf));
      const double trial_seconds =
          group_seconds == 0 ? max_trial_seconds : std::min(max_trial_seconds, group_seconds / 10);
      double points = 0;
      for (const VariantLoad& variant : points_to_afford(group)) points += variant.points;
      const SizeLimits limits{group_seconds, seconds_of(options_.point_timeout), trial_seconds, points,
                              options_.quality.blocks};
      const SizeChoice choice = made_before_or_now(client, group, ladder, limits);
      record.size = ladder[choice.index].name;
      record.problem = ladder[choice.index].problem;
      record.reason = choice.reason;
      known_.put({group.device.id, group.device.name, group.device.driver, dwarf, record.size, record.problem,
                  ladder[choice.target].name, group_seconds, choice.cost, choice.reason});
      known_.write();
    }
    log_.append(record);
    progress_.clear();
    print_stderr("{} on {}: size {}: {}\n", dwarf, group.device.name, record.size, record.reason);
  }

  SizeChoice made_before_or_now(DeviceClient& client, const SweepGroup& group,
                                const std::vector<LadderSize>& ladder, const SizeLimits& limits) {
    if (const KnownSize* known = find_known(known_, group.device, group.dwarf->info().name, ladder)) {
      const SizeChoice before{index_of(ladder, known->size), index_of(ladder, known->target), known->reason,
                              known->cost};
      SizeLimits limits_before = limits;
      limits_before.group_seconds = known->group_seconds;
      if (still_holds(before, limits_before, limits)) return before;
    }
    SizeTrials trials(client, builds_, group.points.front(), ladder.front(), options_.point_timeout);
    const SizeChoice choice = choose_size(
        ladder, rates_of(group), limits,
        [&](std::size_t index, const SizeCost& expected) { return trials.run(ladder[index], expected); },
        [&](std::size_t index, SizeCost& cost) {
          trials.add_variants(ladder[index], points_to_afford(group), limits.trial_seconds, cost);
        });
    drop_points(client, options_.point_timeout);
    return choice;
  }

  [[nodiscard]] bool is_settled(const SweepGroup& group) const {
    const RunLog& run = log_.run();
    const std::string& dwarf = group.dwarf->info().name;
    return run.sizes.contains(size_key(group.device.id, dwarf)) ||
           std::ranges::any_of(run.order, [&](const PointKey& key) {
             return key.device_id == group.device.id && key.dwarf == dwarf;
           });
  }

  [[nodiscard]] DeviceRates rates_of(const SweepGroup& group) const {
    std::map<std::string, double> peaks;
    if (const auto found = log_.run().peaks.find(group.device.id); found != log_.run().peaks.end())
      peaks = found->second.values;
    const auto value = [&](const char* name) {
      const auto found = peaks.find(name);
      return found == peaks.end() ? 0.0 : found->second;
    };
    const double launch_ns = value("pipelined_launch_ns");
    return {static_cast<double>(last_level_cache_bytes(group.device, caches_of(peaks))),
            value("read_gb_per_s"), value(peak_of(group.dwarf->info().arithmetic)),
            launch_ns > 0 ? launch_ns : value("launch_ns")};
  }

  const Options& options_;
  const TimeBudget& budget_;
  SweepDevices& devices_;
  BuildAhead& builds_;
  SweepLog& log_;
  Progress& progress_;
  KnownSizes known_;
};

}  // namespace

void choose_sizes(SweepContext& context, SweepDevices& devices, BuildAhead& builds,
                  const std::vector<SweepGroup>& groups) {
  SizeChooser(context, devices, builds).choose(groups);
}

SizeChoices known_choices(const Options& options, const std::vector<DeviceInfo>& devices) {
  SizeChoices choices;
  if (!takes_auto_size(options)) return choices;
  const KnownSizes all(KnownSizes::default_path());
  for (const DeviceInfo& device : devices) {
    for (const Dwarf* dwarf : built_in_dwarfs()) {
      const std::string& name = dwarf->info().name;
      if (const KnownSize* known = find_known(all, device, name, ladder_of(*dwarf)))
        choices[size_key(device.id, name)] = {device.id, name, known->size, known->problem, known->reason};
    }
  }
  return choices;
}

}  // namespace dwarfsweep
