// `share`, `intake` and `atlas`: a run as one file for others, what others have made, and pages of it all.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"
#include "suite/commands/commands.hpp"
#include "suite/commands/new_run.hpp"
#include "suite/commands/option_table.hpp"
#include "suite/engine/measurer.hpp"
#include "suite/record/json.hpp"
#include "suite/record/stored_file.hpp"
#include "suite/sharing/atlas.hpp"
#include "suite/sharing/intake.hpp"
#include "suite/sharing/share.hpp"
#include "suite/worker/client.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

// As the command's options say: values of those that take files, folders or a host's name, and what stands
// behind the options. An option that no command has, of an earlier version, is taken for one with a private
// value.
std::vector<std::size_t> private_places(const std::vector<std::string>& arguments) {
  std::vector<std::size_t> places;
  const Command* command = nullptr;
  for (const Command& each : commands()) {
    if (!arguments.empty() && each.name == arguments.front()) command = &each;
  }
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (!argument.starts_with("--")) {
      if (!argument.starts_with("-")) places.push_back(i);
      continue;
    }
    const std::size_t equals = argument.find('=');
    const CommandOption* const option =
        command == nullptr ? nullptr : command->find(std::string_view(argument).substr(2, equals - 2));
    const bool is_private = option == nullptr || is_path(*option) || option->name == "host";
    const bool takes_value = option == nullptr || !option->value.empty();
    if (equals != std::string::npos) {
      if (is_private) places.push_back(i);
    } else if (takes_value && i + 1 < arguments.size() && !arguments[i + 1].starts_with("--")) {
      ++i;
      if (is_private) places.push_back(i);
    }
  }
  return places;
}

// Only named sizes up to medium: a stranger's problem may be beyond this machine, and a check is to take
// seconds.
Problem small_problem(const PointKey& key, const Dwarf& dwarf) {
  for (const Size& size : dwarf.info().sizes) {
    if (size.name != "tiny" && size.name != "small" && size.name != "medium") continue;
    const Problem problem = make_problem(dwarf.info().name, dwarf.info().keys, size);
    if (problem.values.to_string() == key.problem) return problem;
  }
  throw UsageError("its problem is none of the sizes up to medium");
}

// The results of a point, or where this device cannot run it of the dwarf's baseline, which are the same.
ResultsHere compute_here(DeviceClient& client, const DigestRecord& record) {
  constexpr std::chrono::seconds limit{60};
  const Dwarf& dwarf = find_dwarf(record.key.dwarf);
  PointRequest request;
  request.dwarf = record.key.dwarf;
  request.problem = small_problem(record.key, dwarf);
  request.seed = record.seed;
  request.config = dwarf.space().baseline();
  const ComputedResults results = compute_results(client, request, limit);
  return {results.digests, results.tolerance};
}

// The device on which results are computed again; none where there is none and none is asked for.
std::optional<DeviceInfo> device_for_results(const CommandLine& line) {
  const Inventory inventory = ask_inventory();
  const std::vector<std::string> selectors = line.repeated("device");
  if (selectors.empty() && inventory.devices.empty()) return std::nullopt;
  return select_devices(inventory, selectors.empty() ? "all" : selectors.front()).front();
}

void print_report(const BundleReport& report) {
  const bool only_here = report.verdict == BundleVerdict::accepted && !report.findings_here.empty();
  fmt::print("{}: {}{} ({} runs, {} rows, {} samples)\n", report.file, to_string(report.verdict),
             only_here ? ", but not by this machine" : "", report.runs, report.rows, report.samples);
  for (const BundleFinding& finding : report.findings)
    fmt::print("  {}: {}: {}\n", to_string(finding.level), finding.kind, finding.detail);
  fmt::print("  results on this machine: {}\n", report.results_here);
  for (const BundleFinding& finding : report.findings_here)
    fmt::print("  on this machine: {}: {}: {}\n", to_string(finding.level), finding.kind, finding.detail);
}

// A name of its own for each: bundles of several people may have the same.
void write_summary(const fs::path& folder, const BundleReport& report) {
  if (report.verdict == BundleVerdict::refused || !report.findings_here.empty()) return;
  const std::string stem = fs::path(report.summary.source).stem().string();
  write_file(folder / fmt::format("{}-{}.json", stem, report.summary.sha256.substr(0, 8)),
             json_text(to_json(report.summary)) + "\n");
}

}  // namespace

int command_share(const CommandLine& line) {
  const std::vector<std::string> runs = line.operands();
  const fs::path file = line.text("out");
  if (runs.empty() || file.empty())
    throw UsageError("'share' needs runs and a file; usage: dwarfsweep share RUN... --out FILE");
  const SharedRuns shared = share_runs({runs.begin(), runs.end()}, private_places);
  fmt::print("The bundle says this of the machine:\n");
  for (const std::string& each : shared.stays) fmt::print("  {}\n", each);
  fmt::print("These are removed: absolute paths, names of users, folders and files");
  for (const std::string& each : shared.removed) fmt::print(", {}", each);
  const std::string bytes = write_bundle(shared.bundle);
  write_file(file, bytes);
  fmt::print("\n{}: {} KiB, {} runs\n", file.string(), (bytes.size() + 1023) / 1024, shared.bundle.runs());
  return 0;
}

int command_intake(const CommandLine& line) {
  const std::vector<std::string> files = line.operands();
  if (files.empty()) throw UsageError("'intake' needs a bundle; usage: dwarfsweep intake FILE... [OPTIONS]");
  IntakeOptions options;
  options.own_kernels = kernels_hash({});
  std::unique_ptr<DeviceClient> client;
  if (const auto device = device_for_results(line)) {
    client = std::make_unique<DeviceClient>(*device, DeviceClient::Settings{});
    options.compute_here = [&](const DigestRecord& record) { return compute_here(*client, record); };
  }
  const fs::path summaries = line.text("summaries");
  if (!summaries.empty()) fs::create_directories(summaries);
  bool all_accepted = true;
  Json json = Json::array();
  for (const BundleReport& report : take_in({files.begin(), files.end()}, options)) {
    all_accepted = all_accepted && report.nothing_found();
    if (!summaries.empty()) write_summary(summaries, report);
    if (line.has("json")) {
      json.push_back(to_json(report));
    } else {
      print_report(report);
    }
  }
  if (line.has("json")) {
    fmt::print("{}\n", json_text(json, 2));
  } else {
    fmt::print("Accepted means that nothing was found. No check can tell whether a time is true.\n");
  }
  return all_accepted ? 0 : 1;
}

int command_atlas(const CommandLine& line) {
  const std::vector<std::string> sources = line.operands();
  const fs::path folder = line.text("out");
  if (sources.empty() || folder.empty())
    throw UsageError(
        "'atlas' needs bundles or runs and a folder; usage: dwarfsweep atlas FILE|RUN... --out DIR");
  const AtlasReport report = write_atlas({sources.begin(), sources.end()}, folder);
  fmt::print("{}: {} pages, the largest {} KiB, of {} points, {} devices, {} sources\n",
             (folder / "index.html").string(), report.pages, (report.largest_page + 1023) / 1024,
             report.points, report.devices, report.sources);
  return 0;
}

}  // namespace dwarfsweep
