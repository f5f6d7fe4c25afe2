#include "harness/formats/directions.hpp"

#include <fmt/format.h>

#include "harness/formats/file_bytes.hpp"
#include "harness/formats/token_reader.hpp"

namespace dwarfsweep {
namespace {

double angle(const TokenReader& tokens, const char* name, double most) {
  const std::string expected = fmt::format("a {} from {} to {} degrees", name, -most, most);
  const double value = tokens.as_double(expected);
  if (!(value >= -most && value <= most)) tokens.fail_expecting(expected);
  return value;
}

}  // namespace

std::vector<Direction> read_directions(std::string_view bytes, const std::string& name) {
  TokenReader tokens(bytes, name);
  tokens.comments_start_with("#");
  tokens.also_separates(',');
  std::vector<Direction> directions;
  while (tokens.next()) {
    Direction direction;
    direction.right_ascension = angle(tokens, "right ascension", 360);
    if (!tokens.next_in_line()) tokens.fail_expecting("a declination behind the right ascension");
    direction.declination = angle(tokens, "declination", 90);
    if (tokens.next_in_line()) tokens.fail_expecting("the end of the line after a declination");
    directions.push_back(direction);
  }
  if (directions.empty()) tokens.fail_expecting("a right ascension and a declination in degrees");
  return directions;
}

std::vector<Direction> read_directions(const std::filesystem::path& file) {
  return read_directions(read_text(file), file.string());
}

}  // namespace dwarfsweep
