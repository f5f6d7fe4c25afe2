#include "suite/sharing/atlas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/space/text.hpp"
#include "suite/output/table_cells.hpp"
#include "suite/plan/atlas_points.hpp"
#include "suite/published/published.hpp"
#include "suite/published/published_rows.hpp"
#include "suite/record/csv.hpp"
#include "suite/record/json.hpp"
#include "suite/record/stored_file.hpp"
#include "suite/report/html.hpp"
#include "suite/report/page.hpp"
#include "suite/report/portability.hpp"
#include "suite/report/sections.hpp"
#include "suite/sharing/atlas_model.hpp"

namespace dwarfsweep {

extern const char* const atlas_script;
extern const char* const atlas_script_sha256;

namespace {

namespace fs = std::filesystem;

// A page stays below 1 MB, with its frame and its texts; atlas.csv has what its tables leave out.
constexpr std::size_t table_bytes = 900'000;

// --- cells ---

// For a file or an anchor: foreign names may hold anything, and two may look the same without it.
std::string file_name(const std::string& name) {
  std::string safe;
  for (const char c : lower(name).substr(0, 40)) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (plain || (!safe.empty() && safe.back() != '-')) safe += plain ? c : '-';
  }
  return fmt::format("{}-{:08x}", safe, fnv1a(name) & 0xffffffffU);
}

Html link(const std::string& target, const std::string& text) {
  return markup("<a href=\"{}\">{}</a>", target, text);
}

std::string device_page(const std::string& device) {
  return "device-" + file_name(device) + ".html";
}

std::string dwarf_page(const std::string& dwarf) {
  return "dwarf-" + file_name(dwarf) + ".html";
}

std::string peak_cell(const AtlasPoint& point) {
  return point.peak_fraction ? per_cent_text(*point.peak_fraction) : "";
}

std::string speedup_cell(const AtlasPoint& point) {
  return point.best.speedup ? fmt::format("{:.2f}x", *point.best.speedup) : "";
}

std::string count_text(std::size_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

class Site {
 public:
  Site(const AtlasModel& model, const fs::path& folder) : model_(model), folder_(folder) {
    report_.sources = model.sources.size();
    report_.devices = model.by_device.size();
    report_.points = model.points.size();
  }

  AtlasReport write() {
    fs::create_directories(folder_ / "devices");
    const AtlasMatrix matrix = matrix_of(model_);
    write_index(matrix);
    write_matrix(matrix);
    for (const auto& [name, points] : model_.by_device) write_device(name, points);
    for (const auto& [name, points] : model_.by_dwarf) write_dwarf(name, points);
    if (model_.has_own_run) write_yours();
    write_csv();
    return report_;
  }

 private:
  [[nodiscard]] Html device_link(const std::string& device) const {
    return link(device_page(device), model_.labels.at(device));
  }

  void write_page(const std::string& file, const std::string& title, const Html& content) {
    Html links = link("index.html", "Atlas") + markup(" {}", link("matrix.html", "Devices and dwarfs"));
    if (model_.has_own_run) links += markup(" {}", link("yours.html", "Your run against the world"));
    links += markup(" {}", link("atlas.csv", "CSV"));
    const Html body = markup(
        "<header><h1>{}</h1>\n<nav aria-label=\"pages\">{}</nav>\n</header>\n<main "
        "class=\"settings\">\n{}</main>\n",
        title, links, content);
    const std::string page = html_page(title, body.str(), {atlas_script, atlas_script_sha256});
    write_file(folder_ / file, page);
    ++report_.pages;
    report_.largest_page = std::max(report_.largest_page, page.size());
    bytes_left_ = table_bytes;
  }

  static std::size_t bytes_of(const std::vector<Html>& row) {
    std::size_t bytes = 20;
    for (const Html& cell : row) bytes += cell.str().size() + 25;
    return bytes;
  }

  // A table that sorts and filters where scripts run, with as many lines as the page has room for.
  Html table(HtmlTable content) {
    constexpr std::size_t frame = 600;
    if (content.rows.empty() || bytes_left_ < 2 * frame) return {};
    bytes_left_ -= frame;
    std::size_t lines = 0;
    for (; lines < content.rows.size() && bytes_of(content.rows[lines]) <= bytes_left_; ++lines)
      bytes_left_ -= bytes_of(content.rows[lines]);
    const std::size_t all = content.rows.size();
    content.rows.resize(lines);
    Html html = to_html(content);
    if (lines < all)
      html += markup("<p>{} of {} lines are shown; atlas.csv has all points.</p>\n", lines, all);
    return html;
  }

  void write_index(const AtlasMatrix& matrix) {
    HtmlTable devices = {
        "Devices", {"device", "type", "dwarfs", "points", "sources", "median share of peak"}, {}, 2};
    for (const AtlasMatrix::Row& row : matrix.rows) {
      const Points& points = model_.by_device.at(row.device);
      std::set<std::string> dwarfs;
      std::set<std::size_t> sources;
      for (const AtlasPoint* const point : points) {
        dwarfs.insert(point->best.dwarf);
        sources.insert(point->source);
      }
      devices.rows.push_back({device_link(row.device), points.front()->best.device_type, dwarfs.size(),
                              points.size(), sources.size(), row.share ? per_cent_text(*row.share) : ""});
    }
    HtmlTable dwarfs = {"Dwarfs", {"dwarf", "devices", "points"}, {}, 1};
    for (const auto& [name, points] : model_.by_dwarf)
      dwarfs.rows.push_back({link(dwarf_page(name), name), grouped(points, device_of).size(), points.size()});
    const Html dwarf_table = table(std::move(dwarfs));
    write_page("index.html", "dwarfsweep atlas",
               markup("<p>The best verified points of {} runs and bundles. A time is the median of whole "
                      "executions. {} compares all devices.</p>\n{}{}",
                      report_.sources, link("matrix.html", "Devices and dwarfs"), table(std::move(devices)),
                      dwarf_table));
  }

  // --- devices and dwarfs ---

  static Html matrix_cell(const AtlasPoint* point, const std::string& problem) {
    if (point == nullptr) return {};
    const std::string text = point->peak_fraction ? peak_cell(*point) : time_text(point->ns());
    const Html cell = link(device_page(device_of(*point)) + "#" + file_name(point->best.dwarf), text);
    return problem_of(*point) == problem ? cell : cell + markup(" <small>({})</small>", point->best.size);
  }

  static std::string matrix_page(std::size_t page) {
    return page == 0 ? "matrix.html" : fmt::format("matrix-{}.html", page + 1);
  }

  // As many pages as the cells need.
  void write_matrix(const AtlasMatrix& matrix) {
    std::vector<HtmlTable> pages;
    std::size_t bytes = table_bytes;
    for (const AtlasMatrix::Row& row : matrix.rows) {
      std::vector<Html> cells = {device_link(row.device), row.share ? per_cent_text(*row.share) : ""};
      for (std::size_t i = 0; i < row.cells.size(); ++i)
        cells.push_back(matrix_cell(row.cells[i], matrix.problems[i]));
      if (bytes + bytes_of(cells) > table_bytes - 1000) {
        pages.push_back({"Share of the peak: devices and dwarfs", {"device", "median"}, {}, 1});
        for (const std::string& dwarf : matrix.dwarfs) pages.back().header.push_back(dwarf);
        bytes = 0;
      }
      bytes += bytes_of(cells);
      pages.back().rows.push_back(std::move(cells));
    }
    Html problems;
    for (const std::string& problem : matrix.problems) problems += markup("<li>{}</li>\n", problem);
    const Html about = markup(
        "<p>Each cell is the share of the device's measured peak that its fastest verified point reaches. It "
        "links to the point. A time stands where the share is not known. An empty cell means that the device "
        "has no point. Above 100 %, data stay in caches or the variant does fewer operations than are "
        "counted. Devices are in the order of their median share.</p>\n<details><summary>Problems: "
        "where a device has another one, its size is in brackets.</summary><ul>\n{}</ul></details>\n",
        problems);
    for (std::size_t page = 0; page < pages.size(); ++page) {
      Html others;
      for (std::size_t other = 0; pages.size() > 1 && other < pages.size(); ++other)
        others += other == page ? markup("<strong aria-current=\"page\">{}</strong> ", other + 1)
                                : markup("{} ", link(matrix_page(other), std::to_string(other + 1)));
      const Html pager =
          others.empty() ? Html() : markup("<nav aria-label=\"parts of the table\">Part {}</nav>\n", others);
      const Html content = about + pager + table(std::move(pages[page]));
      write_page(matrix_page(page), "Devices and dwarfs", content);
    }
  }

  // --- a device ---

  static PointGroups fastest_of(PointGroups groups) {
    for (auto& [key, points] : groups) points = fastest_of_devices(points);
    return groups;
  }

  // How many other devices have the same best setting.
  [[nodiscard]] std::string shared_text(const AtlasPoint& point, const std::string& problem) const {
    const Points& fastest = fastest_.at(problem);
    const auto same = std::ranges::count_if(
        fastest, [&](const AtlasPoint* other) { return other->best.config == point.best.config; });
    return fastest.size() < 2
               ? ""
               : fmt::format("{} of {}", std::max<std::ptrdiff_t>(same, 1) - 1, fastest.size() - 1);
  }

  void write_device(const std::string& name, const Points& points) {
    HtmlTable best = {
        "Best settings",
        {"dwarf and problem", "setting: what differs from the baseline", "time", "over baseline", "of peak",
         "other devices with this setting", "runs", "slowest over fastest run"},
        {},
        2};
    Json json = {{"schema_version", 1}, {"device", name}, {"points", Json::array()}};
    std::set<std::string> dwarfs;
    std::set<std::size_t> sources;
    for (const auto& [problem, group] : grouped(points, problem_of)) {
      const Points ranked = by_time(group);
      const AtlasPoint& first = *ranked.front();
      const std::string& dwarf = first.best.dwarf;
      // The matrix links to the first line of each dwarf.
      const Html anchor = dwarfs.insert(dwarf).second ? markup("<a id=\"{}\" href=\"{}\">{}</a>",
                                                               file_name(dwarf), dwarf_page(dwarf), problem)
                                                      : link(dwarf_page(dwarf), problem);
      best.rows.push_back({anchor, setting_of(first), time_text(first.ns()), speedup_cell(first),
                           peak_cell(first), shared_text(first, problem), ranked.size(),
                           fmt::format("{:.2f}", ranked.back()->ns() / first.ns())});
      json["points"].push_back(best_json(first.best));
      for (const AtlasPoint* const point : ranked) sources.insert(point->source);
    }
    HtmlTable gains = {"What pays off", {"dwarf", "change", "largest gain", "helps in"}, {}, 2};
    for (const PayOff& each : pay_offs_of(model_, name))
      gains.rows.push_back({link(dwarf_page(each.dwarf), each.dwarf), each.change,
                            fmt::format("{:.2f}x", each.gain),
                            fmt::format("{} of {} contexts", each.helped, each.contexts)});
    HtmlTable origins = {"Sources", {"source", "verdict of intake"}, {}, 2};
    for (const std::size_t source : sources) {
      const BundleSummary& each = model_.sources[source];
      origins.rows.push_back({each.source, each.verdict.empty() ? "not checked" : each.verdict});
    }
    const std::string file = file_name(name);
    const Html content = markup("<p>Type: {}. For <code>--plan best --atlas</code>: {}</p>\n",
                                points.front()->best.device_type, link("devices/" + file + ".json", "JSON")) +
                         table(std::move(best)) + table(std::move(gains)) + table(std::move(origins));
    write_page(device_page(name), name, content);
    write_file(folder_ / "devices" / (file + ".json"), json_text(json, 1) + "\n");
  }

  // --- a dwarf ---

  // Who shares the settings that win.
  [[nodiscard]] HtmlTable winners(const std::string& problem, const Points& ranked) const {
    constexpr std::size_t named = 5;
    PointGroups settings = grouped(ranked, [](const AtlasPoint& point) { return point.best.config; });
    std::vector<const Points*> order;
    for (const auto& [config, points] : settings) order.push_back(&points);
    std::ranges::stable_sort(order, std::greater(), &Points::size);
    HtmlTable content = {"Settings that win: " + problem, {"setting", "devices", "which"}, {}, 1};
    for (const Points* const points : order) {
      Html which;
      for (std::size_t i = 0; i < std::min(points->size(), named); ++i)
        which += markup("{}{}", i == 0 ? "" : "; ", device_link(device_of(*(*points)[i])));
      if (points->size() > named) which += markup(" and {} more", points->size() - named);
      content.rows.push_back({setting_of(*points->front()), points->size(), which});
    }
    return content;
  }

  // Of each variant the time of its best setting, over the best time of the device.
  static HtmlTable portability(const std::string& problem, const Points& points) {
    std::map<std::string, std::map<std::string, double>> times;  // by variant and device
    std::map<std::string, double> best;
    for (const AtlasPoint* const point : points) {
      const std::string device = device_of(*point);
      const auto shorten = [](double& ns, double other) { ns = std::min(ns, other); };
      shorten(best.emplace(device, point->ns()).first->second, point->ns());
      for (const auto& [variant, ns] : point->variants) {
        shorten(times[variant].emplace(device, ns).first->second, ns);
        shorten(best.at(device), ns);
      }
    }
    HtmlTable content = {"Portability of variants: " + problem,
                         {"variant", "devices", "fastest on", "least efficiency", "performance portability"},
                         {},
                         1};
    for (const auto& [variant, by_device] : times) {
      std::vector<double> efficiencies;
      for (const auto& [device, ns] : by_device) efficiencies.push_back(best.at(device) / ns);
      const auto fastest = static_cast<std::size_t>(std::ranges::count(efficiencies, 1.0));
      const bool everywhere = by_device.size() == best.size();
      content.rows.push_back(
          {variant, by_device.size(), fastest, share_text(std::ranges::min(efficiencies)),
           everywhere ? share_text(performance_portability(efficiencies)) : "not measured everywhere"});
    }
    return content;
  }

  [[nodiscard]] HtmlTable published(const std::string& dwarf) const {
    HtmlTable content = {"Published figures",
                         {"source and figure", "device", "kernel and size", "setting", "over", "speedup"},
                         {},
                         5};
    for (const std::vector<PublishedRow>& figure : published_) {
      for (const PublishedRow& row : figure) {
        if (row.dwarf != dwarf) continue;
        if (const auto speedup = published_speedup(figure, row))
          content.rows.push_back({row.source + ", " + row.figure, row.device, row.kernel + " " + row.size,
                                  row.setting, row.reference, fmt::format("{:.2f}x", *speedup)});
      }
    }
    return content;
  }

  void write_dwarf(const std::string& name, const Points& points) {
    Html content;
    const HtmlTable figures = published(name);
    const PointGroups problems = grouped(points, problem_of);
    Html shares;
    for (const auto& [problem, group] : problems) {
      const Points ranked = fastest_of_devices(group);
      std::map<std::string, std::size_t> wins;
      HtmlTable devices = {
          problem,
          {"device", "setting: what differs from the baseline", "time", "over baseline", "of peak"},
          {},
          2};
      for (const AtlasPoint* const point : ranked) {
        ++wins[variant_of(*point)];
        devices.rows.push_back({device_link(device_of(*point)), setting_of(*point), time_text(point->ns()),
                                speedup_cell(*point), peak_cell(*point)});
      }
      std::string text;
      for (const auto& [variant, count] : wins)
        text += fmt::format("{}{} on {}", text.empty() ? "" : ", ", variant, count_text(count, "device"));
      content += table(std::move(devices));
      content += markup("<p>Fastest in {}: {}.</p>\n", problem, text);
      if (ranked.size() < 2) continue;
      content += table(winners(problem, ranked));
      content += table(portability(problem, group));
    }
    write_page(dwarf_page(name), name, content + table(figures));
  }

  // --- your run against the world ---

  static std::string rank_text(const Points& ranked, const AtlasPoint& own) {
    const auto place = std::ranges::find(ranked, &own) - ranked.begin();
    return fmt::format("{} of {}", place + 1, ranked.size());
  }

  // The own point among the fastest of all other devices.
  static Points with_own(const Points& group, const AtlasPoint& own) {
    Points points;
    for (const AtlasPoint* const point : fastest_of_devices(group)) {
      if (device_of(*point) != device_of(own)) points.push_back(point);
    }
    points.push_back(&own);
    return by_time(points);
  }

  // What others found on the same device.
  static const AtlasPoint* best_of_others(const Points& group, const AtlasPoint& own) {
    for (const AtlasPoint* const point : by_time(group)) {
      if (!point->own_run && device_of(*point) == device_of(own)) return point;
    }
    return nullptr;
  }

  // Each problem of the run as a line: the other devices as hollow marks, the own one filled.
  void write_yours() {
    HtmlTable ranks = {
        "Your points",
        {"dwarf and problem", "your device", "your setting", "time", "rank by time", "speed over the fastest",
         "of peak", "rank by share of peak", "best of others on your device", "its time over yours"},
        {},
        3};
    Html figures;
    for (const auto& [problem, group] : problems_) {
      Points own;
      for (const AtlasPoint* const point : group) {
        if (point->own_run) own.push_back(point);
      }
      for (const AtlasPoint* const point : fastest_of_devices(own)) {
        const Points ranked = with_own(group, *point);
        Points by_share = ranked;
        std::erase_if(by_share, [](const AtlasPoint* each) { return !each->peak_fraction; });
        std::ranges::stable_sort(by_share, std::greater(),
                                 [](const AtlasPoint* each) { return *each->peak_fraction; });
        const AtlasPoint* const others = best_of_others(group, *point);
        ranks.rows.push_back({link(dwarf_page(point->best.dwarf), problem), device_link(device_of(*point)),
                              setting_of(*point), time_text(point->ns()), rank_text(ranked, *point),
                              per_cent_text(ranked.front()->ns() / point->ns()), peak_cell(*point),
                              point->peak_fraction ? rank_text(by_share, *point) : "",
                              others == nullptr ? "" : setting_of(*others),
                              others == nullptr ? "" : fmt::format("{:.2f}", others->ns() / point->ns())});
        if (const Html figure = placed(problem, ranked, *point); figure.str().size() < bytes_left_ / 2) {
          bytes_left_ -= figure.str().size();
          figures += figure;
        }
      }
    }
    const Html about = markup(
        "<p>Your run among the best points of all devices. A rank counts each other device once. The last "
        "two "
        "columns show what others found on the same device.</p>\n");
    const Html content = about + table(std::move(ranks)) + figures;
    write_page("yours.html", "Your run against the world", content);
  }

  static Html placed(const std::string& problem, const Points& ranked, const AtlasPoint& own) {
    std::vector<double> ms;
    for (const AtlasPoint* const point : ranked) ms.push_back(point->ns() * 1e-6);
    const LogScale scale(ms, 40, 680);
    Html marks = x_axis(scale, 10, 40, "ms", false);
    const std::size_t step = std::max<std::size_t>(1, ranked.size() / 100);
    for (std::size_t i = 0; i < ranked.size(); i += step) marks += marker(0, scale.at(ms[i]), 25, true);
    marks += marker(1, scale.at(own.ns() * 1e-6), 25);
    return to_html(Figure{problem,
                          fmt::format("Your device takes {}; the fastest of {} takes {}", time_text(own.ns()),
                                      count_text(ranked.size(), "device"), time_text(ranked.front()->ns())),
                          720, 80, marks});
  }

  // --- everything ---

  void write_csv() {
    DraftFile file(folder_ / "atlas.csv");
    file.write(
        "device,platform,device_type,driver,dwarf,size,problem,config,median_ns,speedup,peak_fraction,run_id,"
        "source,verdict\n");
    for (const AtlasPoint& point : model_.points) {
      const BestPoint& best = point.best;
      std::string line;
      for (const std::string* const text : {&best.device, &best.platform, &best.device_type, &best.driver,
                                            &best.dwarf, &best.size, &best.problem, &best.config})
        line += csv_cell(*text) + ",";
      for (const Number& number : {best.median_ns, best.speedup, point.peak_fraction})
        line += (number ? number_text(*number) : "") + ",";
      file.write(fmt::format("{}{},{},{}\n", line, csv_cell(best.run_id), point.source + 1,
                             csv_cell(model_.sources[point.source].verdict)));
    }
    file.finish();
  }

  const AtlasModel& model_;
  fs::path folder_;
  PointGroups problems_ = grouped(model_.all, problem_of);
  PointGroups fastest_ = fastest_of(problems_);  // of each device; the page of every device reads it
  std::vector<std::vector<PublishedRow>> published_ = read_figures();
  std::size_t bytes_left_ = table_bytes;
  AtlasReport report_;

  static std::vector<std::vector<PublishedRow>> read_figures() {
    const fs::path found = find_published();
    return found.empty() ? std::vector<std::vector<PublishedRow>>() : group_by_figure(read_published(found));
  }
};

}  // namespace

AtlasReport write_atlas(const std::vector<fs::path>& sources, const fs::path& folder) {
  std::vector<BundleSummary> summaries;
  for (const fs::path& source : sources) summaries.push_back(read_summary(source));
  const AtlasModel model(std::move(summaries));
  return Site(model, folder).write();
}

}  // namespace dwarfsweep
