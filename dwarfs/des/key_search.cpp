#include "dwarfs/des/key_search.hpp"

#include "dwarfs/des/standard.hpp"

namespace dwarfsweep::des {

const std::array<std::uint8_t, 56> search_order = {0,  1,  2,  3,  4,  5,  6,  7,  8,  18, 25, 35, 54, 22,
                                                   9,  10, 11, 12, 13, 14, 15, 16, 17, 19, 20, 21, 23, 24,
                                                   26, 27, 28, 29, 30, 31, 32, 33, 34, 36, 37, 38, 39, 40,
                                                   41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 55};

std::uint64_t searched_bits(std::uint64_t base, std::uint64_t index) {
  for (std::size_t i = 0; i < search_order.size(); ++i) base ^= (index >> i & 1U) << (55U - search_order[i]);
  return base;
}

std::uint64_t planted_key(const Search& search) {
  return key_of_chosen_bits(searched_bits(search.base, search.planted));
}

}  // namespace dwarfsweep::des
