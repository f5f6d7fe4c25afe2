#include "suite/record/stored_file.hpp"

#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <iterator>
#include <thread>

#include "tests/catch.hpp"
#include "tests/input_files.hpp"

using namespace dwarfsweep;
namespace fs = std::filesystem;

namespace {

// A draft that is left behind would be one more.
std::ptrdiff_t entries(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

int flock_error = 0;  // what flock fails with; 0: it works

}  // namespace

// In the place of the C library's.
extern "C" int flock(int file, int operation) noexcept {
  if (flock_error == 0) return static_cast<int>(::syscall(SYS_flock, file, operation));
  errno = flock_error;
  return -1;
}

namespace {

void write(const fs::path& path, const std::string& text) {
  DraftFile draft(path);
  draft.write(text);
  draft.finish();
}

}  // namespace

TEST_CASE("a link to a file stays a link", "[unit]") {
  const test::ScratchDirectory folder;
  fs::create_directory(folder.path() / "elsewhere");
  const fs::path file = folder.file("elsewhere/file", "old");
  const fs::path link = folder.path() / "link";
  fs::create_symlink("elsewhere/file", link);
  write(link, "new");
  CHECK(fs::is_symlink(link));
  CHECK(test::content(file) == "new");
  fs::create_symlink("elsewhere/not_yet", folder.path() / "dangling");
  write(folder.path() / "dangling", "first");
  CHECK(test::content(folder.path() / "elsewhere" / "not_yet") == "first");
  CHECK(entries(folder.path() / "elsewhere") == 2);
}

TEST_CASE("a pipe is written to and stays a pipe", "[unit]") {
  const test::ScratchDirectory folder;
  const fs::path pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::string read;
  std::thread reader([&] { read = test::content(pipe); });
  write(pipe, "text");
  reader.join();
  CHECK(read == "text");
  CHECK(fs::is_fifo(pipe));
  write("/dev/null", "text");
  CHECK(fs::is_character_file("/dev/null"));
  CHECK_THROWS_AS(write(folder.path(), "text"), std::runtime_error);
}

TEST_CASE("what is not finished leaves the old file and no draft", "[unit]") {
  const test::ScratchDirectory folder;
  const fs::path file = folder.file("file", "old");
  { DraftFile(file).write("new"); }
  CHECK(test::content(file) == "old");
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("two processes that write a file at once each have a draft of their own", "[unit]") {
  const test::ScratchDirectory folder;
  const fs::path file = folder.path() / "file";
  DraftFile own(file);
  own.write("whole text of this process");
  const pid_t other = ::fork();
  if (other == 0) {
    write(file, "of the other");
    ::_exit(0);
  }
  int status = -1;
  REQUIRE(::waitpid(other, &status, 0) == other);
  CHECK(status == 0);
  CHECK(test::content(file) == "of the other");
  own.finish();
  CHECK(test::content(file) == "whole text of this process");
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("of many processes that change a file at once none loses its change", "[unit]") {
  const test::ScratchDirectory folder;
  const fs::path file = folder.path() / "new" / "counts";
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 10; ++j) update_file(file, [](const std::string& text) { return text + "x"; });
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(test::content(file) == std::string(40, 'x'));
}

TEST_CASE("a change that fails leaves the file as it is", "[unit]") {
  const test::ScratchDirectory folder;
  const fs::path file = folder.file("file", "old");
  const auto fail = [](const std::string&) -> std::string { throw std::runtime_error("no"); };
  CHECK_THROWS_AS(update_file(file, fail), std::runtime_error);
  CHECK(test::content(file) == "old");
  CHECK(entries(folder.path()) == 2);  // the file and its lock
}

TEST_CASE("a file system without locks is written to without one, and at once", "[unit]") {
  const test::ScratchDirectory folder;
  const fs::path file = folder.file("file", "old");
  const auto begin = std::chrono::steady_clock::now();
  flock_error = ENOLCK;
  update_file(file, [](const std::string& text) { return text + " and new"; });
  flock_error = 0;
  CHECK(test::content(file) == "old and new");
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
}
