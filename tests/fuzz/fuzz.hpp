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

/// `read_and_check(bytes)` reads and calls require() on the result; `is_message(what)`: may InputError say
/// that?
template <typename Function, typename Predicate>
int run(const std::uint8_t* data, std::size_t size, Function read_and_check, Predicate is_message) {
  try {
    read_and_check(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const InputError& error) {
    require(is_message(std::string_view(error.what())));
  }
  return 0;
}

/// Readers of problems: one short line that can be printed, whatever the file holds.
template <typename Function>
int run(const std::uint8_t* data, std::size_t size, Function read_and_check) {
  return run(data, size, read_and_check, [](std::string_view message) {
    for (const char character : message) {
      if (character < ' ' || character > '~') return false;
    }
    return message.size() < 400;
  });
}

/// Readers of runs and spaces, whose messages quote names of any language and list columns: one line.
template <typename Function>
int run_record(const std::uint8_t* data, std::size_t size, Function read_and_check) {
  return run(data, size, read_and_check,
             [](std::string_view message) { return message.find('\n') == std::string_view::npos; });
}

}  // namespace dwarfsweep::fuzz
