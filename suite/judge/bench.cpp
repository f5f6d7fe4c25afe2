#include "suite/judge/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <system_error>

#include "harness/space/error.hpp"
#include "harness/space/text.hpp"
#include "suite/record/duration.hpp"
#include "suite/worker/host_limits.hpp"

namespace dwarfsweep {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

namespace {

PointRequest request_of(PointRequest point, const Trial& trial) {
  point.problem = trial.problem;
  point.seed = trial.seed;
  return point;
}

std::uintmax_t size_of(const fs::path& file) {
  std::error_code error;
  const auto bytes = fs::file_size(file, error);
  return error ? 0 : bytes;
}

std::string read_from(const fs::path& file, std::uintmax_t position, std::size_t most) {
  std::ifstream stream(file, std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(position));
  std::string text(most, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(most));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, stream.gcount())));
  return text;
}

// Some compile when a kernel is first launched. What took less may have been on its way.
constexpr milliseconds enough_for_compilers(10'000);

std::string kind_of(Status status) {
  switch (status) {
    case Status::build_failed:
      return "build_failed";
    case Status::wrong_result:
      return "wrong_result";
    case Status::out_of_memory:
      return "out_of_memory";
    case Status::crashed:
      return "crashes";
    default:
      return "not_runnable";
  }
}

// --- problems

class Draw {
 public:
  Draw(const DwarfInfo& info, Random& random) : info_(info), random_(random) {}

  ValueMap problem(const Config& config, std::int64_t most_elements) {
    const auto& odd = info_.checks.odd_problems;
    if (!odd.empty() && random_.below(3) == 0) return odd[random_.below(odd.size())];
    ValueMap values;
    std::vector<const ProblemKey*> sizes;
    for (const ProblemKey& key : info_.keys) {
      values = values.with(key.name, key.preset);
      if (is_size(key)) sizes.push_back(&key);
    }
    random_.shuffle(sizes);
    std::int64_t left = most_elements;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const double share = std::pow(static_cast<double>(left), 1.0 / static_cast<double>(sizes.size() - i));
      const std::int64_t most = random_.below(4) == 0 ? left : 2 * static_cast<std::int64_t>(share);
      const std::int64_t value = number(*sizes[i], std::min(most, left), config);
      values = values.with(sizes[i]->name, value);
      left = std::max<std::int64_t>(1, left / std::max<std::int64_t>(1, value));
    }
    const bool keeps_presets = random_.below(3) == 0;
    for (const ProblemKey& key : info_.keys) {
      if (!is_size(key) && !keeps_presets) values = values.with(key.name, other(key, most_elements, config));
    }
    const auto& fit = info_.checks.random_problems.fit;
    return fit ? fit(values) : values;
  }

 private:
  [[nodiscard]] bool is_size(const ProblemKey& key) const {
    constexpr double few_values = 16;
    return key.preset.is_integer() && key.maximum - key.minimum > few_values &&
           !info_.checks.random_problems.maxima.has(key.name);
  }

  // The least ones, or a number of any magnitude: itself, or a multiple of one of the configuration's, or
  // beside that.
  std::int64_t number(const ProblemKey& key, std::int64_t limit, const Config& config) {
    const auto least = static_cast<std::int64_t>(key.minimum);
    const std::int64_t most = std::max(least, std::min(limit, static_cast<std::int64_t>(key.maximum)));
    const auto any =
        static_cast<std::int64_t>(std::pow(static_cast<double>(most - least) + 1, random_.uniform01()) - 1 +
                                  static_cast<double>(least));
    std::int64_t value = any;
    std::vector<std::int64_t> tiles;
    for (const auto& [name, setting] : config.entries()) {
      if (setting.is_integer() && setting.integer() > 1) tiles.push_back(setting.integer());
    }
    const auto choice = random_.below(10);
    if (choice == 0) {
      value = least + static_cast<std::int64_t>(random_.below(3));
    } else if (choice < 6 && !tiles.empty()) {
      const std::int64_t tile = tiles[random_.below(tiles.size())];
      value = any / tile * tile + static_cast<std::int64_t>(random_.below(3)) - 1;
    }
    return std::clamp(value, least, most);
  }

  Value other(const ProblemKey& key, std::int64_t most_elements, const Config& config) {
    if (key.preset.is_string()) {
      if (key.choices.empty()) return key.preset;
      return key.choices[random_.below(key.choices.size())];
    }
    if (key.preset.is_real()) {
      return std::clamp((static_cast<double>(random_.below(512)) - 256) / 64, key.minimum, key.maximum);
    }
    const Value* const maximum = info_.checks.random_problems.maxima.find(key.name);
    return number(key, maximum ? std::min(maximum->integer(), most_elements) : INT64_MAX, config);
  }

  const DwarfInfo& info_;
  Random& random_;
};

}  // namespace

std::optional<Problem> draw_shape(const Dwarf& dwarf, const Config& config, const Capabilities& capabilities,
                                  std::int64_t most_elements, Random& random) {
  constexpr int most_draws = 500;
  const DwarfInfo& info = dwarf.info();
  for (int i = 0; i < most_draws; ++i) {
    try {
      const ValueMap values = Draw(info, random).problem(config, most_elements);
      Problem problem = make_problem(info.name, info.keys, {"custom", values});
      if (!dwarf.space().why_rejected({config, problem, capabilities})) return problem;
    } catch (const UsageError&) {
      // Keys that do not go together.
    }
  }
  return std::nullopt;
}

double JudgeTime::spent() const {
  return std::chrono::duration<double>(Clock::now() - begin).count() /
         std::chrono::duration<double>(whole).count();
}

milliseconds JudgeTime::left() const {
  return std::max(milliseconds(1), std::chrono::duration_cast<milliseconds>(begin + whole - Clock::now()));
}

milliseconds JudgeTime::request_limit() const {
  return std::min(left(), std::max(enough_for_compilers, whole * 3 / 10));
}

Bench::Bench(const DeviceInfo& device, const JudgeTime& time, const fs::path& folder, std::string kernels,
             std::vector<std::string> environment)
    : device_(device),
      time_(time),
      folder_(folder),
      candidate_log_(folder / "candidate.log"),
      own_log_(folder / "own.log"),
      output_(folder / "output"),
      kernels_(std::move(kernels)),
      environment_(std::move(environment)) {
  fs::create_directories(folder_ / "home");
  if (device_.checks_bounds) device_.progress.tested = true;
}

// Only where its events are believed does the timer of a device need a test.
DeviceClient& Bench::own() {
  if (!own_) {
    std::optional<TimerReport> timer;
    if (device_.type == "cpu" || device_.checks_bounds) timer.emplace().timer = Timer::host;
    own_ = std::make_unique<DeviceClient>(device_, DeviceClient::Settings{.kernels = "",
                                                                          .output = own_log_.string(),
                                                                          .timer = timer,
                                                                          .open_limit = time_.left(),
                                                                          .environment = environment_});
    own_->test_progress();
    device_.progress = own_->device().progress;
  }
  return *own_;
}

// Nothing that it compiles gets into a cache that others read.
DeviceClient& Bench::candidate() {
  if (!candidate_) {
    launched_.clear();
    const TimerReport timer = own().timer();
    std::vector<std::string> environment = environment_;
    const std::string home = (folder_ / "home").string();
    for (const char* name : {"HOME", "XDG_CACHE_HOME", "POCL_CACHE_DIR", "CUDA_CACHE_PATH"})
      environment.push_back(fmt::format("{}={}", name, home));
    environment.emplace_back("DWARFSWEEP_CACHE=off");
    environment.push_back(fmt::format("{}={}", confined_seconds, time_.left() / std::chrono::seconds(1) + 1));
    candidate_ =
        std::make_unique<DeviceClient>(device_, DeviceClient::Settings{.kernels = kernels_,
                                                                       .output = candidate_log_.string(),
                                                                       .timer = timer,
                                                                       .open_limit = time_.left(),
                                                                       .environment = environment,
                                                                       .role = "confined"});
  }
  return *candidate_;
}

// On a CPU device kernels could change the clock of their process.
double Bench::launch(DeviceClient& client, milliseconds limit) {
  const auto begin = JudgeTime::Clock::now();
  const Sample sample = client.ask(LaunchStaged{}, limit);
  const double ns = std::chrono::duration<double, std::nano>(JudgeTime::Clock::now() - begin).count();
  const bool believed = device_.type != "cpu" && sample.fault.empty() && sample.span_ns > 0;
  return believed ? std::min(ns, sample.span_ns) : ns;
}

Outcome Bench::run(const PointRequest& point, const Trial& trial) {
  Outcome outcome = launch_candidate(point, trial);
  if (outcome.kind.empty()) verify(point, trial, outcome);
  return outcome;
}

Outcome Bench::launch_candidate(const PointRequest& point, const Trial& trial) {
  const PointRequest request = request_of(point, trial);
  Outcome outcome;
  attempt(outcome, "build", [&](milliseconds limit) {
    (void)candidate().ask(StagePoint{request, trial.leftovers, trial.seed}, limit);
  });
  if (!outcome.kind.empty()) return outcome;
  attempt(outcome, "run", [&](milliseconds limit) {
    const std::uintmax_t printed = size_of(candidate_log_);
    outcome.ns = launch(candidate(), limit);
    note_printing(request, printed, outcome);
  });
  return outcome;
}

void Bench::verify(const PointRequest& point, const Trial& trial, Outcome& outcome) {
  attempt(outcome, "run", [&](milliseconds limit) {
    const CollectedOutput collected = candidate().ask(CollectOutput{output_.string()}, limit);
    if (collected.guard.empty()) return check(request_of(point, trial), outcome);
    outcome.kind = "writes_out_of_bounds";
    outcome.detail = collected.guard;
  });
}

// What goes wrong becomes the outcome's kind.
void Bench::attempt(Outcome& outcome, const std::string& doing,
                    const std::function<void(milliseconds limit)>& action) {
  const milliseconds limit = time_.request_limit();
  try {
    action(limit);
  } catch (const WorkerTimeout&) {
    candidate_.reset();
    outcome.skipped = limit < enough_for_compilers;
    outcome.kind = outcome.skipped ? "no_time" : doing == "build" ? "build_timeout" : "hangs";
    outcome.detail = fmt::format("the {} did not end within {}", doing, human_duration(limit));
  } catch (const WorkerCrash& crash) {
    candidate_.reset();
    outcome.kind = kind_of(crash.status());
    outcome.detail = crash.what();
  } catch (const PointFailure& failure) {
    outcome.kind = kind_of(failure.status());
    outcome.detail = failure.what();
    outcome.skipped = outcome.kind == "out_of_memory" || outcome.kind == "not_runnable";
  } catch (const UsageError& error) {
    outcome.kind = "not_runnable";
    outcome.detail = error.what();
    outcome.skipped = true;
  }
}

void Bench::check(const PointRequest& request, Outcome& outcome) {
  outcome.output_bytes = static_cast<std::int64_t>(size_of(output_));
  outcome.output_hash = hash_of_output();
  try {
    const CheckedOutput checked = own().ask(CheckOutput{request, output_.string()}, time_.left());
    outcome.check = checked.check;
    outcome.poison =
        static_cast<double>(checked.poison) * 4 / std::max(1.0, static_cast<double>(checked.bytes));
    if (checked.check.ok) return;
    outcome.kind = "wrong_result";
    outcome.detail = checked.check.message;
  } catch (const WorkerLost& lost) {
    own_.reset();
    outcome.skipped = true;
    outcome.kind = "no_time";
    outcome.detail = fmt::format("the result could not be checked: {}", lost.what());
  }
}

void Bench::note_printing(const PointRequest& request, std::uintmax_t before, Outcome& outcome) {
  const bool is_first = launched_.insert(request.problem.values.to_string()).second;
  if (is_first || device_.checks_bounds || size_of(candidate_log_) <= before) return;
  outcome.kind = "prints";
  std::string text = read_from(candidate_log_, before, 60);
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  outcome.detail = fmt::format("a kernel prints: '{}'", text);
}

// Nothing if it fails: the next trial begins a new process.
template <typename Action>
auto Bench::with_own(const Action& action) -> std::optional<decltype(action(own()))> {
  try {
    return action(own());
  } catch (const WorkerLost&) {
    own_.reset();
  } catch (const PointFailure&) {
  }
  return std::nullopt;
}

std::optional<double> Bench::time_own(const PointRequest& point, const Trial& trial) {
  return with_own([&](DeviceClient& own) {
    staged_ = own.ask(StagePoint{request_of(point, trial), trial.leftovers, trial.seed}, time_.left());
    return launch(own, time_.left());
  });
}

std::uint64_t Bench::hash_of_output() const {
  constexpr std::size_t hashed_bytes = std::size_t{64} << 20U;
  return fnv1a(read_from(output_, 0, hashed_bytes));
}

std::optional<std::uint64_t> Bench::hash_of_own(const PointRequest& point, const Trial& trial) {
  if (!time_own(point, trial)) return std::nullopt;
  return with_own([&](DeviceClient& own) {
    (void)own.ask(CollectOutput{output_.string()}, time_.left());
    return hash_of_output();
  });
}

std::map<std::string, double> Bench::peaks(milliseconds limit) {
  const auto peaks =
      with_own([&](DeviceClient& own) { return own.ask(MeasurePeaks{limit.count()}, time_.left()); });
  return peaks.value_or(std::map<std::string, double>());
}

std::string Bench::take_printed(const fs::path& log, std::uintmax_t& read) {
  constexpr std::size_t most = std::size_t{4} << 20U;
  std::string text = read_from(log, read, most);
  read = size_of(log);
  return text;
}

}  // namespace dwarfsweep
