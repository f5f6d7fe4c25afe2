// The text of kernel files (embedded in the program, read from a folder, or given by the caller), and of the
// programs that are made of them.
#pragma once

#include <string>
#include <vector>

namespace dwarfsweep {

struct KernelSource {
  /// The file's path without ".cl", of embedded ones below kernels_cl: "prelude", "lud/blocked".
  std::string name;
  std::string text;
};

/// The kernel files embedded in the program: the harness's own, then those that were added, in their order.
std::vector<KernelSource> embedded_kernels();

/// Adds kernel files to the embedded ones. Every library embeds its own (embed_kernels in CMakeLists.txt).
void add_embedded_kernels(const std::vector<KernelSource>& kernels);

/// The text of `name`.cl: the caller's own where there is one, else from `folder` where that is not empty,
/// else the embedded one. A line `#include "other.cl"` is replaced by the text of that file, with `#line`
/// directives, since the device's compiler has no include path. Throws UsageError if there is no such file,
/// or files include each other in a cycle.
std::string kernel_text(const std::string& name, const std::string& folder,
                        const std::vector<KernelSource>& own = {});

/// All that a compiler gets. Two programs with the same text and options are the same program.
struct ProgramText {
  std::string file;     ///< its path below kernels_cl, without the ending: "lud/lud"
  std::string text;     ///< guards, prelude and kernels
  std::string options;  ///< with all macros

  friend bool operator==(const ProgramText&, const ProgramText&) = default;
};

/// What went to the compiler, as 16 hexadecimal digits: 64-bit FNV-1a of the text, a zero byte and the
/// options.
std::string program_id(const ProgramText& text);

}  // namespace dwarfsweep
