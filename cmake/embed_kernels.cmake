# Writes a C++ file whose function FUNCTION returns the text of kernel files. Called at build time with FUNCTION, FILES, ROOT,
# OUTPUT.
set(text "// Made by cmake/embed_kernels.cmake; do not edit.\n#include \"harness/program/kernel_source.hpp\"\n\n")
string(APPEND text "namespace dwarfsweep {\n\nconst std::vector<KernelSource>& ${FUNCTION}();\n\n")
string(APPEND text "const std::vector<KernelSource>& ${FUNCTION}() {\n")
string(APPEND text "  static const std::vector<KernelSource> sources = {\n")
foreach(file IN LISTS FILES)
  string(REGEX REPLACE "^kernels_cl/(.*)\\.cl$" "\\1" name ${file})
  file(READ ${ROOT}/${file} content)
  string(APPEND text "      {\"${name}\", R\"__cl__(${content})__cl__\"},\n")
endforeach()
string(APPEND text "  };\n  return sources;\n}\n\n}  // namespace dwarfsweep\n")
file(WRITE ${OUTPUT} "${text}")
