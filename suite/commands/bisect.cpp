#include "suite/commands/commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/space/error.hpp"
#include "harness/statistics/statistics.hpp"
#include "suite/commands/new_run.hpp"
#include "suite/commands/rung_pairs.hpp"
#include "suite/compare/bisect.hpp"
#include "suite/compare/compare.hpp"
#include "suite/compare/ladder.hpp"
#include "suite/record/duration.hpp"
#include "suite/record/json.hpp"
#include "suite/record/standard_error.hpp"
#include "suite/record/stored_file.hpp"
#include "suite/worker/interrupt.hpp"

namespace dwarfsweep {
namespace {

constexpr int undecided = 5;

std::string name_of(const PointKey& key) {
  return fmt::format("{} {} {}", key.dwarf, key.problem, key.config);
}

// `seeks_failure`: the time does not matter.
std::string what_happened(const Judged& judged, bool seeks_failure = false) {
  if (judged.change == PointChange::fails) return judged.evidence.reason;
  if (judged.change == PointChange::incomparable) return "not comparable: " + judged.evidence.reason;
  const std::string times =
      fmt::format("{:.3f} times as long, {} blocks", judged.ratio, judged.evidence.logs.size());
  if (judged.evidence.logs.empty()) return "not measured";
  if (seeks_failure) return judged.guessed ? "works, tried too rarely" : "works";
  return fmt::format("{}, {}{}", to_string(judged.change), times, judged.guessed ? ", by majority" : "");
}

// A point of the plan, by its number.
struct Place {
  std::size_t group, point;
};

class LadderSearch {
 public:
  LadderSearch(RungPairs& pairs, double threshold)
      : pairs_(pairs), threshold_(threshold), groups_(pairs.plan()) {
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      for (std::size_t point = 0; point < groups_[group].points.size(); ++point)
        places_.push_back({group, point});
    }
  }

  void run() {
    const auto measure = [&](std::size_t before, std::size_t after, const std::vector<std::size_t>& points,
                             const KnowsEnough& enough) {
      std::vector<PairEvidence> evidence;
      for (PairedPoint& point : pairs_.measure(before, after, groups_with(points), enough, next_share()))
        evidence.push_back(std::move(point.evidence));
      return evidence;
    };
    result_ = bisect_ladder(pairs_.rungs().size(), places_.size(), threshold_, measure);
    if (is_found()) narrow();
  }

  [[nodiscard]] const Bisection& result() const { return result_; }
  [[nodiscard]] bool is_found() const {
    return result_.found == PointChange::slower || result_.found == PointChange::fails;
  }
  /// The two rungs are neighbours, but for those that cannot be measured, and differ themselves.
  [[nodiscard]] bool is_confirmed() const {
    const PointChange change = result_.between.change;
    return is_found() && (change == PointChange::slower || change == PointChange::fails) &&
           std::ranges::none_of(result_.steps, [](const SearchStep& step) { return step.judged.guessed; });
  }

  void write_evidence() {
    for (const std::size_t rung : {result_.before, result_.after})
      pairs_.write_programs(rung, best_->request, pairs_.folder() / "programs" / pairs_.rungs()[rung].name);
  }

  [[nodiscard]] std::string text() const;
  [[nodiscard]] Json json() const;

 private:
  // A third of the time for all points; of the rest an equal share for each step to come, the last
  // comparison and narrowing down, which gets two, and some for writing.
  double next_share() {
    const double steps = std::ceil(std::log2(static_cast<double>(pairs_.rungs().size() - 1)));
    const double to_come = std::max(1.0, steps + 2 - asked_);
    return asked_++ == 0 ? 1.0 / 3 : 1 / (to_come + 3);
  }

  [[nodiscard]] const SweepPoint& point(std::size_t number) const {
    return groups_[places_[number].group].points[places_[number].point];
  }
  // In the order of their numbers.
  [[nodiscard]] std::vector<SweepGroup> groups_with(const std::vector<std::size_t>& points) const {
    std::vector<SweepGroup> groups;
    std::optional<std::size_t> last;
    for (const std::size_t number : points) {
      const SweepGroup& group = groups_[places_[number].group];
      if (last != places_[number].group) groups.push_back({group.device, group.dwarf, {}});
      groups.back().points.push_back(point(number));
      last = places_[number].group;
    }
    return groups;
  }

  // The followed point with other values of each axis and at other sizes.
  void narrow() {
    const SweepPoint& followed = point(result_.point);
    best_.emplace(followed);
    const SweepGroup& group = groups_[places_[result_.point].group];
    const std::vector<SweepGroup> groups =
        variations_of(group, followed, pairs_.device(result_.before)->capabilities);
    const bool fails = result_.found == PointChange::fails;
    const double limit = fails ? INFINITY : std::log1p(threshold_);
    const auto enough = [&](const std::vector<double>& logs) {
      return fails || tested(logs, limit, bisect_error).side() != SideTest::Side::open;
    };
    narrowed_ = pairs_.measure(result_.before, result_.after, groups, enough, 0.7);
    std::size_t number = 0;
    double most = 0;
    for (const SweepGroup& each : groups) {
      for (const SweepPoint& point : each.points) {
        const PairedPoint& measured = narrowed_[number++];
        const double ratio = ratio_of(measured);
        // Of failures the smallest problem, of slowdowns the largest; the first is the point itself.
        const bool failing = measured.evidence.outcome == PairEvidence::Outcome::fails_after;
        const bool better = fails ? failing && each.points.size() == 1 && point.key.size == "tiny"
                                  : changed(measured) && !failing && ratio > most;
        if (!better && number != 1) continue;
        most = ratio;
        best_.emplace(point);
        shown_ = number - 1;
      }
    }
  }

  static double ratio_of(const PairedPoint& point) {
    return point.evidence.logs.empty() ? 1 : std::exp(median(point.evidence.logs));
  }
  [[nodiscard]] bool changed(const PairedPoint& point) const {
    if (point.evidence.outcome != PairEvidence::Outcome::works)
      return point.evidence.outcome == PairEvidence::Outcome::fails_after;
    return tested(point.evidence.logs, std::log1p(threshold_), bisect_error).side() == SideTest::Side::above;
  }
  [[nodiscard]] std::string narrowed_text() const;
  [[nodiscard]] std::string commands() const;

  RungPairs& pairs_;
  double threshold_;
  std::vector<SweepGroup> groups_;
  std::vector<Place> places_;
  double asked_ = 0;
  Bisection result_;
  std::vector<PairedPoint> narrowed_;
  std::size_t shown_ = 0;           // of narrowed_: the one that shows the change best
  std::optional<SweepPoint> best_;  // the same
};

std::string LadderSearch::narrowed_text() const {
  std::string text;
  const PointKey& own = point(result_.point).key;
  const ValueMap own_config = ValueMap::parse(own.config);
  for (const PairedPoint& measured : narrowed_) {
    std::string difference;
    const ValueMap config = ValueMap::parse(measured.key.config);
    for (const auto& [axis, value] : config.entries()) {
      const Value* const before = own_config.find(axis);
      if (before == nullptr || !(*before == value))
        difference += fmt::format("{}{}={}", difference.empty() ? "" : " ", axis, value.to_string());
    }
    if (measured.key.problem != own.problem) difference = "size " + measured.key.size;
    if (difference.empty()) difference = "the point itself";
    std::string found = fmt::format("{:.3f} times as long{}", ratio_of(measured),
                                    changed(measured) ? "" : ", within the threshold or open");
    if (measured.evidence.outcome != PairEvidence::Outcome::works) found = measured.evidence.reason;
    if (measured.evidence.outcome == PairEvidence::Outcome::works && measured.evidence.logs.empty())
      found = "works";
    text += fmt::format("  {:<28} {}\n", difference, found);
  }
  if (shown_ < narrowed_.size()) {
    for (const auto& [kernel, ratio] : narrowed_[shown_].kernel_ratios)
      text += fmt::format("  {:<28} {:.3f} times as long{}\n", "kernel " + kernel, ratio,
                          kernel == narrowed_[shown_].slowest_kernel ? ", most of the change" : "");
  }
  return text;
}

// How to see the change again.
std::string LadderSearch::commands() const {
  const PointKey& key = best_->key;
  ValueMap settings;
  const std::string variant = best_->request.config.string("variant");
  const SweepGroup& group = groups_[places_[result_.point].group];
  for (const auto& [axis, value] : best_->request.config.entries()) {
    if (Space::applies(group.dwarf->space().find(axis), variant)) settings = settings.with(axis, value);
  }
  std::string what = fmt::format("--dwarf {} --set {}", key.dwarf, shell_quoted(settings.to_string(",")));
  for (const std::string& file : best_->request.files) what += " --input " + shell_quoted(file);
  if (best_->request.files.empty())
    what += " --problem " + shell_quoted(ValueMap::parse(key.problem).to_string(","));
  const std::vector<Rung>& rungs = pairs_.rungs();
  std::string text;
  for (const std::size_t rung : {result_.before, result_.after})
    text += fmt::format("  env {} dwarfsweep run {}\n", rungs[rung].environment, what);
  text += fmt::format("  dwarfsweep compare --pairs {} {} --plan baseline {}\n",
                      shell_quoted(rungs[result_.before].environment),
                      shell_quoted(rungs[result_.after].environment), what);
  return text;
}

std::string LadderSearch::text() const {
  const std::vector<Rung>& rungs = pairs_.rungs();
  const auto driver = [&](std::size_t rung) {
    const DeviceInfo* const device = pairs_.device(rung);
    return device == nullptr ? std::string() : fmt::format(" ({}, driver {})", device->name, device->driver);
  };
  std::string text = fmt::format("ladder: {} rungs, from '{}' to '{}'\n", rungs.size(), rungs.front().name,
                                 rungs.back().name);
  for (std::size_t rung = 0; rung < rungs.size(); ++rung) {
    if (const std::string why = pairs_.why_missing(rung); !why.empty())
      text += fmt::format("  '{}' has no device: {}\n", rungs[rung].name, why);
  }
  text += "\npoints in the last rung, compared with the first:\n";
  for (std::size_t i = 0; i < result_.points.size(); ++i)
    text += fmt::format("  {}: {}\n", name_of(point(i).key), what_happened(result_.points[i]));
  if (is_found()) {
    text += fmt::format("\nfollowed: {}\n", name_of(point(result_.point).key));
    for (const SearchStep& step : result_.steps)
      text += fmt::format("  '{}' compared with '{}': {}\n", rungs[step.rung].name, rungs.front().name,
                          what_happened(step.judged, result_.found == PointChange::fails));
    text += fmt::format("\nchanged between '{}'{} and '{}'{}:\n  {}\n", rungs[result_.before].name,
                        driver(result_.before), rungs[result_.after].name, driver(result_.after),
                        what_happened(result_.between));
    for (std::size_t rung = result_.before + 1; rung < result_.after; ++rung)
      text += fmt::format("  '{}' in between cannot be measured, or is open\n", rungs[rung].name);
    if (result_.between.change == PointChange::same || result_.between.change == PointChange::open)
      text +=
          "  These two differ by no more than the threshold, or that is open: the change may be gradual.\n";
    text += "\nvariations, in the second rung compared with the first of these two:\n" + narrowed_text();
    text += "\nshown best by:\n" + commands();
  } else {
    text += result_.found == PointChange::open
                ? "\nUndecided: no point has changed for certain, and some are open. A longer --budget "
                  "decides more.\n"
                : "\nNo point is slower by more than the threshold, or fails.\n";
  }
  text += fmt::format(
      "\n{} pairs of measurement blocks in {} pairs of rungs for the search; the probability of "
      "a wrong decision is at most {:.0f} %\n",
      result_.pairs_of_blocks, pairs_.pairs() - (narrowed_.empty() ? 0 : 1), 100 * bisect_error);
  return text;
}

Json LadderSearch::json() const {
  const std::vector<Rung>& rungs = pairs_.rungs();
  Json json = {{"found", to_string(result_.found)},
               {"confirmed", is_confirmed()},
               {"pairs_of_blocks", result_.pairs_of_blocks},
               {"error", bisect_error},
               {"threshold", threshold_}};
  if (!is_found()) return json;
  json["before"] = rungs[result_.before].name;
  json["after"] = rungs[result_.after].name;
  json["point"] = name_of(point(result_.point).key);
  json["change"] = to_string(result_.between.change);
  json["reason"] = result_.between.evidence.reason;
  json["ratio"] = result_.between.ratio;
  json["shown_by"] = name_of(best_->key);
  if (shown_ < narrowed_.size()) json["kernel"] = narrowed_[shown_].slowest_kernel;
  return json;
}

}  // namespace

int compare_ladder(const CommandLine& line) {
  Options options = measuring_options(line);
  options.quality.rounds = static_cast<int>(line.integer("rounds", 1000, 1, 10'000));
  const double threshold = line.percentage("threshold", 0.05);
  if (options.devices.size() > 1)
    throw UsageError("with --bisect --device names one device, the same on all rungs");
  if (!line.operands().empty())
    throw UsageError(fmt::format("--bisect takes one ladder and no folders of runs; '{}' is too much",
                                 line.operands().front()));
  const std::vector<Rung> rungs =
      part_of_ladder(read_ladder(line.text("bisect")), line.text("good"), line.text("bad"));
  catch_interrupts();
  RunRecord here = new_run(line, {});
  const std::filesystem::path folder = new_folder(line.text("out"), here);
  const auto begin = std::chrono::steady_clock::now();
  RungPairs pairs(options, rungs, folder, here);
  LadderSearch search(pairs, threshold);
  search.run();
  if (search.is_found()) search.write_evidence();
  pairs.remove_caches();
  std::string ladder;
  for (const Rung& rung : rungs) ladder += fmt::format("{} {}\n", rung.name, rung.environment);
  write_file(folder / "ladder.txt", ladder);
  const std::string text = search.text();
  std::string command = "dwarfsweep";
  for (const std::string& argument : line.arguments) command += " " + shell_quoted(argument);
  write_file(folder / "report.txt", fmt::format("{}\n{}\n\n{}", version_text(), command, text));
  write_file(folder / "bisect.json", json_text(search.json(), 2) + "\n");
  const auto took =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
  fmt::print("{}", text);
  print_stderr("{}; for a bug report: {}\n", human_duration(took), folder.string());
  if (!search.is_found()) return search.result().found == PointChange::open ? undecided : 0;
  return search.is_confirmed() ? 1 : undecided;
}

}  // namespace dwarfsweep
