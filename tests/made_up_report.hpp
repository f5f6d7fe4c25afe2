// Points with known gains, as a report reads them.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "suite/record/json.hpp"
#include "suite/report/report.hpp"

namespace dwarfsweep::test {

/// One dwarf, lud. The baseline takes 1000 ns, times a drift that differs from round to round.
class MadeUpRuns {
 public:
  struct Setting {
    std::string variant = "tiled";
    int unroll = 1, granularity = 1, padding = 0;
  };

  void add(const std::string& device, const std::string& type, const Setting& setting, double gain,
           double registers = 0) {
    MeasurementRow row = identity(device, setting);
    row.device = device;
    row.device_type = type;
    row.host = "example";
    row.platform = "platform";
    row.timer = "device";
    row.cache = "hot";
    row.status = "ok";
    row.baseline =
        setting.variant == "tiled" && setting.unroll == 1 && setting.granularity == 1 && setting.padding == 0;
    row.median_ns = 1000 / gain;
    row.speedup = gain;
    row.speedup_low = 0.999 * gain;
    row.speedup_high = 1.001 * gain;
    row.verdict = row.baseline   ? "within_noise"
                  : gain > 1.001 ? "faster"
                  : gain < 0.999 ? "slower"
                                 : "within_noise";
    if (registers > 0) row.registers = registers;
    add_samples(row, gain);
    rows_.push_back(row);
  }

  void add_failed(const std::string& device, const std::string& type, const Setting& setting,
                  const std::string& status) {
    MeasurementRow row = identity(device, setting);
    row.device = device;
    row.device_type = type;
    row.status = status;
    row.reason = "a reason";
    rows_.push_back(row);
  }

  [[nodiscard]] ReportData data() const {
    return make_report_data({{"made-up", std::make_shared<const Json>(Json::object())}}, rows_, samples_);
  }
  std::vector<MeasurementRow>& rows() { return rows_; }

 private:
  static MeasurementRow identity(const std::string& device, const Setting& setting) {
    MeasurementRow row;
    row.run_id = "example-20260102T030405Z";
    row.timestamp = "2026-01-02T03:04:05Z";
    row.device_id = device;
    row.dwarf = "lud";
    row.kernel = "total";
    row.size = "small";
    row.problem = "n=240";
    row.variant = setting.variant;
    row.unroll = std::to_string(setting.unroll);
    row.granularity = std::to_string(setting.granularity);
    row.padding = std::to_string(setting.padding);
    return row;
  }

  void add_samples(const MeasurementRow& row, double gain) {
    for (int round = 0; round < 6; ++round) {
      const double drift = 1 + 0.3 * round;
      for (int pair = 0; pair < 3; ++pair) {
        const double noise = 1 + 1e-4 * ((7 * round + 3 * pair + static_cast<int>(10 * gain)) % 5 - 2);
        add_sample(row, round, pair, "baseline", 1000 * drift);
        add_sample(row, round, pair, "variant", 1000 * drift / gain * noise);
      }
    }
  }

  void add_sample(const MeasurementRow& row, int round, int pair, const char* role, double ns) {
    SampleRow sample;
    static_cast<RowIdentity&>(sample) = row;
    sample.round = round;
    sample.block = round;
    sample.pair = pair;
    sample.role = role;
    sample.ns = ns;
    samples_.push_back(sample);
  }

  std::vector<MeasurementRow> rows_;
  std::vector<SampleRow> samples_;
};

}  // namespace dwarfsweep::test
