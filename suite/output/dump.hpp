// `--dump DIR`: inputs and result of a point as NumPy files, so that anybody can check it with a tool of
// their own.
#pragma once

#include <filesystem>
#include <string>

#include "harness/dwarf.hpp"
#include "suite/record/json.hpp"

namespace dwarfsweep {

/// Throws UsageError where that cannot be done.
void create_dump_folder(const std::filesystem::path& folder);

class FolderSink final : public DumpSink {
 public:
  /// Into a folder that is there.
  explicit FolderSink(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void array(const std::string& name, std::span<const std::uint8_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const std::int32_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const std::uint32_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const std::int64_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const float> data, const Shape& shape) override;
  void text(const std::string& file_name, const std::string& content) override;
  void note(const std::string& key, const Value& value) override;

  /// Writes problem.json: the dwarf, the keys of its problem, what was noted, and the configuration.
  void finish(const std::string& dwarf, const Problem& problem, const Config& config);

 private:
  std::filesystem::path folder_;
  Json notes_ = Json::object();
};

}  // namespace dwarfsweep
