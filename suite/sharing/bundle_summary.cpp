#include "suite/sharing/bundle_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "dwarfs/registry.hpp"
#include "harness/formats/file_bytes.hpp"
#include "harness/space/error.hpp"
#include "suite/plan/atlas_points.hpp"
#include "suite/record/json_fields.hpp"
#include "suite/record/row_csv.hpp"
#include "suite/record/run_rows.hpp"
#include "suite/report/payoff.hpp"
#include "suite/sharing/bundle.hpp"

namespace dwarfsweep {

BOTH_WAYS(PayOff, device, dwarf, change, gain, helped, contexts)

namespace {

namespace fs = std::filesystem;

constexpr const char* summary_format = "dwarfsweep summary";

std::string problem_key(const std::string& device, const std::string& dwarf, const std::string& problem) {
  return fmt::format("{}|{}|{}", device, dwarf, problem);
}

void add_points(std::vector<SummaryPoint>& all, const std::vector<MeasurementRow>& rows,
                const std::vector<DeviceInfo>& devices) {
  std::map<std::string, Number> fractions;  // by problem and configuration
  std::map<std::string, std::map<std::string, double>> variants;
  for (const MeasurementRow& row : rows) {
    if (row.kernel != "total" || row.status != "ok" || !row.median_ns) continue;
    const std::string key = problem_key(row.device, row.dwarf, row.problem);
    fractions[key + "|" + config_text(row)] = row.peak_fraction;
    if (!gives_whole_result(row.dwarf, row.variant)) continue;
    double& shortest = variants[key].emplace(row.variant, whole_run_ns(row)).first->second;
    shortest = std::min(shortest, whole_run_ns(row));
  }
  std::vector<BestPoint> points = find_best(rows);
  set_figures(points, devices);
  for (BestPoint& point : points) {
    const std::string key = problem_key(point.device, point.dwarf, point.problem);
    const Number fraction = fractions[key + "|" + point.config];
    all.push_back({std::move(point), fraction, std::move(variants[key])});
  }
}

void add_pay_offs(std::vector<PayOff>& all, const std::vector<MeasurementRow>& rows) {
  const ReportData data =
      make_report_data({ReportRun{"", std::make_shared<const Json>(Json::object())}}, rows, {});
  for (const AxisEffect& effect : shown_effects(data)) {
    const MatchedPair* most = nullptr;
    for (const MatchedPair& pair : effect.best_of_context) {
      if (pair.gain.verdict == Verdict::faster && (most == nullptr || pair.gain.ratio > most->gain.ratio))
        most = &pair;
    }
    if (most == nullptr) continue;
    const bool is_axis = effect.axis != variant_with_defaults;
    all.push_back({device_name(most->after->device, most->after->platform), effect.dwarf,
                   fmt::format("{}={}", is_axis ? effect.axis : "variant", most->to), most->gain.ratio,
                   effect.helped(), effect.contexts()});
  }
}

std::vector<DeviceInfo> devices_of_bundle(const std::string& name, const std::string& description) {
  std::vector<DeviceInfo> devices;
  try {
    const Json json = parse_json(description);
    for (const Json& entry : json.at("devices")) devices.push_back(entry.at("info").get<DeviceInfo>());
  } catch (const std::exception& error) {
    throw InputError(name, "", "is not a description of a run: " + plain_message(error));
  }
  return devices;
}

void add_bundle(BundleSummary& summary, const fs::path& path) {
  const Bundle bundle = read_bundle(path);
  summary.sha256 = bundle.sha256;
  for (std::size_t run = 1; run <= bundle.runs(); ++run) {
    const std::string name = fmt::format("{}:{}", path.string(), run);
    summary.add_run(
        as_read(parse_measurements(name + "/measurements.csv", bundle.file(run, "measurements.csv"))),
        devices_of_bundle(name + "/run.json", bundle.file(run, "run.json")));
  }
}

BundleSummary summary_of_json(const std::string& file, const std::string& text) {
  BundleSummary summary;
  try {
    const Json json = parse_json(text);
    if (json.at("format") != summary_format || json.at("schema_version") != summary_schema)
      throw std::runtime_error("it is of another version; 'dwarfsweep intake' writes one");
    json.at("source").get_to(summary.source);
    json.at("sha256").get_to(summary.sha256);
    json.at("verdict").get_to(summary.verdict);
    for (const Json& each : json.at("points")) {
      SummaryPoint& point = summary.points.emplace_back();
      point.best = best_from_json(each);
      if (!point.best.median_ns) throw std::runtime_error("a point has no time");
      if (each.contains("peak_fraction")) point.peak_fraction = each.at("peak_fraction").get<double>();
      each.at("variants").get_to(point.variants);
    }
    json.at("pay_offs").get_to(summary.pay_offs);
  } catch (const std::exception& error) {
    throw InputError(file, "", "is not a summary of a bundle: " + plain_message(error));
  }
  return summary;
}

}  // namespace

void BundleSummary::add_run(const std::vector<MeasurementRow>& rows, const std::vector<DeviceInfo>& devices) {
  add_points(points, rows, devices);
  add_pay_offs(pay_offs, rows);
}

std::string device_name(const std::string& device, const std::string& platform) {
  return device + ", " + platform;
}

Json to_json(const BundleSummary& summary) {
  Json json = {{"format", summary_format},    {"schema_version", summary_schema}, {"source", summary.source},
               {"sha256", summary.sha256},    {"verdict", summary.verdict},       {"points", Json::array()},
               {"pay_offs", summary.pay_offs}};
  for (const SummaryPoint& point : summary.points) {
    Json each = best_json(point.best);
    if (point.peak_fraction) each["peak_fraction"] = *point.peak_fraction;
    each["variants"] = point.variants;
    json["points"].push_back(std::move(each));
  }
  return json;
}

BundleSummary read_summary(const fs::path& source) {
  if (source.extension() == ".json") return summary_of_json(source.string(), read_text(source));
  BundleSummary summary;
  summary.source = (source.has_filename() ? source : source.parent_path()).filename().string();
  summary.own_run = fs::is_directory(source);
  if (summary.own_run) {
    summary.add_run(read_run_measurements(source), read_run_devices(source));
  } else {
    add_bundle(summary, source);
  }
  return summary;
}

}  // namespace dwarfsweep
