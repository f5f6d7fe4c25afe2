// What tests of input share: files to read, and what is said of files and requests that are refused.
#pragma once

#include <stdlib.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

#include "harness/space/error.hpp"

namespace dwarfsweep::test {

/// A directory that lives as long as the test.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "dwarfsweep_test_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch directory");
    path_ = pattern;
  }
  ~ScratchDirectory() { std::filesystem::remove_all(path_); }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  std::filesystem::path file(const std::string& name, std::string_view content) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path_ / name;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// All of a file.
inline std::string content(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void write_gzip(const std::filesystem::path& path, std::string_view text, const char* mode = "wb") {
  const gzFile file = gzopen(path.c_str(), mode);
  const bool written = gzwrite(file, text.data(), static_cast<unsigned>(text.size())) > 0;
  if (gzclose(file) != Z_OK || !written) throw std::runtime_error("cannot write " + path.string());
}

template <typename Result>
using Reader = Result (*)(std::string_view, const std::string&);

/// What the reader says of a file it refuses; empty if it takes it.
template <typename Result>
std::string refusal(Reader<Result> reader, std::string_view bytes, const std::string& name = "F") {
  try {
    reader(bytes, name);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

/// What is said of a request that cannot be met; "no error" where it is met.
inline std::string usage_error(const std::function<void()>& request) {
  try {
    request();
    return "no error";
  } catch (const UsageError& error) {
    return error.what();
  }
}

/// No format has anything like it.
inline const std::string rubbish("\x00\xff\x13\x80 \xfe\n\x01\x7f\x00\x00\x9c\xe3", 13);

}  // namespace dwarfsweep::test
