// A dwarf: what it says of itself, its space, its data, and the cases it makes to run. Dwarfs are stateless.
// docs/add-a-dwarf.md shows how to add one. Nothing here includes OpenCL: only a dwarf's cases do, through
// harness/run/setup.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/run/case.hpp"
#include "harness/space/dwarf_info.hpp"

namespace dwarfsweep {

class Workspace;
struct Setup;

class Dwarf {
 public:
  Dwarf(DwarfInfo info, Space space) : info_(std::move(info)), space_(std::move(space)) {}
  Dwarf(const Dwarf&) = delete;
  Dwarf& operator=(const Dwarf&) = delete;
  virtual ~Dwarf() = default;

  [[nodiscard]] const DwarfInfo& info() const { return info_; }
  [[nodiscard]] const Space& space() const { return space_; }
  /// Random data from the seed, the same on every machine.
  [[nodiscard]] virtual std::shared_ptr<const Input> generate(const Problem& problem,
                                                              std::uint64_t seed) const = 0;
  /// Reads real data. `request` holds what the user set; sizes come from the files. Throws UsageError. By
  /// default the dwarf takes no files.
  [[nodiscard]] virtual Loaded load(const ValueMap& request, const std::vector<std::string>& files) const;
  /// Builds kernels and allocates buffers. `loaded` comes from generate or load of this dwarf. Throws
  /// PointFailure.
  [[nodiscard]] std::unique_ptr<Case> prepare(Workspace& workspace, const Loaded& loaded,
                                              const Config& config) const;
  /// On `threads` threads (1: serial). Null if the dwarf has no version for the host, which is the default.
  [[nodiscard]] virtual std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const;
  /// The published settings; none by default.
  [[nodiscard]] virtual std::vector<PaperSetting> paper_settings() const { return {}; }

 protected:
  [[nodiscard]] virtual std::unique_ptr<Case> make_case(const Setup& setup) const = 0;

 private:
  DwarfInfo info_;
  Space space_;
};

}  // namespace dwarfsweep
