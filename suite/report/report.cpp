// The page: its frame, its sections in reading order, and the rows that its script works with.
#include "suite/report/report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <variant>

#include "harness/statistics/statistics.hpp"
#include "suite/record/csv.hpp"
#include "suite/record/json.hpp"
#include "suite/record/row_csv.hpp"
#include "suite/record/run_rows.hpp"
#include "suite/record/stored_file.hpp"
#include "suite/report/page.hpp"
#include "suite/report/sections.hpp"

namespace dwarfsweep {

// The style sheet and the script of a report, which are part of the program; page_parts.cpp.in.
extern const char* const report_script;
extern const char* const report_script_sha256;

namespace {

// Samples beyond these are shown by their quantiles; 60,000 take some 0.4 MB.
constexpr std::size_t max_samples = 16'000;
constexpr std::size_t max_exact_bytes = 260'000;

using CellText = std::string;

CellText json_cell(const std::string& value, int) {
  return value;
}
CellText json_cell(std::int64_t value, int) {
  return std::to_string(value);
}
CellText json_cell(bool value, int) {
  return value ? "true" : "false";
}
CellText json_cell(const Number& value, int digits) {
  if (!value) return "";
  if (digits == 0) return number_text(*value);
  std::string text = number_text(std::strtod(fmt::format("{:.{}g}", *value, digits).c_str(), nullptr));
  const std::size_t zeros = text.size() - 1 - std::min(text.find_last_not_of('0'), text.size() - 1);
  if (zeros > 2 && text.find_first_of(".e") == std::string::npos)
    text.replace(text.size() - zeros, zeros, fmt::format("e{}", zeros));
  return text;
}

// Equal cells in a row are written once: "7*44" is 44 times 7.
class RunLengths {
 public:
  void add(const std::string& text) {
    if (count_ > 0 && text == last_) {
      ++count_;
      return;
    }
    flush();
    last_ = text;
    count_ = 1;
  }
  std::string finish() {
    flush();
    return std::move(out_);
  }

 private:
  void flush() {
    if (count_ == 0) return;
    if (!first_) out_ += ',';
    first_ = false;
    out_ += last_;
    if (count_ > 1) out_ += "*" + std::to_string(count_);
  }
  std::string out_, last_;
  std::size_t count_ = 0;
  bool first_ = true;
};

Json text_column(const std::vector<std::string>& cells) {
  std::map<std::string, std::size_t> places;
  Json words = Json::array();
  RunLengths lengths;
  for (const std::string& cell : cells) {
    const auto [place, is_new] = places.try_emplace(cell, places.size());
    if (is_new) words.push_back(cell);
    lengths.add(std::to_string(place->second));
  }
  return {{"words", std::move(words)}, {"cells", lengths.finish()}};
}

Json columns_json(const ReportData& data, int digits) {
  Json list = Json::array();
  for (const auto& column : columns<MeasurementRow>()) {
    std::vector<std::string> cells;
    const bool is_number = std::holds_alternative<Number MeasurementRow::*>(column.member);
    for (const MeasurementRow& row : data.rows) {
      cells.push_back(std::visit([&](auto member) { return json_cell(row.*member, digits); }, column.member));
    }
    Json entry = {{"name", column.name}};
    if (is_number) {
      RunLengths lengths;
      for (const std::string& cell : cells) lengths.add(cell);
      entry["cells"] = lengths.finish();
    } else {
      entry.update(text_column(cells));
    }
    list.push_back(std::move(entry));
  }
  return list;
}

bool bins_samples(const ReportData& data) {
  std::size_t count = 0;
  for (const auto& [point, blocks] : data.blocks) {
    for (const ReportBlock& block : blocks) count += block.ns.size();
  }
  return count > max_samples;
}

// Blocks apart by '|', re-measured ones with a 'c' before; where binned, nine quantiles of all.
std::string samples_text(const std::vector<ReportBlock>& blocks, bool binned) {
  std::string text;
  if (binned) {
    std::vector<double> all;
    for (const ReportBlock& block : blocks) all.insert(all.end(), block.ns.begin(), block.ns.end());
    for (int i = 0; i <= 8 && !all.empty(); ++i)
      text += (i == 0 ? "" : ",") + json_cell(Number(quantile(all, i / 8.0)), 5);
    return text;
  }
  for (const ReportBlock& block : blocks) {
    if (!text.empty()) text += '|';
    if (block.confirmation) text += 'c';
    for (std::size_t i = 0; i < block.ns.size(); ++i)
      text += (i == 0 ? "" : ",") + json_cell(Number(block.ns[i]), 5);
  }
  return text;
}

// Every row, and the samples of each point.
Json rows_json(const ReportData& data, bool all_samples) {
  Json json = {{"count", data.rows.size()}, {"columns", columns_json(data, 0)}, {"digits", 0}};
  if (json_text(json["columns"]).size() > max_exact_bytes) {
    constexpr int fewer_digits = 6;
    json["columns"] = columns_json(data, fewer_digits);
    json["digits"] = fewer_digits;
  }
  const bool binned = !all_samples && bins_samples(data);
  json["binned"] = binned;
  json["samples"] = Json::object();
  for (std::size_t i = 0; i < data.rows.size(); ++i) {
    const MeasurementRow& row = data.rows[i];
    if (row.kernel != "total") continue;
    const auto blocks = data.blocks.find(point_text(row));
    if (blocks != data.blocks.end())
      json["samples"][std::to_string(i)] = samples_text(blocks->second, binned);
  }
  return json;
}

Html rows_section(const ReportData& data) {
  return markup(
      "<p>{} rows, as in <code>measurements.csv</code>: one for each device, dwarf, problem, setting and "
      "kernel; <code>total</code> is the whole execution. <span class=\"noscript\">Without script, the "
      "dwarfs' "
      "sections show every setting, and measurements.csv in the run folder has all columns.</span></p>\n"
      "<div id=\"all-rows\"></div>\n",
      data.rows.size());
}

struct Section {
  const char* id;
  const char* title;
  Html content;
};

// The title, all sections that are not empty, and links to them.
Html page_body(const ReportData& data, const Comparison* comparison) {
  const std::vector<Section> sections = {
      {"verdict", "Verdict", verdict_section(data)},
      {"trust", "Trust", trust_section(data)},
      {"overview", "Overview", overview_section(data)},
      {"roofline", "Roofline", roofline_section(data)},
      {"dwarfs", "Dwarf by dwarf", dwarf_sections(data)},
      {"payoff", "Which optimisation pays off", payoff_section(data)},
      {"portability", "Portability", portability_section(data)},
      {"left-out", "Points without a time", left_out_section(data)},
      {"against", "Against an older run", against_section(data, comparison)},
      {"rows", "All rows", rows_section(data)},
      {"method", "Method", method_section(data)}};
  Html links, content;
  for (const auto& [id, title, text] : sections) {
    if (text.empty()) continue;
    links += markup("<a href=\"#{}\">{}</a> ", id, title);
    content += markup("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", id, title, text);
  }
  return markup("<header><h1>{}</h1>\n<nav aria-label=\"sections\">{}</nav>\n</header>\n<main>\n{}</main>\n",
                report_title(data), links, content);
}

}  // namespace

std::string make_report(const ReportData& data, const Comparison* comparison, bool all_samples) {
  const std::string data_block = fmt::format("<script type=\"application/json\" id=\"data\">{}</script>\n",
                                             json_for_html(rows_json(data, all_samples)));
  return html_page("dwarfsweep: " + report_title(data), page_body(data, comparison).str() + data_block,
                   {report_script, report_script_sha256});
}

void write_report(const std::filesystem::path& file, const ReportData& data, const Comparison* comparison,
                  bool all_samples) {
  DraftFile draft(file);
  draft.write(make_report(data, comparison, all_samples));
  draft.finish();
}

void write_report(const std::filesystem::path& file, const ReportRequest& request) {
  const ReportData data = read_report_data(request.runs, request.labels);
  if (request.against.empty()) {
    write_report(file, data, nullptr, request.all_samples);
    return;
  }
  const RunData before = read_run(request.against);
  const RunData after = read_run(request.runs.front());
  const Comparison comparison = compare_runs(before, after);
  write_report(file, data, &comparison, request.all_samples);
}

}  // namespace dwarfsweep
