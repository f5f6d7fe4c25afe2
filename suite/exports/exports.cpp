#include "suite/exports/exports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ostream>

#include "harness/space/error.hpp"
#include "harness/space/hash.hpp"
#include "suite/record/draft_file.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

enum class Place { stream, either, folder };

struct Format {
  std::string_view name;
  Export (*make)(const ExportData&);
  Place place = Place::stream;
  bool needs_logs = false;
};

constexpr Format formats[] = {{"t4", to_t4, Place::stream, true},
                              {"kernel-tuner", to_kernel_tuner, Place::either, true},
                              {"google-benchmark", to_google_benchmark},
                              {"github-action-benchmark", to_github_action_benchmark},
                              {"lnt", to_lnt},
                              {"fom", to_fom},
                              {"p3", to_p3, Place::folder}};

void check_target(const ExportTarget& target, const Format& format) {
  if (format.place == Place::folder && target.folder.empty())
    throw UsageError(fmt::format("--format {} writes several files: it needs --out DIR", format.name));
  if (format.place == Place::stream && !target.folder.empty())
    throw UsageError(fmt::format(
        "--format {} goes to standard output; --out is for --format p3 and kernel-tuner", format.name));
}

void write_files(const fs::path& folder, const Export& made, std::ostream& notes) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw UsageError(fmt::format("cannot create the folder '{}': {}", folder.string(), error.message()));
  for (const ExportFile& each : made.files) {
    fs::create_directories((folder / each.name).parent_path(), error);
    DraftFile file(folder / each.name);
    file.write(each.text);
    file.finish();
    notes << (folder / each.name).string() << "\n";
  }
}

}  // namespace

bool is_export_format(std::string_view format) {
  return std::ranges::any_of(formats, [&](const Format& each) { return each.name == format; });
}

void write_export(const ExportTarget& target, std::string_view format, const std::vector<fs::path>& runs) {
  const Format& chosen = *std::ranges::find(formats, format, &Format::name);
  check_target(target, chosen);
  const ExportData data = read_export_data(runs, chosen.needs_logs);
  const Export made = chosen.make(data);
  if (target.folder.empty()) {
    if (made.files.size() > 1) {
      std::string names;
      for (const ExportFile& each : made.files) names += (names.empty() ? "" : ", ") + each.name;
      throw UsageError(fmt::format(
          "--format {} has a file for each dwarf, problem and device, and these runs have {}: {}; --out DIR "
          "writes them all",
          format, made.files.size(), names));
    }
    target.out << made.files.front().text;
  } else {
    write_files(target.folder, made, target.notes);
  }
  for (const std::string& note : made.notes) target.notes << format << ": " << note << "\n";
}

std::string file_stem(const std::string& text) {
  constexpr std::size_t max_length = 120;
  std::string stem;
  for (const char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                       std::string_view("=.,_-").find(c) != std::string_view::npos;
    if (plain && static_cast<unsigned char>(c) < 0x80U) {
      stem += c;
    } else if (stem.empty() || stem.back() != '-') {
      stem += '-';
    }
  }
  if (stem.empty() || stem.front() == '.') stem = "_" + stem;
  if (stem.size() <= max_length) return stem;
  return fmt::format("{}_{:08x}", stem.substr(0, max_length - 9), fnv1a(text) & 0xffffffffU);
}

}  // namespace dwarfsweep
