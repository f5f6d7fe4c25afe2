#include "suite/output/exports.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <ostream>

#include "suite/record/json.hpp"

namespace dwarfsweep {
namespace {

std::string point_text(const RowIdentity& row) {
  return fmt::format("{}|{}|{}|{}|{}|{}", row.device_id, row.dwarf, row.size, row.problem, config_text(row),
                     row.kernel);
}

using SamplesOfPoints = std::map<std::string, std::vector<const SampleRow*>>;

// The samples of the points themselves, not of their baselines, without those that have a fault.
SamplesOfPoints collect(const RunData& run) {
  SamplesOfPoints found;
  for (const SampleRow& sample : run.samples) {
    if (sample.role == "variant" && sample.fault.empty() && sample.ns)
      found[point_text(sample)].push_back(&sample);
  }
  return found;
}

const std::vector<const SampleRow*>& samples_of(const SamplesOfPoints& samples, const RowIdentity& row) {
  static const std::vector<const SampleRow*> none;
  const auto found = samples.find(point_text(row));
  return found == samples.end() ? none : found->second;
}

// --- T4 ---

// The schema has five values for failures; a status without its own becomes "runtime".
const char* invalidity_of(const std::string& status) {
  static const std::map<std::string, const char*> names = {
      {"ok", "correct"},           {"rejected", "constraints"},  {"unsupported", "constraints"},
      {"build_failed", "compile"}, {"launch_failed", "runtime"}, {"wrong_result", "correctness"},
      {"timed_out", "timeout"},    {"crashed", "runtime"},       {"out_of_memory", "runtime"}};
  const auto found = names.find(status);
  return found == names.end() ? "runtime" : found->second;
}

Json value_json(const Value& value) {
  return value;
}

Json t4_result(const MeasurementRow& row, const std::vector<const SampleRow*>& samples) {
  Json configuration = {
      {"device", row.device}, {"dwarf", row.dwarf}, {"size", row.size}, {"problem", row.problem}};
  const Config config = Config::parse(config_text(row));
  for (const auto& [axis, value] : config.entries()) configuration[axis] = value_json(value);
  Json times = {{"runtimes", Json::array()}};
  if (row.build_ns) times["compilation_time"] = *row.build_ns;
  if (row.status == "ok") {
    for (const SampleRow* sample : samples) times["runtimes"].push_back(*sample->ns);
  }
  Json measurements = Json::array();
  const auto measure = [&](const char* name, const Number& value, const char* unit) {
    if (value && std::isfinite(*value))
      measurements.push_back({{"name", name}, {"value", *value}, {"unit", unit}});
  };
  measure("time", row.median_ns, "nanoseconds");
  measure("wall_time", row.wall_ns, "nanoseconds");
  measure("bandwidth", row.gb_per_s, "GB/s");
  measure("throughput", row.gop_per_s, "Gop/s");
  return {{"timestamp", row.timestamp},
          {"configuration", std::move(configuration)},
          {"times", std::move(times)},
          {"invalidity", invalidity_of(row.status)},
          {"correctness", row.status == "ok" ? 1 : 0},
          {"measurements", std::move(measurements)},
          {"objectives", {"time"}}};
}

// --- Google Benchmark ---

std::string benchmark_name(const MeasurementRow& row) {
  return fmt::format("{}/{}/{}/{}/{}", row.dwarf, row.problem, row.kernel, config_text(row), row.device);
}

Json benchmark(const MeasurementRow& row, const char* run_type, std::size_t repetitions) {
  const std::string name = benchmark_name(row);
  return {{"name", name},
          {"run_name", name},
          {"run_type", run_type},
          {"repetitions", repetitions},
          {"threads", 1}};
}

void add_times(Json& entry, double ns, double iterations) {
  entry["iterations"] = static_cast<std::int64_t>(iterations);
  entry["real_time"] = ns;
  entry["cpu_time"] = ns;  // of the device; compare.py wants both
  entry["time_unit"] = "ns";
}

void add_failure(Json& list, const MeasurementRow& row) {
  Json entry = benchmark(row, "iteration", 1);
  entry["repetition_index"] = 0;
  entry["error_occurred"] = true;
  entry["error_message"] = row.status + ": " + row.reason;
  add_times(entry, 0, 0);
  list.push_back(std::move(entry));
}

void add_benchmarks(Json& list, const MeasurementRow& row, const std::vector<const SampleRow*>& samples) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    Json entry = benchmark(row, "iteration", samples.size());
    entry["repetition_index"] = i;
    add_times(entry, *samples[i]->ns, static_cast<double>(samples[i]->launches));
    if (row.bytes) entry["bytes_per_second"] = *row.bytes / *samples[i]->ns * 1e9;
    if (row.items) entry["items_per_second"] = *row.items / *samples[i]->ns * 1e9;
    list.push_back(std::move(entry));
  }
  const auto aggregate = [&](const char* name, const Number& ns) {
    if (!ns) return;
    Json entry = benchmark(row, "aggregate", samples.size());
    entry["name"] = benchmark_name(row) + "_" + name;
    entry["aggregate_name"] = name;
    entry["aggregate_unit"] = "time";
    add_times(entry, *ns, static_cast<double>(samples.size()));
    list.push_back(std::move(entry));
  };
  aggregate("mean", row.mean_ns);
  aggregate("median", row.median_ns);
  aggregate("stddev", row.stddev_ns);
}

}  // namespace

Json to_t4(const std::vector<RunData>& runs) {
  Json json = {
      {"schema_version", "1.0.0"}, {"results", Json::array()}, {"metadata", {{"timeunit", "nanoseconds"}}}};
  for (const RunData& run : runs) {
    const SamplesOfPoints samples = collect(run);
    for (const MeasurementRow& row : run.measurements) {
      if (row.kernel == "total" && row.status != to_string(Status::not_run))
        json["results"].push_back(t4_result(row, samples_of(samples, row)));
    }
  }
  return json;
}

Json to_google_benchmark(const std::vector<RunData>& runs) {
  Json json = {{"context", Json::object()}, {"benchmarks", Json::array()}};
  if (!runs.empty()) {
    json["context"] = {{"date", runs.front().timestamp},
                       {"host_name", runs.front().host},
                       {"executable", "dwarfsweep"},
                       {"num_cpus", runs.front().threads},
                       {"mhz_per_cpu", 0},
                       {"cpu_scaling_enabled", false},
                       {"caches", Json::array()},
                       {"load_avg", Json::array()},
                       {"library_build_type", "release"},
                       {"json_schema_version", 1}};
  }
  for (const RunData& run : runs) {
    const SamplesOfPoints samples = collect(run);
    for (const MeasurementRow& row : run.measurements) {
      if (row.status == to_string(Status::not_run)) continue;
      if (row.status != "ok") {
        add_failure(json["benchmarks"], row);
      } else {
        add_benchmarks(json["benchmarks"], row, samples_of(samples, row));
      }
    }
  }
  return json;
}

bool is_export_format(std::string_view format) {
  return format == "t4" || format == "google-benchmark";
}

void print_export(std::ostream& out, std::string_view format,
                  const std::vector<std::filesystem::path>& runs) {
  std::vector<RunData> data;
  for (const auto& run : runs) data.push_back(read_run(run));
  const Json json = format == "t4" ? to_t4(data) : to_google_benchmark(data);
  out << json.dump(1) << "\n";
}

}  // namespace dwarfsweep
