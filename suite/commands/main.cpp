#include <fmt/format.h>

#include <exception>
#include <new>
#include <string>
#include <vector>

#include "harness/space/error.hpp"
#include "harness/space/status.hpp"
#include "suite/commands/commands.hpp"
#include "suite/commands/standard_streams.hpp"
#include "suite/commands/version.hpp"
#include "suite/plan/options.hpp"
#include "suite/worker/builder.hpp"
#include "suite/worker/counter.hpp"
#include "suite/worker/cpu_binding.hpp"
#include "suite/worker/worker.hpp"
#include "suite/worker/worker_process.hpp"

namespace {

enum ExitStatus { points_failed = 1, usage = 2, no_device = 3 };

int dispatch(const std::vector<std::string>& arguments) {
  using namespace dwarfsweep;
  if (arguments == std::vector<std::string>{"worker"}) return run_worker();
  if (arguments == std::vector<std::string>{"builder"}) return run_builder();
  if (arguments == std::vector<std::string>{"counter"}) return run_counter();
  if (arguments == std::vector<std::string>{"--version"}) {
    fmt::print("{}\n", version_text());
    return 0;
  }
  const Options options = parse_options(arguments);
  if (options.help) {
    fmt::print("{}", help_text(options.command));
    return 0;
  }
  if (options.resume.empty()) bind_to_cpus(options.cpus);
  if (options.command == "devices") return command_devices(options);
  if (options.command == "list") return command_list(options);
  if (options.command == "run") return command_run(options);
  if (options.command == "sweep") return command_sweep(options);
  if (options.command == "tune") return command_tune(options);
  if (options.command == "peaks") return command_peaks(options);
  if (options.command == "selftest") return command_selftest(options);
  if (options.command == "report") return command_report(options);
  if (options.command == "compare") return command_compare(options);
  if (options.command == "merge") return command_merge(options);
  return command_table(options);
}

int complain(const std::string& what, int status) {
  fmt::print(stderr, "dwarfsweep: {}\n", what);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  dwarfsweep::open_missing_streams();
  try {
    return dispatch({argv + 1, argv + argc});
  } catch (const dwarfsweep::UsageError& error) {
    return complain(error.what(), usage);
  } catch (const dwarfsweep::NoDeviceError& error) {
    return complain(error.what(), no_device);
  } catch (const dwarfsweep::Interrupted& error) {
    return complain(error.what(), 130);
  } catch (const std::bad_alloc&) {
    return complain("the host has not enough memory", points_failed);
  } catch (const std::exception& error) {
    return complain(error.what(), points_failed);
  }
}
