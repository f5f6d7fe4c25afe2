// For p3-analysis-library (github.com/P3HPC/p3-analysis-library): performance portability of settings.
//
// Its reader takes an application that has no row for a platform for one that does not run there, accepts no
// efficiency above 1, and plots sixteen applications at most.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"
#include "suite/exports/exports.hpp"
#include "suite/output/table_model.hpp"
#include "suite/record/csv.hpp"
#include "suite/report/portability.hpp"

namespace dwarfsweep {
namespace {

constexpr std::size_t max_applications = 16;

// A setting on each of the platforms of its problem.
struct Application {
  std::string config;
  std::string name;
  std::vector<const ExportRow*> cells;  ///< by platform
  std::vector<double> efficiencies;
  double portability = 0;
  bool baseline = false;
  bool has_architectural = true;  ///< an efficiency of at most 1 wherever it runs
};

struct PortedProblem {
  std::string name;
  std::vector<std::string> platforms;
  std::vector<double> best_ns;  ///< by platform, of all settings tried there
  std::vector<Application> applications;
  std::size_t elsewhere_only = 0;  ///< settings that were not tried on every platform
};

using RowsOfProblem = std::vector<const ExportRow*>;

// Names of settings by what differs from the baseline, as in the tables; the whole configuration where two
// would have the same.
std::map<std::string, std::string> name_settings(const RowsOfProblem& rows) {
  std::vector<MeasurementRow> copies;
  for (const ExportRow* row : rows) copies.push_back(*row->row);
  const TableModel model = arrange(copies);
  std::map<std::string, std::string> names;
  std::map<std::string, int> counts;
  for (const SettingTable& table : model.tables) {
    if (table.kernel != "total") continue;
    for (const Setting& setting : table.settings) {
      if (names.emplace(setting.config, setting.label).second) ++counts[setting.label];
    }
  }
  for (auto& [config, name] : names) {
    if (counts[name] > 1 || name.empty()) name = config;
  }
  return names;
}

std::vector<std::string> platforms_of(const RowsOfProblem& rows) {
  std::vector<std::string> platforms;
  for (const ExportRow* row : rows) {
    if (std::ranges::find(platforms, row->device) == platforms.end()) platforms.push_back(row->device);
  }
  return platforms;
}

std::size_t place_of(const PortedProblem& problem, const ExportRow& row) {
  return static_cast<std::size_t>(std::ranges::find(problem.platforms, row.device) -
                                  problem.platforms.begin());
}

void rate(const PortedProblem& problem, Application& application) {
  for (std::size_t i = 0; i < application.cells.size(); ++i) {
    const ExportRow& cell = *application.cells[i];
    application.efficiencies.push_back(cell.ok() ? problem.best_ns[i] / *cell.row->median_ns : 0);
    if (cell.ok() && !(cell.row->peak_fraction && *cell.row->peak_fraction <= 1))
      application.has_architectural = false;
  }
  application.portability = performance_portability(application.efficiencies);
}

PortedProblem make_problem(const std::string& name, const RowsOfProblem& rows) {
  PortedProblem problem{name, platforms_of(rows), {}, {}, 0};
  problem.best_ns.assign(problem.platforms.size(), INFINITY);
  std::vector<std::string> order;
  std::map<std::string, std::vector<const ExportRow*>> cells;
  for (const ExportRow* row : rows) {
    const std::size_t place = place_of(problem, *row);
    if (row->ok()) problem.best_ns[place] = std::min(problem.best_ns[place], *row->row->median_ns);
    auto& own = cells[row->config()];
    if (own.empty()) order.push_back(row->config());
    own.resize(problem.platforms.size());
    own[place] = row;
  }
  const auto names = name_settings(rows);
  for (const std::string& config : order) {
    const auto& own = cells.at(config);
    if (std::ranges::find(own, nullptr) != own.end()) {
      ++problem.elsewhere_only;
      continue;
    }
    // What no platform can run is no application of this problem.
    if (std::ranges::none_of(own, &ExportRow::ok)) continue;
    Application application{config, names.at(config), own, {}, 0, own.front()->row->baseline, true};
    rate(problem, application);
    problem.applications.push_back(std::move(application));
  }
  return problem;
}

// The baseline, each platform's best, then by portability, and by the mean where that is 0.
std::vector<Application> select_applications(const PortedProblem& problem) {
  const auto is_best_somewhere = [&](const Application& each) {
    for (std::size_t i = 0; i < problem.platforms.size(); ++i) {
      const auto higher = [&](const Application& other) {
        return other.efficiencies[i] > each.efficiencies[i];
      };
      if (each.efficiencies[i] > 0 && std::ranges::none_of(problem.applications, higher)) return true;
    }
    return false;
  };
  const auto rank = [&](const Application& each) {
    const double sum = std::accumulate(each.efficiencies.begin(), each.efficiencies.end(), 0.0);
    return std::tuple(each.baseline ? 0 : is_best_somewhere(each) ? 1 : 2, -each.portability, -sum);
  };
  std::vector<Application> chosen = problem.applications;
  std::ranges::stable_sort(chosen, {}, rank);
  if (chosen.size() > max_applications) chosen.resize(max_applications);
  return chosen;
}

std::string csv_of(const PortedProblem& problem, const std::vector<Application>& applications,
                   bool with_architectural) {
  std::string text =
      fmt::format("problem,platform,application,fom,app eff{}\n", with_architectural ? ",arch eff" : "");
  for (const Application& application : applications) {
    for (std::size_t i = 0; i < problem.platforms.size(); ++i) {
      const ExportRow& cell = *application.cells[i];
      text += fmt::format("{},{},{},{},{}", csv_cell(problem.name), csv_cell(problem.platforms[i]),
                          csv_cell(application.name), cell.ok() ? number_text(*cell.row->median_ns) : "",
                          number_text(application.efficiencies[i]));
      if (with_architectural && application.has_architectural) {
        text += "," + number_text(cell.ok() ? *cell.row->peak_fraction : 0);
      } else if (with_architectural) {
        text += ",";
      }
      text += "\n";
    }
  }
  return text;
}

void note_on(const PortedProblem& problem, std::size_t chosen, std::vector<std::string>& notes) {
  if (problem.elsewhere_only > 0) {
    notes.push_back(
        fmt::format("{}: {} settings were not tried on every platform and are left out: their absence would "
                    "count as failure",
                    problem.name, problem.elsewhere_only));
  }
  if (chosen < problem.applications.size()) {
    notes.push_back(
        fmt::format("{}: {} of {} applications, since more cannot be plotted; the baseline, each "
                    "platform's best, then by portability",
                    problem.name, chosen, problem.applications.size()));
  }
}

// Why an application is left out of the architectural efficiency.
std::string architectural_gap(const PortedProblem& problem, const Application& application) {
  for (std::size_t i = 0; i < problem.platforms.size(); ++i) {
    const ExportRow& cell = *application.cells[i];
    if (!cell.ok() || (cell.row->peak_fraction && *cell.row->peak_fraction <= 1)) continue;
    return cell.row->peak_fraction
               ? fmt::format("{} on {}", number_text(*cell.row->peak_fraction), problem.platforms[i])
               : fmt::format("not measured on {}", problem.platforms[i]);
  }
  return "";
}

void add_files(const PortedProblem& problem, Export& made, std::string& applications_text) {
  const std::vector<Application> chosen = select_applications(problem);
  note_on(problem, chosen.size(), made.notes);
  std::vector<const Application*> without;
  for (const Application& each : chosen) {
    applications_text += fmt::format("{}\t{}\t{}\n", problem.name, each.name, each.config);
    if (!each.has_architectural) without.push_back(&each);
  }
  const std::string file = file_stem(problem.name) + ".csv";
  made.files.push_back({file, csv_of(problem, chosen, true)});
  if (without.empty()) return;
  made.files.push_back({"app-eff/" + file, csv_of(problem, chosen, false)});
  made.notes.push_back(
      fmt::format("{}: {} of {} applications are left out of 'arch eff', which takes none above 1 and is "
                  "empty there; the "
                  "first: {} ({}); pp() refuses empty cells and reads app-eff/{}",
                  problem.name, without.size(), chosen.size(), without.front()->name,
                  architectural_gap(problem, *without.front()), file));
}

}  // namespace

Export to_p3(const ExportData& data) {
  std::vector<std::string> order;
  std::map<std::string, RowsOfProblem> problems;
  for (const ExportRow& row : data.rows) {
    if (!row.is_point() || !gives_whole_result(row.row->dwarf, row.row->variant)) continue;
    const std::string name = row.row->dwarf + " " + row.row->problem;
    if (problems[name].empty()) order.push_back(name);
    problems[name].push_back(&row);
  }
  Export made;
  std::string applications = "problem\tapplication\tconfiguration\n";
  for (const std::string& name : order) {
    const PortedProblem problem = make_problem(name, problems.at(name));
    if (problem.applications.empty()) {
      made.notes.push_back(fmt::format("{}: no setting that was tried on all of {} is ok on any; no file",
                                       name,
                                       problem.platforms.size() == 1 ? "its one platform" : "its platforms"));
      continue;
    }
    add_files(problem, made, applications);
  }
  if (made.files.empty())
    throw UsageError(
        fmt::format("--format p3: no setting of these runs is ok and was tried on every platform{}",
                    made.notes.empty() ? "" : "; " + made.notes.front()));
  made.files.push_back({"applications.txt", applications});
  return made;
}

}  // namespace dwarfsweep
