// The banner of Matrix Market files, which graphs (coordinate) and dense matrices (array) share.
// Format: R. F. Boisvert, R. Pozo, K. Remington, "The Matrix Market Exchange Formats", NISTIR 5935, 1996.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/formats/token_reader.hpp"

namespace dwarfsweep {

struct MarketHeader {
  std::string field;  // "pattern", "real", "integer", ..., in lower case
  bool symmetric = false;
};

/// Whether the file says it is Matrix Market: by its banner, or by the suffix .mtx (then it must have a
/// banner).
bool is_matrix_market(std::string_view bytes, std::string_view name);

/// Reads "%%MatrixMarket matrix <layout> <field> <symmetry>" at the start of the file, general or symmetric,
/// and sets the reader up to skip the comments that follow; next is the line of sizes.
MarketHeader read_market_header(TokenReader& tokens, std::string_view layout,
                                const std::vector<std::string_view>& fields);

}  // namespace dwarfsweep
