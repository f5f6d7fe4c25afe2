// Fuzz target of take_in: of a log, as a bundle that somebody else made of it, or of any archive. The second
// of two bundles is compared with the first. There is no device.
#include "suite/sharing/intake.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "suite/record/packed_file.hpp"
#include "suite/record/run_log.hpp"
#include "suite/sharing/share.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

namespace {

// Files that fit the log, as far as it can be read.
std::string bundle_of(std::string_view log) {
  Bundle bundle;
  try {
    std::istringstream stream{std::string(log)};
    for (auto& [name, content] : files_of_log(read_log("input", stream)))
      bundle.files["1/" + name] = std::move(content);
  } catch (const std::exception&) {
    for (const char* const name : {"1/measurements.csv", "1/samples.csv", "1/digests.json"})
      bundle.files[name] = "x";
    bundle.files["1/run.json"] = R"({"run_id":"","version":"","revision":"","kernels":""})";
  }
  bundle.files["1/log.jsonl"] = log;
  return write_bundle(bundle);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path file = "/tmp/fuzz_intake_" + std::to_string(::getpid()) + ".dsb";
  static const int removed_at_exit = std::atexit([] { std::filesystem::remove(file); });
  fuzz::require(removed_at_exit == 0);
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const bool is_archive = bytes.find("ustar") != std::string_view::npos || bytes.starts_with("\x1f\x8b");
  const std::string bundle = !is_archive                     ? bundle_of(bytes)
                             : bytes.starts_with("\x1f\x8b") ? std::string(bytes)
                                                             : packed(bytes);
  std::ofstream(file, std::ios::binary) << bundle;
  const auto reports = take_in({file, file}, {.own_kernels = "d336709b2c34305b", .compute_here = {}});
  fuzz::require(reports.size() == 2);
  for (const BundleReport& report : reports) {
    fuzz::require((report.verdict == BundleVerdict::accepted) == report.findings.empty());
    fuzz::require(!to_json(report).dump(-1, ' ', true, Json::error_handler_t::replace).empty());
  }
  return 0;
}
