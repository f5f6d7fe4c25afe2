#include "harness/formats/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dwarfsweep {
namespace {

constexpr std::string_view banner = "%%MatrixMarket";

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& character : result) {
    if (character >= 'A' && character <= 'Z') character = static_cast<char>(character - 'A' + 'a');
  }
  return result;
}

/// The next word of the line, which must be one of `allowed` in any case.
std::string one_of(TokenReader& tokens, const std::vector<std::string_view>& allowed) {
  tokens.next_in_line();
  std::string word = lower_case(tokens.text());
  if (std::find(allowed.begin(), allowed.end(), word) == allowed.end()) {
    tokens.fail_expecting(fmt::format("'{}' in the Matrix Market banner", fmt::join(allowed, "' or '")));
  }
  return word;
}

}  // namespace

bool is_matrix_market(std::string_view bytes, std::string_view name) {
  return bytes.starts_with(banner) || lower_case(name).ends_with(".mtx");
}

MarketHeader read_market_header(TokenReader& tokens, const MarketKinds& kinds) {
  tokens.next_in_line();
  if (tokens.text() != banner) tokens.fail_expecting(fmt::format("'{}'", banner));
  one_of(tokens, {"matrix"});
  MarketHeader header;
  header.layout = one_of(tokens, kinds.layouts);
  header.field = one_of(tokens, kinds.fields);
  header.symmetry = one_of(tokens, kinds.symmetries);
  if (tokens.next_in_line()) tokens.fail_expecting("the end of the Matrix Market banner");
  tokens.comments_start_with("%");
  return header;
}

}  // namespace dwarfsweep
