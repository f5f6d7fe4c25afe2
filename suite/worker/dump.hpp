// `--dump DIR`: inputs and result of a point as NumPy files, for checks with other tools.
#pragma once

#include <filesystem>
#include <string>

#include "harness/run/dwarf.hpp"

namespace dwarfsweep {

/// Throws UsageError where the folder cannot be created.
void create_dump_folder(const std::filesystem::path& folder);

class FolderSink final : public DumpSink {
 public:
  /// The folder must exist.
  explicit FolderSink(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void array(const std::string& name, std::span<const std::uint8_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const std::int32_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const std::uint32_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const std::int64_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const float> data, const Shape& shape) override;
  void text(const std::string& file_name, const std::string& content) override;
  void note(const std::string& key, const Value& value) override;

  /// Writes problem.json: the dwarf, the keys of its problem, the notes, and the configuration.
  void finish(const std::string& dwarf, const Problem& problem, const Config& config);

 private:
  std::filesystem::path folder_;
  ValueMap notes_;
};

}  // namespace dwarfsweep
