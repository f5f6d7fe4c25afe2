#include "harness/program/kernel_source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <sstream>
#include <string_view>

#include "harness/formats/file_bytes.hpp"
#include "harness/space/error.hpp"
#include "harness/space/text.hpp"

namespace dwarfsweep {

const std::vector<KernelSource>& harness_kernels();  // generated

namespace {

constexpr std::uintmax_t max_kernel_bytes = std::uintmax_t{64} << 20U;

struct EmbeddedKernels {
  std::mutex mutex;
  std::vector<KernelSource> sources = harness_kernels();
};

EmbeddedKernels& embedded() {
  static EmbeddedKernels kernels;
  return kernels;
}

const std::string* find_text(const std::vector<KernelSource>& sources, const std::string& name) {
  for (const KernelSource& source : sources) {
    if (source.name == name) return &source.text;
  }
  return nullptr;
}

std::string text_of_file(const std::string& name, const std::string& folder,
                         const std::vector<KernelSource>& own) {
  if (const std::string* text = find_text(own, name)) return *text;
  if (!folder.empty()) {
    const std::string path = folder + "/" + name + ".cl";
    std::string text;
    try {
      text = read_text(path, max_kernel_bytes);
    } catch (const InputError& error) {
      throw UsageError(fmt::format("cannot read the kernel file {}", error.what()));
    }
    if (text.empty()) throw UsageError(fmt::format("the kernel file '{}' is empty", path));
    return text;
  }
  const std::lock_guard lock(embedded().mutex);
  if (const std::string* text = find_text(embedded().sources, name)) return *text;
  throw UsageError(fmt::format("there is no kernel file '{}.cl' in the program", name));
}

// A line `#include "name.cl"`.
struct IncludeLine {
  std::string name;
  std::string rest;  // what follows it: perhaps a comment
};

std::string_view without_blanks_before(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

// Takes `word` off the front of `text`; false if it does not begin so.
bool take(std::string_view& text, std::string_view word) {
  text = without_blanks_before(text);
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

// Nothing for any other line. A file may come from an editor that ends lines with CR LF.
std::optional<IncludeLine> include_in(std::string_view line) {
  constexpr std::string_view ending = ".cl";
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (!take(line, "#") || !take(line, "include") || !take(line, "\"")) return std::nullopt;
  const std::size_t quote = line.find('"');
  if (quote == std::string_view::npos || !line.substr(0, quote).ends_with(ending)) return std::nullopt;
  const std::string_view rest = without_blanks_before(line.substr(quote + 1));
  if (!rest.empty() && !rest.starts_with("//") && !rest.starts_with("/*")) return std::nullopt;
  return IncludeLine{std::string(line.substr(0, quote - ending.size())), std::string(rest)};
}

class KernelText {
 public:
  KernelText(const std::string& folder, const std::vector<KernelSource>& own) : folder_(folder), own_(own) {}

  std::string of(const std::string& name) {
    const bool is_cycle = std::find(open_.begin(), open_.end(), name) != open_.end();
    open_.push_back(name);
    if (is_cycle || open_.size() > max_depth) {
      throw UsageError(fmt::format(
          "kernel files include each other without end: {}.cl; remove one of these #include lines",
          fmt::join(open_, ".cl -> ")));
    }
    std::istringstream lines(text_of_file(name, folder_, own_));
    std::string text;
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
      if (const auto included = include_in(line)) {
        text += fmt::format("#line 1 \"{}.cl\"\n{}", included->name, of(included->name));
        // A comment stays where it is: it may continue in the next line.
        text += included->rest.empty()
                    ? fmt::format("#line {} \"{}.cl\"\n", number + 1, name)
                    : fmt::format("#line {} \"{}.cl\"\n{}\n", number, name, included->rest);
      } else {
        text += line + '\n';
      }
    }
    open_.pop_back();
    return text;
  }

 private:
  static constexpr std::size_t max_depth = 64;

  const std::string& folder_;
  const std::vector<KernelSource>& own_;
  std::vector<std::string> open_;  // files whose text is being assembled, each included by the previous one
};

}  // namespace

std::vector<KernelSource> embedded_kernels() {
  const std::lock_guard lock(embedded().mutex);
  return embedded().sources;
}

void add_embedded_kernels(const std::vector<KernelSource>& kernels) {
  const std::lock_guard lock(embedded().mutex);
  embedded().sources.insert(embedded().sources.end(), kernels.begin(), kernels.end());
}

std::string kernel_text(const std::string& name, const std::string& folder,
                        const std::vector<KernelSource>& own) {
  return KernelText(folder, own).of(name);
}

std::string program_id(const ProgramText& text) {
  return fmt::format("{:016x}", fnv1a(text.options, fnv1a(std::string_view("\0", 1), fnv1a(text.text))));
}

}  // namespace dwarfsweep
