// The text of the kernels: embedded in the program, or read from a folder of edited ones.
#pragma once

#include <string>
#include <vector>

namespace dwarfsweep {

struct KernelSource {
  std::string name;  ///< path below kernels_cl without ".cl": "prelude", "lud/blocked"
  std::string text;
};

/// Every kernel file as it was when the program was built (made by cmake/embed_kernels.cmake).
const std::vector<KernelSource>& embedded_kernels();

/// The text of `name`.cl: from `folder` where that is not empty, else the embedded one. A line `#include
/// "other.cl"` is replaced by the text of that file, with `#line` marks, since a driver has no folder to look
/// in. Throws UsageError where there is no such file.
std::string kernel_text(const std::string& name, const std::string& folder);

}  // namespace dwarfsweep
