// Energy, clock and throttling: from the log into the columns, and empty if the device did not report them.
#include <algorithm>
#include <fstream>

#include "suite/record/row_csv.hpp"
#include "suite/record/run_log.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/synthetic_run.hpp"

using namespace dwarfsweep;

namespace {

// The row of kernel "total" of the point; no other row may have one of the columns.
MeasurementRow total_row(const RunLog& log, const PointKey& key) {
  MeasurementRow found;
  for (const MeasurementRow& row : make_rows(log).measurements) {
    const bool own = row.kernel == "total" && row.device_id == key.device_id && row.variant == "tiled" &&
                     row.granularity == "1";
    if (own) {
      found = row;
    } else {
      CHECK_FALSE(row.energy_j);
      CHECK_FALSE(row.clock_mhz);
      CHECK(row.throttled.empty());
    }
  }
  return found;
}

PointKey baseline_of(const RunLog& log) {
  const auto is_baseline = [&](const PointKey& key) { return log.points.at(key.text()).baseline; };
  return *std::find_if(log.order.begin(), log.order.end(), is_baseline);
}

}  // namespace

TEST_CASE("energy, clock and throttling are columns of the total row", "[power][rows]") {
  RunLog log = make_synthetic_run();
  const PointKey key = baseline_of(log);
  MeasurementRow row = total_row(log, key);
  REQUIRE(row.kernel == "total");
  CHECK_FALSE(row.energy_j);
  CHECK_FALSE(row.clock_mhz);
  CHECK(row.throttled.empty());
  add_to(log, EnergyRecord{key, "nvml", 500, 2, 2000, 20});
  std::vector<BlockRecord>& blocks = log.blocks.at(key.text());
  blocks[0].clock = {1000, std::vector<std::string>{}};
  blocks[1].clock = {1500, std::nullopt};
  row = total_row(log, key);
  CHECK(*row.energy_j == Approx(0.25));
  CHECK(*row.clock_mhz == Approx(1250));
  CHECK(row.throttled == "false");
  blocks[2].clock.throttle_reasons = std::vector<std::string>{"power_cap"};
  blocks[3].clock.throttle_reasons = std::vector<std::string>{};
  CHECK(total_row(log, key).throttled == "true");
}

TEST_CASE("the row of a point that was measured again has the clock of those blocks", "[power][rows]") {
  RunLog log = make_synthetic_run();
  const PointKey key = baseline_of(log);
  std::vector<BlockRecord>& blocks = log.blocks.at(key.text());
  for (BlockRecord& block : blocks) block.clock = {1000, std::vector<std::string>{"thermal"}};
  blocks.back().confirmation = true;
  blocks.back().clock = {1200, std::vector<std::string>{}};
  const MeasurementRow row = total_row(log, key);
  CHECK(*row.clock_mhz == Approx(1200));
  CHECK(row.throttled == "false");
}

TEST_CASE("energy and clocks are kept by the log, and a log without them is read", "[power][log]") {
  const test::ScratchDirectory scratch;
  const auto path = scratch.path() / log_name;
  write_synthetic_log(path);
  CHECK(test::content(path).find("\"clock\"") == std::string::npos);
  const RunLog before = read_log(path);
  const PointKey key = baseline_of(before);
  CHECK(before.energies.empty());
  CHECK(before.blocks.at(key.text()).front().clock == ClockReading());
  BlockRecord block = before.blocks.at(key.text()).front();
  block.clock = {1350.5, std::vector<std::string>{"power_cap", "thermal"}};
  {
    RunLogWriter writer(path);
    writer.append(block);
    writer.append(EnergyRecord{key, "rapl", 12.5, 2.25, 100.5, 20});
  }
  const RunLog after = read_log(path);
  CHECK(after.blocks.at(key.text()).back().clock == block.clock);
  REQUIRE(after.energies.size() == 1);
  const EnergyRecord& energy = after.energies.at(key.text());
  CHECK(energy.meter == "rapl");
  CHECK(energy.joules == 12.5);
  CHECK(energy.seconds == 2.25);
  CHECK(energy.runs == 100.5);
  CHECK(energy.steps == 20);
}
