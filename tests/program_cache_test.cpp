// The cache of built programs on disk: what is kept comes back, and nothing else ever does.
#include "harness/program/program_cache.hpp"
#include "harness/program/program.hpp"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>
#include <vector>

#include "tests/catch.hpp"
#include "tests/input_files.hpp"

using namespace dwarfsweep;

namespace {

namespace fs = std::filesystem;

DeviceInfo some_device() {
  DeviceInfo device;
  device.name = "Device 7";
  device.id = "uuid-07";
  device.driver = "1.2.3";
  device.platform = "Platform";
  device.platform_version = "OpenCL 1.2";
  return device;
}

const ProgramText some_text{"lud/lud", "kernel void f() {}", "-D N=1"};
const ProgramKey some_key(some_text, some_device());
const CachedBuild some_build{1234567890123, std::string("Used 32 registers\n\0 and a zero byte", 36),
                             std::string("\0\n7\n\xff", 5)};

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::vector<ProgramKey> other_keys() {
  std::vector<ProgramKey> keys;
  const auto with_text = [&](std::string text, std::string options) {
    keys.emplace_back(ProgramText{"lud/lud", std::move(text), std::move(options)}, some_device());
  };
  with_text("kernel void f() { }", "-D N=1");
  with_text("kernel void f() {}", "-D N=2");
  with_text("kernel void f() {}-", "D N=1");
  const auto with_device = [&](std::string DeviceInfo::*field) {
    DeviceInfo device = some_device();
    device.*field += "1";
    keys.emplace_back(some_text, device);
  };
  for (auto field : {&DeviceInfo::name, &DeviceInfo::id, &DeviceInfo::driver, &DeviceInfo::platform,
                     &DeviceInfo::platform_version})
    with_device(field);
  return keys;
}

}  // namespace

TEST_CASE("a program's id is a hash of its text and options") {
  CHECK(program_id(some_text) == "8d674a4e0828cae2");
  const auto one = std::make_shared<Program>(Program{{"one", "a", "b"}, {}, "", 0, 0});
  const auto two = std::make_shared<Program>(Program{{"two", "c", "d"}, {}, "", 0, 0});
  CHECK(program_id(std::vector<std::shared_ptr<const Program>>{}).empty());
  CHECK(program_id({one}) == program_id(one->text));
  CHECK(program_id({one, two}) == "c560788044cbc605");
  CHECK(program_id({two, one}) != program_id({one, two}));
}

TEST_CASE("a build comes back from the program cache as it was stored") {
  const test::ScratchDirectory folder;
  const fs::path made_by_it = folder.path() / "cache";
  const ProgramCache cache(made_by_it);
  CHECK_FALSE(cache.find(some_key));
  cache.store(some_key, some_build);
  CHECK(ProgramCache(made_by_it).find(some_key) == some_build);
  cache.store(some_key, {5, "", ""});
  CHECK(cache.find(some_key) == CachedBuild{5, "", ""});
}

TEST_CASE("an entry counts only for the very program, device, driver and platform") {
  const test::ScratchDirectory folder;
  const ProgramCache cache(folder.path());
  cache.store(some_key, some_build);
  for (const ProgramKey& other : other_keys()) {
    CHECK_FALSE(cache.find(other));
    // Even where two keys had the same hash.
    fs::copy_file(cache.file_of(some_key), cache.file_of(other));
    CHECK_FALSE(cache.find(other));
  }
  CHECK(cache.find(some_key) == some_build);
}

TEST_CASE("an entry counts only for the variables that steer the compiler") {
  const auto bytes_with = [](const char* name, const char* value) {
    ::setenv(name, value, 1);
    const std::string bytes = ProgramKey(some_text, some_device()).bytes();
    ::unsetenv(name);
    return bytes;
  };
  const std::string with_none = ProgramKey(some_text, some_device()).bytes();
  const std::string with_avx2 = bytes_with("CL_CONFIG_CPU_TARGET_ARCH_OF_TEST", "core-avx2");
  CHECK(with_avx2 != with_none);
  CHECK(with_avx2 != bytes_with("CL_CONFIG_CPU_TARGET_ARCH_OF_TEST", "skx"));
  for (const char* other :
       {"CL_CONFIG_OF_TEST", "POCL_OF_TEST", "IGC_OF_TEST", "LP_OF_TEST", "GALLIVM_OF_TEST"})
    CHECK(bytes_with(other, "value") != with_none);
  for (const char* none : {"POCL_CACHE_DIR_OF_TEST", "POCL_MAX_PTHREAD_COUNT_OF_TEST",
                           "POCL_AFFINITY_OF_TEST", "POCL_TOKEN_OF_TEST", "SOME_VARIABLE_OF_TEST"})
    CHECK(bytes_with(none, "value") == with_none);
}

TEST_CASE("a truncated or damaged entry counts as none") {
  const test::ScratchDirectory folder;
  const ProgramCache cache(folder.path());
  cache.store(some_key, some_build);
  const fs::path file = cache.file_of(some_key);
  const std::string whole = bytes_of(file);
  REQUIRE(whole.size() > 100);
  for (std::size_t count = 0; count < whole.size(); ++count) {
    write(file, whole.substr(0, count));
    REQUIRE_FALSE(cache.find(some_key));
  }
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    write(file, damaged);
    REQUIRE_FALSE(cache.find(some_key));
  }
  write(file, whole + "7");
  CHECK_FALSE(cache.find(some_key));
  cache.store(some_key, some_build);
  CHECK(cache.find(some_key) == some_build);
}

TEST_CASE("an entry that cannot be read counts as none") {
  const test::ScratchDirectory folder;
  const ProgramCache cache(folder.path());
  // Root may read any file, but nobody the bytes of a folder.
  fs::create_directories(cache.file_of(some_key));
  CHECK_FALSE(cache.find(some_key));
  cache.store(some_key, some_build);
  CHECK_FALSE(cache.find(some_key));
  fs::remove(cache.file_of(some_key));
  fs::create_symlink("/dev/zero", cache.file_of(some_key));
  CHECK_FALSE(cache.find(some_key));
}

TEST_CASE("who reads a program cache while others write sees whole entries") {
  const test::ScratchDirectory folder;
  const CachedBuild large{2, std::string(100'000, 'x'), std::string(300'000, 'y')};
  ProgramCache(folder.path()).store(some_key, some_build);
  std::atomic<int> found{0};
  const auto work = [&](int number) {
    const ProgramCache cache(folder.path());
    for (int i = 0; i < 100; ++i) {
      cache.store(some_key, (number + i) % 2 == 0 ? some_build : large);
      const auto build = cache.find(some_key);
      if (build && (*build == some_build || *build == large)) ++found;
    }
  };
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) threads.emplace_back(work, number);
  for (std::thread& thread : threads) thread.join();
  CHECK(found == 400);
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("a program cache that grows too large loses what was not used for longest") {
  const test::ScratchDirectory folder;
  const ProgramCache cache(folder.path());
  const std::vector<ProgramKey> keys = other_keys();
  const auto now = fs::file_time_type::clock::now();
  for (int i = 0; i < 4; ++i) {
    cache.store(keys[i], {i, std::string(10'000, 'x'), ""});
    fs::last_write_time(cache.file_of(keys[i]), now - std::chrono::hours(10 - i));
  }
  const fs::path left_behind = folder.path() / "0123-7-1.part";
  const fs::path under_way = folder.path() / "0123-7-2.part";
  write(left_behind, "half");
  write(under_way, "half");
  fs::last_write_time(left_behind, now - std::chrono::hours(10));
  CHECK(cache.find(keys[0]));
  cache.trim(25'000);
  CHECK(cache.find(keys[0]));
  CHECK_FALSE(cache.find(keys[1]));
  CHECK_FALSE(cache.find(keys[2]));
  CHECK(cache.find(keys[3]));
  CHECK_FALSE(fs::exists(left_behind));
  CHECK(fs::exists(under_way));
}

TEST_CASE("without a folder, or with one that cannot be written, nothing is kept and nothing fails") {
  const test::ScratchDirectory folder;
  const fs::path file = folder.file("file", "a file, not a folder");
  for (const ProgramCache& cache : {ProgramCache(""), ProgramCache(file / "below")}) {
    cache.store(some_key, some_build);
    CHECK_FALSE(cache.find(some_key));
    cache.trim(0);
  }
}

TEST_CASE("where the program cache of a user lies") {
  struct Variable {
    const char* name;
    std::string before = std::getenv(name) ? std::getenv(name) : "\1";
    ~Variable() { before == "\1" ? ::unsetenv(name) : ::setenv(name, before.c_str(), 1); }
  };
  const Variable own{"DWARFSWEEP_CACHE"};
  const Variable xdg{"XDG_CACHE_HOME"};
  const Variable home{"HOME"};
  ::unsetenv("DWARFSWEEP_CACHE");
  ::unsetenv("XDG_CACHE_HOME");
  ::setenv("HOME", "/folder", 1);
  CHECK(program_cache_folder() == "/folder/.cache/dwarfsweep");
  ::setenv("XDG_CACHE_HOME", "/caches", 1);
  CHECK(program_cache_folder() == "/caches/dwarfsweep");
  ::setenv("DWARFSWEEP_CACHE", "/elsewhere", 1);
  CHECK(program_cache_folder() == "/elsewhere");
  for (const char* none : {"", "off"}) {
    ::setenv("DWARFSWEEP_CACHE", none, 1);
    CHECK(program_cache_folder().empty());
  }
  ::unsetenv("DWARFSWEEP_CACHE");
  ::unsetenv("XDG_CACHE_HOME");
  ::unsetenv("HOME");
  CHECK(program_cache_folder().empty());
}
