#include "suite/judge/judge.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <system_error>
#include <utility>

#include "dwarfs/registry.hpp"
#include "harness/formats/file_bytes.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"
#include "harness/statistics/statistics.hpp"
#include "suite/judge/bench.hpp"
#include "suite/judge/kernel_files.hpp"
#include "suite/plan/best.hpp"
#include "suite/plan/nearest_best.hpp"
#include "suite/record/rows.hpp"
#include "suite/worker/serve.hpp"

namespace dwarfsweep {

namespace fs = std::filesystem;

namespace {

// The shares of the time at which the parts of a judgement end.
constexpr double first_shapes_end = 0.15;
constexpr double simulation_end = 0.30;
constexpr double trials_end = 0.50;
constexpr double others_end = 0.57;
constexpr double peaks_part = 0.08;
constexpr double timing_end = 0.95;

constexpr std::int64_t elements_of_shapes = 1 << 15;
constexpr std::int64_t elements_to_simulate = 400;
/// The seed that everybody's runs have unless they ask for another one.
constexpr std::uint64_t known_seed = 1;

class TemporaryFolder {
 public:
  TemporaryFolder() : path_((fs::temp_directory_path() / "dwarfsweep_judge_XXXXXX").string()) {
    if (!::mkdtemp(path_.data())) throw UsageError("cannot create a folder for temporary files; set TMPDIR");
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] fs::path path() const { return path_; }

 private:
  std::string path_;
};

class Judge {
 public:
  Judge(const JudgeRequest& request, const JudgeTime& time, const fs::path& folder)
      : request_(request),
        time_(time),
        folder_(folder),
        random_(request.seed),
        bench_(request.device, time, folder / "bench", (folder / "kernels").string()) {
    point_.dwarf = request.dwarf->info().name;
    point_.config = request.config;
    result_.dwarf = point_.dwarf;
    result_.problem = request.problem.values.to_string(",");
    result_.config = request.config.to_string();
    result_.device = request.device;
    result_.seed = request.seed;
  }

  Judgement run() {
    copy_kernels(request_.kernels, folder_ / "kernels");
    if (auto include = find_foreign_include(folder_ / "kernels")) {
      result_.findings.push_back(std::move(*include));
    } else {
      result_.unchanged = has_built_in_programs();
      try_timed_problem();
      while (goes_on(first_shapes_end)) try_shape();
      if (is_correct()) simulate();
      while (goes_on(trials_end)) try_shape();
      if (is_correct()) ask_others();
      if (is_correct() && !request_.most_verified) measure();
    }
    result_.seconds = std::chrono::duration<double>(JudgeTime::Clock::now() - time_.begin).count();
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool is_correct() const { return result_.findings.empty(); }
  // Where the number of trials is the limit, they do not depend on the time.
  [[nodiscard]] bool goes_on(double until) const {
    const double end = request_.most_verified ? timing_end : until;
    return is_correct() && result_.verified < request_.most_verified.value_or(INT64_MAX) &&
           time_.spent() < end;
  }
  std::uint64_t fresh_seed() { return 2 + random_.below(std::uint64_t{1} << 31U); }
  Leftovers any_leftovers() {
    return std::array{Leftovers::kept, Leftovers::poison, Leftovers::noise}[random_.below(3)];
  }
  void find(const std::string& kind, const std::string& detail) {
    result_.findings.push_back({kind, detail});
  }

  [[nodiscard]] bool has_built_in_programs() const {
    PointRequest point = point_;
    point.problem = request_.problem;
    try {
      const auto own = list_programs(request_.device, "", {point});
      return own.programs == list_programs(request_.device, (folder_ / "kernels").string(), {point}).programs;
    } catch (const std::exception&) {
      return false;  // the build says why
    }
  }

  // --- trials

  void try_timed_problem() {
    const Trial trial{request_.problem, fresh_seed(), Leftovers::poison};
    const Outcome first = run_trial(trial);
    if (first.skipped) return find(first.kind, first.detail);
    accept(trial, first, 0);
    for (const Leftovers leftovers : {Leftovers::kept, Leftovers::noise, any_leftovers()}) {
      if (is_correct() &&
          (result_.verified < 2 || (!request_.most_verified && time_.spent() < first_shapes_end)))
        try_one({request_.problem, fresh_seed(), leftovers});
    }
  }

  // Twice: the second time on what the first left, of other data.
  void try_shape() {
    const auto problem = draw_shape(*request_.dwarf, request_.config, request_.device.capabilities,
                                    elements_of_shapes, random_);
    if (!problem) return try_one({request_.problem, fresh_seed(), any_leftovers()});
    ++result_.shapes;
    try_one({*problem, fresh_seed(), random_.below(2) == 0 ? Leftovers::poison : Leftovers::noise});
    if (is_correct()) try_one({*problem, fresh_seed(), Leftovers::kept});
    if (is_correct() && random_.below(4) == 0) try_one({request_.problem, fresh_seed(), any_leftovers()});
  }

  void try_one(const Trial& trial) {
    const Outcome outcome = run_trial(trial);
    accept(trial, outcome, last_hash_);
  }

  Outcome run_trial(const Trial& trial) {
    since_start_.push_back(trial);
    return bench_.run(point_, trial);
  }

  void accept(const Trial& trial, const Outcome& outcome, std::uint64_t hash_before) {
    if (outcome.skipped) return;
    last_hash_ = outcome.output_hash;
    if (outcome.kind.empty()) {
      ++result_.verified;
    } else if (outcome.kind == "wrong_result") {
      explain(trial, outcome, outcome.output_hash == hash_before);
    } else {
      // Some drivers crash, or do not end, whosever kernels they compile.
      const bool timed_out = outcome.kind == "build_timeout" || outcome.kind == "hangs";
      const bool not_run = timed_out || outcome.kind == "build_failed" || outcome.kind == "crashes";
      const bool ours_too = not_run && !bench_.time_own(point_, trial);
      if (!ours_too) return find(outcome.kind, outcome.detail + on(trial));
      find(timed_out ? "no_time" : "not_runnable",
           fmt::format("{}, and {}{}", outcome.detail,
                       timed_out ? "our own kernels take as long" : "so it is with our own kernels",
                       on(trial)));
    }
  }

  // --- what a wrong result means

  static std::string on(const Trial& trial) {
    return fmt::format(" (on {}, seed {})", trial.problem.values.to_string(","), trial.seed);
  }

  // What the last trials of these become, in new processes.
  struct Repeats {
    int right = 0, wrong = 0;
    Outcome last_wrong;
  };

  Repeats repeat(const std::vector<Trial>& trials, int times) {
    Repeats repeats;
    for (int i = 0; i < times; ++i) {
      bench_.renew();
      for (std::size_t before = 0; before + 1 < trials.size(); ++before)
        (void)bench_.launch_candidate(point_, trials[before]);
      const Outcome outcome = bench_.run(point_, trials.back());
      if (outcome.skipped) break;
      if (outcome.kind.empty()) {
        ++repeats.right;
      } else {
        ++repeats.wrong;
        repeats.last_wrong = outcome;
      }
    }
    return repeats;
  }

  // Each cause must make itself felt in every repetition; else there is none but chance.
  void explain(const Trial& trial, const Outcome& wrong, bool same_as_before) {
    const std::string what = wrong.detail + on(trial);
    const std::vector<Trial> before = std::exchange(since_start_, {});
    Trial poisoned = trial;
    poisoned.leftovers = Leftovers::poison;
    const Repeats alone = repeat({poisoned}, 5);
    if (alone.right > 0 && alone.wrong > 0) return find_chance(what);
    if (alone.right > 0) return explain_history(trial, before, what, same_as_before);
    if (alone.wrong == 0) return find("wrong_result", what);
    const Outcome& outcome = alone.last_wrong;
    if (outcome.poison > 0.01)
      return find("left_out",
                  fmt::format("{:.0f} % of the output is never written: {}", 100 * outcome.poison, what));
    Trial known = poisoned;
    known.seed = known_seed;
    const Repeats on_known = repeat({known}, 2);
    if (on_known.right > 0 && on_known.wrong > 0) return find_chance(what);
    if (on_known.right > 0)
      return find("known_input_only",
                  fmt::format("right for seed {}, wrong for others: {}", known_seed, what));
    if (on_known.wrong > 0 && on_known.last_wrong.output_hash == outcome.output_hash &&
        outcome.output_bytes > 0 && depends_on_seed(trial, known))
      return find("constant_result", "other inputs give the same output: " + what);
    const Repeats timed = repeat({{request_.problem, fresh_seed(), Leftovers::poison}}, 2);
    if (timed.right > 0 && timed.wrong > 0) return find_chance(what);
    if (timed.right > 0)
      return find("hard_coded_shape",
                  fmt::format("right on {}: {}", request_.problem.values.to_string(","), what));
    const Check& check = outcome.check;
    constexpr double precise_enough = 3e4;  // half precision has 13 bits less than single, a factor of 8192
    if (check.tolerance > 0 && check.max_error > 0 && check.max_error < precise_enough * check.tolerance)
      return find("low_precision", what);
    find("wrong_result", what);
  }

  // The launch is right in a process of its own, with the pattern in its outputs.
  void explain_history(const Trial& trial, const std::vector<Trial>& before, const std::string& what,
                       bool same_as_before) {
    Trial noise = trial;
    noise.leftovers = Leftovers::noise;
    const Repeats on_noise = repeat({noise}, 2);
    if (on_noise.right > 0 && on_noise.wrong > 0) return find_chance(what);
    if (on_noise.wrong > 0)
      return find("senses_poison",
                  "right if the output holds the known pattern before, wrong if not: " + what);
    if (same_as_before)
      return find("replays_result", "the output is that of the launch before, on other inputs: " + what);
    if (repeat(before, 1).right > 0) return find_chance(what);
    find("skips_later_launches", "right in a new process, wrong after other launches: " + what);
  }

  void find_chance(const std::string& what) {
    find("nondeterministic", "the same launches give right and wrong results: " + what);
  }

  // Of our own kernels' output: the result of a search may well be the same for all inputs.
  bool depends_on_seed(const Trial& one, const Trial& other) {
    const auto hash = bench_.hash_of_own(point_, one);
    return hash && hash != bench_.hash_of_own(point_, other);
  }

  // --- other machines

  void simulate() {
    const std::string library = find_oclgrind();
    if (library.empty()) return;
    const fs::path vendors = folder_ / "oclgrind";
    fs::create_directories(vendors);
    write_bytes(vendors / "oclgrind.icd", library + "\n", {});
    const std::vector<std::string> environment = {
        fmt::format("OCL_ICD_VENDORS={}", vendors.string()), "OCLGRIND_DATA_RACES=1",
        "OCLGRIND_UNINITIALIZED=1",
        // Its check for uninitialised values does not know the
        // instructions of optimised kernels.
        "OCLGRIND_BUILD_OPTIONS=-cl-opt-disable -disable-llvm-passes", "OPENCL_LAYERS="};
    const Inventory inventory = ask_inventory(environment);
    if (inventory.devices.empty()) return;
    const DeviceInfo& device = inventory.devices.front();
    const JudgeTime until{time_.begin,
                          std::chrono::duration_cast<std::chrono::milliseconds>(trials_end * time_.whole)};
    Bench simulator(device, until, folder_ / "simulator", (folder_ / "kernels").string(), environment);
    do {
      const auto problem =
          draw_shape(*request_.dwarf, request_.config, device.capabilities, elements_to_simulate, random_);
      if (!problem) return;
      const Trial trial{*problem, fresh_seed(), Leftovers::kept};
      (void)simulator.take_printed();
      const Outcome outcome = simulator.run(point_, trial);
      const auto complaints = complaints_in(simulator.take_printed());
      if (outcome.skipped && complaints.empty()) return;
      ++result_.simulated;
      if (complaints.empty()) continue;
      // It is wrong about some kernels, and then about ours as well.
      (void)simulator.take_printed_of_own();
      if (!simulator.time_own(point_, trial)) return;  // without ours there is no telling
      const auto of_own = complaints_in(simulator.take_printed_of_own());
      for (const auto& [kind, line] : complaints) {
        if (!of_own.contains(kind) && is_correct()) find(kind, "Oclgrind: " + line + on(trial));
      }
    } while (!request_.most_verified && goes_on(simulation_end));
  }

  // The first line of each kind.
  static std::map<std::string, std::string> complaints_in(const std::string& printed) {
    static const std::pair<const char*, const char*> kinds[] = {{"writes_out_of_bounds", "Invalid write"},
                                                                {"reads_out_of_bounds", "Invalid read"},
                                                                {"reads_out_of_bounds", "Invalid memory"},
                                                                {"data_race", "data race at"},
                                                                {"data_race", "Data race at"},
                                                                {"divergent_barrier", "divergence detected"},
                                                                {"reads_uninitialised", "uninitialised"},
                                                                {"reads_uninitialised", "Uninitialised"},
                                                                {"reads_uninitialised", "uninitialized"},
                                                                {"reads_uninitialised", "Uninitialized"}};
    std::map<std::string, std::string> found;
    std::istringstream lines(printed);
    for (std::string line; std::getline(lines, line);) {
      for (const auto& [kind, words] : kinds) {
        if (!found.contains(kind) && line.find(words) != std::string::npos) found[kind] = line;
      }
    }
    return found;
  }

  // A kernel that another device's compiler refuses, or that fails there, is not wrong here.
  void ask_others() {
    constexpr std::size_t most_devices = 2;
    for (std::size_t i = 0; i < std::min(most_devices, request_.others.size()); ++i) {
      const DeviceInfo& device = request_.others[i];
      Bench other(device, time_, folder_ / fmt::format("other_{}", i), (folder_ / "kernels").string());
      for (int shape = 0; shape < 2 && is_correct() && time_.spent() < others_end; ++shape) {
        const auto problem =
            draw_shape(*request_.dwarf, request_.config, device.capabilities, elements_of_shapes, random_);
        if (!problem) break;
        const Trial trial{*problem, fresh_seed(), Leftovers::poison};
        const Outcome outcome = other.run(point_, trial);
        if (outcome.skipped || outcome.kind != "wrong_result") continue;
        Bench own(device, time_, folder_ / fmt::format("other_own_{}", i), "");
        if (own.run(point_, trial).kind.empty())
          find("wrong_elsewhere", fmt::format("on {}: {}{}", device.name, outcome.detail, on(trial)));
      }
    }
  }

  // --- the score

  struct Contestant {
    PointRequest point;
    std::vector<std::vector<SamplePair>> pairs = {};
    bool runs = true;
  };

  Contestant contestant(const ValueMap& settings) const {
    const Space& space = request_.dwarf->space();
    const Capabilities& capabilities = request_.device.capabilities;
    PointRequest point = point_;
    point.config = space.set(space.baseline(), settings, capabilities);
    return {point, {}, !space.why_rejected({point.config, request_.problem, capabilities})};
  }

  // The baseline, and of the candidates for the best known point the one that is the fastest in a first look.
  std::vector<Contestant> contestants() {
    const std::vector<KnownPoint> candidates = choose_known_candidates(
        read_own_best(), best_points(), request_.device, *request_.dwarf, request_.problem, {});
    std::vector<Contestant> all = {contestant({}), contestant(candidates.front().settings)};
    if (candidates.size() == 1) return all;
    const Trial trial{request_.problem, fresh_seed(), Leftovers::poison};
    std::optional<double> fastest_ns;
    for (const KnownPoint& each : candidates) {
      const Contestant candidate = contestant(each.settings);
      (void)bench_.time_own(candidate.point, trial);  // the driver may still compile
      const std::optional<double> ns = bench_.time_own(candidate.point, trial);
      if (!ns || (fastest_ns && *fastest_ns <= *ns)) continue;
      fastest_ns = ns;
      all[1] = candidate;
    }
    return all;
  }

  // Each launch has new inputs, so no result can be remembered, and any leftovers; every output may be the
  // one that is checked.
  void measure() {
    constexpr std::size_t enough_rounds = 60;
    std::vector<Contestant> own = contestants();
    const auto peaks_limit = std::chrono::milliseconds(
        static_cast<std::int64_t>(peaks_part * static_cast<double>(time_.whole.count())));
    std::vector<std::vector<double>> times;
    double output_bytes = 0;
    for (std::size_t round = 0; round < enough_rounds && is_correct(); ++round) {
      const bool last_minutes = time_.spent() > timing_end - (round < 3 ? 0.0 : peaks_part);
      if (last_minutes) break;
      const Trial trial{request_.problem, fresh_seed(), any_leftovers()};
      // In random order, and nothing is verified in between: clocks fall while a device waits.
      std::array<std::optional<double>, 2> own_ns;
      Outcome outcome;
      std::array<std::size_t, 3> order = {0, 1, 2};
      random_.shuffle(order);
      for (const std::size_t each : order) {
        if (each == own.size()) {
          since_start_.push_back(trial);
          outcome = bench_.launch_candidate(point_, trial);
        } else if (own[each].runs) {
          own_ns[each] = bench_.time_own(own[each].point, trial);
          own[each].runs = own_ns[each].has_value();
        }
      }
      const bool is_checked = outcome.kind.empty() && (round < 2 || random_.below(2) == 0);
      if (is_checked) bench_.verify(point_, trial, outcome);
      if (outcome.skipped) break;
      if (is_checked || !outcome.kind.empty()) accept(trial, outcome, last_hash_);
      if (!outcome.kind.empty()) break;
      if (is_checked) output_bytes = static_cast<double>(outcome.output_bytes);
      for (std::size_t each = 0; each < own.size() && round > 0; ++each) {
        if (own_ns[each]) own[each].pairs.push_back({{*own_ns[each], outcome.ns}});
      }
      if (round == 0) continue;  // the driver may still have compiled
      times.push_back({outcome.ns});
      ++result_.timed;
    }
    if (!is_correct() || times.empty()) return;
    Score score;
    score.over_baseline = speedup_of(own[0]);
    score.over_best = speedup_of(own[1]);
    if (time_.whole >= std::chrono::seconds(10) && time_.spent() + peaks_part < 0.97) {
      const auto peaks = bench_.peaks(std::min(peaks_limit, time_.left() / 2));
      const auto& work = bench_.staged().work;
      if (const auto total = std::ranges::find(work, "total", &Work::kernel); total != work.end()) {
        score.peak_fraction = fraction_of(peaks, *total, times);
        // Padding and tables are inputs, too; steps that repeat may stay within registers.
        const double bytes =
            std::min(total->bytes, static_cast<double>(bench_.staged().input_bytes) + output_bytes);
        if (auto impossible = find_impossible_time(peaks, bytes, summarise(times)->median))
          result_.findings.push_back(std::move(*impossible));
      }
    }
    if (is_correct()) result_.score = score;
  }

  static std::optional<Interval95> speedup_of(const Contestant& contestant) {
    const auto speedup = paired_speedup(contestant.pairs);
    if (!speedup || !contestant.runs) return std::nullopt;
    return Interval95{speedup->ratio, speedup->low, speedup->high};
  }

  std::optional<Interval95> fraction_of(const std::map<std::string, double>& peaks, const Work& work,
                                        const std::vector<std::vector<double>>& times) const {
    const auto summary = summarise(times);
    if (!summary) return std::nullopt;
    RunLog log;
    log.peaks[request_.device.id] = {request_.device.id, peaks};
    MeasurementRow row;
    row.device_id = request_.device.id;
    row.dwarf = point_.dwarf;
    row.cache = "hot";
    row.bytes = work.bytes;
    row.operations = work.operations;
    row.median_ns = summary->median;
    add_bound(row, log, 1);
    if (!row.peak_fraction) return std::nullopt;
    const double work_ns = *row.peak_fraction * summary->median;
    return Interval95{*row.peak_fraction, work_ns / summary->ci_high, work_ns / summary->ci_low};
  }

  const JudgeRequest& request_;
  const JudgeTime& time_;
  fs::path folder_;
  Random random_;
  Bench bench_;
  PointRequest point_;
  Judgement result_;
  std::uint64_t last_hash_ = 0;     // of the output before
  std::vector<Trial> since_start_;  // of the candidate's process
};

}  // namespace

Judgement judge(const JudgeRequest& request) {
  // The rest is for ending the processes.
  const JudgeTime time{request.begin, request.time * 19 / 20};
  const TemporaryFolder folder;
  return Judge(request, time, folder.path()).run();
}

}  // namespace dwarfsweep
