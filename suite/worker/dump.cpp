#include "suite/worker/dump.hpp"

#include <fmt/format.h>

#include <fstream>
#include <system_error>

#include "harness/formats/npy.hpp"
#include "harness/space/error.hpp"
#include "suite/record/json.hpp"

namespace dwarfsweep {
namespace {

void write_array(const std::filesystem::path& folder, const std::string& name, NpyValues values,
                 const DumpSink::Shape& shape) {
  write_npy(folder / (name + ".npy"), values, std::vector<std::int64_t>(shape.begin(), shape.end()));
}

Json object_of(const ValueMap& map) {
  Json object = Json::object();
  for (const auto& [name, value] : map.entries()) object[name] = value;
  return object;
}

}  // namespace

void create_dump_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw UsageError(fmt::format("cannot create the folder '{}': {}", folder.string(), error.message()));
}

void FolderSink::array(const std::string& name, std::span<const std::uint8_t> data, const Shape& shape) {
  write_array(folder_, name, data, shape);
}
void FolderSink::array(const std::string& name, std::span<const std::int32_t> data, const Shape& shape) {
  write_array(folder_, name, data, shape);
}
void FolderSink::array(const std::string& name, std::span<const std::uint32_t> data, const Shape& shape) {
  write_array(folder_, name, data, shape);
}
void FolderSink::array(const std::string& name, std::span<const std::int64_t> data, const Shape& shape) {
  write_array(folder_, name, data, shape);
}
void FolderSink::array(const std::string& name, std::span<const float> data, const Shape& shape) {
  write_array(folder_, name, data, shape);
}

void FolderSink::text(const std::string& file_name, const std::string& content) {
  std::ofstream file(folder_ / file_name, std::ios::binary);
  if (!(file << content) || !file.flush()) {
    throw UsageError(fmt::format("cannot write '{}'", (folder_ / file_name).string()));
  }
}

void FolderSink::note(const std::string& key, const Value& value) {
  notes_ = notes_.with(key, value);
}

void FolderSink::finish(const std::string& dwarf, const Problem& problem, const Config& config) {
  Json content = object_of(problem.values);
  content.update(object_of(notes_));
  content["dwarf"] = dwarf;
  content["size"] = problem.size;
  content["config"] = object_of(config);
  text("problem.json", json_text(content, 2) + "\n");
}

}  // namespace dwarfsweep
