// The configurations of a plan.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/space/space.hpp"

namespace dwarfsweep {

/// Collects configurations in order, each once.
class ConfigList {
 public:
  void add(const Config& config) {
    if (seen_.insert(config.to_string()).second) list_.push_back(config);
  }
  [[nodiscard]] std::size_t count() const { return list_.size(); }
  /// Hands them over: a full product has millions, too many for a second copy.
  [[nodiscard]] std::vector<Config> take() {
    seen_.clear();
    return std::move(list_);
  }

 private:
  std::vector<Config> list_;
  std::set<std::string> seen_;
};

}  // namespace dwarfsweep
