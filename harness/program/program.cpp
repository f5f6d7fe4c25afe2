#include "harness/program/program.hpp"

#include <fmt/format.h>

#include "harness/space/hash.hpp"

namespace dwarfsweep {

std::string program_id(const ProgramText& text) {
  return fmt::format("{:016x}", fnv1a(text.options, fnv1a(std::string_view("\0", 1), fnv1a(text.text))));
}

std::string program_id(const std::vector<std::shared_ptr<const Program>>& programs) {
  if (programs.empty()) return "";
  if (programs.size() == 1) return program_id(programs.front()->text);
  std::string ids;
  for (const auto& program : programs) ids += program_id(program->text);
  return fmt::format("{:016x}", fnv1a(ids));
}

}  // namespace dwarfsweep
