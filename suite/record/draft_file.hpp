// A file that is seen under its name only once it is complete; if the name is a link, it stays one. What is
// no regular file (a pipe, /dev/stdout) cannot be replaced and is written to directly.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string_view>

namespace dwarfsweep {

class DraftFile {
 public:
  /// Writes to `path` with ".part" behind it. All functions throw std::runtime_error naming file and reason.
  explicit DraftFile(const std::filesystem::path& path);
  /// Removes what was not finished.
  ~DraftFile();
  DraftFile(const DraftFile&) = delete;
  DraftFile& operator=(const DraftFile&) = delete;

  void write(std::string_view text);
  /// All is written: the file gets its name, in the place of an older one.
  void finish();

 private:
  [[noreturn]] void fail(int reason) const;

  std::filesystem::path path_;
  std::filesystem::path draft_, target_;  // empty: written to directly
  std::FILE* file_ = nullptr;
  bool finished_ = false;
};

}  // namespace dwarfsweep
