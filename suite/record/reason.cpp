#include "suite/record/reason.hpp"

#include <algorithm>
#include <string_view>

namespace dwarfsweep {
namespace {

bool holds(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

std::string status_words(const std::string& status) {
  if (status == to_string(Status::rejected)) return "not applicable";
  if (status == to_string(Status::not_run)) return "not run";
  if (status == to_string(Status::wrong_result)) return "wrong result";
  if (!is_failure(status)) return status;
  std::string words = "failed: " + status.substr(0, status.find("_failed"));
  std::ranges::replace(words, '_', ' ');
  return words;
}

bool is_failure(Status status) {
  return status != Status::ok && status != Status::rejected && status != Status::unsupported &&
         status != Status::not_run;
}

bool is_failure(const std::string& status) {
  return is_failure(status_from_string(status).value_or(Status::crashed));
}

std::string without_folders(const std::string& text) {
  constexpr std::string_view blanks = " \t\n\v\f\r";
  const std::string before = std::string(blanks) + "\"'(=", ends = std::string(blanks) + "/\"'";
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::size_t name = at + 1;  // of a file, or of a folder that is not known to be one yet
    if (text[at] == '/' && (at == 0 || before.find(text[at - 1]) != std::string::npos)) {
      for (std::size_t end = text.find_first_of(ends, name);
           end != std::string::npos && end > name && text[end] == '/'; end = text.find_first_of(ends, name))
        name = end + 1;
    }
    const bool has_folders = name > at + 1;
    result += has_folders ? ".../" : text.substr(at, 1);
    if (has_folders) at = name - 1;
  }
  return result;
}

std::string short_reason(const std::string& reason) {
  constexpr std::size_t max_length = 240;
  const std::string text = without_folders(reason.substr(0, std::min(reason.find('\n'), reason.find(" | "))));
  if (text.size() <= max_length) return text;
  std::size_t end = max_length;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
    --end;  // do not cut a UTF-8 character
  return text.substr(0, end) + " ...";
}

std::string known_exception(const DeviceInfo& device, const PointKey& point, Status status) {
  // Mesa's gallivm ends every loop of a shader after 65,535 iterations in all (LP_MAX_TGSI_LOOP_ITERATIONS).
  if (status == Status::wrong_result && holds(device.name, "llvmpipe")) {
    return "known: llvmpipe is wrong beyond 65,535 loop iterations per work-item";
  }
  if (status != Status::crashed || !holds(device.platform, "Portable Computing Language")) return "";
  if (device.driver.starts_with("5.0") && point.dwarf == "sgemv" && holds(point.config, "loader=async")) {
    return "known: PoCL 5.0 cannot link wait_group_events in OpenCL C 1.2 and ends the process";
  }
  // In createParallelRegionBefore, on a loop whose last statement is a barrier.
  if (device.driver.starts_with("5.0") && point.dwarf == "stencil_3d" &&
      (holds(point.config, "variant=reference") || holds(point.config, "variant=block_halo_single"))) {
    return "known: an assertion of PoCL 5.0's compiler fails for this kernel and ends the process";
  }
  // In llvm::getUnderlyingObject, depending on the number of columns.
  if (device.driver.starts_with("3.1") && point.dwarf == "needle" && holds(point.config, "scan") &&
      holds(point.config, "vector_width=4;unroll=8")) {
    return "known: LLVM 15, the compiler of PoCL 3.1, crashes on this kernel for some numbers of columns";
  }
  return "";
}

}  // namespace dwarfsweep
