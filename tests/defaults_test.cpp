// What each variant begins with on devices that are not here.
#include "dwarfs/registry.hpp"
#include "harness/run/session.hpp"
#include "harness/run/workspace.hpp"
#include "harness/space/error.hpp"
#include "tests/catch.hpp"
#include "tests/made_up_devices.hpp"

using namespace dwarfsweep;

namespace {

Config default_of(const Dwarf& dwarf, const std::string& variant, const DeviceInfo& device) {
  return dwarf.space().default_config(variant, device.capabilities);
}

std::vector<DeviceInfo> made_up_devices() {
  std::vector<DeviceInfo> devices = test::made_up_gpus();
  for (DeviceInfo& cpu : test::made_up_cpus()) devices.push_back(std::move(cpu));
  return devices;
}

// The options of the programs that a point is built from.
std::string options_of(const Dwarf& dwarf, const Loaded& loaded, const Config& config,
                       const DeviceInfo& device) {
  SessionOptions options;
  options.dry_run = true;
  Session session(device, options);
  Workspace workspace(session);
  const auto prepared = dwarf.prepare(workspace, loaded, config);
  std::string all;
  for (const ProgramText& program : session.listed()) all += program.options;
  return all;
}

bool is_published(const Dwarf& dwarf, const Value& variant) {
  for (const PaperSetting& setting : dwarf.paper_settings()) {
    const Config config = dwarf.space().set(dwarf.space().baseline(), setting.settings);
    if (config.at("variant") == variant) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("every variant of every dwarf has a legal default at every size on devices that are not here",
          "[unit]") {
  for (const DeviceInfo& device : made_up_devices()) {
    for (const Dwarf* dwarf : built_in_dwarfs()) {
      const DwarfInfo& info = dwarf->info();
      for (const Value& variant : dwarf->space().find("variant").values) {
        const Config config = default_of(*dwarf, variant.to_string(), device);
        for (const Size& size : info.sizes) {
          const Problem problem = make_problem(info.name, info.keys, size);
          INFO(device.name << ": " << info.name << " [" << problem.values.to_string() << "] "
                           << config.to_string());
          const auto reason = dwarf->space().why_rejected({config, problem, device.capabilities});
          // A paper's size may be for the variants of that paper: crc's is of a code that the others lack.
          if (size.name != "paper" || is_published(*dwarf, variant))
            CHECK(reason.value_or("legal") == "legal");
        }
      }
    }
  }
}

TEST_CASE("every default can be prepared for devices that are not here", "[unit]") {
  for (const Dwarf* dwarf : built_in_dwarfs()) {
    const DwarfInfo& info = dwarf->info();
    const Problem problem = make_problem(info.name, info.keys, info.sizes.front());
    const Loaded loaded{problem, dwarf->generate(problem, 1)};
    for (const DeviceInfo& device : made_up_devices()) {
      for (const Value& variant : dwarf->space().find("variant").values) {
        const Config config = default_of(*dwarf, variant.to_string(), device);
        INFO(device.name << ": " << info.name << " " << config.to_string());
        CHECK_NOTHROW(options_of(*dwarf, loaded, config, device));
      }
    }
  }
}

TEST_CASE("vectors that compilers take minutes for are rejected by a GPU's registers, and legal on CPUs",
          "[unit]") {
  const auto widest = [](const std::string& dwarf_name, const std::string& variant,
                         const Capabilities& capabilities) {
    const Dwarf& dwarf = find_dwarf(dwarf_name);
    const DwarfInfo& info = dwarf.info();
    const Problem problem = make_problem(info.name, info.keys, info.sizes.front());
    std::int64_t width = 0;
    for (const Value& value : dwarf.space().find("vector_width").values) {
      const Config config = dwarf.space().default_config(variant, capabilities).with("vector_width", value);
      if (!dwarf.space().why_rejected({config, problem, capabilities})) width = value.integer();
    }
    return width;
  };
  const Capabilities waves = test::made_up_gpu("waves of 64").capabilities;
  const Capabilities sub_groups = test::made_up_gpu("sub-groups of 8 to 32").capabilities;
  Capabilities cpu = waves;
  cpu.is_gpu = false;
  CHECK(widest("des", "bitslice", cpu) == 16);
  CHECK(widest("des", "bitslice", waves) == 4);
  CHECK(widest("des", "bitslice", sub_groups) == 2);
  CHECK(widest("crc", "interleaved", cpu) == 16);
  CHECK(widest("crc", "interleaved", waves) == 16);
  CHECK(widest("crc", "interleaved", sub_groups) == 8);
}
