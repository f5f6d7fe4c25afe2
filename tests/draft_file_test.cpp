#include "suite/record/stored_file.hpp"

#include <sys/stat.h>

#include <thread>

#include "tests/catch.hpp"
#include "tests/input_files.hpp"

using namespace dwarfsweep;
namespace fs = std::filesystem;

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
  CHECK_FALSE(fs::exists(folder.path() / "elsewhere" / "file.part"));
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
  CHECK_FALSE(fs::exists(folder.path() / "file.part"));
}
