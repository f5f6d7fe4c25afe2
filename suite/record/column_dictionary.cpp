#include "suite/record/column_dictionary.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <utility>

#include "suite/record/row_columns.hpp"

namespace dwarfsweep {

extern const char* const column_meanings;

namespace {

// By file, or by the section's heading, then by column.
using Meanings = std::map<std::string, std::map<std::string, std::string>>;

// A line "| `a`, `b` | what they mean |" of a table.
void add_line(std::map<std::string, std::string>& meanings, const std::string& line) {
  const std::size_t middle = line.find(" | ");
  const std::size_t end = line.rfind(" |");
  if (middle == std::string::npos || end <= middle) return;
  const std::string meaning = line.substr(middle + 3, end - middle - 3);
  for (std::size_t open = line.find('`'); open < middle; open = line.find('`', open)) {
    const std::size_t close = line.find('`', open + 1);
    meanings[line.substr(open + 1, close - open - 1)] = meaning;
    open = close + 1;
  }
}

Meanings read_meanings() {
  Meanings meanings;
  std::istringstream text(column_meanings);
  std::string section;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("## ")) section = line.substr(3);
    if (line.starts_with("| `")) add_line(meanings[section], line);
  }
  return meanings;
}

std::string unit_of(std::string_view name) {
  using Unit = std::pair<std::string_view, const char*>;
  constexpr std::array<Unit, 7> units = {Unit{"_ns", "ns"},      {"gb_per_s", "GB/s"}, {"gop_per_s", "Gop/s"},
                                         {"items_per_s", "1/s"}, {"bytes", "B"},       {"_j", "J"},
                                         {"_mhz", "MHz"}};
  if (name == "ns") return "ns";
  const auto* const found =
      std::find_if(units.begin(), units.end(), [&](const Unit& unit) { return name.ends_with(unit.first); });
  return found == units.end() ? "" : found->second;
}

const char* type_of(std::size_t member) {
  constexpr std::array<const char*, 4> types = {"string", "number", "integer", "boolean"};
  return types[member];  // in the order of Column::member
}

template <typename Row>
void add_file(const Meanings& meanings, const std::string& file, std::vector<ColumnMeaning>& list) {
  const auto find = [&](const std::string& section, const std::string& column) -> std::string {
    const auto table = meanings.find(section);
    if (table == meanings.end()) return "";
    const auto meaning = table->second.find(column);
    return meaning == table->second.end() ? "" : meaning->second;
  };
  for (const auto& column : columns<Row>()) {
    const std::string name(column.name);
    std::string meaning = find(file, name);
    if (meaning.empty()) meaning = find("measurements.csv", name);
    list.push_back({file, name, type_of(column.member.index()), unit_of(name), meaning, column.since});
  }
}

}  // namespace

const std::vector<ColumnMeaning>& column_dictionary() {
  static const std::vector<ColumnMeaning> list = [] {
    const Meanings meanings = read_meanings();
    std::vector<ColumnMeaning> all;
    add_file<MeasurementRow>(meanings, "measurements.csv", all);
    add_file<SampleRow>(meanings, "samples.csv", all);
    add_file<SpeedupRow>(meanings, "speedups.csv", all);
    return all;
  }();
  return list;
}

}  // namespace dwarfsweep
