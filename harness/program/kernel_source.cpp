#include "harness/program/kernel_source.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <string_view>

#include "harness/space/error.hpp"
#include "harness/space/text.hpp"

namespace dwarfsweep {

namespace {

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
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    // An empty file makes `<<` fail, too, and so it must be told from one that cannot be read.
    const bool empty = file && file.peek() == std::ifstream::traits_type::eof() && !file.bad();
    if (empty) throw UsageError(fmt::format("the kernel file '{}' is empty", path));
    if (!file || !(text << file.rdbuf()))
      throw UsageError(fmt::format("cannot read the kernel file '{}'", path));
    return text.str();
  }
  if (const std::string* text = find_text(embedded_kernels(), name)) return *text;
  throw UsageError(fmt::format("there is no kernel file '{}.cl' in the program", name));
}

// The name in a line `#include "name.cl"`; empty for any other line.
std::string_view included(std::string_view line) {
  constexpr std::string_view head = "#include \"";
  constexpr std::string_view tail = ".cl\"";
  if (line.substr(0, head.size()) != head || line.size() < head.size() + tail.size()) return {};
  if (line.substr(line.size() - tail.size()) != tail) return {};
  return line.substr(head.size(), line.size() - head.size() - tail.size());
}

}  // namespace

std::string kernel_text(const std::string& name, const std::string& folder,
                        const std::vector<KernelSource>& own) {
  std::istringstream lines(text_of_file(name, folder, own));
  std::string text;
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (const std::string part(included(line)); !part.empty()) {
      text += fmt::format("#line 1 \"{}.cl\"\n{}#line {} \"{}.cl\"\n", part, kernel_text(part, folder, own),
                          number + 1, name);
    } else {
      text += line + '\n';
    }
  }
  return text;
}

std::string program_id(const ProgramText& text) {
  return fmt::format("{:016x}", fnv1a(text.options, fnv1a(std::string_view("\0", 1), fnv1a(text.text))));
}

}  // namespace dwarfsweep
