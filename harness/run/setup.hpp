// What a case is made from: the device's workspace, a point of the space, and the problem's data. The header
// of a dwarf's cases, and the only way by which a dwarf sees OpenCL.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "harness/program/macros.hpp"
#include "harness/run/case.hpp"
#include "harness/run/launcher.hpp"
#include "harness/run/workspace.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep {

/// Lives while the case is constructed, which keeps no reference to it but to the workspace.
struct Setup {
  Workspace& workspace;
  const std::string& dwarf;  ///< its name
  const Space& space;
  const Config& config;
  const Loaded& loaded;

  /// The problem's data; T is what the dwarf's generate and load make.
  template <typename T>
  [[nodiscard]] std::shared_ptr<const T> input() const {
    return std::static_pointer_cast<const T>(loaded.input);
  }
  [[nodiscard]] const DeviceInfo& device() const { return workspace.device(); }

  /// The point's value on an axis of integers; of strings.
  [[nodiscard]] std::int64_t integer(std::string_view axis) const { return config.integer(axis); }
  [[nodiscard]] std::size_t size(std::string_view axis) const {
    return static_cast<std::size_t>(config.integer(axis));
  }
  [[nodiscard]] const std::string& string(std::string_view axis) const { return config.string(axis); }

  /// Every axis as a macro; define() adds more. A program gets the shared ones, and those that its text
  /// mentions.
  [[nodiscard]] Macros macros() const { return {space, config}; }
  /// A kernel of kernels_cl/<dwarf>/<dwarf>.cl; its time is reported under `name`. Throws PointFailure.
  [[nodiscard]] Kernel kernel(const std::string& function, const std::string& name,
                              const Macros& macros) const {
    return workspace.kernel(dwarf + "/" + dwarf, macros, function, name);
  }
  [[nodiscard]] Kernel kernel(const std::string& function, const std::string& name) const {
    return kernel(function, name, macros());
  }
};

}  // namespace dwarfsweep
