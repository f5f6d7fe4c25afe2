// The test program. Catch2 runs what is selected; see tests/README.md for the tags and the devices.
#define CATCH_CONFIG_RUNNER
#include <cstdlib>
#include <filesystem>
#include <string>

#include "dwarfs/registry.hpp"
#include "suite/worker/serve.hpp"
#include "tests/catch.hpp"
#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>  // version 3
#endif

// dwarfs/template, which the program does not have.
namespace dwarfsweep {
const Dwarf& template_dwarf();
const std::vector<KernelSource>& template_kernels();
}  // namespace dwarfsweep

namespace {

// Device tests see one OpenCL implementation: two in a process can clash (each brings an LLVM of its own),
// and a test that meant one of them could run on the other unnoticed. Must happen before the first OpenCL
// call, which is when the loader reads its environment. A device without a folder is left to the loader's own
// list.
void choose_opencl_implementation() {
  constexpr int keep_what_is_set = 0;
  setenv("DWARFSWEEP_TEST_DEVICE", "pocl", keep_what_is_set);
  const std::filesystem::path folder =
      std::filesystem::path(TEST_ICD_FOLDER) / std::getenv("DWARFSWEEP_TEST_DEVICE");
  if (std::filesystem::is_directory(folder)) setenv("OCL_ICD_VENDORS", folder.c_str(), keep_what_is_set);
  setenv("RUSTICL_ENABLE", "llvmpipe", keep_what_is_set);
  setenv("POCL_CACHE_DIR", TEST_POCL_CACHE, keep_what_is_set);
}

}  // namespace

// The tests of builders and workers start this program as one.
int main(int argc, char** argv) {
  dwarfsweep::add_dwarf(dwarfsweep::template_dwarf(), dwarfsweep::template_kernels());
  if (argc == 2 && std::string(argv[1]) == "builder") return dwarfsweep::run_builder();
  if (argc == 2 && std::string(argv[1]) == "worker") return dwarfsweep::run_worker();
  choose_opencl_implementation();
  return Catch::Session().run(argc, argv);
}
