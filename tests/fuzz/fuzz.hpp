// What all fuzz targets share. A reader may refuse a file by InputError; anything else it throws, any
// sanitizer's finding, any broken promise about a file it took, and any memory out of proportion to the file
// is a bug.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "harness/space/error.hpp"

namespace dwarfsweep::fuzz {

/// Crashes, so that libFuzzer keeps the input.
inline void require(bool promise) {
  if (!promise) __builtin_trap();
}

/// `read_and_check(bytes)` reads and calls require() on the result.
template <typename Function>
int run(const std::uint8_t* data, std::size_t size, Function read_and_check) {
  try {
    read_and_check(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const InputError& error) {
    // One line that can be printed, whatever the file holds.
    const std::string_view message = error.what();
    for (const char character : message) require(character >= ' ' && character <= '~');
    require(message.size() < 400);
  }
  return 0;
}

}  // namespace dwarfsweep::fuzz
