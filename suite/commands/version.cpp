#include "suite/commands/version.hpp"

#include <fmt/format.h>

#include "harness/program/kernel_source.hpp"
#include "harness/space/hash.hpp"
#include "revision.hpp"

namespace dwarfsweep {

std::string program_version() {
  return DWARFSWEEP_VERSION;
}

std::string program_revision(const std::string& kernels) {
  std::string revision = DWARFSWEEP_REVISION;
  if (kernels.empty() && revision.find("dirty") == std::string::npos) return revision;
  return fmt::format("{}, kernels {}", revision, kernels_hash(kernels));
}

std::string kernels_hash(const std::string& kernels) {
  std::uint64_t hash = fnv1a_of_nothing;
  for (const KernelSource& source : embedded_kernels()) hash = fnv1a(kernel_text(source.name, kernels), hash);
  return fmt::format("{:016x}", hash);
}

std::string version_text() {
  return fmt::format("dwarfsweep {}, revision {}", program_version(), program_revision({}));
}

}  // namespace dwarfsweep
