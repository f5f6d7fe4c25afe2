// The columns of the three files, each once: name and member, for writing and for reading.
#include <fmt/format.h>

#include <charconv>

#include "harness/error.hpp"
#include "suite/record/csv.hpp"
#include "suite/record/rows.hpp"

namespace dwarfsweep {
namespace {

template <typename Row>
struct Column {
  std::string_view name;
  std::variant<std::string Row::*, Number Row::*, std::int64_t Row::*, bool Row::*> member;
};

template <typename Row>
using Columns = std::vector<Column<Row>>;

const Columns<MeasurementRow>& columns(const MeasurementRow* /*tag*/) {
  using Row = MeasurementRow;
  static const Columns<Row> list = {
      {"schema_version", &Row::schema_version},
      {"run_id", &Row::run_id},
      {"timestamp", &Row::timestamp},
      {"host", &Row::host},
      {"platform", &Row::platform},
      {"device", &Row::device},
      {"device_type", &Row::device_type},
      {"device_id", &Row::device_id},
      {"driver", &Row::driver},
      {"dwarf", &Row::dwarf},
      {"kernel", &Row::kernel},
      {"size", &Row::size},
      {"problem", &Row::problem},
      {"variant", &Row::variant},
      {"work_group", &Row::work_group},
      {"granularity", &Row::granularity},
      {"vector_width", &Row::vector_width},
      {"unroll", &Row::unroll},
      {"padding", &Row::padding},
      {"options", &Row::options},
      {"baseline", &Row::baseline},
      {"status", &Row::status},
      {"reason", &Row::reason},
      {"samples", &Row::samples},
      {"launches", &Row::launches},
      {"min_ns", &Row::min_ns},
      {"q1_ns", &Row::q1_ns},
      {"median_ns", &Row::median_ns},
      {"q3_ns", &Row::q3_ns},
      {"mean_ns", &Row::mean_ns},
      {"stddev_ns", &Row::stddev_ns},
      {"ci_low_ns", &Row::ci_low_ns},
      {"ci_high_ns", &Row::ci_high_ns},
      {"stop_reason", &Row::stop_reason},
      {"wall_ns", &Row::wall_ns},
      {"upload_ns", &Row::upload_ns},
      {"download_ns", &Row::download_ns},
      {"build_ns", &Row::build_ns},
      {"bytes", &Row::bytes},
      {"operations", &Row::operations},
      {"items", &Row::items},
      {"gb_per_s", &Row::gb_per_s},
      {"gop_per_s", &Row::gop_per_s},
      {"items_per_s", &Row::items_per_s},
      {"peak_fraction", &Row::peak_fraction},
      {"bound", &Row::bound},
      {"max_error", &Row::max_error},
      {"tolerance", &Row::tolerance},
      {"local_bytes", &Row::local_bytes},
      {"private_bytes", &Row::private_bytes},
      {"registers", &Row::registers},
      {"spill_bytes", &Row::spill_bytes},
      {"speedup", &Row::speedup},
      {"speedup_low", &Row::speedup_low},
      {"speedup_high", &Row::speedup_high},
      {"verdict", &Row::verdict},
      {"timer", &Row::timer},
      {"cache", &Row::cache},
  };
  return list;
}

template <typename Row>
Columns<Row> identity_columns() {
  return {
      {"run_id", &Row::run_id},
      {"device_id", &Row::device_id},
      {"dwarf", &Row::dwarf},
      {"kernel", &Row::kernel},
      {"size", &Row::size},
      {"problem", &Row::problem},
      {"variant", &Row::variant},
      {"work_group", &Row::work_group},
      {"granularity", &Row::granularity},
      {"vector_width", &Row::vector_width},
      {"unroll", &Row::unroll},
      {"padding", &Row::padding},
      {"options", &Row::options},
  };
}

template <typename Row>
Columns<Row> after_identity(const Columns<Row>& rest) {
  Columns<Row> list = identity_columns<Row>();
  list.insert(list.end(), rest.begin(), rest.end());
  return list;
}

const Columns<SampleRow>& columns(const SampleRow* /*tag*/) {
  using Row = SampleRow;
  static const Columns<Row> list = after_identity<Row>({
      {"round", &Row::round},
      {"block", &Row::block},
      {"confirmation", &Row::confirmation},
      {"pair", &Row::pair},
      {"order", &Row::order},
      {"role", &Row::role},
      {"process", &Row::process},
      {"launches", &Row::launches},
      {"events", &Row::events},
      {"ns", &Row::ns},
      {"queued_ns", &Row::queued_ns},
      {"submit_ns", &Row::submit_ns},
      {"start_ns", &Row::start_ns},
      {"end_ns", &Row::end_ns},
      {"host_begin_ns", &Row::host_begin_ns},
      {"host_end_ns", &Row::host_end_ns},
      {"wall_ns", &Row::wall_ns},
      {"fault", &Row::fault},
  });
  return list;
}

const Columns<SpeedupRow>& columns(const SpeedupRow* /*tag*/) {
  using Row = SpeedupRow;
  static const Columns<Row> list = after_identity<Row>({
      {"speedup", &Row::speedup},
      {"speedup_low", &Row::speedup_low},
      {"speedup_high", &Row::speedup_high},
      {"verdict", &Row::verdict},
      {"blocks", &Row::blocks},
      {"pairs", &Row::pairs},
      {"baseline_config", &Row::baseline_config},
      {"baseline_median_ns", &Row::baseline_median_ns},
      {"variant_median_ns", &Row::variant_median_ns},
  });
  return list;
}

std::string to_text(const std::string& value) {
  return csv_cell(value);
}
std::string to_text(const Number& value) {
  return value ? number_text(*value) : "";
}
std::string to_text(std::int64_t value) {
  return std::to_string(value);
}
std::string to_text(bool value) {
  return value ? "true" : "false";
}

// Each returns what was expected where the text is something else.
const char* assign(std::string& value, const std::string& text) {
  value = text;
  return nullptr;
}
template <typename T>
bool parse_number(T& value, const std::string& text) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}
const char* assign(Number& value, const std::string& text) {
  value.reset();
  if (text.empty()) return nullptr;
  return parse_number(value.emplace(), text) ? nullptr : "a number or nothing";
}
const char* assign(std::int64_t& value, const std::string& text) {
  return parse_number(value, text) ? nullptr : "a whole number";
}
// pandas writes True, R writes TRUE.
const char* assign(bool& value, const std::string& text) {
  value = text == "true" || text == "True" || text == "TRUE";
  return value || text == "false" || text == "False" || text == "FALSE" ? nullptr : "true or false";
}

template <typename Row>
std::string write(const std::vector<Row>& rows) {
  const Columns<Row>& list = columns(static_cast<const Row*>(nullptr));
  std::string text;
  for (const auto& column : list) fmt::format_to(std::back_inserter(text), "{},", column.name);
  text.back() = '\n';
  for (const Row& row : rows) {
    for (const auto& column : list) {
      text += std::visit([&](auto member) { return to_text(row.*member); }, column.member);
      text += ',';
    }
    text.back() = '\n';
  }
  return text;
}

template <typename Row>
std::vector<Row> from_table(const CsvTable& table) {
  const Columns<Row>& list = columns(static_cast<const Row*>(nullptr));
  std::vector<std::size_t> places;
  for (const auto& column : list) places.push_back(table.column(column.name));
  std::vector<Row> rows;
  rows.reserve(table.rows.size());
  for (const CsvTable::Row& line : table.rows) {
    Row& row = rows.emplace_back();
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string& text = line.cells[places[i]];
      const char* const expected =
          std::visit([&](auto member) { return assign(row.*member, text); }, list[i].member);
      if (expected != nullptr) {
        throw InputError(table.file, fmt::format("line {}, column {}", line.line, list[i].name),
                         fmt::format("expected {}, found '{}'", expected, text));
      }
    }
    if constexpr (std::is_same_v<Row, MeasurementRow>) {
      if (row.schema_version != schema_version) {
        throw InputError(table.file, fmt::format("line {}", line.line),
                         fmt::format("schema version {}; this program reads version {}", row.schema_version,
                                     schema_version));
      }
    }
  }
  return rows;
}

}  // namespace

std::string to_csv(const std::vector<MeasurementRow>& rows) {
  return write(rows);
}
std::string to_csv(const std::vector<SampleRow>& rows) {
  return write(rows);
}
std::string to_csv(const std::vector<SpeedupRow>& rows) {
  return write(rows);
}

std::vector<MeasurementRow> parse_measurements(const std::string& name, const std::string& text) {
  return from_table<MeasurementRow>(parse_csv(name, text));
}
std::vector<MeasurementRow> read_measurements(const std::filesystem::path& file) {
  return from_table<MeasurementRow>(read_csv(file));
}
std::vector<SampleRow> read_samples(const std::filesystem::path& file) {
  return from_table<SampleRow>(read_csv(file));
}

}  // namespace dwarfsweep
