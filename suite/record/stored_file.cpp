#include "suite/record/stored_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <utility>

#include "harness/formats/file_bytes.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_to_write(const fs::path& path, const std::string& reason) {
  throw std::runtime_error(fmt::format("cannot write {}: {}", path.string(), reason));
}

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

// One writer at a time, also of files that are replaced: the lock is on a file next to it. A killed writer's
// lock ends with its process.
class WriteLock {
 public:
  explicit WriteLock(const fs::path& path)
      : file_(::open((path.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (file_ < 0) fail_to_write(path, std::strerror(errno));
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EINTR) continue;
      if (errno != EWOULDBLOCK) return;  // ENOLCK and the like: this file system has no locks
      if (std::chrono::steady_clock::now() > deadline) {
        ::close(file_);
        fail_to_write(path, "another process keeps it locked");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  ~WriteLock() { ::close(file_); }
  WriteLock(const WriteLock&) = delete;
  WriteLock& operator=(const WriteLock&) = delete;

 private:
  int file_;
};

}  // namespace

DraftFile::DraftFile(const fs::path& path) : path_(path) {
  if (!is_no_file(path)) {
    target_ = behind_links(path);
    draft_ = fmt::format("{}.{}.part", target_.string(), ::getpid());
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
  fail_to_write(path_, std::strerror(reason));
}

void write_file(const fs::path& path, std::string_view text) {
  DraftFile file(path);
  file.write(text);
  file.finish();
}

void update_file(const fs::path& path, const ChangeText& change) {
  if (path.has_parent_path()) fs::create_directories(path.parent_path());
  const WriteLock lock(path);  // or none: then the last writer wins
  const std::string before = fs::exists(path) ? read_text(path) : "";
  write_file(path, change(before));
}

}  // namespace dwarfsweep
