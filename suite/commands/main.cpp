#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "harness/space/error.hpp"
#include "suite/commands/command_line.hpp"
#include "suite/commands/commands.hpp"
#include "suite/commands/help.hpp"
#include "suite/record/json.hpp"
#include "suite/record/standard_error.hpp"
#include "suite/worker/host_limits.hpp"
#include "suite/worker/interrupt.hpp"
#include "suite/worker/serve.hpp"

namespace {

using namespace dwarfsweep;

enum ExitStatus { points_failed = 1, usage = 2, no_device = 3, was_interrupted = 130 };

// Opens /dev/null for each of standard input, output and error that the program was started without: else the
// next file or pipe would get its number, and what is printed would go there.
void open_missing_streams() {
  int file = STDIN_FILENO;
  // Each open() takes the lowest free number.
  while (file >= 0 && file <= STDERR_FILENO) file = ::open("/dev/null", O_RDWR);
  if (file > STDERR_FILENO) ::close(file);
}

// The processes that this program starts of itself. Their standard output is a pipe to it.
const std::map<std::string, int (*)()>& children() {
  static const std::map<std::string, int (*)()> functions = {{"worker", run_worker},
                                                             {"confined", run_confined_worker},
                                                             {"builder", run_builder},
                                                             {"counter", run_counter}};
  return functions;
}

bool is_child(const std::vector<std::string>& arguments) {
  return arguments.size() == 1 && children().contains(arguments.front());
}

int run_command(const std::vector<std::string>& arguments) {
  static const std::map<std::string, int (*)(const CommandLine&)> functions = {
      {"devices", command_devices}, {"list", command_list},       {"run", command_run},
      {"sweep", command_sweep},     {"tune", command_tune},       {"table", command_table},
      {"report", command_report},   {"compare", command_compare}, {"judge", command_judge},
      {"merge", command_merge},     {"peaks", command_peaks},     {"selftest", command_selftest},
      {"share", command_share},     {"intake", command_intake},   {"atlas", command_atlas},
  };
  if (is_child(arguments)) return children().at(arguments.front())();
  if (const auto text = requested_text(arguments)) {
    fmt::print("{}", *text);
    return 0;
  }
  const CommandLine line = parse_command_line(arguments);
  if (!line.has("resume")) bind_to_cpus(line.text("cpus"));
  return functions.at(line.command)(line);
}

// Libraries put their own names and numbers in front of the cause.
std::string describe(const std::exception& error) {
  if (const auto* const file = dynamic_cast<const std::filesystem::filesystem_error*>(&error))
    return fmt::format("{}: {}", file->path1().string(), file->code().message());
  return plain_message(error);
}

struct Outcome {
  int status = 0;
  std::string complaint;
};

Outcome outcome_of(const std::vector<std::string>& arguments) {
  try {
    return {run_command(arguments), ""};
  } catch (const UsageError& error) {
    return {usage, error.what()};
  } catch (const NoDeviceError& error) {
    return {no_device, error.what()};
  } catch (const Interrupted& error) {
    return {was_interrupted, error.what()};
  } catch (const std::bad_alloc&) {
    return {points_failed, "the host has not enough memory"};
  } catch (const std::exception& error) {
    return {points_failed, describe(error)};
  }
}

// On a full disk the last of it fails here, after everything seemed to be printed.
bool output_was_written() {
  errno = 0;
  std::cout.flush();
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
}

}  // namespace

int main(int argc, char** argv) {
  open_missing_streams();
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  Outcome outcome = outcome_of(arguments);
  if (!is_child(arguments) && !output_was_written()) {
    const std::string reason = errno == 0 ? "" : fmt::format(": {}", std::strerror(errno));
    outcome = {points_failed, "cannot write to the standard output" + reason};
  }
  if (!outcome.complaint.empty()) print_stderr("dwarfsweep: {}\n", outcome.complaint);
  return outcome.status;
}
