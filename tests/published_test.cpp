// The published figures in results/published: that they can be joined with our measurements, and that every
// published speedup follows from the published times unless its row says that it does not.
#include <csv.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "suite/record/csv.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"

namespace {

using dwarfsweep::CsvTable;
using dwarfsweep::read_csv;
using std::string;

const std::filesystem::path published = std::filesystem::path(SOURCE_ROOT) / "results" / "published";
const string header =
    "source,figure,device,dwarf,kernel,size,optimisation,setting,reference,axis,value,time_ns,time_"
    "resolution_ns,"
    "rate,rate_unit,speedup,note";

const std::set<string> known_axes = {
    "variant",      "work_group",     "granularity",    "vector_width", "unroll",         "padding",
    "layout",       "memory",         "buffering",      "direction",    "pyramid_height", "coarsening",
    "accumulate",   "source",         "finish",         "loaders",      "functions",      "output",
    "loader",       "unroll_columns", "unroll_offsets", "rotation",     "answers",        "tile_arrays",
    "partial_sums", "unrolled_loops", "data_memory"};
const std::set<string> axes_with_strings = {
    "variant",    "layout",  "memory",      "buffering",    "direction",      "coarsening",
    "accumulate", "source",  "finish",      "functions",    "output",         "loader",
    "rotation",   "answers", "tile_arrays", "partial_sums", "unrolled_loops", "data_memory"};
const std::set<string> keys_with_strings = {"kind", "code"};
/// What a speedup may be relative to without being a setting of the same table.
const std::set<string> outside_references = {
    "1 CPU thread",          "4 CPU threads", "CPU library with SSE2",
    "CPU code without SIMD", "Magma BLAS",    "best of all configurations"};

struct Row {
  string source, figure, device, dwarf, kernel, size, optimisation, setting, reference, axis, value, time_ns,
      time_resolution_ns, rate, rate_unit, speedup, note;

  /// Identifies the rows that have the same baseline.
  [[nodiscard]] string group() const {
    return source + ", " + figure + ", " + device + ", " + dwarf + ", " + kernel + ", " + size;
  }
  [[nodiscard]] string where() const { return group() + ": " + setting; }
  [[nodiscard]] bool is_baseline() const { return setting == reference; }
  [[nodiscard]] bool says_speedup_is_off() const { return note.starts_with("Published speedup"); }
};

std::vector<Row> read_rows(const std::filesystem::path& file) {
  io::CSVReader<17, io::trim_chars<>, io::double_quote_escape<',', '"'>> reader(file.string());
  reader.read_header(io::ignore_no_column, "source", "figure", "device", "dwarf", "kernel", "size",
                     "optimisation", "setting", "reference", "axis", "value", "time_ns", "time_resolution_ns",
                     "rate", "rate_unit", "speedup", "note");
  std::vector<Row> rows;
  Row r;
  while (reader.read_row(r.source, r.figure, r.device, r.dwarf, r.kernel, r.size, r.optimisation, r.setting,
                         r.reference, r.axis, r.value, r.time_ns, r.time_resolution_ns, r.rate, r.rate_unit,
                         r.speedup, r.note)) {
    rows.push_back(r);
  }
  return rows;
}

std::vector<std::filesystem::path> csv_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(published)) {
    if (entry.path().extension() == ".csv") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<Row> all_rows() {
  std::vector<Row> rows;
  for (const auto& file : csv_files()) {
    const std::vector<Row> more = read_rows(file);
    rows.insert(rows.end(), more.begin(), more.end());
  }
  return rows;
}

std::vector<string> split(const string& text, char separator) {
  std::vector<string> parts;
  std::istringstream stream(text);
  for (string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

bool is_integer(const string& text) {
  return !text.empty() && text.front() != '0' &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool is_decimal(const string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number > 0;
}

int decimals(const string& number) {
  const auto point = number.find('.');
  return point == string::npos ? 0 : static_cast<int>(number.size() - point - 1);
}

/// A published number with half a unit of its last digit on either side.
struct Interval {
  double low, high;
};

Interval around(double number, double unit) {
  return {number - unit / 2, number + unit / 2};
}

/// The time, or where a row has none the reciprocal of its rate. None where it has neither.
std::optional<Interval> time_of(const Row& row) {
  if (!row.time_ns.empty()) return around(std::stod(row.time_ns), std::stod(row.time_resolution_ns));
  if (row.rate.empty()) return std::nullopt;
  const Interval rate = around(std::stod(row.rate), std::pow(10.0, -decimals(row.rate)));
  return Interval{1 / rate.high, 1 / rate.low};
}

/// The number of decimals in the speedups of a figure. Papers drop trailing zeros, so a "1" among "0.48"
/// means 1.00 and is checked as such.
std::map<string, int> decimals_by_figure(const std::vector<Row>& rows) {
  std::map<string, int> result;
  for (const Row& row : rows) {
    int& most = result[row.source + row.figure];
    most = std::max(most, decimals(row.speedup));
  }
  return result;
}

/// Does the speedup follow from the times? Its error may be one unit in the last digit, not half of one,
/// because the papers truncate as often as they round.
bool follows(const Row& row, Interval reference, Interval time, int digits) {
  const double unit = std::pow(10.0, -digits);
  const double speedup = std::stod(row.speedup);
  return speedup > reference.low / time.high - unit && speedup < reference.high / time.low + unit;
}

}  // namespace

TEST_CASE("published figures: every file has the same header and names its source", "[published]") {
  const auto files = csv_files();
  REQUIRE(files.size() == 5);
  const string readme = dwarfsweep::test::content(published / "README.md");
  for (const auto& file : files) {
    INFO(file.filename());
    std::ifstream stream(file);
    string first_line;
    std::getline(stream, first_line);
    CHECK(first_line == header);
    CHECK(readme.find("`" + file.filename().string() + "`") != string::npos);
    const auto rows = read_rows(file);
    CHECK_FALSE(rows.empty());
    for (const Row& row : rows) CHECK(row.source == file.stem().string());
  }
}

TEST_CASE("published figures: cells are well formed", "[published]") {
  for (const Row& row : all_rows()) {
    INFO(row.where());
    for (const string* cell : {&row.figure, &row.device, &row.dwarf, &row.kernel, &row.optimisation,
                               &row.setting, &row.reference}) {
      CHECK_FALSE(cell->empty());
    }
    CHECK(row.time_ns.empty() == row.time_resolution_ns.empty());
    CHECK((row.time_ns.empty() || (is_integer(row.time_ns) && is_integer(row.time_resolution_ns))));
    CHECK((row.speedup.empty() || is_decimal(row.speedup)));
    CHECK(row.rate.empty() == row.rate_unit.empty());
    CHECK((row.rate.empty() || is_decimal(row.rate)));
    for (const string& part : split(row.size, ';')) {
      const auto pair = split(part, '=');
      REQUIRE(pair.size() == 2);
      CHECK((is_integer(pair[1]) || keys_with_strings.contains(pair[0])));
    }
    const bool has_figure = !row.time_ns.empty() || !row.rate.empty() || !row.speedup.empty();
    CHECK(has_figure != row.note.starts_with("Not run: "));
  }
}

TEST_CASE("published figures: axes are known and each has a value", "[published]") {
  for (const Row& row : all_rows()) {
    INFO(row.where());
    const auto names = split(row.axis, ';');
    const auto values = split(row.value, ';');
    REQUIRE(names.size() == values.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      INFO(names[i]);
      CHECK(known_axes.contains(names[i]));
      CHECK((axes_with_strings.contains(names[i]) ? !values[i].empty() : is_integer(values[i])));
    }
  }
}

TEST_CASE("published figures: a row names a setting of ours or says why it has none", "[published]") {
  for (const Row& row : all_rows()) {
    INFO(row.where());
    CHECK((!row.axis.empty() || !row.note.empty()));
  }
}

TEST_CASE("published figures: nothing twice, and one baseline where a table has one", "[published]") {
  std::set<string> seen;
  std::map<string, int> baselines;
  std::map<string, std::set<string>> references;
  for (const Row& row : all_rows()) {
    INFO(row.where());
    CHECK(seen.insert(row.where() + " against " + row.reference).second);
    baselines[row.group()] += row.is_baseline() ? 1 : 0;
    references[row.group()].insert(row.reference);
    if (row.optimisation == "initial") CHECK(row.is_baseline());
  }
  for (const auto& [group, names] : references) {
    INFO(group);
    const bool outside = std::all_of(names.begin(), names.end(),
                                     [](const string& name) { return outside_references.contains(name); });
    CHECK(baselines[group] == (outside ? 0 : 1));
    if (!outside) CHECK(names.size() == 1);
  }
}

TEST_CASE("published figures: speedups follow from the times, or the row says that they do not",
          "[published]") {
  const auto rows = all_rows();
  std::map<string, const Row*> baseline;
  for (const Row& row : rows) {
    if (row.is_baseline()) baseline[row.group()] = &row;
  }
  auto digits = decimals_by_figure(rows);
  int compared = 0;
  for (const Row& row : rows) {
    const auto found = baseline.find(row.group());
    if (row.speedup.empty() || found == baseline.end()) continue;
    INFO(row.where());
    const auto reference = time_of(*found->second);
    const auto time = time_of(row);
    if (!reference && !time) continue;  // a bar chart whose text states only the ratio
    REQUIRE(reference.has_value());
    REQUIRE(time.has_value());
    CHECK(follows(row, *reference, *time, digits[row.source + row.figure]) != row.says_speedup_is_off());
    ++compared;
  }
  CHECK(compared > 250);
}

string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST_CASE("published counters: each is of a setting of a figure, and one that README.md explains",
          "[published]") {
  const string readme = text_of(published / "README.md");
  const auto rows = all_rows();
  int counters = 0;
  std::set<string> seen;
  for (const auto& entry : std::filesystem::directory_iterator(published / "counters")) {
    const string source = entry.path().stem();
    io::CSVReader<12, io::trim_chars<>, io::double_quote_escape<',', '"'>> reader(entry.path().string());
    reader.read_header(io::ignore_no_column, "source", "figure", "device", "dwarf", "kernel", "size",
                       "setting", "axis", "value", "counter", "number", "note");
    Row r;
    string counter;
    string number;
    while (reader.read_row(r.source, r.figure, r.device, r.dwarf, r.kernel, r.size, r.setting, r.axis,
                           r.value, counter, number, r.note)) {
      INFO(r.where() << " " << counter);
      ++counters;
      CHECK(r.source == source);
      CHECK(readme.find('`' + counter + '`') != string::npos);
      CHECK((number == "0" || is_decimal(number)));
      CHECK(seen.insert(r.where() + counter).second);
      if (r.axis.empty()) {
        CHECK_FALSE(r.note.empty());
        continue;
      }
      CHECK(std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
        return row.group() == r.group() && row.setting == r.setting && row.axis == r.axis &&
               row.value == r.value;
      }));
    }
  }
  CHECK(counters > 100);
}

TEST_CASE("published instructions: ours of the same settings are counted", "[published]") {
  const auto keys_of = [](const CsvTable& table, const char* number) {
    std::set<string> keys;
    for (const CsvTable::Row& row : table.rows) {
      const auto cell = [&](const char* column) { return row.cells[table.column(column)]; };
      const string counter = number == string("number") ? cell("counter") : "loop_instructions";
      if (cell("axis").empty() || (counter != "alu_instructions" && counter != "loop_instructions")) continue;
      CHECK(is_decimal(cell(number)));
      keys.insert(cell("source") + cell("dwarf") + cell("kernel") + cell("setting") + cell("value"));
    }
    return keys;
  };
  std::set<string> wanted;
  for (const auto& entry : std::filesystem::directory_iterator(published / "counters"))
    wanted.merge(keys_of(read_csv(entry.path()), "number"));
  const auto ours = published.parent_path() / "spaces" / "published-oclgrind.csv";
  CHECK(keys_of(read_csv(ours), "ir_per_work_item") == wanted);
  CHECK(wanted.size() > 10);
}
