// Bundles (.dsb): runs that others can check and use, in one gzipped tar. docs/sharing.md describes the
// format.
//
// What read_bundle() is given was written by a stranger: it is read in memory alone, within fixed limits, and
// nothing of it is ever unpacked to disk.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace dwarfsweep {

inline constexpr int bundle_schema = 1;
inline constexpr int oldest_bundle_schema = 1;

/// The names of the files of a bundle: manifest_name, and those of run N as "N/log.jsonl", from 1.
inline constexpr const char* manifest_name = "manifest.json";

struct Bundle {
  std::map<std::string, std::string> files;  ///< by name, without the manifest
  int schema = bundle_schema;
  std::string sha256 = {};  ///< of the bundle as it was read

  /// The number of runs.
  [[nodiscard]] std::size_t runs() const;
  /// A file of run `number`; empty if there is none.
  [[nodiscard]] const std::string& file(std::size_t number, const std::string& name) const;
};

/// The bytes of a bundle with its manifest: of the same files the same bytes.
std::string write_bundle(const Bundle& bundle);

/// Throws InputError with one sentence that names `file` for what is no bundle: damaged or cut, too large,
/// with links, folders, devices or names that do not belong into a bundle, of another schema, or with a file
/// that is not as its manifest says.
Bundle parse_bundle(const std::string& file, std::string_view bytes);
/// The same of the archive within it.
Bundle parse_archive(const std::string& file, const std::string& tar);
Bundle read_bundle(const std::filesystem::path& file);

}  // namespace dwarfsweep
