#include "suite/tune/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "suite/sweep/size_choices.hpp"

namespace dwarfsweep {
namespace {

using std::chrono::milliseconds;

// A budget that is used up leaves each search what it must do in any case.
milliseconds budget_left(const Options& options, const RunLog& log) {
  if (options.budget.count() == 0) return milliseconds(0);
  const milliseconds used(static_cast<long long>(1000 * seconds_used(log)));
  return std::max(milliseconds(1), options.budget - used);
}

}  // namespace

// Of searches that were made at the same time, those of the device that took longest.
double seconds_used(const RunLog& log) {
  std::vector<double> seconds;
  std::vector<const DeviceInfo*> devices;
  for (const auto& [group, search] : log.searches) {
    const auto device = log.devices.find(search.baseline.device_id);
    if (device == log.devices.end()) continue;
    const auto found = log.evaluations.find(group);
    const double last = found == log.evaluations.end() ? 0 : found->second.back().seconds;
    seconds.push_back(std::max(search.seconds, last));
    devices.push_back(&device->second.info);
  }
  double used = 0;
  for (const Wave& wave : plan_waves(devices, usable_cores())) {
    double longest = 0;
    for (const Strand& strand : wave) {
      double of_strand = 0;
      for (const std::size_t place : strand) of_strand += seconds[place];
      longest = std::max(longest, of_strand);
    }
    used += longest;
  }
  return used;
}

Tuning::Tuning(const Options& options, const std::filesystem::path& folder, RunLog log)
    : options_(options),
      log_(folder, std::move(log)),
      budget_(budget_left(options, log_.run())),
      progress_(budget_),
      failures_(options.give_up_after),
      outcomes_(log_, failures_, options.cache),
      shared_{options_, log_, budget_, progress_, outcomes_, failures_},
      folder_(folder) {
  if (log_.is_new()) log_.append(RunRecord(log_.run().run));
}

void Tuning::choose_sizes(const std::vector<SweepGroup>& groups) {
  try {
    SizeChooser(options_, strand(0, usable_cores()).devices(), log_, progress_).choose(groups);
  } catch (const Interrupted&) {
    interrupted_ = true;
  }
}

void Tuning::run(std::vector<SearchGroup>& searches, bool extends) {
  std::vector<const DeviceInfo*> devices;
  for (SearchGroup& each : searches) devices.push_back(&each.group().device);
  const std::vector<Wave> waves = plan_waves(devices, usable_cores());
  if (const std::string told = describe_waves(waves, devices); !told.empty())
    fmt::print(stderr, "{}\n", told);
  // What was opened to choose sizes does not know of others beside it.
  if (most_strands(waves) > 1) strands_.clear();
  try {
    for (std::size_t i = 0; i < waves.size() && !interrupted_; ++i)
      run_wave(searches, waves[i],
               length_of({waves.begin() + static_cast<std::ptrdiff_t>(i) + 1, waves.end()}), extends);
    log_points();
  } catch (const Interrupted&) {
    interrupted_ = true;
  }
  progress_.clear();
  for (const auto& each : strands_) each->end();
}

TuneStrand& Tuning::strand(std::size_t number, int cores) {
  while (strands_.size() <= number) {
    const std::string name =
        strands_.empty() ? "workers.log" : fmt::format("workers-{}.log", strands_.size() + 1);
    strands_.push_back(std::make_unique<TuneStrand>(shared_, folder_ / name, cores));
  }
  return *strands_[number];
}

void Tuning::run_wave(std::vector<SearchGroup>& searches, const Wave& wave, std::size_t later, bool extends) {
  const int cores = usable_cores() / static_cast<int>(wave.size());
  std::vector<std::function<void()>> running;
  for (std::size_t number = 0; number < wave.size(); ++number) {
    TuneStrand& made = strand(number, cores);
    running.emplace_back([this, &searches, &made, places = wave[number], later, extends] {
      for (std::size_t i = 0; i < places.size(); ++i)
        made.search(searches[places[i]], share_of(places.size() - i + later, extends));
      made.end();
    });
  }
  run_strands(running);
  strands_.clear();
}

SearchShare Tuning::share_of(std::size_t searches_left, bool extends) const {
  SearchShare share;
  share.extends = extends;
  if (options_.evaluations_given) share.evaluations = options_.evaluations.front();
  if (!budget_.unlimited())
    share.time = std::max(milliseconds(1), budget_.left() / static_cast<int>(searches_left));
  return share;
}

// How many points there are is known where all searches have ended; for `merge`.
void Tuning::log_points() {
  const auto points = static_cast<std::int64_t>(log_.run().ends.size());
  if (!interrupted_ && log_.run().planned != points) log_.append(PlanRecord{points});
}

}  // namespace dwarfsweep
