// Which environment variables a run records, and that none of them is a secret.
#include "harness/device/host.hpp"

#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "suite/record/host_info.hpp"
#include "tests/catch.hpp"

using namespace dwarfsweep;

namespace {

using Variables = std::map<std::string, std::string>;

// In the environment while it lives.
struct SetVariables {
  explicit SetVariables(Variables all) : variables(std::move(all)) {
    for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
  }
  ~SetVariables() {
    for (const auto& [name, value] : variables) ::unsetenv(name.c_str());
  }
  SetVariables(const SetVariables&) = delete;
  SetVariables& operator=(const SetVariables&) = delete;
  Variables variables;
};

}  // namespace

TEST_CASE("variables are found by how their names begin, with their values", "[unit]") {
  const SetVariables set({{"OFTEST_ONE", "1"},
                          {"OFTEST_EQUATION", "a=b=c"},
                          {"OFTEST_EMPTY", ""},
                          {"OFTEST_CACHE_DIR", "/x"},
                          {"MORE_OFTEST_TWO", "2"},
                          {"OTHER_OFTEST_THREE", "3"}});
  const std::vector<std::string_view> prefixes = {"OFTEST_", "MORE_OFTEST_"};
  const std::vector<std::string_view> caches = {"CACHE"};
  Variables wanted = set.variables;
  wanted.erase("OTHER_OFTEST_THREE");
  CHECK(environment_of(prefixes) == wanted);
  wanted.erase("OFTEST_CACHE_DIR");
  CHECK(environment_of(prefixes, caches) == wanted);
  CHECK(environment_of({}).empty());
}

TEST_CASE("a run records the variables that steer drivers and compilers, but no secrets", "[unit]") {
  Variables steering;
  for (const std::string begin :
       {"DWARFSWEEP_POWERCAP", "OCL_", "OPENCL_", "POCL_", "RUSTICL_", "LP_", "GALLIUM_", "GALLIVM_", "IGC_",
        "MESA_", "CUDA_VISIBLE_", "CUDA_DEVICE_", "CUDA_CACHE_", "CL_", "OCLGRIND_", "OMP_", "GOMP_", "SYCL_",
        "GLIBC_TUNABLES"})
    steering[begin + "OF_TEST"] = begin;
  Variables secrets;
  for (const std::string part : {"KEY", "TOKEN", "SECRET", "PASSWORD", "AUTH", "CREDENTIAL"})
    secrets["POCL_OF_TEST_" + part + "_1"] = "hush";
  secrets["CUDA_OF_TEST"] = secrets["UNKNOWN_OF_TEST"] = "none of ours";
  const SetVariables set_steering(steering);
  const SetVariables set_secrets(secrets);
  const Variables told = steering_environment();
  for (const auto& [name, value] : steering) {
    CAPTURE(name);
    CHECK((told.contains(name) && told.at(name) == value));
  }
  for (const auto& [name, value] : secrets) {
    CAPTURE(name);
    CHECK_FALSE(told.contains(name));
  }
}
