#include "suite/search/read_space.hpp"

#include <fmt/format.h>

#include "harness/space/error.hpp"
#include "suite/record/row_csv.hpp"
#include "suite/record/run_rows.hpp"
#include "suite/search/file_bytes.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

// "convolution-A100" of "spaces/convolution-A100.csv.gz".
std::string name_of(const fs::path& path) {
  fs::path name = path.filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.stem().string();
}

// Columns that only a run's measurements.csv has.
bool is_run(const std::string& text) {
  const std::string header = text.substr(0, text.find('\n'));
  return header.starts_with("schema_version,") && header.find(",dwarf,") != std::string::npos;
}

}  // namespace

std::vector<RecordedTable> read_spaces(const fs::path& path) {
  if (!fs::exists(path)) {
    throw UsageError(
        fmt::format("there is no '{}'; expected the folder of a run, Kernel Tuner's cache (.json, .json.gz) "
                    "or a CSV (.csv, .csv.gz)",
                    path.string()));
  }
  if (fs::is_directory(path)) return spaces_of_run(read_run_measurements(path));
  const std::string text = read_unpacked(path);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin != std::string::npos && text[begin] == '{')
    return {parse_space_json(name_of(path), path.string(), text)};
  if (is_run(text)) return spaces_of_run(parse_measurements(path.string(), text));
  return {parse_space_csv(name_of(path), path.string(), text)};
}

}  // namespace dwarfsweep
