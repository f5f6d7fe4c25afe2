// The banner of Matrix Market files, which graphs (coordinate) and dense matrices (array) share.
// Format: R. F. Boisvert, R. Pozo, K. Remington, "The Matrix Market Exchange Formats", NISTIR 5935, 1996.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/formats/token_reader.hpp"

namespace dwarfsweep {

struct MarketHeader {
  std::string layout;    // "array" or "coordinate"; all in lower case
  std::string field;     // "pattern", "real", "integer", ...
  std::string symmetry;  // "general", "symmetric", ...

  /// Elements above the diagonal are not in the file, but follow from those below it.
  [[nodiscard]] bool mirrors() const { return symmetry != "general"; }
  [[nodiscard]] bool is_skew() const { return symmetry == "skew-symmetric"; }
};

/// What a reader takes.
struct MarketKinds {
  std::vector<std::string_view> layouts, fields, symmetries;
};

/// Whether the file says it is Matrix Market: by its banner, or by the suffix .mtx (then it must have a
/// banner).
bool is_matrix_market(std::string_view bytes, std::string_view name);

/// Reads "%%MatrixMarket matrix <layout> <field> <symmetry>" at the start of the file and sets the reader up
/// to skip the comments that follow; next is the line of sizes.
MarketHeader read_market_header(TokenReader& tokens, const MarketKinds& kinds);

}  // namespace dwarfsweep
