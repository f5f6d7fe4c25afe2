// Runs in succession, as energy is measured, give the same results as those with a wait between them.
#include "dwarfs/registry.hpp"
#include "tests/catch.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;
using namespace dwarfsweep::test;

TEST_CASE("runs back to back leave a right result", "[device][power][heavy][axes]") {
  // Elsewhere building takes minutes; what could depend on the wait is the same host code.
  if (test_session().device().platform != "Portable Computing Language") {
    SUCCEED("on PoCL alone");
    return;
  }
  MeasureOptions options;
  options.warm_up_ns = 0;
  int ran = 0;
  for (const Dwarf* dwarf : built_in_dwarfs()) {
    const Loaded loaded = generated(*dwarf, dwarf->info().checks.odd_problems.front());
    for (const Value& variant : dwarf->space().find("variant").values) {
      const Config config = dwarf->space().default_config(variant.string());
      if (dwarf->space().why_rejected({config, loaded.problem, test_session().device().capabilities}))
        continue;
      INFO(dwarf->info().name << " " << config.to_string());
      MeasuredPoint point(test_session(), *dwarf, loaded, config, options);
      point.make_ready();
      point.run_back_to_back(4);
      CHECK_NOTHROW(point.verify_again());
      CHECK(point.run_seconds() > 0);
      ++ran;
    }
  }
  CHECK(ran > 0);
}
