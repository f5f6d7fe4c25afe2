#include "suite/worker/worker_output.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "suite/record/reason.hpp"

namespace dwarfsweep {
namespace {

std::int64_t size_of(const std::string& file) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(file, error);
  return error ? 0 : static_cast<std::int64_t>(bytes);
}

// The end of `text` on one line, without what a terminal or a table might stumble over.
std::string last_line(const std::string& text) {
  constexpr std::size_t max_length = 400;
  std::string line;
  for (const char c : text) {
    const bool printable = static_cast<unsigned char>(c) > ' ' && c != '\x7f';
    if (printable) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  line = without_folders(line);  // the log of the workers has them in full
  if (line.size() <= max_length) return line;
  std::size_t begin = line.size() - max_length;
  // Not in the middle of a character of several bytes.
  while (begin < line.size() && (static_cast<unsigned char>(line[begin]) & 0xC0U) == 0x80U) ++begin;
  return "..." + line.substr(begin);
}

}  // namespace

void WorkerOutput::begin_request() {
  begin_ = size_of(file_);
}

std::string WorkerOutput::end() const {
  if (file_.empty()) return "";
  constexpr std::int64_t enough = 4096;
  std::ifstream stream(file_, std::ios::binary);
  stream.seekg(std::max(begin_, size_of(file_) - enough));
  return last_line({std::istreambuf_iterator<char>(stream), {}});
}

}  // namespace dwarfsweep
