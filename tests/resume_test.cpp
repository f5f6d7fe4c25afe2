// Resuming a run: differences are reported, and a new part is not mixed with earlier measurements.
#include "suite/sweep/resume.hpp"

#include "harness/space/error.hpp"
#include "suite/commands/command_line.hpp"
#include "suite/record/rows.hpp"
#include "suite/record/run_log.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/synthetic_run.hpp"

using namespace dwarfsweep;
using test::contains;

namespace {

RunLog known_run() {
  RunLog log = make_synthetic_run();
  log.run.kernels = "0123";
  log.run.host.processor = "a processor";
  log.run.arguments = {"sweep", "--publish", "--dwarf", "lud"};
  return log;
}

std::vector<DeviceInfo> devices_of(const RunLog& log) {
  std::vector<DeviceInfo> devices;
  for (const auto& [id, device] : log.devices) {
    if (device.info.type != "host") devices.push_back(device.info);
  }
  return devices;
}

// The only difference when `change` is done to what is here.
template <typename Change>
std::string difference(const Change& change) {
  const RunLog log = known_run();
  RunRecord here = log.run;
  std::vector<DeviceInfo> devices = devices_of(log);
  change(here, devices);
  const std::vector<std::string> lines = differences(log, here, devices);
  REQUIRE(lines.size() == 1);
  return lines.front();
}

}  // namespace

TEST_CASE("a run continues if nothing differs", "[unit][resume]") {
  const RunLog log = known_run();
  CHECK(differences(log, log.run, devices_of(log)).empty());
  CHECK_NOTHROW(require_same(log, log.run, devices_of(log), "runs/one"));
}

TEST_CASE("a run continues if a CPU has other memory free, but not on a GPU of another size",
          "[unit][resume]") {
  RunLog log = known_run();
  for (const std::string type : {"cpu", "gpu"}) {
    for (auto& [id, device] : log.devices) device.info.type = type;
    for (auto limit : {&Capabilities::global_bytes, &Capabilities::allocation_bytes}) {
      std::vector<DeviceInfo> devices = devices_of(log);
      devices[0].capabilities.*limit += 4096;
      CHECK(differences(log, log.run, devices).size() == (type == "cpu" ? 0 : 1));
    }
  }
}

TEST_CASE("what differs when a run is resumed is named", "[unit][resume]") {
  using Devices = std::vector<DeviceInfo>;
  CHECK_THAT(difference([](RunRecord& here, Devices&) { here.revision = "another"; }),
             contains("the revision was") && contains("is 'another'"));
  CHECK_THAT(difference([](RunRecord& here, Devices&) { here.version = "9.9"; }),
             contains("the version was"));
  CHECK(difference([](RunRecord& here, Devices&) { here.kernels = "4567"; }) ==
        "the hash of the kernels was '0123' and is '4567'");
  CHECK_THAT(difference([](RunRecord& here, Devices&) { here.host.name = "elsewhere"; }),
             contains("the host was") && contains("is 'elsewhere'"));
  CHECK(difference([](RunRecord& here, Devices&) { here.host.processor = "another"; }) ==
        "the processor was 'a processor' and is 'another'");
  CHECK_THAT(difference([](RunRecord& here, Devices&) { here.host.threads += 1; }),
             contains("the number of CPUs"));
  CHECK_THAT(difference([](RunRecord&, Devices& devices) { devices[0].driver = "99.1"; }),
             contains("the driver of") && contains("is '99.1'"));
  CHECK_THAT(difference([](RunRecord&, Devices& devices) { devices[0].id = "other"; }),
             contains("is not here"));
  CHECK_THAT(difference([](RunRecord&, Devices& devices) { devices[0].capabilities.local_bytes += 1; }),
             contains("local_bytes of"));
  RunLog old = known_run();
  old.run.kernels.clear();
  RunRecord here = old.run;
  here.kernels = "0123";
  CHECK(differences(old, here, devices_of(old)).front() ==
        "the hash of the kernels was 'not recorded' and is '0123'");
  try {
    require_same(old, here, devices_of(old), "runs/one");
    FAIL("refused");
  } catch (const UsageError& error) {
    CHECK_THAT(error.what(),
               contains("cannot resume the run in 'runs/one' unchanged: the hash of the kernels") &&
                   contains("--new-part measures what is left"));
  }
}

TEST_CASE("a resumed run has the options of the run", "[unit][resume]") {
  const RunLog log = known_run();
  const auto resumed = [&](const std::vector<std::string>& arguments) {
    return measuring_options(resumed_line(parse_command_line(arguments), log));
  };
  const Options plain = resumed({"sweep", "--resume", "runs/one"});
  CHECK(plain.budget.count() == 0);
  CHECK(plain.quality.blocks == 20);
  CHECK(plain.dwarfs == std::vector<std::string>{"lud"});
  const Options changed =
      resumed({"sweep", "--resume", "runs/one", "--budget", "90s", "--point-timeout", "5s"});
  CHECK(changed.budget == std::chrono::seconds(90));
  CHECK(changed.point_timeout == std::chrono::seconds(5));
  CHECK(resumed({"sweep", "--resume", "r", "--budget", "180s"}).budget == std::chrono::seconds(180));
  CHECK_THROWS_AS(resumed({"tune", "--resume", "runs/one"}), UsageError);
}

TEST_CASE("a new part is kept apart, in the log and in the rows", "[unit][resume]") {
  const test::ScratchDirectory scratch;
  const auto path = scratch.path() / log_name;
  write_synthetic_log(path.string());
  const RunLog before = read_log(path);
  const PointKey open = before.order.back();
  RunRecord here = before.run;
  here.host.name = "elsewhere";
  here.revision = "abc";
  {
    RunLogWriter writer(path);
    writer.append(next_part(before, here));
    DeviceRecord device = before.devices.begin()->second;
    device.info.driver = "99.1";
    device.timer.timer = Timer::host;
    writer.append(device);
    PointRecord point;
    point.key = before.points.begin()->second.key;
    point.key.device_id = device.info.id;
    point.key.config = "variant=tiled;work_group=999";
    point.driver = "99.1";
    point.timer = "host";
    writer.append(point);
    writer.append(make_block({point.key, 0, {{"total", 500.0}}, {}, 2}));
    writer.append(EndRecord{point.key, "converged"});
  }
  const RunLog log = read_log(path);
  REQUIRE(log.earlier.size() == 1);
  CHECK(log.earlier.front().points.size() == before.points.size());
  CHECK(log.points.size() == 1);
  CHECK(log.run.run_id == before.run.run_id + "-part2");
  CHECK(log.run.arguments == before.run.arguments);
  CHECK(next_part(log, here).run.run_id == before.run.run_id + "-part3");

  const RunRows old_rows = make_rows(before);
  const RunRows rows = make_rows(log);
  REQUIRE(rows.measurements.size() > old_rows.measurements.size());
  for (std::size_t i = 0; i < old_rows.measurements.size(); ++i) {
    CHECK(rows.measurements[i].run_id == before.run.run_id);
    CHECK(rows.measurements[i].host == before.run.host.name);
    CHECK(rows.measurements[i].driver == old_rows.measurements[i].driver);
    CHECK(rows.measurements[i].timer == old_rows.measurements[i].timer);
    CHECK(rows.measurements[i].median_ns == old_rows.measurements[i].median_ns);
  }
  const MeasurementRow& added = rows.measurements.back();
  CHECK(added.run_id == log.run.run_id);
  CHECK(added.host == "elsewhere");
  CHECK(added.driver == "99.1");
  CHECK(added.timer == "host");
  CHECK(added.status == "ok");
  CHECK(rows.samples.back().run_id == log.run.run_id);
}

TEST_CASE("what an earlier part did not run has one row, that of the part that did", "[unit][resume]") {
  RunLog log;
  log.run.run_id = "run";
  PointRecord point;
  point.key = {"device", "lud", "tiny", "n=1", "variant=tiled"};
  point.preparation.status = Status::not_run;
  add_to(log, point);
  add_to(log, EndRecord{point.key, out_of_budget});
  add_to(log, next_part(log, log.run));
  CHECK(make_rows(log).measurements.size() == 1);
  point.preparation.status = Status::crashed;
  add_to(log, point);
  const RunRows rows = make_rows(log);
  REQUIRE(rows.measurements.size() == 1);
  CHECK(rows.measurements.front().status == "crashed");
  CHECK(rows.measurements.front().run_id == "run-part2");
}
