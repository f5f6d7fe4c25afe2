// What all fuzz targets share. A reader may refuse a file by UsageError; anything else it throws, any
// sanitizer's finding, any broken promise about a file it took, and any memory out of proportion to the file
// is a bug.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "harness/space/error.hpp"

namespace dwarfsweep::fuzz {

/// Crashes, so that libFuzzer keeps the input.
inline void require(bool promise) {
  if (!promise) __builtin_trap();
}

/// `read_and_check(bytes)` reads and calls require() on the result; `is_message(what)`: may UsageError say
/// that?
template <typename Function, typename Predicate>
int run(const std::uint8_t* data, std::size_t size, Function read_and_check, Predicate is_message) {
  try {
    read_and_check(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const UsageError& error) {
    require(is_message(std::string_view(error.what())));
  }
  return 0;
}

/// The bytes as a file, for readers that take a path. `name` may begin with folders; the file is this
/// process' own.
inline std::filesystem::path as_file(const std::string& name, std::string_view bytes) {
  static const struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("dwarfsweep_fuzz_" + std::to_string(getpid()));
    Folder() = default;
    Folder(const Folder&) = delete;
    ~Folder() {
      std::error_code error;
      std::filesystem::remove_all(path, error);
    }
  } folder;
  const std::filesystem::path file = folder.path / name;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream stream(file, std::ios::binary);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  require(static_cast<bool>(stream.flush()));
  return file;
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
