#include "suite/worker/driver_cache.hpp"

#include <cstdlib>

#include "harness/program/program_cache.hpp"

namespace dwarfsweep {

void share_driver_caches() {
  const auto folder = program_cache_folder();
  if (folder.empty()) return;
  constexpr int keep_what_is_set = 0;
  ::setenv("CUDA_CACHE_PATH", std::filesystem::absolute(folder / "nvidia").c_str(), keep_what_is_set);
  ::setenv("CUDA_CACHE_MAXSIZE", "1073741824", keep_what_is_set);
}

}  // namespace dwarfsweep
