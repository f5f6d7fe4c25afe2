// What the script of a report works with.
#include <cmath>
#include <cstdlib>
#include <variant>

#include "harness/statistics/quantile.hpp"
#include "suite/record/csv.hpp"
#include "suite/record/row_columns.hpp"
#include "suite/report/sections.hpp"
#include "suite/report/wording.hpp"

namespace dwarfsweep {
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
  return number_text(std::strtod(fmt::format("{:.{}g}", *value, digits).c_str(), nullptr));
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

std::size_t count_samples(const ReportData& data) {
  std::size_t count = 0;
  for (const auto& [point, blocks] : data.blocks) {
    for (const ReportBlock& block : blocks) count += block.ns.size();
  }
  return count;
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
      text += (i == 0 ? "" : ",") + json_cell(Number(block.ns[i]), 6);
  }
  return text;
}

}  // namespace

bool bins_samples(const ReportData& data, bool all_samples) {
  return !all_samples && count_samples(data) > max_samples;
}

Json rows_json(const ReportData& data, bool all_samples) {
  Json json = {{"count", data.rows.size()}, {"columns", columns_json(data, 0)}, {"digits", 0}};
  if (json["columns"].dump().size() > max_exact_bytes) {
    constexpr int fewer_digits = 6;
    json["columns"] = columns_json(data, fewer_digits);
    json["digits"] = fewer_digits;
  }
  const bool binned = bins_samples(data, all_samples);
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

}  // namespace dwarfsweep
