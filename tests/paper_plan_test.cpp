// That `--plan paper` is what was published, no more and no less: every row of results/published that names
// one of our dwarfs and its axes is a legal setting, is in the plan at its size, and the plan has nothing
// else but what is excepted below with a reason.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "dwarfs/registry.hpp"
#include "suite/plan/plan.hpp"
#include "suite/published/published.hpp"
#include "suite/record/csv.hpp"
#include "tests/catch.hpp"

namespace dwarfsweep {
namespace {

using std::string;

/// Source and figure, problem, configuration: all as text.
using Experiment = std::tuple<string, string, string>;

struct Row {
  string figure, dwarf, size;
  ValueMap settings;
  bool best_of_search;  // stands for the best of many settings, which the work does not name
};

/// Sizes that a paper does not state and that we chose, and settings that it ran without printing their
/// results.
struct Exception {
  string dwarf, figure;
  string why;
};

const char* const named_barriers =
    "the work's barriers, and its loaders' prefetching: its rows are joined with what every device can run";

const std::vector<Exception> not_printed = {
    {"lud", "thesis_2013 6.19", "a reading of the drawing, with which no row is joined"},
    {"srad", "thesis_2013 6.41", "8192 x 8192 is announced and not printed"},
    {"srad", "thesis_2013 6.43", "8192 x 8192 is announced and not printed"},
    {"needle", "thesis_2013 Section 6.3.1.4", "unrolling is only said to change nothing"},
    {"needle", "performance_study_2008 Section 6.4",
     "the first implementation, in global memory, is only said to perform poorly"},
    {"sgemv", "cudadma_2011 Figure 10", "six variants are described, sizes and most curves are only drawn"},
    {"hotspot", "performance_study_2008 Figure 6",
     "the grid is not stated, the example is 256 x 256; one step per launch is what the pyramid replaces"},
    {"des", "performance_study_2008 Figure 8",
     "ifs and tables in the whole cipher; the published cycles are of the permutations, which micro does"},
    {"matmul", "optimization_principles_2008 Figure 4", "only drawn: the edges of tiles"},
    {"matmul", "optimization_carving_2008 Table 5",
     "the best of 93 configurations; neither they nor the size are stated"},
    {"cp", "optimization_principles_2008 Table 3", "neither sizes nor settings are stated"},
    {"cp", "optimization_carving_2008 Table 5",
     "the best of 38 configurations; neither they nor sizes are stated"},
    {"cp", "optimization_principles_2008 Section 5",
     "constant memory is said to help; without it nothing is printed"},
    {"mri", "optimization_principles_2008 Section 5",
     "constant memory is said to help; without it nothing is printed"},
    {"saxpy", "optimization_principles_2008 Table 3", "the size is not stated"},
    {"saxpy", "cudadma_2011 Figure 9", "the size is not stated, the curve over resident warps only drawn"},
    {"sgemv", "cudadma_2011 Section 4", named_barriers},
    {"stencil_3d", "cudadma_2011 Section 4", named_barriers},
    {"fft_1d", "cudadma_2011 Section 4", named_barriers},
    {"saxpy", "cudadma_2011 Section 4", named_barriers},
    {"staging", "cudadma_2011 Section 4", named_barriers},
    {"fft_1d", "cudadma_2011 Section 6.3",
     "twice as many warps that compute as load, of which no time is stated"},
    {"staging", "cudadma_2011 Section 5",
     "the strided transfer is measured elsewhere, and no time is stated"},
    {"staging", "cudadma_2011 Abstract", "the size is not stated"},
    {"staging", "cudadma_2011 Figure 2", "the size is not stated"},
    {"staging", "cudadma_2011 Figure 8", "only drawn: the curve over multiply-adds"},
    {"mri", "optimization_principles_2008 Table 3", "neither sizes nor settings are stated"},
    {"mri", "optimization_carving_2008 Table 5",
     "the best of 896 configurations; neither they nor sizes are stated"},
    {"mri", "optimization_carving_2008 Figure 5", "neither sizes nor layouts are stated"},
    {"sad", "optimization_principles_2008 Table 3", "neither sizes nor settings are stated"},
    {"sad", "optimization_principles_2008 Section 5",
     "the gain by texture memory is printed without a time; 18 offsets are of the public code"},
    {"sad", "optimization_carving_2008 Table 5",
     "the best of 908 configurations; neither they nor sizes are stated"},
    {"lbm", "optimization_principles_2008 Table 3",
     "neither size nor group is stated; these are those of two public versions"},
    {"fdtd", "optimization_principles_2008 Table 3", "neither size nor settings are stated"},
    {"tpacf", "optimization_principles_2008 Table 3", "neither sizes nor settings are stated"},
    {"rpes", "optimization_principles_2008 Table 3", "the atoms are not stated"},
    {"rc5_72", "optimization_principles_2008 Table 3", "the size is not stated"},
    {"fem", "optimization_principles_2008 Table 3", "neither mesh nor settings are stated"},
    {"h264", "optimization_principles_2008 Table 3", "neither sizes nor settings are stated"},
    {"pns", "optimization_principles_2008 Table 3", "neither size nor group is stated"},
    {"micro", "optimization_principles_2008 Table 1", "latencies are ranges and words, and no times"},
    {"micro", "performance_study_2008 Figure 2", "the size is not stated"},
    {"micro", "performance_study_2008 Figure 3", "only drawn: the curve over the work-items that diverge"},
    {"micro", "performance_study_2008 Figure 8",
     "sizes are not stated; 32, 48, 56 and 64 bits are what DES permutes"}};

bool is_excepted(const string& dwarf, const string& figure) {
  return std::any_of(not_printed.begin(), not_printed.end(), [&](const Exception& exception) {
    return exception.dwarf == dwarf && exception.figure == figure;
  });
}

ValueMap pairs_of(const string& names, const string& values) {
  const auto split = [](const string& text) {
    std::vector<string> parts;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find(';', begin), text.size());
      parts.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return parts;
  };
  const auto left = split(names);
  const auto right = split(values);
  REQUIRE(left.size() == right.size());
  ValueMap map;
  for (std::size_t i = 0; i < left.size(); ++i) map = map.with(left[i], Value::parse(right[i]));
  return map;
}

/// The rows about one of our dwarfs that say which setting of ours they are.
std::vector<Row> mapped_rows() {
  std::vector<Row> rows;
  for (const auto& entry : std::filesystem::directory_iterator(find_published())) {
    if (entry.path().extension() != ".csv") continue;
    const CsvTable table = read_csv(entry.path());
    for (const CsvTable::Row& line : table.rows) {
      const auto cell = [&](const char* column) { return line.cells[table.column(column)]; };
      if (cell("axis").empty()) continue;
      rows.push_back({cell("source") + " " + cell("figure"), cell("dwarf"), cell("size"),
                      pairs_of(cell("axis"), cell("value")), cell("optimisation") == "Exhaustive search"});
    }
  }
  return rows;
}

string problem_text(const Dwarf& dwarf, const ValueMap& keys) {
  return make_problem(dwarf.info().name, dwarf.info().keys, {"paper", keys}).values.to_string();
}

string config_text(const Dwarf& dwarf, const ValueMap& settings) {
  return dwarf.space().set(dwarf.space().baseline(), settings).to_string();
}

/// An axis in which the setting differs from the baseline and that `settings` does not name; empty if there
/// is none.
string unnamed_axis(const Dwarf& dwarf, const ValueMap& settings) {
  const Config baseline = dwarf.space().baseline();
  const Config config = dwarf.space().set(baseline, settings);
  for (const auto& [axis, value] : config.entries()) {
    const Value* const before = baseline.find(axis);
    if (!settings.has(axis) && (before == nullptr || !(*before == value))) return axis;
  }
  return "";
}

std::set<Experiment> planned(const Dwarf& dwarf) {
  std::set<Experiment> experiments;
  for (const PaperSetting& setting : dwarf.paper_settings()) {
    experiments.insert(
        {setting.figure, problem_text(dwarf, setting.problem), config_text(dwarf, setting.settings)});
  }
  return experiments;
}

/// Everything a device could ask for, so that nothing is rejected for its sake.
Capabilities generous() {
  Capabilities capabilities;
  capabilities.work_group_items = 4096;
  for (auto& size : capabilities.work_item_sizes) size = 4096;
  capabilities.local_bytes = 1U << 30U;
  capabilities.constant_bytes = 1U << 30U;
  capabilities.global_bytes = capabilities.allocation_bytes = std::uint64_t{1} << 40U;
  capabilities.images = capabilities.fp64 = capabilities.inline_ptx = true;
  return capabilities;
}

}  // namespace

TEST_CASE("paper: every published row is a legal setting, and in the plan at its size", "[published]") {
  std::map<string, int> rows_of;
  for (const Row& row : mapped_rows()) {
    INFO(row.figure << " " << row.dwarf << " " << row.size << " " << row.settings.to_string());
    const auto& dwarfs = built_in_dwarfs();
    const auto found = std::find_if(dwarfs.begin(), dwarfs.end(),
                                    [&](const Dwarf* dwarf) { return dwarf->info().name == row.dwarf; });
    if (found == dwarfs.end()) continue;  // of another program
    const Dwarf& dwarf = **found;
    ++rows_of[row.dwarf];
    string config;
    REQUIRE_NOTHROW(config = config_text(dwarf, row.settings));
    if (!row.best_of_search) CHECK(unnamed_axis(dwarf, row.settings).empty());
    const auto plan = planned(dwarf);
    if (row.size.empty()) {
      CHECK(is_excepted(row.dwarf, row.figure));
      CHECK(std::any_of(plan.begin(), plan.end(), [&](const Experiment& experiment) {
        const ValueMap ours = ValueMap::parse(std::get<2>(experiment));
        const auto& named = row.settings.entries();
        return std::get<0>(experiment) == row.figure &&
               std::all_of(named.begin(), named.end(),
                           [&](const auto& entry) { return ours.at(entry.first) == entry.second; }) &&
               (row.best_of_search || std::get<2>(experiment) == config);
      }));
    } else {
      const string problem = problem_text(dwarf, ValueMap::parse(row.size));
      CHECK(plan.count({row.figure, problem, config}) == 1);
    }
  }
  for (const Dwarf* dwarf : built_in_dwarfs()) {
    INFO(dwarf->info().name);
    const bool claims_a_paper = !dwarf->paper_settings().empty();
    CHECK(claims_a_paper == (rows_of[dwarf->info().name] > 0));
  }
}

TEST_CASE("paper: the settings of a dwarf are those that were published", "[published]") {
  const std::vector<Row> rows = mapped_rows();
  for (const Dwarf* dwarf : built_in_dwarfs()) {
    std::set<Experiment> published;
    for (const Row& row : rows) {
      if (row.dwarf != dwarf->info().name || row.size.empty()) continue;
      published.insert(
          {row.figure, problem_text(*dwarf, ValueMap::parse(row.size)), config_text(*dwarf, row.settings)});
    }
    for (const Experiment& experiment : planned(*dwarf)) {
      const auto& [figure, problem, config] = experiment;
      INFO(dwarf->info().name << ": " << figure << " " << problem << " " << config);
      CHECK((published.count(experiment) == 1 || is_excepted(dwarf->info().name, figure)));
    }
  }
}

TEST_CASE("paper: the plan holds exactly these settings, at exactly these sizes", "[published]") {
  for (const Dwarf* dwarf : built_in_dwarfs()) {
    std::map<string, std::set<string>> wanted;
    for (const auto& [figure, problem, config] : planned(*dwarf)) wanted[problem].insert(config);
    const PlanRequest request = parse_plan("paper");
    std::map<string, std::set<string>> found;
    for (const Problem& problem : plan_problems(*dwarf, request, {}, {})) {
      INFO(dwarf->info().name << " " << problem.values.to_string());
      std::set<string>& configs = found[problem.values.to_string()];
      for (const PlannedPoint& point : make_plan(*dwarf, problem, generous(), request)) {
        INFO(point.config.to_string());
        CHECK_FALSE(point.rejected.has_value());
        CHECK(configs.insert(point.config.to_string()).second);
      }
    }
    // What everything is compared with is always there.
    for (auto& [problem, configs] : wanted) configs.insert(dwarf->space().baseline().to_string());
    INFO(dwarf->info().name);
    CHECK(found == wanted);
  }
}

TEST_CASE("paper: values reached by name are in the paper plan and in no other", "[published]") {
  int values = 0;
  for (const Dwarf* dwarf : built_in_dwarfs()) {
    const Space& space = dwarf->space();
    const Problem problem = make_problem(dwarf->info().name, dwarf->info().keys, {"custom", {}});
    const auto has = [](const std::vector<PlannedPoint>& points, const Axis& axis, const Value& value) {
      return std::any_of(points.begin(), points.end(),
                         [&](const PlannedPoint& point) { return point.config.at(axis.name) == value; });
    };
    const auto usual = make_plan(*dwarf, problem, generous(), {});
    const auto corners = make_plan(*dwarf, problem, generous(), parse_plan("corners"));
    for (const Axis& axis : space.axes()) {
      for (const Value& value : axis.by_name) {
        INFO(dwarf->info().name << " " << axis.name << "=" << value.to_string());
        ++values;
        CHECK(value != axis.baseline);
        CHECK_FALSE(has(usual, axis, value));
        CHECK_FALSE(has(corners, axis, value));
        const auto settings = dwarf->paper_settings();
        CHECK(std::any_of(settings.begin(), settings.end(), [&](const PaperSetting& setting) {
          return space.set(space.baseline(), setting.settings).at(axis.name) == value;
        }));
        PlanRequest named;
        named.axes = {{axis.name, {value}}};
        if (axis.name != "variant" && !axis.variants.empty())
          named.settings = ValueMap{{"variant", axis.variants.front()}};
        CHECK(has(make_plan(*dwarf, problem, generous(), named), axis, value));
      }
    }
  }
  CHECK(values > 5);
}

TEST_CASE("paper: the values of the papers add no point to the default plan", "[published]") {
  // If you change an axis on purpose, change its number here.
  const std::map<string, std::size_t> expected = {
      {"lud", 46},    {"crc", 42},        {"needle", 30},  {"srad", 32},   {"bfs", 43},      {"sgemv", 78},
      {"kmeans", 54}, {"des", 42},        {"hotspot", 48}, {"micro", 29},  {"backprop", 26}, {"staging", 23},
      {"matmul", 93}, {"stencil_3d", 45}, {"fft_1d", 36},  {"saxpy", 31},  {"cp", 27},       {"mri", 45},
      {"sad", 30},    {"lbm", 47},        {"fdtd", 41},    {"tpacf", 58},  {"rpes", 27},     {"rc5_72", 30},
      {"fem", 32},    {"h264", 22},       {"pns", 18},     {"template", 5}};
  for (const Dwarf* dwarf : built_in_dwarfs()) {
    const Problem problem = make_problem(dwarf->info().name, dwarf->info().keys, {"custom", {}});
    const auto points = make_plan(*dwarf, problem, generous(), {});
    INFO(dwarf->info().name);
    const auto found = expected.find(dwarf->info().name);
    CHECK(points.size() == (found == expected.end() ? 0 : found->second));
  }
}

TEST_CASE("paper: every exception is of a dwarf's own plan", "[published]") {
  for (const Exception& exception : not_printed) {
    INFO(exception.dwarf << " " << exception.figure);
    CHECK_FALSE(exception.why.empty());
    const auto& dwarfs = built_in_dwarfs();
    const auto found = std::find_if(dwarfs.begin(), dwarfs.end(), [&](const Dwarf* dwarf) {
      return dwarf->info().name == exception.dwarf;
    });
    REQUIRE(found != dwarfs.end());
    const auto settings = (*found)->paper_settings();
    CHECK(std::any_of(settings.begin(), settings.end(),
                      [&](const PaperSetting& setting) { return setting.figure == exception.figure; }));
  }
}

}  // namespace dwarfsweep
