// What the files of pns declare to each other.
#pragma once

#include <memory>

#include "dwarfs/pns/net.hpp"

namespace dwarfsweep::pns {

/// Bytes of local memory for the random words of a group.
inline constexpr std::uint64_t word_bytes = refill_words * sizeof(std::uint32_t);

/// Words that hold the marks, four each, and the claims of a trajectory.
constexpr std::uint64_t mark_words(std::uint64_t places) {
  return (places + 3) / 4;
}
/// There are two sets of bits, except in the variant item, where one is enough.
constexpr std::uint64_t flag_words(std::uint64_t places, bool bits, std::uint64_t sets) {
  return bits ? sets * ((places + 31) / 32) : places;
}

Space make_space();
ValueMap first_choice(const Problem& problem, const Capabilities& device);
std::unique_ptr<Case> make_case(const Setup& setup);

}  // namespace dwarfsweep::pns
