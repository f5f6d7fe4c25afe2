#include "suite/record/standard_error.hpp"

#include <cstdio>

namespace dwarfsweep {

void write_stderr(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace dwarfsweep
