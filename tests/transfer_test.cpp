#include "suite/plan/transfer.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "dwarfs/registry.hpp"
#include "suite/plan/plan.hpp"
#include "suite/record/json.hpp"
#include "tests/catch.hpp"

using namespace dwarfsweep;

namespace {

// Rows of crc, each a point of the program.
MeasurementRow row_of(const std::string& device, const std::string& type, const Config& config,
                      double median_ns) {
  MeasurementRow row;
  static_cast<RowIdentity&>(row) =
      identify("run", {device, "crc", "small", "bytes=200000", config.to_string()});
  row.kernel = "total";
  row.device = device;
  row.device_type = type;
  row.status = "ok";
  row.median_ns = median_ns;
  return row;
}

Config crc(const ValueMap& settings) {
  const Space& space = find_dwarf("crc").space();
  return space.set(space.baseline(), settings);
}

std::string origin_of(const std::vector<KnownSettings>& all, const Config& config) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const KnownSettings& each) { return each.settings == config; });
  return found == all.end() ? "" : found->origin;
}

}  // namespace

TEST_CASE("plan transfer has the best of every run, and of every variant", "[unit]") {
  const Config slow = crc({});
  const Config quick = crc({{"variant", "slicing"}});
  const Config quicker = crc({{"variant", "slicing"}, {"work_group", 128}});
  const Config other = crc({{"variant", "interleaved"}});
  const std::vector<EarlierRun> runs = {
      {"gpus",
       {row_of("gpu", "gpu", slow, 900), row_of("gpu", "gpu", quick, 300), row_of("gpu", "gpu", quicker, 400),
        row_of("gpu", "gpu", other, 100)},
       {}},
      {"cpus",
       {row_of("cpu", "cpu", slow, 1e6), row_of("cpu", "cpu", quicker, 2e5),
        row_of("cpu", "cpu", other, 4e5)},
       {}}};
  const auto points = transfer_settings(find_dwarf("crc"), runs);
  CHECK(origin_of(points, other) ==
        "best of gpus on gpu with bytes=200000; best interleaved: gpus on gpu with bytes=200000");
  CHECK(origin_of(points, quicker) ==
        "best of cpus on cpu with bytes=200000; best slicing: cpus on cpu with bytes=200000");
  CHECK(origin_of(points, slow) == "best per_byte: cpus on cpu with bytes=200000");
  // Not the best of anything on its device, but of its variant on that type of device.
  CHECK(origin_of(points, quick) == "best slicing of a gpu: gpus on gpu with bytes=200000");
  CHECK(points.size() <= transfer_points);
}

TEST_CASE("plan transfer has the same points for every device", "[unit]") {
  const Config old_point = Config::parse("variant=interleaved");  // of a program that had fewer axes
  MeasurementRow row = row_of("gpu", "gpu", old_point, 100);
  DeviceInfo gpu;
  gpu.id = gpu.name = "gpu";
  gpu.capabilities.is_gpu = true;
  const Dwarf& dwarf = find_dwarf("crc");
  const auto points = transfer_settings(dwarf, {{"old", {row}, {gpu}}});
  REQUIRE_FALSE(points.empty());
  CHECK(points.front().settings == dwarf.space().default_config("interleaved", gpu.capabilities));
  PlanRequest request = parse_plan("transfer");
  for (const KnownSettings& each : points) request.best.push_back(each.settings);
  Capabilities cpu;
  cpu.work_group_items = 16;
  const Problem problem = make_problem("crc", dwarf.info().keys, {"custom", {{"bytes", 1000}}});
  const auto on_gpu = make_plan(dwarf, problem, gpu.capabilities, request);
  const auto on_cpu = make_plan(dwarf, problem, cpu, request);
  REQUIRE(on_gpu.size() == on_cpu.size());
  for (std::size_t i = 0; i < on_gpu.size(); ++i) CHECK(on_gpu[i].config == on_cpu[i].config);
  // What is not legal on a device is a point there, too, with its reason.
  CHECK(std::any_of(on_cpu.begin(), on_cpu.end(), [](const PlannedPoint& point) { return point.rejected; }));
}

TEST_CASE(
    "plan transfer: of many runs all best points, else no more than fifteen; no failed points, none of the "
    "host, none of partial variants",
    "[unit]") {
  const Dwarf& dwarf = find_dwarf("crc");
  EarlierRun run{"wide", {}, {}};
  double ns = 1000;
  for (const Value& group : dwarf.space().find("work_group").values) {
    for (const Value& width : dwarf.space().find("vector_width").values)
      run.rows.push_back(row_of(
          "cpu", "cpu", crc({{"variant", "interleaved"}, {"work_group", group}, {"vector_width", width}}),
          ns += 10));
  }
  REQUIRE(run.rows.size() > transfer_points);
  MeasurementRow failed = row_of("cpu", "cpu", crc({{"variant", "slicing"}}), 1);
  failed.status = "wrong_result";
  run.rows.push_back(failed);
  MeasurementRow host = row_of("host", "host", crc({}), 1);
  run.rows.push_back(host);
  const auto points = transfer_settings(dwarf, {run});
  CHECK(points.front().settings == Config::parse(config_text(run.rows.front())));
  // With the baseline, which is not among those measured but is of the variant that nobody measured.
  CHECK(points.size() == transfer_points);
  CHECK(origin_of(points, crc({{"variant", "slicing"}})) == "default of slicing");
  std::vector<EarlierRun> many;
  for (const MeasurementRow& row : run.rows) {
    if (row.status == "ok" && row.device_type == "cpu") many.push_back({"one", {row}, {}});
  }
  CHECK(transfer_settings(dwarf, many).size() >= many.size());
  for (const KnownSettings& each : transfer_settings(find_dwarf("needle"), {}))
    CHECK(gives_whole_result("needle", each.settings.string("variant")));
}

TEST_CASE("the log has the points of plan transfer, so that a resumed run has the same", "[unit]") {
  KnownPointRecord known;
  known.device_id = "gpu";
  known.dwarf = "crc";
  known.transferred = {{{{"variant", "slicing"}}, "best of one"},
                       {{{"variant", "interleaved"}}, "best of two"}};
  const auto again = Json(known).get<KnownPointRecord>();
  REQUIRE(again.transferred.size() == 2);
  CHECK(again.transferred[1].settings == known.transferred[1].settings);
  CHECK(again.transferred[1].origin == "best of two");
}
