// The property tests as a program of its own: random problems with random legal configurations, each run and
// verified in a worker process, failures shrunk to the smallest. It can be carried to another machine.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "harness/space/error.hpp"
#include "suite/worker/client.hpp"
#include "suite/worker/interrupt.hpp"
#include "suite/worker/serve.hpp"
#include "tests/property/campaign.hpp"
#include "tests/property/options.hpp"

namespace {

enum ExitStatus { trials_failed = 1, usage = 2, no_device = 3 };

int run(const std::vector<std::string>& arguments) {
  using namespace dwarfsweep;
  if (arguments == std::vector<std::string>{"--help"}) {
    fmt::print("{}", property::help_text());
    return 0;
  }
  property::CampaignSettings settings = property::parse_options(arguments);
  const DeviceInfo device = select_devices(ask_inventory(), settings.selector).front();
  fmt::print("{}, seed {}\n", describe(device), settings.seed);
  std::fflush(stdout);
  catch_interrupts();
  return property::Campaign(device, std::move(settings)).run() == 0 ? 0 : trials_failed;
}

int complain(const std::string& what, int status) {
  fmt::print(stderr, "dwarfsweep_properties: {}\n", what);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  // Programs of random configurations are hardly ever built again: they would only fill a cache.
  constexpr int keep_what_is_set = 0;
  setenv("DWARFSWEEP_CACHE", "off", keep_what_is_set);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments == std::vector<std::string>{"worker"}) return dwarfsweep::run_worker();
  try {
    return run(arguments);
  } catch (const dwarfsweep::UsageError& error) {
    return complain(error.what(), usage);
  } catch (const dwarfsweep::NoDeviceError& error) {
    return complain(error.what(), no_device);
  } catch (const std::exception& error) {
    return complain(error.what(), trials_failed);
  }
}
