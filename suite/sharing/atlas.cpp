#include "suite/sharing/atlas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <stdexcept>

#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"
#include "harness/space/text.hpp"
#include "suite/output/table_cells.hpp"
#include "suite/plan/atlas_points.hpp"
#include "suite/record/csv.hpp"
#include "suite/record/json.hpp"
#include "suite/record/row_csv.hpp"
#include "suite/record/run_rows.hpp"
#include "suite/record/sha256.hpp"
#include "suite/record/stored_file.hpp"
#include "suite/report/html.hpp"
#include "suite/report/page.hpp"
#include "suite/report/report.hpp"
#include "suite/report/sections.hpp"
#include "suite/sharing/bundle.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

// A page stays below 1 MB; atlas.csv has everything.
constexpr std::size_t max_lines = 1500;

// Sorts a table by a column, and filters its lines. Without scripts the tables are whole, the fastest first.
constexpr const char* atlas_script = R"js("use strict";
const units = {ns: 1, us: 1e3, "µs": 1e3, ms: 1e6, s: 1e9};
const value = (row, column) => {
  const text = row.cells[column].textContent.trim();
  const found = /^([0-9.e+-]+) ?(ns|us|µs|ms|s|%|x)?( |$)/.exec(text);
  return found ? Number(found[1]) * (units[found[2]] || 1) : text.toLowerCase();
};
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0], heads = table.tHead ? [...table.tHead.rows[0].cells] : [];
  if (!body || body.rows.length < 3) continue;
  const rows = [...body.rows];
  const label = document.createElement("label"), field = document.createElement("input");
  field.type = "search";
  label.append("Filter " + (table.caption ? table.caption.textContent : "") + ": ", field);
  (table.closest(".wide") || table).before(label);
  field.addEventListener("input", () => {
    const sought = field.value.toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(sought);
  });
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const each of heads) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const sorted = rows.map((row) => [value(row, column), row]);
      sorted.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : typeof a === typeof b ? 0 : typeof a === "number" ? -1 : 1) * (down ? -1 : 1));
      body.append(...sorted.map(([, row]) => row));
    });
  });
}
)js";

// The best point of a source for a dwarf and problem.
struct AtlasPoint {
  BestPoint best;
  Number peak_fraction;
  std::size_t source = 0;
  bool yours = false;  // from the folder of a run
};
using Points = std::vector<const AtlasPoint*>;

// --- reading ---

void add_points(std::vector<AtlasPoint>& all, const std::vector<MeasurementRow>& rows,
                const std::vector<DeviceInfo>& devices, std::size_t source, bool yours) {
  std::map<std::string, const MeasurementRow*> by_point;
  const auto key = [](const auto& point, const std::string& config) {
    return fmt::format("{}|{}|{}|{}", point.device, point.dwarf, point.problem, config);
  };
  for (const MeasurementRow& row : rows) {
    if (row.kernel == "total" && row.status == "ok") by_point[key(row, config_text(row))] = &row;
  }
  std::vector<BestPoint> points = find_best(rows);
  set_figures(points, devices);
  for (BestPoint& point : points) {
    const auto row = by_point.find(key(point, point.config));
    const Number fraction = row == by_point.end() ? std::nullopt : row->second->peak_fraction;
    all.push_back({std::move(point), fraction, source, yours});
  }
}

std::vector<DeviceInfo> devices_of_bundle(const std::string& name, const std::string& description) {
  std::vector<DeviceInfo> devices;
  try {
    const Json json = Json::parse(description);
    for (const Json& entry : json.at("devices")) devices.push_back(entry.at("info").get<DeviceInfo>());
  } catch (const std::exception& error) {
    throw InputError(name, "", "is not a description of a run: " + plain_message(error));
  }
  return devices;
}

std::vector<AtlasPoint> read_sources(const std::vector<fs::path>& sources) {
  std::vector<AtlasPoint> points;
  for (std::size_t source = 0; source < sources.size(); ++source) {
    const fs::path& path = sources[source];
    if (fs::is_directory(path)) {
      add_points(points, read_run_measurements(path), read_run_devices(path), source, true);
      continue;
    }
    const Bundle bundle = read_bundle(path);
    for (std::size_t run = 1; run <= bundle.runs(); ++run) {
      const std::string name = fmt::format("{}:{}", path.string(), run);
      const auto rows = parse_measurements(name + "/measurements.csv", bundle.file(run, "measurements.csv"));
      add_points(points, as_read(rows), devices_of_bundle(name + "/run.json", bundle.file(run, "run.json")),
                 source, false);
    }
  }
  return points;
}

// --- names and groups ---

std::string device_name(const AtlasPoint& point) {
  return point.best.device + ", " + point.best.platform;
}

// For a file: foreign names may hold anything, and two may look the same without it.
std::string file_name(const std::string& name) {
  std::string safe;
  for (const char c : lower(name).substr(0, 40)) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (plain || (!safe.empty() && safe.back() != '-')) safe += plain ? c : '-';
  }
  return fmt::format("{}-{:08x}", safe, fnv1a(name) & 0xffffffffU);
}

template <typename Key>
std::map<std::string, Points> grouped(const Points& points, const Key& key) {
  std::map<std::string, Points> groups;
  for (const AtlasPoint* const point : points) groups[key(*point)].push_back(point);
  return groups;
}

double ns_of(const AtlasPoint* point) {
  return *point->best.median_ns;
}

Points by_time(Points points) {
  std::ranges::stable_sort(points, {}, ns_of);
  return points;
}

// The fastest of each device.
Points fastest_of_devices(const Points& points) {
  Points fastest;
  std::set<std::string> seen;
  for (const AtlasPoint* const point : by_time(points)) {
    if (seen.insert(device_name(*point)).second) fastest.push_back(point);
  }
  return fastest;
}

std::string problem_of(const AtlasPoint& point) {
  return fmt::format("{}, {} ({})", point.best.dwarf, point.best.size, point.best.problem);
}

std::string variant_of(const AtlasPoint& point) {
  return point.best.config.substr(0, point.best.config.find(';'));
}

// "variant=blocked, granularity=8": what differs from the baseline of a dwarf that this program knows.
std::string setting_of(const AtlasPoint& point) {
  Config baseline;
  for (const Dwarf* const dwarf : built_in_dwarfs()) {
    if (dwarf->info().name == point.best.dwarf) baseline = dwarf->space().baseline();
  }
  std::string text = variant_of(point);
  const Config config = Config::parse(point.best.config);
  for (const auto& [axis, value] : config.entries()) {
    const Value* const usual = baseline.find(axis);
    if (axis == "variant" || (usual != nullptr && *usual == value)) continue;
    text += fmt::format(", {}={}", axis, value.to_string());
  }
  return text;
}

// "EPYC 2 cores, PoCL 3.1"
std::string short_name(const BestPoint& best) {
  MeasurementRow row;
  row.device = best.device;
  row.platform = best.platform;
  row.device_type = best.device_type;
  row.driver = best.driver;
  return short_device_name(row, static_cast<int>(best.compute_units.value_or(0)));
}

std::string peak_cell(const AtlasPoint& point) {
  return point.peak_fraction ? per_cent_text(*point.peak_fraction) : "";
}

std::string speedup_cell(const AtlasPoint& point) {
  return point.best.speedup ? fmt::format("{:.2f}x", *point.best.speedup) : "";
}

// --- pages ---

Html link(const std::string& target, const std::string& text) {
  return markup("<a href=\"{}\">{}</a>", target, text);
}

Html dwarf_link(const std::string& dwarf) {
  return link("dwarf-" + file_name(dwarf) + ".html", dwarf);
}

class Site {
 public:
  Site(std::vector<AtlasPoint> points, const fs::path& folder, std::size_t sources)
      : points_(std::move(points)), folder_(folder) {
    report_.sources = sources;
    for (const AtlasPoint& point : points_) all_.push_back(&point);
    by_device_ = grouped(all_, device_name);
    by_dwarf_ = grouped(all_, [](const AtlasPoint& point) { return point.best.dwarf; });
    has_yours_ = std::ranges::any_of(points_, &AtlasPoint::yours);
    // Short where that is clear.
    std::map<std::string, std::size_t> uses;
    for (const auto& [name, group] : by_device_) ++uses[short_name(group.front()->best)];
    for (const auto& [name, group] : by_device_) {
      const std::string shorter = short_name(group.front()->best);
      labels_[name] = uses[shorter] == 1 ? shorter : name;
    }
  }

  AtlasReport write() {
    fs::create_directories(folder_ / "devices");
    write_index();
    for (const auto& [name, points] : by_device_) write_device(name, points);
    for (const auto& [name, points] : by_dwarf_) write_dwarf(name, points);
    if (has_yours_) write_yours();
    write_table();
    report_.devices = by_device_.size();
    report_.points = points_.size();
    return report_;
  }

 private:
  [[nodiscard]] Html device_link(const AtlasPoint& point) const {
    const std::string name = device_name(point);
    return link("device-" + file_name(name) + ".html", labels_.at(name));
  }

  void write_page(const std::string& file, const std::string& title, const Html& content) {
    Html links = link("index.html", "Atlas");
    if (has_yours_) links += markup(" {}", link("yours.html", "Your run against the world"));
    links += markup(" {}", link("atlas.csv", "CSV"));
    const Html body =
        markup("<header><h1>{}</h1>\n<nav aria-label=\"pages\">{}</nav>\n</header>\n<main>\n{}</main>\n",
               title, links, content);
    write_file(folder_ / file, html_page(title, body.str(), {atlas_script, sha256(atlas_script)}));
    ++report_.pages;
  }

  // A table that sorts and filters where scripts run.
  static Html table(HtmlTable content) {
    const std::size_t lines = content.rows.size();
    if (lines > max_lines) content.rows.resize(max_lines);
    Html html = to_html(content);
    if (lines > max_lines)
      html += markup("<p>{} of {} lines are shown; atlas.csv has all.</p>\n", max_lines, lines);
    return html;
  }

  void write_index() {
    HtmlTable devices = {"Devices", {"device", "type", "dwarfs", "points", "sources"}, {}, 2};
    for (const auto& [name, points] : by_device_) {
      std::set<std::string> dwarfs;
      std::set<std::size_t> sources;
      for (const AtlasPoint* const point : points) {
        dwarfs.insert(point->best.dwarf);
        sources.insert(point->source);
      }
      devices.rows.push_back({device_link(*points.front()), points.front()->best.device_type, dwarfs.size(),
                              points.size(), sources.size()});
    }
    HtmlTable dwarfs = {"Dwarfs", {"dwarf", "devices", "points"}, {}, 1};
    for (const auto& [name, points] : by_dwarf_)
      dwarfs.rows.push_back({dwarf_link(name), grouped(points, device_name).size(), points.size()});
    write_page("index.html", "dwarfsweep atlas",
               markup("<p>The best verified points of {} runs and bundles. A time is the median of whole "
                      "executions.</p>\n{}{}",
                      report_.sources, table(std::move(devices)), table(std::move(dwarfs))));
  }

  void write_device(const std::string& name, const Points& points) {
    HtmlTable best = {"Best settings",
                      {"dwarf and problem", "setting: what differs from the baseline", "time",
                       "over baseline", "of peak", "runs", "slowest over fastest run"},
                      {},
                      2};
    Json json = {{"schema_version", 1}, {"device", name}, {"points", Json::array()}};
    for (const auto& [problem, group] : grouped(points, problem_of)) {
      const Points ranked = by_time(group);
      const AtlasPoint& first = *ranked.front();
      best.rows.push_back({problem, setting_of(first), time_text(ns_of(&first)), speedup_cell(first),
                           peak_cell(first), ranked.size(),
                           fmt::format("{:.2f}", ns_of(ranked.back()) / ns_of(&first))});
      json["points"].push_back(best_json(first.best));
    }
    const std::string file = file_name(name);
    write_page("device-" + file + ".html", name,
               markup("<p>Type: {}. For <code>--plan best --atlas</code>: {}</p>\n{}",
                      points.front()->best.device_type, link("devices/" + file + ".json", "JSON"),
                      table(std::move(best))));
    write_file(folder_ / "devices" / (file + ".json"), json_text(json, 1) + "\n");
  }

  void write_dwarf(const std::string& name, const Points& points) {
    Html content;
    std::size_t lines = 0;
    for (const auto& [problem, group] : grouped(points, problem_of)) {
      const Points ranked = fastest_of_devices(group);
      std::map<std::string, std::size_t> wins;
      HtmlTable devices = {
          problem,
          {"device", "setting: what differs from the baseline", "time", "over baseline", "of peak"},
          {},
          2};
      for (const AtlasPoint* const point : ranked) {
        ++wins[variant_of(*point)];
        devices.rows.push_back({device_link(*point), setting_of(*point), time_text(ns_of(point)),
                                speedup_cell(*point), peak_cell(*point)});
      }
      std::string winners;
      for (const auto& [variant, count] : wins)
        winners += fmt::format("{}{} on {} device{}", winners.empty() ? "" : ", ", variant, count,
                               count == 1 ? "" : "s");
      lines += ranked.size();
      if (lines <= max_lines || lines == ranked.size()) content += table(std::move(devices));
      content += markup("<p>Fastest in {}: {}.</p>\n", problem, winners);
    }
    write_page("dwarf-" + file_name(name) + ".html", name, content);
  }

  // Each problem of the run as a line: the other devices as hollow marks, the own one filled.
  void write_yours() {
    HtmlTable ranks = {
        "Your points", {"dwarf and problem", "your device", "time", "rank", "of the fastest"}, {}, 2};
    Html figures;
    for (const auto& [problem, group] : grouped(all_, problem_of)) {
      const Points ranked = fastest_of_devices(group);
      const auto own = std::ranges::find_if(ranked, &AtlasPoint::yours);
      if (own == ranked.end()) continue;
      const double fastest = ns_of(ranked.front()), ns = ns_of(*own);
      ranks.rows.push_back({problem, device_link(**own), time_text(ns),
                            fmt::format("{} of {}", own - ranked.begin() + 1, ranked.size()),
                            per_cent_text(fastest / ns)});
      if (figures.str().size() < 500'000) figures += placed(problem, ranked, **own);
    }
    write_page("yours.html", "Your run against the world", table(std::move(ranks)) + figures);
  }

  static Html placed(const std::string& problem, const Points& ranked, const AtlasPoint& own) {
    std::vector<double> ms;
    for (const AtlasPoint* const point : ranked) ms.push_back(ns_of(point) * 1e-6);
    const LogScale scale(ms, 40, 680);
    Html marks = x_axis(scale, 10, 40, "ms", false);
    const std::size_t step = std::max<std::size_t>(1, ranked.size() / 100);
    for (std::size_t i = 0; i < ranked.size(); i += step) marks += marker(0, scale.at(ms[i]), 25, true);
    marks += marker(1, scale.at(ns_of(&own) * 1e-6), 25);
    return to_html(
        Figure{problem,
               fmt::format("Your device takes {}; the fastest of {} devices takes {}", time_text(ns_of(&own)),
                           ranked.size(), time_text(ns_of(ranked.front()))),
               720, 80, marks});
  }

  void write_table() {
    DraftFile file(folder_ / "atlas.csv");
    file.write(
        "device,platform,device_type,driver,dwarf,size,problem,config,median_ns,speedup,peak_fraction,run_id,"
        "source\n");
    for (const AtlasPoint& point : points_) {
      const BestPoint& best = point.best;
      std::string line;
      for (const std::string* const text : {&best.device, &best.platform, &best.device_type, &best.driver,
                                            &best.dwarf, &best.size, &best.problem, &best.config})
        line += csv_cell(*text) + ",";
      for (const Number& number : {best.median_ns, best.speedup, point.peak_fraction})
        line += (number ? number_text(*number) : "") + ",";
      file.write(fmt::format("{}{},{}\n", line, csv_cell(best.run_id), point.source + 1));
    }
    file.finish();
  }

  std::vector<AtlasPoint> points_;
  fs::path folder_;
  Points all_;
  std::map<std::string, Points> by_device_, by_dwarf_;
  std::map<std::string, std::string> labels_;  // by the device's name
  bool has_yours_ = false;
  AtlasReport report_;
};

}  // namespace

AtlasReport write_atlas(const std::vector<fs::path>& sources, const fs::path& folder) {
  return Site(read_sources(sources), folder, sources.size()).write();
}

}  // namespace dwarfsweep
