// What becomes of the arrays that a point dumps: files, or digests.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "harness/run/case.hpp"
#include "harness/space/check_data.hpp"
#include "suite/record/record.hpp"

namespace dwarfsweep {

/// Digests: what others can check of a result without having it.
class DigestSink final : public DumpSink {
 public:
  /// `checks`: which arrays are results, and which of these may vary. `seed` chooses the elements that
  /// represent a result that may vary. `known`: digests of inputs that points with the same data share, by
  /// name; what is not there is added.
  DigestSink(const CheckData& checks, std::uint64_t seed, std::map<std::string, ArrayDigest>& known)
      : checks_(checks), seed_(seed), known_(known) {}

  void array(const std::string& name, std::span<const std::uint8_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const std::int32_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const std::uint32_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const std::int64_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const float> data, const Shape& shape) override;
  void text(const std::string&, const std::function<std::string()>&) override {}
  void note(const std::string&, const Value&) override {}

  [[nodiscard]] const PointDigests& digests() const { return digests_; }

 private:
  template <typename T>
  void add(const std::string& name, const char* type, std::span<const T> data);

  template <typename T>
  ArrayDigest digest_of(const std::string& name, const char* type, std::span<const T> data) const;

  const CheckData& checks_;
  std::uint64_t seed_;
  std::map<std::string, ArrayDigest>& known_;
  PointDigests digests_;
};

/// `--dump DIR`: inputs and result of a point as NumPy files, for checks with other tools.
class FolderSink final : public DumpSink {
 public:
  /// The folder must exist.
  explicit FolderSink(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void array(const std::string& name, std::span<const std::uint8_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const std::int32_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const std::uint32_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const std::int64_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const float> data, const Shape& shape) override;
  void text(const std::string& file_name, const std::function<std::string()>& content) override;
  void note(const std::string& key, const Value& value) override { notes_ = notes_.with(key, value); }

  /// Writes problem.json: the dwarf, the keys of its problem, the notes, and the configuration.
  void finish(const std::string& dwarf, const Problem& problem, const Config& config);

 private:
  std::filesystem::path folder_;
  ValueMap notes_;
};

}  // namespace dwarfsweep
