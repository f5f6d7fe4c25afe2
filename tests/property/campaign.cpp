#include "tests/property/campaign.hpp"

#include <fmt/format.h>
#include <rapidcheck/Random.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <thread>
#include <utility>

#include "harness/space/text.hpp"
#include "harness/statistics/random.hpp"
#include "suite/record/reason.hpp"
#include "suite/worker/interrupt.hpp"

namespace dwarfsweep::property {
namespace {

// More failures of one variant are most likely the same one.
constexpr int most_shrunk_alike = 2;
constexpr std::chrono::seconds shrinking_limit{60};

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// A folder for what the workers print, removed at the end.
class OutputFolder {
 public:
  OutputFolder() : path_(std::filesystem::temp_directory_path() / fmt::format("properties_{}", ::getpid())) {
    std::filesystem::create_directories(path_);
  }
  ~OutputFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  [[nodiscard]] std::filesystem::path file(int process) const {
    return path_ / fmt::format("{}.txt", process);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

Campaign::Campaign(DeviceInfo device, CampaignSettings settings)
    : device_(std::move(device)), settings_(std::move(settings)), end_(Clock::now() + settings_.time) {
  for (const Dwarf* dwarf : settings_.dwarfs) tallies_[dwarf->info().name];
}

std::size_t Campaign::run() {
  const OutputFolder folder;
  std::vector<std::thread> threads;
  for (int i = 0; i < settings_.processes; ++i) {
    threads.emplace_back([this, file = folder.file(i)] {
      TrialRunner runner(device_, settings_.runner, file);
      try {
        work(runner);
      } catch (const Interrupted&) {
      } catch (...) {
        const std::lock_guard lock(mutex_);
        error_ = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  fmt::print("{}", table_of(tallies_));
  if (error_) std::rethrow_exception(error_);
  std::size_t failures = 0;
  for (const auto& [name, tally] : tallies_) failures += tally.failures;
  return failures;
}

std::chrono::milliseconds Campaign::time_left() const {
  return std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now());
}

bool Campaign::is_over() const {
  return Clock::now() >= end_ || interrupted();
}

const Dwarf& Campaign::dwarf_with_least_time() const {
  const Dwarf* least = settings_.dwarfs.front();
  for (const Dwarf* dwarf : settings_.dwarfs) {
    if (tallies_.at(dwarf->info().name).seconds < tallies_.at(least->info().name).seconds) least = dwarf;
  }
  return *least;
}

void Campaign::work(TrialRunner& runner) {
  // So that processes which begin together take different dwarfs.
  constexpr double expected_seconds = 1;
  while (!is_over()) {
    std::unique_lock lock(mutex_);
    const Dwarf& dwarf = dwarf_with_least_time();
    const std::string& name = dwarf.info().name;
    tallies_[name].seconds += expected_seconds;
    const std::uint64_t seed = seed_of_part(settings_.seed ^ fnv1a(name), batches_[name]++);
    const Batch batch =
        batches_of(dwarf, device_.capabilities, settings_.draw)(rc::Random(seed), rc::kNominalSize).value();
    tallies_[name].rejected += batch.rejected;
    lock.unlock();
    const auto begin = Clock::now();
    try_all(runner, batch);
    lock.lock();
    tallies_[name].seconds += seconds_since(begin) - expected_seconds;
  }
}

// A configuration that takes too long to build takes too long for every problem. A trial that the end of the
// campaign cuts short does not count.
void Campaign::try_all(TrialRunner& runner, const Batch& batch) {
  for (const Trial& trial : batch.trials) {
    if (is_over()) return;
    const Outcome outcome = runner.run(trial, time_left());
    const bool timed_out = outcome.status == Status::timed_out;
    if (timed_out && is_over()) return;
    note(runner, trial, outcome);
    if (timed_out) return;
  }
}

void Campaign::note(TrialRunner& runner, const Trial& trial, const Outcome& outcome) {
  std::unique_lock lock(mutex_);
  Tally& tally = tallies_[trial.dwarf->info().name];
  if (outcome.status == Status::rejected) {
    ++tally.rejected;
    return;
  }
  tally.count(trial);
  if (outcome.status == Status::ok) return;
  if (outcome.status == Status::timed_out) {
    ++tally.timed_out;
    return print(trial, outcome);
  }
  if (!outcome.is_failure()) {
    ++tally.declined;
    return;
  }
  const PointRequest request = request_of(trial);
  const PointKey key{device_.id, request.dwarf, "custom", trial.problem.to_string(),
                     trial.config.to_string()};
  if (!known_exception(device_, key, outcome.status).empty()) {
    ++tally.known;
    return;
  }
  ++tally.failures;
  const std::string kind =
      fmt::format("{} {} {}", request.dwarf, trial.config.string("variant"), to_string(outcome.status));
  if (++shrunk_[kind] > most_shrunk_alike) return print(trial, outcome);
  lock.unlock();
  report_failure(runner, trial, outcome);
}

void Campaign::report_failure(TrialRunner& runner, const Trial& trial, const Outcome& outcome) {
  const auto end = Clock::now() + shrinking_limit;
  const Shrunk smallest = shrink(
      trial, outcome, device_.capabilities,
      [&](const Trial& candidate) { return runner.run(candidate, shrinking_limit); },
      [&] { return Clock::now() < end && !interrupted(); });
  const std::lock_guard lock(mutex_);
  print(smallest.trial, smallest.outcome);
}

void Campaign::print(const Trial& trial, const Outcome& outcome) {
  fmt::print("{}: {}\n  {}\n", to_string(outcome.status), outcome.reason.substr(0, 1000),
             command_of(trial, settings_.selector, device_.capabilities));
  std::fflush(stdout);
}

}  // namespace dwarfsweep::property
