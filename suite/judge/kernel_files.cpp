#include "suite/judge/kernel_files.hpp"

#include <fmt/format.h>

#include <regex>
#include <sstream>
#include <system_error>

#include "dwarfs/registry.hpp"
#include "harness/formats/file_bytes.hpp"
#include "harness/space/error.hpp"
#include "suite/record/stored_file.hpp"

namespace dwarfsweep {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t max_kernel_bytes = std::uintmax_t{16} << 20U;

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  write_file(file, text);
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

// The text as the preprocessor sees it: other spellings of '#', continued lines and comments resolved.
std::string as_preprocessed(std::string text) {
  replace_all(text, "\r\n", "\n");
  replace_all(text, "?\?=", "#");
  replace_all(text, "?\?/", "\\");
  replace_all(text, "\\\n", "");
  replace_all(text, "%:", "#");
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
      plain += '\n';
    } else if (text.compare(i, 2, "/*") == 0) {
      const std::size_t end = text.find("*/", i + 2);
      i = end == std::string::npos ? text.size() : end + 1;
      plain += ' ';
    } else {
      plain += text[i];
    }
  }
  return plain;
}

template <typename Use>
void each_kernel_file(const fs::path& folder, const Use& use) {
  std::error_code error;
  for (fs::recursive_directory_iterator each(folder, error), end; !error && each != end;
       each.increment(error)) {
    if (each->is_regular_file() && each->path().extension() == ".cl") use(each->path());
  }
}

}  // namespace

void copy_kernels(const fs::path& from, const fs::path& to) {
  for (const KernelSource& source : program_kernels()) write(to / (source.name + ".cl"), source.text);
  int files = 0;
  each_kernel_file(from, [&](const fs::path& file) {
    write(to / file.lexically_relative(from), read_text(file.string(), max_kernel_bytes));
    ++files;
  });
  if (files == 0)
    throw UsageError(fmt::format(
        "--kernels takes a folder of edited .cl files, such as lud/tiled.cl; '{}' has none", from.string()));
}

std::optional<std::string> foreign_include(const std::string& text) {
  static const std::regex directive(R"(^\s*#\s*(include|include_next|import|embed)\b.*)");
  static const std::regex own(R"re(^\s*#\s*include\s*"\w+(/\w+)*\.cl"\s*)re");
  std::istringstream lines(as_preprocessed(text));
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_match(line, directive) && !std::regex_match(line, own)) return line;
  }
  return std::nullopt;
}

std::optional<JudgeFinding> find_foreign_include(const fs::path& folder) {
  std::optional<JudgeFinding> finding;
  each_kernel_file(folder, [&](const fs::path& file) {
    const auto line = foreign_include(read_text(file.string(), max_kernel_bytes));
    if (line && !finding)
      finding = {"includes_file",
                 fmt::format("{} has '{}'", file.lexically_relative(folder).string(), *line)};
  });
  return finding;
}

}  // namespace dwarfsweep
