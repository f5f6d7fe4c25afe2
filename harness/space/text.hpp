// Text as drivers and files give it, and a hash of it that is the same on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dwarfsweep {

/// Without white space and zero bytes at the end, nor white space at the beginning.
std::string trimmed(std::string text);
/// With A to Z as a to z.
std::string lower(std::string text);

/// The offset basis of 64-bit FNV-1a: the hash of no bytes.
inline constexpr std::uint64_t fnv1a_of_nothing = 0xcbf29ce484222325U;

/// 64-bit FNV-1a (Fowler, Noll and Vo) of the bytes of `text`. `hash` continues from the bytes before it.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = fnv1a_of_nothing) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

}  // namespace dwarfsweep
