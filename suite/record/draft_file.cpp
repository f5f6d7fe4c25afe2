#include "suite/record/draft_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace dwarfsweep {

namespace {

namespace fs = std::filesystem;

// The file that a link leads to, which may not exist yet; `path` itself if it is no link.
fs::path behind_links(fs::path path) {
  std::error_code error;
  for (int links = 0; links < 40 && fs::is_symlink(path, error); ++links) {
    const fs::path next = fs::read_symlink(path, error);
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

// A pipe, a device such as /dev/stdout, a folder (which fopen refuses).
bool is_no_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status);
}

}  // namespace

DraftFile::DraftFile(const fs::path& path) : path_(path) {
  if (!is_no_file(path)) {
    target_ = behind_links(path);
    draft_ = target_.string() + ".part";
  }
  file_ = std::fopen(draft_.empty() ? path.c_str() : draft_.c_str(), "wb");
  if (file_ == nullptr) fail(errno);
}

DraftFile::~DraftFile() {
  if (file_ != nullptr) std::fclose(file_);
  std::error_code ignored;
  if (!finished_ && !draft_.empty()) fs::remove(draft_, ignored);
}

void DraftFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail(errno);
}

void DraftFile::finish() {
  if (std::fclose(std::exchange(file_, nullptr)) != 0) fail(errno);
  if (!draft_.empty() && std::rename(draft_.c_str(), target_.c_str()) != 0) fail(errno);
  finished_ = true;
}

void DraftFile::fail(int reason) const {
  throw std::runtime_error(fmt::format("cannot write {}: {}", path_.string(), std::strerror(reason)));
}

}  // namespace dwarfsweep
