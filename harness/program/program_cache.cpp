#include "harness/program/program_cache.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <vector>

#include "harness/device/host.hpp"
#include "harness/formats/file_bytes.hpp"
#include "harness/space/error.hpp"
#include "harness/space/text.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view first_line = "dwarfsweep program 2\n";
constexpr std::string_view ending = ".program";
constexpr std::string_view unfinished_ending = ".part";

void add_field(std::string& bytes, std::string_view field) {
  bytes += fmt::format("{}\n", field.size());
  bytes += field;
}

// The line or field at the front of `bytes`, which is taken off; nothing where there is none.
std::optional<std::string_view> take(std::string_view& bytes, std::size_t count) {
  if (count > bytes.size()) return std::nullopt;
  const std::string_view taken = bytes.substr(0, count);
  bytes.remove_prefix(count);
  return taken;
}

std::optional<std::string_view> take_field(std::string_view& bytes) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(bytes.data(), bytes.data() + bytes.size(), count);
  const auto digits = static_cast<std::size_t>(end - bytes.data());
  if (error != std::errc() || digits >= bytes.size() || *end != '\n') return std::nullopt;
  bytes.remove_prefix(digits + 1);
  return take(bytes, count);
}

std::string checksum_of(std::string_view bytes) {
  return fmt::format("{:016x}\n", fnv1a(bytes));
}

std::string entry_bytes(const ProgramKey& key, const CachedBuild& build) {
  std::string fields;
  add_field(fields, key.bytes());
  add_field(fields, std::to_string(build.build_ns));
  add_field(fields, build.log);
  add_field(fields, build.binary);
  return std::string(first_line) + checksum_of(fields) + fields;
}

std::optional<CachedBuild> read_entry(std::string_view bytes, const ProgramKey& key) {
  if (take(bytes, first_line.size()) != first_line) return std::nullopt;
  const auto checksum = take(bytes, checksum_of("").size());
  if (!checksum || *checksum != checksum_of(bytes)) return std::nullopt;
  const auto held_key = take_field(bytes);
  const auto build_ns = take_field(bytes);
  const auto log = take_field(bytes);
  const auto binary = take_field(bytes);
  if (!held_key || !build_ns || !log || !binary || !bytes.empty() || *held_key != key.bytes())
    return std::nullopt;
  CachedBuild build{0, std::string(*log), std::string(*binary)};
  const auto [end, error] =
      std::from_chars(build_ns->data(), build_ns->data() + build_ns->size(), build.build_ns);
  if (error != std::errc() || end != build_ns->data() + build_ns->size()) return std::nullopt;
  return build;
}

// Such as CL_CONFIG_CPU_TARGET_ARCH and POCL_WORK_GROUP_METHOD. Where caches lie and how many threads run
// changes no program.
std::string steering_variables() {
  constexpr std::array<std::string_view, 5> prefixes = {"CL_CONFIG_", "POCL_", "IGC_", "LP_", "GALLIVM_"};
  constexpr std::array<std::string_view, 3> others = {"CACHE", "PTHREAD", "AFFINITY"};
  std::string text;
  for (const auto& [name, value] : environment_of(prefixes, others))
    text += fmt::format("{}={}\n", name, value);
  return text;
}

bool ends_with(const fs::path& path, std::string_view end) {
  return path.extension() == end;
}

struct Entry {
  fs::path path;
  fs::file_time_type used;
  std::uintmax_t bytes;
};

std::vector<Entry> entries_of(const fs::path& folder) {
  std::vector<Entry> entries;
  std::error_code error;
  for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
    if (!ends_with(each->path(), ending) && !ends_with(each->path(), unfinished_ending)) continue;
    std::error_code gone;  // another process may remove it at any time
    const Entry entry{each->path(), each->last_write_time(gone), each->file_size(gone)};
    if (!gone) entries.push_back(entry);
  }
  return entries;
}

}  // namespace

bool keeps_binaries(const DeviceInfo& device) {
  if (device.checks_bounds) return false;
  const std::string platform = lower(device.platform);
  for (const char* name : {"nvidia", "portable computing language", "rusticl"}) {
    if (platform.find(name) != std::string::npos) return false;
  }
  return true;
}

ProgramKey::ProgramKey(ProgramText program, const DeviceInfo& info)
    : text(std::move(program)),
      device(info.name + '\n' + info.id),
      driver(info.driver),
      platform(info.platform + '\n' + info.platform_version),
      steering(steering_variables()) {}

std::string ProgramKey::bytes() const {
  std::string all;
  for (const std::string* field : {&device, &driver, &platform, &steering, &text.options, &text.text})
    add_field(all, *field);
  return all;
}

fs::path ProgramCache::file_of(const ProgramKey& key) const {
  if (folder_.empty()) return {};
  const std::string bytes = key.bytes();
  // Two hashes, so that two programs hardly ever want the same file.
  return folder_ / fmt::format("{:016x}{:016x}{}", fnv1a(bytes), fnv1a(bytes, ~fnv1a_of_nothing), ending);
}

std::optional<CachedBuild> ProgramCache::find(const ProgramKey& key) const {
  if (folder_.empty()) return std::nullopt;
  const fs::path path = file_of(key);
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return std::nullopt;
  std::optional<CachedBuild> build;
  try {
    build = read_entry(read_text(path, max_program_cache_bytes), key);
  } catch (const InputError&) {
    return std::nullopt;  // an entry that cannot be read counts as none
  }
  if (build) fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
  return build;
}

void ProgramCache::store(const ProgramKey& key, const CachedBuild& build) const {
  if (folder_.empty()) return;
  static std::atomic<unsigned> number{0};
  std::error_code error;
  if (fs::create_directories(folder_, error)) fs::permissions(folder_, fs::perms::owner_all, error);
  const fs::path path = file_of(key);
  const fs::path unfinished =
      folder_ / fmt::format("{}-{}-{}{}", path.stem().string(), ::getpid(), ++number, unfinished_ending);
  std::ofstream file(unfinished, std::ios::binary);
  file << entry_bytes(key, build);
  file.close();
  if (file) fs::rename(unfinished, path, error);
  if (!file || error) fs::remove(unfinished, error);
}

void ProgramCache::trim(std::uintmax_t max_bytes) const {
  if (folder_.empty()) return;
  std::vector<Entry> entries = entries_of(folder_);
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used > b.used; });
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  std::uintmax_t kept = 0;
  std::error_code ignored;
  for (const Entry& entry : entries) {
    const bool left_behind = ends_with(entry.path, unfinished_ending) && entry.used < long_ago;
    if (left_behind || kept + entry.bytes > max_bytes)
      fs::remove(entry.path, ignored);
    else
      kept += entry.bytes;
  }
}

fs::path program_cache_folder() {
  if (const char* own = std::getenv("DWARFSWEEP_CACHE")) {
    const std::string folder = own;
    return folder == "off" ? fs::path() : fs::path(folder);
  }
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache && *cache == '/') return fs::path(cache) / "dwarfsweep";
  const char* home = std::getenv("HOME");
  return home && *home == '/' ? fs::path(home) / ".cache" / "dwarfsweep" : fs::path();
}

}  // namespace dwarfsweep
