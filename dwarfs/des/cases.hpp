// The cases of des on a device: buffers, launches, and the reading of what came of them.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "dwarfs/des/input.hpp"
#include "harness/dwarf.hpp"

namespace dwarfsweep::des {

/// What a case is made from.
struct Setup {
  Workspace& workspace;
  const Space& space;
  const Config& config;
  std::shared_ptr<const DesInput> input;

  [[nodiscard]] std::size_t axis(const char* name) const {
    return static_cast<std::size_t>(config.integer(name));
  }
  [[nodiscard]] Kernel kernel(const std::string& function, const char* reported) const {
    const int search = input->mode() == Mode::search ? 1 : 0;
    return workspace.kernel("des/des", to_build_options(space, config) + fmt::format(" -D SEARCH={}", search),
                            function, reported);
  }
  template <typename T>
  Buffer<T> uploadable(const std::string& name, const std::vector<T>& content) const {
    return workspace.allocate<T>(name, content.size(), Role::input);
  }
};

/// Blocks, encrypted or decrypted.
std::unique_ptr<Case> make_block_case(const Setup& setup);

/// A key search.
std::unique_ptr<Case> make_search_case(const Setup& setup);

}  // namespace dwarfsweep::des
