#include "suite/plan/known_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "harness/formats/file_bytes.hpp"
#include "harness/space/error.hpp"
#include "harness/space/value.hpp"
#include "suite/record/csv.hpp"
#include "suite/record/standard_error.hpp"
#include "suite/record/stored_file.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

struct TextColumn {
  const char* name;
  std::string KnownSize::*text;
};
constexpr TextColumn text_columns[] = {{"device_id", &KnownSize::device_id}, {"device", &KnownSize::device},
                                       {"driver", &KnownSize::driver},       {"dwarf", &KnownSize::dwarf},
                                       {"size", &KnownSize::size},           {"problem", &KnownSize::problem},
                                       {"target", &KnownSize::target},       {"reason", &KnownSize::reason}};

struct SecondsColumn {
  const char* name;
  double SizeCost::*seconds;
};
constexpr SecondsColumn cost_columns[] = {{"once_s", &SizeCost::once},
                                          {"point_s", &SizeCost::point},
                                          {"sample_s", &SizeCost::sample},
                                          {"anchor_s", &SizeCost::anchor},
                                          {"typical_s", &SizeCost::typical}};
constexpr const char* share_column = "group_s";

std::vector<KnownSize> parse(const std::string& name, std::string_view text) {
  const CsvTable table = parse_csv(name, text);
  std::vector<KnownSize> all;
  // Earlier versions chose as if each point were paired with the baseline; those sizes are chosen again.
  if (std::ranges::find(table.header, "anchor_s") == table.header.end() &&
      std::ranges::find(table.header, share_column) != table.header.end())
    return all;
  for (const CsvTable::Row& row : table.rows) {
    const auto cell = [&](const char* column) { return row.cells[table.column(column)]; };
    const auto seconds = [&](const char* column) {
      const Value value = Value::parse(cell(column));
      if (value.is_string() || !(value.real() >= 0))
        throw InputError(name, fmt::format("line {}", row.line),
                         fmt::format("{} must be a number from 0", column));
      return value.real();
    };
    KnownSize known;
    for (const TextColumn& column : text_columns) known.*column.text = cell(column.name);
    for (const SecondsColumn& column : cost_columns) known.cost.*column.seconds = seconds(column.name);
    known.group_seconds = seconds(share_column);
    all.push_back(known);
  }
  return all;
}

std::string to_csv(const std::vector<KnownSize>& all) {
  std::string text;
  for (const TextColumn& column : text_columns) text += fmt::format("{},", column.name);
  for (const SecondsColumn& column : cost_columns) text += fmt::format("{},", column.name);
  text += fmt::format("{}\n", share_column);
  for (const KnownSize& known : all) {
    for (const TextColumn& column : text_columns) text += csv_cell(known.*column.text) + ",";
    for (const SecondsColumn& column : cost_columns) text += number_text(known.cost.*column.seconds) + ",";
    text += number_text(known.group_seconds) + "\n";
  }
  return text;
}

void warn(const fs::path& path, const std::string& what) {
  print_stderr("dwarfsweep: warning: {}: {}\n", path.string(), what);
}

void put_into(std::vector<KnownSize>& all, const KnownSize& known) {
  std::erase_if(all, [&](const KnownSize& other) {
    return other.device_id == known.device_id && other.dwarf == known.dwarf;
  });
  all.push_back(known);
}

}  // namespace

KnownSizes::KnownSizes(fs::path path) : path_(std::move(path)) {
  try {
    if (fs::exists(path_)) all_ = parse(path_.string(), read_text(path_));
  } catch (const std::exception& error) {
    readable_ = false;
    warn(path_, fmt::format("the sizes chosen before are not used, and the file is left as it is: {}",
                            error.what()));
  }
}

const KnownSize* KnownSizes::find(const DeviceInfo& device, const std::string& dwarf) const {
  const auto found = std::ranges::find_if(all_, [&](const KnownSize& known) {
    return known.device_id == device.id && known.driver == device.driver && known.dwarf == dwarf;
  });
  return found == all_.end() ? nullptr : &*found;
}

void KnownSizes::put(const KnownSize& known) {
  put_into(all_, known);
  put_into(chosen_, known);
}

void KnownSizes::write() const {
  if (!readable_ || chosen_.empty()) return;
  try {
    update_file(path_, [&](const std::string& text) {
      std::vector<KnownSize> all = text.empty() ? std::vector<KnownSize>() : parse(path_.string(), text);
      for (const KnownSize& known : chosen_) put_into(all, known);
      return to_csv(all);
    });
  } catch (const std::exception& error) {
    warn(path_,
         fmt::format("the chosen sizes are not kept, so the next run chooses again: {}", error.what()));
  }
}

}  // namespace dwarfsweep
