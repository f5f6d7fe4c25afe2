#include "suite/worker/serve.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "harness/formats/file_bytes.hpp"
#include "harness/space/error.hpp"
#include "suite/worker/server.hpp"

namespace dwarfsweep {
namespace {

// A worker's "verify" runs a point so often.
constexpr int runs_of_verify = 3;

// What Oclgrind prints of a launch: "Instructions executed for kernel 'x':", then lines of a number and an
// instruction.
struct LaunchCounts {
  std::string kernel;
  InstructionCounts counts;
  double special_functions = 0;

  // The paper on carving counts special functions as long where nothing longer is present. That is where they
  // outnumber the longer waits: loads before a loop are no reason to ignore what the loop waits for.
  [[nodiscard]] double blocking() const { return std::max(counts.regions, special_functions); }
};

// Letters, digits and underscores.
std::string word_at(const std::string& text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
    ++end;
  return text.substr(begin, end - begin);
}

bool blocks(const std::string& instruction) {
  if (instruction.starts_with("load global")) return true;
  if (!instruction.starts_with("call ")) return false;
  const std::string called = word_at(instruction, 5);
  return std::ranges::any_of(std::array{"barrier", "wait_group_events", "read_image"},
                             [&](const char* name) { return called.find(name) != std::string::npos; });
}

// What NVIDIA's special function units compute.
bool is_special(const std::string& instruction) {
  if (instruction.starts_with("fdiv")) return true;
  if (!instruction.starts_with("call _Z")) return false;
  // A mangled name: the length of the function's name, the name, the types of its arguments.
  std::string called =
      word_at(instruction, std::min(instruction.find_first_not_of("0123456789", 7), instruction.size()));
  for (const std::string prefix : {"native_", "half_"})
    if (called.starts_with(prefix)) called.erase(0, prefix.size());
  constexpr std::array functions = {"sincos", "sin", "cos",  "tan",   "rsqrt", "sqrt",   "exp", "exp2",
                                    "exp10",  "log", "log2", "log10", "recip", "divide", "pow", "powr"};
  return std::ranges::any_of(functions, [&](const std::string& function) {
    const std::string types = called.starts_with(function) ? called.substr(function.size()) : "";
    return types.starts_with("f") || types.starts_with("d") || types.starts_with("Dv");
  });
}

std::vector<LaunchCounts> launches_of(const std::string& printed) {
  const std::string head = "Instructions executed for kernel '";
  std::vector<LaunchCounts> launches;
  std::istringstream text(printed);
  for (std::string each; std::getline(text, each);) {
    if (const std::size_t found = each.find(head); found != std::string::npos) {
      launches.push_back({word_at(each, found + head.size()), {}, 0});
      continue;
    }
    const std::size_t begin = std::min(each.find_first_not_of(" \t"), each.size());
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(each.data() + begin, each.data() + each.size(), number);
    const std::string rest = each.substr(static_cast<std::size_t>(end - each.data()));
    if (launches.empty() || error != std::errc() || !rest.starts_with(" - ")) continue;
    const std::string instruction = rest.substr(3);
    const auto times = static_cast<double>(number);
    InstructionCounts& counts = launches.back().counts;
    counts.instructions += times;
    if (instruction == "ret") counts.threads += times;
    if (blocks(instruction)) counts.regions += times;  // not yet of a work-item
    if (is_special(instruction)) launches.back().special_functions += times;
  }
  return launches;
}

// Oclgrind as the only platform. The loader looks when it is first asked.
void choose_oclgrind() {
  std::string folder = (std::filesystem::temp_directory_path() / "dwarfsweep_icd_XXXXXX").string();
  if (!::mkdtemp(folder.data())) throw std::runtime_error("no folder for temporary files");
  write_bytes(std::filesystem::path(folder) / "oclgrind.icd", find_oclgrind() + "\n", {});
  ::setenv("OCL_ICD_VENDORS", folder.c_str(), 1);
  ::setenv("OCLGRIND_INST_COUNTS", "1", 1);
  ::unsetenv("OPENCL_LAYERS");
}

class Counter {
 public:
  Counter() : printed_(std::tmpfile()) {
    if (!printed_) throw std::runtime_error("no temporary file");
    choose_oclgrind();
    ::dup2(::fileno(printed_), STDOUT_FILENO);
  }

  Done answer(const OpenCounter& request) {
    std::vector<DeviceInfo> devices = worker_.answer(ListDevices{}).devices;
    std::error_code ignored;
    std::filesystem::remove_all(std::getenv("OCL_ICD_VENDORS"), ignored);
    if (devices.empty()) throw NoDeviceError("Oclgrind has no device");
    devices.front().progress.tested = true;
    TimerReport timer;  // nothing is timed
    timer.timer = Timer::host;
    (void)worker_.answer(OpenDevice{devices.front(), request.kernels, CacheState::hot, timer});
    return {};
  }

  InstructionCounts answer(const CountPoint& request) {
    (void)take_printed();
    (void)worker_.answer(VerifyPoint{request.point});
    return parse_counts(take_printed(), runs_of_verify);
  }

 private:
  std::string take_printed() {
    std::fflush(nullptr);
    std::string text(
        static_cast<std::size_t>(std::max(0L, static_cast<long>(::lseek(STDOUT_FILENO, 0, SEEK_END)))), '\0');
    const ssize_t got = ::pread(STDOUT_FILENO, text.data(), text.size(), 0);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
    if (::ftruncate(STDOUT_FILENO, 0) != 0 || ::lseek(STDOUT_FILENO, 0, SEEK_SET) != 0)
      throw std::runtime_error("the temporary file cannot be emptied");
    return text;
  }

  std::FILE* printed_;
  Worker worker_;
};

}  // namespace

std::string find_oclgrind() {
  if (const char* given = std::getenv("DWARFSWEEP_OCLGRIND"))
    return std::filesystem::exists(given) ? given : "";
  for (const char* folder :
       {"/usr/lib/oclgrind", "/usr/lib64/oclgrind", "/usr/local/lib/oclgrind", "/usr/lib", "/usr/lib64",
        "/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"}) {
    const std::string library = std::string(folder) + "/liboclgrind-rt-icd.so";
    if (std::filesystem::exists(library)) return library;
  }
  return "";
}

InstructionCounts parse_counts(const std::string& printed, int runs) {
  const std::vector<LaunchCounts> launches = launches_of(printed);
  const std::size_t each = launches.size() / static_cast<std::size_t>(runs);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    if (each == 0 || launches.size() % each != 0 || launches[i].kernel != launches[i % each].kernel)
      throw std::runtime_error(fmt::format("{} launches are not those of {} runs", launches.size(), runs));
  }
  if (launches.empty()) throw std::runtime_error("Oclgrind has counted nothing");
  InstructionCounts counts;
  for (std::size_t i = launches.size() - each; i < launches.size(); ++i) {
    counts.instructions += launches[i].counts.instructions;
    counts.threads += launches[i].counts.threads;
    counts.regions += launches[i].blocking();
  }
  counts.regions = counts.regions / std::max(1.0, counts.threads) + 1;
  return counts;
}

int run_counter() {
  Counter counter;
  return serve_requests<CounterRequest>(counter);
}

}  // namespace dwarfsweep
