// A share of a plan, so that several machines measure it together.
#pragma once

#include <string>

namespace dwarfsweep {

/// The whole plan where `count` is 0, which nobody asked to be split, or 1.
struct Shard {
  int index = 1;  ///< from 1
  int count = 0;
  friend bool operator==(const Shard&, const Shard&) = default;
};

/// "2/6"; empty where nobody asked for a share.
std::string to_text(const Shard& shard);
/// Throws UsageError that says what is allowed.
Shard parse_shard(const std::string& text);

}  // namespace dwarfsweep
