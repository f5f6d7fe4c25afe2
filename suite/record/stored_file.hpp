// Files that others may read or write at the same time: no reader sees an incomplete one, and no writer's
// update is lost.
#pragma once

#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace dwarfsweep {

/// A file that is seen under its name only once it is complete; if the name is a link, it stays one. What is
/// no regular file (a pipe, /dev/stdout) cannot be replaced and is written to directly.
class DraftFile {
 public:
  /// Writes to a file next to `path`, which has the number of this process in its name: another process may
  /// be writing its own. All functions throw std::runtime_error naming file and reason.
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
  std::filesystem::path draft_, target_;  ///< empty: written to directly
  std::FILE* file_ = nullptr;
  bool finished_ = false;
};

/// The whole file by way of a draft.
void write_file(const std::filesystem::path& path, std::string_view text);

/// The new text of a file, made from its present one; empty where there is no file yet.
using ChangeText = std::function<std::string(const std::string& text)>;

/// Changes a file that several processes add to: one at a time reads it, and writes it by way of a draft.
/// Makes the file's folder. Where the file system has no locks nobody waits, and the last writer wins. Throws
/// what `change` throws, which leaves the file as it is, and std::runtime_error naming file and reason, also
/// where another process keeps the file locked for ten seconds.
void update_file(const std::filesystem::path& path, const ChangeText& change);

}  // namespace dwarfsweep
