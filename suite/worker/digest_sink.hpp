// Digests of the arrays that a point dumps: what others can check of a result without having it.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "harness/run/case.hpp"
#include "suite/record/record.hpp"

namespace dwarfsweep {

class DigestSink final : public DumpSink {
 public:
  /// `results`: the names of the arrays that are results (CheckData::results); all others are inputs. `seed`
  /// chooses the elements that stand for a result of floats.
  DigestSink(std::set<std::string> results, std::uint64_t seed) : results_(std::move(results)), seed_(seed) {}

  void array(const std::string& name, std::span<const std::uint8_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const std::int32_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const std::uint32_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const std::int64_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const float> data, const Shape& shape) override;
  void text(const std::string&, const std::string&) override {}
  void note(const std::string&, const Value&) override {}

  [[nodiscard]] const PointDigests& digests() const { return digests_; }

 private:
  template <typename T>
  void add(const std::string& name, const char* type, std::span<const T> data);

  std::set<std::string> results_;
  std::uint64_t seed_;
  PointDigests digests_;
};

}  // namespace dwarfsweep
