// Binary input of tests.
#pragma once

#include <string>

namespace dwarfsweep::test {

/// Bytes of values as a little-endian machine stores them.
template <typename... Values>
std::string raw(Values... values) {
  std::string bytes;
  (bytes.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
  return bytes;
}

}  // namespace dwarfsweep::test
