#include "suite/record/run_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "harness/space/error.hpp"
#include "suite/record/json.hpp"
#include "suite/record/log_collector.hpp"

namespace dwarfsweep {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* doing) {
  throw std::runtime_error(fmt::format("cannot {} {}: {}", doing, path.string(), std::strerror(errno)));
}

}  // namespace

RunLogWriter::RunLogWriter(const std::filesystem::path& path) : path_(path) {
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) fail(path, "open");
  try {
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      throw UsageError(fmt::format("{}: another process is writing this run", path.string()));
    }
    cut_incomplete_line();
  } catch (...) {
    ::close(file_);
    throw;
  }
}

RunLogWriter::~RunLogWriter() {
  ::close(file_);
}

void RunLogWriter::cut_incomplete_line() {
  struct stat status {};
  if (::fstat(file_, &status) != 0) fail(path_, "read");
  if (!S_ISREG(status.st_mode)) return;
  std::array<char, 65536> block{};
  std::int64_t end = status.st_size;
  while (end > 0) {
    const std::int64_t begin = std::max<std::int64_t>(0, end - static_cast<std::int64_t>(block.size()));
    const auto bytes = static_cast<std::size_t>(end - begin);
    if (::pread(file_, block.data(), bytes, begin) != static_cast<ssize_t>(bytes)) fail(path_, "read");
    const std::size_t newline = std::string_view(block.data(), bytes).rfind('\n');
    if (newline != std::string_view::npos) {
      whole_bytes_ = begin + static_cast<std::int64_t>(newline) + 1;
      break;
    }
    end = begin;
  }
  if (whole_bytes_ < status.st_size && ::ftruncate(file_, whole_bytes_) != 0) fail(path_, "shorten");
}

void RunLogWriter::write_line(const std::string& line) {
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t count = ::write(file_, line.data() + done, line.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const int reason = errno;
      // The exception reports the cause. If the line cannot be removed either, the reader ignores it.
      [[maybe_unused]] const int ignored = ::ftruncate(file_, whole_bytes_);
      errno = reason;
      fail(path_, "write");
    }
    done += static_cast<std::size_t>(count);
  }
  whole_bytes_ += static_cast<std::int64_t>(line.size());
}

RunLog read_log(const std::filesystem::path& path) {
  const std::filesystem::path file_path = std::filesystem::is_directory(path) ? path / log_name : path;
  const std::string name = file_path.string();
  std::ifstream file(file_path, std::ios::binary);
  if (!file) throw InputError(name, "", fmt::format("cannot be read: {}", std::strerror(errno)));
  RunLog log;
  LogCollector collector(log);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (file.eof()) {  // no newline at its end
      log.truncated = true;
      break;
    }
    log.whole_bytes += static_cast<std::int64_t>(line.size()) + 1;
    try {
      collector.add(Json::parse(line));
    } catch (const Json::exception& error) {
      throw InputError(name, fmt::format("line {}", number),
                       fmt::format("not a record of a run: {}", error.what()));
    } catch (const std::runtime_error& error) {
      throw InputError(name, fmt::format("line {}", number), error.what());
    }
  }
  if (!collector.has_run()) throw InputError(name, "", "contains no run: its first record is missing");
  return log;
}

}  // namespace dwarfsweep
