#include "suite/tune/known_counts.hpp"

#include <fmt/format.h>

#include <fstream>

#include "harness/program/kernel_source.hpp"
#include "harness/space/hash.hpp"
#include "suite/record/json.hpp"

namespace dwarfsweep {
namespace {

// Of all kernel files: which of them a dwarf's programs are made of is not known before they are built.
std::uint64_t hash_of_kernels() {
  std::uint64_t hash = fnv1a_of_nothing;
  for (const KernelSource& each : embedded_kernels()) hash = fnv1a(each.text, fnv1a(each.name, hash));
  return hash;
}

}  // namespace

KnownCounts::KnownCounts(const std::filesystem::path& folder, const std::string& dwarf,
                         const std::string& problem) {
  if (folder.empty()) return;
  file_ = folder / fmt::format("counts-{}-{:016x}.jsonl", dwarf, fnv1a(problem, hash_of_kernels()));
  std::ifstream file(file_);
  for (std::string line; std::getline(file, line);) {
    const Json json = Json::parse(line, nullptr, false);
    try {
      const auto point = json.get<CountedPoint>();
      points_[point.config] = point;
    } catch (const Json::exception&) {
      // Not a whole line.
    }
  }
}

std::optional<CountedPoint> KnownCounts::find(const std::string& config) const {
  const auto found = points_.find(config);
  return found == points_.end() ? std::nullopt : std::optional(found->second);
}

void KnownCounts::add(const CountedPoint& point) {
  points_[point.config] = point;
  if (file_.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(file_.parent_path(), ignored);
  std::ofstream(file_, std::ios::app) << "\n" + Json(point).dump() + "\n" << std::flush;
}

}  // namespace dwarfsweep
