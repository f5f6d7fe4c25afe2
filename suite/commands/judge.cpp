// `judge`: is a folder of kernels that somebody else wrote right, honest, and how fast?
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"
#include "suite/commands/commands.hpp"
#include "suite/judge/judge.hpp"
#include "suite/plan/plan.hpp"
#include "suite/worker/client.hpp"
#include "suite/worker/interrupt.hpp"

namespace dwarfsweep {
namespace {

// One that no kernel can know; from 0 to what --seed takes.
std::uint64_t unknown_seed() {
  return std::random_device()();
}

// The device asked for, else the first; then the others, which are to agree.
void choose_devices(const Options& options, JudgeRequest& request) {
  const Inventory inventory = ask_inventory();
  if (inventory.devices.empty())
    throw NoDeviceError("there is no OpenCL device; 'dwarfsweep devices' says why");
  request.device = options.devices.empty() ? inventory.devices.front()
                                           : select_devices(inventory, options.devices.front()).front();
  for (const DeviceInfo& each : inventory.devices) {
    if (each.platform != request.device.platform && !each.checks_bounds) request.others.push_back(each);
  }
}

}  // namespace

int command_judge(const CommandLine& line) {
  const Options options = measuring_options(line);
  JudgeRequest request;
  if (options.dwarfs.size() != 1 || options.kernels.empty())
    throw UsageError("'judge' needs one dwarf and a folder of kernels: --dwarf D --kernels DIR");
  request.dwarf = &find_dwarf(options.dwarfs.front());
  request.kernels = options.kernels;
  if (!std::filesystem::is_directory(request.kernels))
    throw UsageError(
        fmt::format("--kernels takes a folder of edited .cl files; '{}' is not a folder", options.kernels));
  request.begin = std::chrono::steady_clock::now();
  request.time = std::chrono::seconds(line.integer("seconds", 60, 1, 86'400));
  if (line.has("trials")) request.most_verified = line.integer("trials", 0, 1, 1'000'000);
  request.seed = line.has("seed") ? options.seed : unknown_seed();
  const std::vector<Problem> problems = plan_problems(
      *request.dwarf, parse_plan("baseline"),
      options.sizes.empty() ? std::vector<std::string>{"medium"} : options.sizes, options.problem);
  if (problems.size() != 1) throw UsageError("'judge' times one problem: name one --size, or use --problem");
  request.problem = problems.front();
  catch_interrupts();
  choose_devices(options, request);
  const Space& space = request.dwarf->space();
  request.config = space.set(space.baseline(), options.settings, request.device.capabilities);
  if (const auto reason = space.why_rejected({request.config, request.problem, request.device.capabilities}))
    throw UsageError(fmt::format("this point is not legal on {}: {}; choose another by --set",
                                 request.device.name, *reason));
  const Judgement judgement = judge(request);
  fmt::print("{}{}", line.has("json") ? judgement_as_json(judgement) : judgement_as_text(judgement),
             line.has("json") ? "\n" : "");
  return judgement.findings.empty() ? 0 : 1;
}

}  // namespace dwarfsweep
