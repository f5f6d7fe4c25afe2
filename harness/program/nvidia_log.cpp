#include "harness/program/nvidia_log.hpp"

#include <algorithm>
#include <regex>

namespace dwarfsweep {

NvidiaUse read_nvidia_log(const std::string& log, const std::string& function) {
  NvidiaUse use;
  const std::size_t begin = log.find("entry function '" + function + "'");
  if (begin == std::string::npos) return use;
  const std::size_t end = std::min(log.find("entry function '", begin + 1), log.size());
  const std::string part = log.substr(begin, end - begin);
  std::smatch match;
  if (std::regex_search(part, match, std::regex(R"(Used (\d+) registers)")))
    use.registers = std::stoull(match[1]);
  if (std::regex_search(part, match, std::regex(R"((\d+) bytes spill stores)")))
    use.spill_bytes = std::stoull(match[1]);
  return use;
}

bool tells_registers(const std::string& log) {
  return std::regex_search(log, std::regex(R"(Used \d+ registers)"));
}

}  // namespace dwarfsweep
