#include "suite/sharing/bundle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <numeric>

#include "harness/formats/file_bytes.hpp"
#include "harness/space/error.hpp"
#include "suite/record/json.hpp"
#include "suite/record/packed_file.hpp"
#include "suite/record/sha256.hpp"

namespace dwarfsweep {
namespace {

constexpr std::size_t max_packed_bytes = std::size_t{64} << 20;
constexpr std::size_t max_unpacked_bytes = std::size_t{512} << 20;
constexpr std::size_t max_entries = 500;
constexpr const char* format_name = "dwarfsweep bundle";
constexpr std::array<std::string_view, 5> run_files = {"log.jsonl", "measurements.csv", "samples.csv",
                                                       "run.json", "digests.json"};

// --- tar, as POSIX calls it ustar: a header of 512 bytes, and the file padded to a multiple of that ---

constexpr std::size_t record_bytes = 512;

struct Field {
  std::size_t place, size;
};
constexpr Field name_field = {0, 100}, mode_field = {100, 8}, user_field = {108, 8}, group_field = {116, 8},
                size_field = {124, 12}, time_field = {136, 12}, checksum_field = {148, 8},
                type_field = {156, 1}, magic_field = {257, 8};

std::size_t padded(std::size_t bytes) {
  return (bytes + record_bytes - 1) / record_bytes * record_bytes;
}

// The sum of the bytes, with blanks in place of the sum itself.
unsigned checksum(std::string_view header) {
  unsigned sum = 0;
  for (std::size_t i = 0; i < record_bytes; ++i) {
    const bool own = i >= checksum_field.place && i < checksum_field.place + checksum_field.size;
    sum += own ? static_cast<unsigned>(' ') : static_cast<unsigned char>(header[i]);
  }
  return sum;
}

// Owner, times and modes are the same in all bundles: they say nothing of the machine.
std::string tar_entry(const std::string& name, const std::string& content) {
  std::string entry(record_bytes, '\0');
  const auto set = [&](Field field, std::string_view text) { entry.replace(field.place, text.size(), text); };
  set(name_field, name);
  set(mode_field, "0000644");
  set(user_field, "0000000");
  set(group_field, "0000000");
  set(size_field, fmt::format("{:011o}", content.size()));
  set(time_field, "00000000000");
  set(type_field, "0");
  set(magic_field, std::string_view("ustar\00000", 8));
  set(checksum_field, fmt::format("{:06o}", checksum(entry)));
  entry += content;
  entry.resize(padded(entry.size()), '\0');
  return entry;
}

// --- reading what a stranger has written ---

// A name may hold anything, and goes into a sentence.
std::string printable(std::string_view text) {
  std::string shown;
  for (const char c : text.substr(0, 80)) shown += c >= ' ' && c <= '~' ? c : '?';
  return shown;
}

class Reader {
 public:
  Reader(std::string file, std::string_view tar) : file_(std::move(file)), tar_(tar) {}

  std::map<std::string, std::string> entries() {
    std::map<std::string, std::string> files;
    while (true) {
      if (place_ + record_bytes > tar_.size()) refuse("is cut: the end of its archive is missing");
      const std::string_view header = tar_.substr(place_, record_bytes);
      if (header.find_first_not_of('\0') == std::string_view::npos) return files;
      place_ += record_bytes;
      const std::string name = name_of(header);
      const std::size_t size = octal(header, size_field);
      if (size > tar_.size() - place_) refuse(fmt::format("is cut: its file '{}' is not complete", name));
      if (files.size() == max_entries) refuse(fmt::format("has more than {} files", max_entries));
      if (!files.emplace(name, tar_.substr(place_, size)).second)
        refuse(fmt::format("has the file '{}' twice", name));
      place_ = std::min(tar_.size(), place_ + padded(size));
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { throw InputError(file_, "", why); }

  std::size_t octal(std::string_view header, Field field) const {
    std::string_view text = header.substr(field.place, field.size);
    text = text.substr(0, text.find_first_of(std::string_view("\0 ", 2)));
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 8);
    if (error != std::errc() || end != text.data() + text.size())
      refuse("is not a bundle: its archive is damaged");
    return value;
  }

  std::string name_of(std::string_view header) const {
    if (header.substr(magic_field.place, 5) != "ustar" || octal(header, checksum_field) != checksum(header))
      refuse("is not a bundle: its archive is damaged");
    const std::string_view field = header.substr(name_field.place, name_field.size);
    const std::string name(field.substr(0, field.find('\0')));
    const char type = header[type_field.place];
    if (type != '0')
      refuse(
          fmt::format("has '{}', which is {}; a bundle has regular files only", printable(name), kind(type)));
    if (!belongs_into_bundle(name))
      refuse(fmt::format("has the file '{}', which does not belong into a bundle", printable(name)));
    return name;
  }

  static std::string_view kind(char type) {
    return type == '1' || type == '2'   ? "a link"
           : type == '3' || type == '4' ? "a device"
           : type == '5'                ? "a folder"
                                        : "not a regular file";
  }

  static bool belongs_into_bundle(std::string_view name) {
    if (name == manifest_name) return true;
    const std::size_t slash = name.find('/');
    if (slash == 0 || slash > 3 || slash == std::string_view::npos || name[0] == '0') return false;
    return std::ranges::all_of(name.substr(0, slash), [](char c) { return c >= '0' && c <= '9'; }) &&
           std::ranges::find(run_files, name.substr(slash + 1)) != run_files.end();
  }

  std::string file_;
  std::string_view tar_;
  std::size_t place_ = 0;
};

Json manifest_of(const Bundle& bundle) {
  Json manifest = {{"format", format_name}, {"schema_version", bundle.schema}, {"files", Json::object()}};
  for (const auto& [name, content] : bundle.files)
    manifest["files"][name] = {{"bytes", content.size()}, {"sha256", sha256(content)}};
  for (std::size_t run = 1; run <= bundle.runs(); ++run) {
    const Json description = parse_json(bundle.file(run, "run.json"));
    Json program = Json::object();
    for (const char* const key : {"run_id", "version", "revision", "kernels"})
      program[key] = description.at(key);
    manifest["runs"].push_back(std::move(program));
  }
  return manifest;
}

}  // namespace

std::size_t Bundle::runs() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(files, [](const auto& file) { return file.first.ends_with("/log.jsonl"); }));
}

const std::string& Bundle::file(std::size_t number, const std::string& name) const {
  static const std::string none;
  const auto found = files.find(fmt::format("{}/{}", number, name));
  return found == files.end() ? none : found->second;
}

std::string write_bundle(const Bundle& bundle) {
  std::string tar = tar_entry(manifest_name, json_text(manifest_of(bundle), 2) + "\n");
  for (const auto& [name, content] : bundle.files) tar += tar_entry(name, content);
  if (tar.size() > max_unpacked_bytes)
    throw UsageError(
        fmt::format("these runs make a bundle of {} MiB before compression; at most {} MiB are possible; "
                    "share fewer runs at a time",
                    tar.size() >> 20, max_unpacked_bytes >> 20));
  tar.resize(tar.size() + 2 * record_bytes, '\0');
  return packed(tar);
}

Bundle parse_bundle(const std::string& file, std::string_view bytes) {
  if (!bytes.starts_with("\x1f\x8b")) throw InputError(file, "", "is not a bundle: it is not a gzip file");
  return parse_archive(file, unpacked(file, bytes, max_unpacked_bytes));
}

Bundle parse_archive(const std::string& file, const std::string& tar) {
  const auto refuse = [&](const std::string& why) { throw InputError(file, "", why); };
  Bundle bundle;
  bundle.files = Reader(file, tar).entries();
  const auto own = bundle.files.extract(manifest_name);
  if (own.empty()) refuse("has no manifest.json");
  try {
    const Json manifest = parse_json(own.mapped());
    if (manifest.at("format") != format_name) refuse("has a manifest of another format");
    bundle.schema = manifest.at("schema_version").get<int>();
    if (bundle.schema < oldest_bundle_schema || bundle.schema > bundle_schema)
      refuse(fmt::format("has schema version {}; this program reads versions {} to {}", bundle.schema,
                         oldest_bundle_schema, bundle_schema));
    const Json& listed = manifest.at("files");
    for (const auto& [name, entry] : listed.items()) {
      if (!bundle.files.contains(name) || entry.at("sha256") != sha256(bundle.files.at(name)))
        refuse(fmt::format("has no file '{}' as its manifest says", printable(name)));
    }
    if (listed.size() != bundle.files.size()) refuse("has a file which its manifest lacks");
  } catch (const Json::exception& error) {
    refuse("has a manifest.json that cannot be read: " + printable(plain_message(error)));
  }
  const std::size_t runs = bundle.runs();
  if (runs == 0) refuse("has no run");
  for (std::size_t run = 1; run <= runs; ++run) {
    for (const std::string_view name : run_files) {
      if (!bundle.files.contains(fmt::format("{}/{}", run, name)))
        refuse(fmt::format("lacks the file '{}/{}'", run, name));
    }
  }
  if (bundle.files.size() != runs * run_files.size()) refuse("has files of a run without a log");
  return bundle;
}

Bundle read_bundle(const std::filesystem::path& file) {
  const std::string bytes = read_text(file, max_packed_bytes);
  Bundle bundle = parse_bundle(file.string(), bytes);
  bundle.sha256 = sha256(bytes);
  return bundle;
}

}  // namespace dwarfsweep
