#include "harness/kernel_source.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "harness/error.hpp"

namespace dwarfsweep {

std::string kernel_text(const std::string& name, const std::string& folder) {
  if (!folder.empty()) {
    const std::string path = folder + "/" + name + ".cl";
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf()))
      throw UsageError(fmt::format("cannot read the kernel file '{}'", path));
    return text.str();
  }
  for (const KernelSource& source : embedded_kernels()) {
    if (source.name == name) return source.text;
  }
  throw UsageError(fmt::format("there is no kernel file '{}.cl' in the program", name));
}

}  // namespace dwarfsweep
