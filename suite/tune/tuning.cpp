#include "suite/tune/tuning.hpp"

#include <algorithm>
#include <stdexcept>

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

double seconds_used(const RunLog& log) {
  double seconds = 0;
  for (const auto& [group, search] : log.searches) {
    const auto found = log.evaluations.find(group);
    const double last = found == log.evaluations.end() ? 0 : found->second.back().seconds;
    seconds += std::max(search.seconds, last);
  }
  return seconds;
}

Tuning::Tuning(const Options& options, const std::filesystem::path& folder, RunLog log)
    : options_(options),
      log_(folder, std::move(log)),
      budget_(budget_left(options, log_.run())),
      progress_(budget_),
      failures_(options.give_up_after),
      outcomes_(log_, failures_, options.cache),
      builds_(options_, folder),
      context_{options_, outcomes_, progress_, builds_},
      devices_(options_, folder, log_, progress_) {
  if (log_.is_new()) log_.append(RunRecord(log_.run().run));
}

void Tuning::choose_sizes(const std::vector<SweepGroup>& groups) {
  try {
    SizeChooser(options_, devices_, log_, progress_).choose(groups);
  } catch (const Interrupted&) {
    interrupted_ = true;
  }
}

void Tuning::run(std::vector<SearchGroup>& searches, bool extends) {
  try {
    for (std::size_t i = 0; i < searches.size() && !interrupted_; ++i) {
      SearchShare share;
      share.extends = extends;
      if (options_.evaluations_given) share.evaluations = options_.evaluations.front();
      const auto searches_left = static_cast<int>(searches.size() - i);
      if (!budget_.unlimited()) share.time = std::max(milliseconds(1), budget_.left() / searches_left);
      search(searches[i], share);
    }
    log_points();
  } catch (const Interrupted&) {
    interrupted_ = true;
  }
  progress_.clear();
  builds_.end();
  devices_.close();
}

// How many points there are is known where all searches have ended; for `merge`.
void Tuning::log_points() {
  const auto points = static_cast<std::int64_t>(log_.run().ends.size());
  if (!interrupted_ && log_.run().planned != points) log_.append(PlanRecord{points});
}

void Tuning::search(SearchGroup& searched, const SearchShare& share) {
  SweepGroup& group = searched.group();
  DeviceClient& client = devices_.client_of(group.device);
  progress_.set_remark("");
  if (const auto problem = devices_.open(client)) {
    for (SweepPoint& point : group.points)
      outcomes_.lose(point, problem->status, "opening the device: " + problem->reason);
    return;
  }
  builds_.enter_unplanned(group);
  DeviceSearch(context_, log_, client, searched, share).run();
  // The next search has other data. A worker that cannot even forget is ended.
  try {
    (void)client.ask({{"do", "drop"}}, options_.point_timeout);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error&) {
    client.stop();
  }
}

}  // namespace dwarfsweep
