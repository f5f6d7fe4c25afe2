#include "tests/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "harness/device/inventory.hpp"
#include "harness/program/kernel_source.hpp"
#include "harness/run/launcher.hpp"
#include "harness/run/self_test.hpp"
#include "suite/plan/plan.hpp"
#include "tests/catch.hpp"
#include "tests/daily_seed.hpp"
#include "tests/input_files.hpp"

namespace dwarfsweep::test {
namespace {

std::string outcome_text(const Dwarf& dwarf, const Loaded& loaded, const Config& config,
                         const Outcome& outcome) {
  return fmt::format("{} [{}] {}: {} {}", dwarf.info().name, loaded.problem.values.to_string(),
                     config.to_string(), to_string(outcome.status), outcome.reason);
}

// Oclgrind 21.10's check for uninitialised values takes element 11 of a vector for one, crashes where vectors
// are put together of smaller ones, and does not know what is in an image; harness_test.cpp plants all three.
// And needle's skewed tiles read, and throw away, cells that nobody wrote. Under that check the nearest point
// without these is taken; elsewhere, this one.
Config within_the_check(const Config& config) {
  if (!checks_uninitialised()) return config;
  const std::string variant = config.string("variant");
  const bool is_scan = variant == "scan" || variant == "score_only_scan";  // of needle
  const std::int64_t widest = is_scan ? 2 : variant == "split_k" ? 4 : 8;
  Config nearest = config;
  const Value* const width = config.find("vector_width");
  if (width && width->integer() > widest) nearest = nearest.with("vector_width", widest);
  if (variant == "wavefront") nearest = nearest.with("granularity", 1);
  if (config.find("source")) nearest = nearest.with("source", "buffer");
  return nearest;
}

// One point; a rejection is fine. Returns whether it ran.
bool check_point(const Dwarf& dwarf, const Loaded& loaded, const Config& config) {
  const Outcome outcome = run_point(dwarf, loaded, config);
  INFO(outcome_text(dwarf, loaded, config, outcome));
  const bool declined = outcome.status == Status::rejected || outcome.status == Status::unsupported;
  if (declined) {
    CHECK_FALSE(outcome.reason.empty());
  } else {
    CHECK(outcome.status == Status::ok);
  }
  return !declined;
}

std::vector<Config> legal_points(const Dwarf& dwarf, const Problem& problem, const PlanRequest& request) {
  std::vector<Config> legal;
  for (const PlannedPoint& point : make_plan(dwarf, problem, test_session().device().capabilities, request)) {
    if (!point.rejected) legal.push_back(point.config);
  }
  return legal;
}

// Without the baseline, with which every plan begins.
std::vector<Config> random_points(const Dwarf& dwarf, const Problem& problem, std::size_t count) {
  PlanRequest request = parse_plan(fmt::format("stratified:{}", count));
  request.seed = test_seed();
  fmt::print("{} [{}]: {} random points of seed {}\n", dwarf.info().name, problem.values.to_string(), count,
             request.seed);
  std::vector<Config> points = legal_points(dwarf, problem, request);
  const bool baseline_is_legal = !points.empty() && points.front() == dwarf.space().baseline();
  points.erase(points.begin(), points.begin() + (baseline_is_legal ? 1 : 0));
  return points;
}

// Points of the full product, rejected ones included.
std::size_t product_size(const Space& space) {
  std::size_t sum = 0;
  for (const Value& variant : space.find("variant").values) {
    std::size_t product = 1;
    for (const Axis& axis : space.axes()) {
      if (axis.name != "variant" && Space::applies(axis, variant.string())) product *= axis.values.size();
    }
    sum += product;
  }
  return sum;
}

}  // namespace

bool checks_uninitialised() {
  static const bool checked = std::getenv("OCLGRIND_UNINITIALIZED") != nullptr;
  return checked;
}

std::vector<ValueMap> small_on_oclgrind(std::vector<ValueMap> problems, const ValueMap& limits) {
  if (test_session().device().platform != "Oclgrind") return problems;
  for (ValueMap& problem : problems) {
    for (const auto& [key, limit] : limits.entries()) {
      if (problem.find(key)) problem = problem.with(key, std::min(problem.integer(key), limit.integer()));
    }
  }
  return problems;
}

Session& test_session() {
  // Never destroyed: at exit OpenCL implementations may have gone before it (Oclgrind's thread-local state
  // has, and releasing a program then corrupts the heap).
  static Session& session = *[] {
    const char* wanted = std::getenv("DWARFSWEEP_TEST_DEVICE");
    auto* opened = new Session(select_devices(discover_devices(), wanted ? wanted : "pocl").front(), {});
    opened->set_progress(test_progress(*opened));
    return opened;
  }();
  return session;
}

Outcome run_point(const Dwarf& dwarf, const Loaded& loaded, const Config& wanted) {
  Session& session = test_session();
  const Config config = within_the_check(wanted);
  if (const auto reason =
          dwarf.space().why_rejected({config, loaded.problem, session.device().capabilities})) {
    return {Status::rejected, *reason, {}};
  }
  try {
    return {Status::ok, "", verify_once(session, dwarf, loaded, config)};
  } catch (const PointFailure& failure) {
    return {failure.status(), failure.what(), {}};
  }
}

Outcome run_point(const Dwarf& dwarf, const ValueMap& problem, const ValueMap& settings) {
  return run_point(dwarf, generated(dwarf, problem), dwarf.space().set(dwarf.space().baseline(), settings));
}

template <typename Kept, typename T>
void Dump::keep(Kept& kept, const std::string& name, std::span<const T> data, const Shape& shape) {
  std::size_t count = 1;
  for (const std::size_t size : shape) count *= size;
  INFO("array " << name);
  CHECK(data.size() == count);
  kept[name].assign(data.begin(), data.end());
  shapes[name] = shape;
}

void Dump::array(const std::string& name, std::span<const std::uint8_t> data, const Shape& shape) {
  keep(bytes, name, data, shape);
}
void Dump::array(const std::string& name, std::span<const std::int32_t> data, const Shape& shape) {
  keep(integers, name, data, shape);
}
void Dump::array(const std::string& name, std::span<const std::uint32_t> data, const Shape& shape) {
  keep(words, name, data, shape);
}
void Dump::array(const std::string& name, std::span<const std::int64_t> data, const Shape& shape) {
  keep(long_integers, name, data, shape);
}
void Dump::array(const std::string& name, std::span<const float> data, const Shape& shape) {
  keep(floats, name, data, shape);
}
void Dump::text(const std::string& file_name, const std::function<std::string()>& content) {
  texts[file_name] = content();
}
void Dump::note(const std::string& key, const Value& value) {
  notes[key] = value.to_string();
}

Dump dumped(const Dwarf& dwarf, const Loaded& loaded, const Config& config) {
  Workspace workspace(test_session());
  const auto subject = dwarf.prepare(workspace, loaded, within_the_check(config));
  Launcher launcher(test_session());
  subject->upload();
  workspace.poison();
  subject->reset();
  subject->launch(launcher);
  launcher.finish();
  subject->download();
  const Check check = subject->check();
  INFO(config.to_string() << ": " << check.message);
  CHECK(check.ok);
  Dump dump;
  subject->dump(dump);
  return dump;
}

Status status_with(const std::string& from, const std::string& to, const Dwarf& dwarf,
                   const ValueMap& problem, const ValueMap& settings) {
  return status_with(from, to, dwarf, generated(dwarf, problem), settings);
}

Status status_with(const std::string& from, const std::string& to, const Dwarf& dwarf, const Loaded& loaded,
                   const ValueMap& settings) {
  const std::string& name = dwarf.info().name;
  const std::string file = name + "/" + name;
  std::string text = kernel_text(file, "");
  const std::size_t at = text.find(from);
  INFO("'" << from << "' in the kernels of " << name);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  const ScratchDirectory folder;
  folder.file("prelude.cl", kernel_text("prelude", ""));
  folder.file(file + ".cl", text);
  Session session(test_session().device(), {folder.path().string()});
  const Config config = dwarf.space().set(dwarf.space().baseline(), settings, session.device().capabilities);
  try {
    (void)verify_once(session, dwarf, loaded, config);
  } catch (const PointFailure& failure) {
    return failure.status();
  }
  return Status::ok;
}

Loaded generated(const Dwarf& dwarf, const ValueMap& problem, std::uint64_t seed) {
  Problem made = make_problem(dwarf.info().name, dwarf.info().keys, {"custom", problem});
  auto input = dwarf.generate(made, seed);
  return {std::move(made), std::move(input)};
}

void check_one_at_a_time(const Dwarf& dwarf, const ValueMap& problem) {
  const Loaded loaded = generated(dwarf, problem);
  const Space& space = dwarf.space();
  int ran = 0;
  for (const Value& variant : space.find("variant").values) {
    const Config start = space.default_config(variant.string());
    ran += check_point(dwarf, loaded, start) ? 1 : 0;
    for (const Axis& axis : space.axes()) {
      if (axis.name == "variant" || !Space::applies(axis, variant.string())) continue;
      for (const Value& value : axis.values) {
        if (value != start.at(axis.name))
          ran += check_point(dwarf, loaded, start.with(axis.name, value)) ? 1 : 0;
      }
    }
  }
  CHECK(ran > 0);
}

void check_random_points(const Dwarf& dwarf, const ValueMap& problem, std::size_t count) {
  const Loaded loaded = generated(dwarf, problem);
  const std::vector<Config> points = random_points(dwarf, loaded.problem, count);
  CHECK_FALSE(points.empty());
  for (const Config& config : points) check_point(dwarf, loaded, config);
}

void check_full_space(const Dwarf& dwarf, const ValueMap& odd, std::size_t count) {
  if (test_session().device().platform != "Portable Computing Language") {
    SUCCEED("the full space is PoCL's part");
    return;
  }
  const auto& sizes = dwarf.info().sizes;
  const auto tiny =
      std::find_if(sizes.begin(), sizes.end(), [](const Size& size) { return size.name == "tiny"; });
  REQUIRE(tiny != sizes.end());
  for (const ValueMap& problem : {tiny->values, odd}) {
    const Loaded loaded = generated(dwarf, problem);
    std::vector<Config> points;
    // A look at the whole product takes long where it has millions.
    if (product_size(dwarf.space()) <= 20 * count)
      points = legal_points(dwarf, loaded.problem, parse_plan("full"));
    if (points.empty() || points.size() > count) points = random_points(dwarf, loaded.problem, count);
    CHECK_FALSE(points.empty());
    for (const Config& config : points) check_point(dwarf, loaded, config);
  }
}

void check_host(const Dwarf& dwarf, const ValueMap& problem) {
  const Loaded loaded = generated(dwarf, problem);
  for (const int threads : {1, 2}) {
    auto host_case = dwarf.prepare_host(loaded, threads);
    host_case->reset();
    host_case->run();
    const Check check = host_case->check();
    INFO(dwarf.info().name << " on " << threads << " threads: " << check.message);
    CHECK(check.ok);
  }
}

void check_parameter_table(const Dwarf& dwarf) {
  const std::string text = kernel_text(dwarf.info().name + "/" + dwarf.info().name, "");
  const std::string head = text.substr(0, text.find("\n#"));
  for (const Axis& axis : dwarf.space().axes()) {
    std::string macro = axis.name;
    std::transform(macro.begin(), macro.end(), macro.begin(),
                   [](unsigned char c) { return std::toupper(c); });
    INFO("axis " << axis.name << " of " << dwarf.info().name);
    CHECK(head.find(macro) != std::string::npos);
  }
}

}  // namespace dwarfsweep::test
