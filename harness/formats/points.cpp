#include "harness/formats/points.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/formats/file_bytes.hpp"
#include "harness/formats/token_reader.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

constexpr std::size_t header_bytes = 8;
constexpr std::int32_t max_binary_features = (1 << 24) - 1;

bool is_binary(std::string_view bytes) {
  return bytes.substr(0, header_bytes).find('\0') != std::string_view::npos;
}

Points read_binary(std::string_view bytes, const std::string& name) {
  const auto fail = [&](std::size_t at, const std::string& message) {
    throw InputError(name, fmt::format("byte {}", at), message);
  };
  if (bytes.size() < header_bytes)
    fail(bytes.size(), "expected two int32, points and features, but the file ends here");
  Points result;
  result.points = from_little_endian<std::int32_t>(bytes, 0);
  result.features = from_little_endian<std::int32_t>(bytes, 4);
  if (result.points < 1) fail(0, fmt::format("expected at least 1 point, found {}", result.points));
  if (result.features < 1 || result.features > max_binary_features) {
    fail(4, fmt::format("expected 1 to {} features, found {}", max_binary_features, result.features));
  }
  const std::size_t expected = static_cast<std::size_t>(result.points * result.features) * sizeof(float);
  if (bytes.size() - header_bytes != expected) {
    fail(header_bytes, fmt::format("expected {} bytes for {} points of {} features, found {}", expected,
                                   result.points, result.features, bytes.size() - header_bytes));
  }
  result.values = vector_from_little_endian<float>(bytes.substr(header_bytes));
  for (std::size_t index = 0; index < result.values.size(); ++index) {
    if (!std::isfinite(result.values[index])) {
      fail(header_bytes + index * sizeof(float),
           fmt::format("expected a finite number, found {}", result.values[index]));
    }
  }
  return result;
}

Points read_text(TokenReader tokens) {
  tokens.also_separates(',');
  Points result;
  while (tokens.next()) {
    const std::size_t before = result.values.size();
    while (tokens.next_in_line()) result.values.push_back(tokens.as_number("a feature"));
    const auto features = static_cast<std::int64_t>(result.values.size() - before);
    if (result.points == 0) result.features = features;
    if (features == 0) tokens.fail_expecting("an identifier and at least one feature");
    if (features != result.features) {
      tokens.fail(
          fmt::format("expected {} features, as in the first line, found {}", result.features, features));
    }
    ++result.points;
  }
  if (result.points == 0) tokens.fail_expecting("a point: an identifier and its features");
  return result;
}

}  // namespace

Points read_points(std::string_view bytes, const std::string& name) {
  return is_binary(bytes) ? read_binary(bytes, name) : read_text(TokenReader(bytes, name));
}

Points read_points(const std::filesystem::path& file) {
  return read_points(read_text(file), file.string());
}

}  // namespace dwarfsweep
