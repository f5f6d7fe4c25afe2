#include "suite/plan/shard.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

constexpr int max_shards = 1'000'000;

std::optional<int> parse_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string to_text(const Shard& shard) {
  return shard.count == 0 ? "" : fmt::format("{}/{}", shard.index, shard.count);
}

Shard parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string::npos) {
    const auto index = parse_number(std::string_view(text).substr(0, slash));
    const auto count = parse_number(std::string_view(text).substr(slash + 1));
    if (index && count && *index >= 1 && *index <= *count && *count <= max_shards) return {*index, *count};
  }
  throw UsageError(fmt::format(
      "--shard is '{}', but must be i/n, such as 2/6: the i-th of n shards, i from 1 to n, n up to {}", text,
      max_shards));
}

}  // namespace dwarfsweep
