#include "harness/run/dwarf.hpp"

#include <fmt/format.h>

#include "harness/run/setup.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep {

Loaded Dwarf::load(const ValueMap& /*request*/, const std::vector<std::string>& /*files*/) const {
  throw UsageError(fmt::format("{} takes no --input", info_.name));
}

std::unique_ptr<Case> Dwarf::prepare(Workspace& workspace, const Loaded& loaded, const Config& config) const {
  return make_case({workspace, info_.name, space_, config, loaded});
}

std::unique_ptr<HostCase> Dwarf::prepare_host(const Loaded& /*loaded*/, int /*threads*/) const {
  return nullptr;
}

}  // namespace dwarfsweep
