// Matched pairs, interactions, portability and claims, on points whose gains are known.
#include <cmath>
#include <nlohmann/json.hpp>

#include "suite/published/published.hpp"
#include "suite/record/json.hpp"
#include "suite/report/payoff.hpp"
#include "suite/report/portability.hpp"
#include "tests/catch.hpp"
#include "tests/made_up_report.hpp"

namespace dwarfsweep {
namespace {

using test::MadeUpRuns;
using Setting = MadeUpRuns::Setting;

using Outcome = Claim::Outcome;

// Of the first device unless another is named.
Outcome outcome_of(const ReportData& data, const std::string& claim, std::size_t column = 0) {
  for (const Claim& each : check_claims(data, axis_effects(data))) {
    if (each.text.starts_with(claim)) return each.verdicts.at(column).outcome;
  }
  throw std::runtime_error("there is no claim " + claim);
}

// A point of another dwarf, without samples.
MeasurementRow row_of(const std::string& dwarf, const std::string& kernel, const std::string& variant,
                      const std::string& options, double ns, const std::string& verdict) {
  MeasurementRow row;
  row.run_id = "example-20260102T030405Z";
  row.device_id = row.device = "gpu0";
  row.device_type = "gpu";
  row.status = "ok";
  row.dwarf = dwarf;
  row.kernel = kernel;
  row.problem = "items=32";
  row.variant = variant;
  row.options = options;
  row.baseline = variant == "initial";
  row.median_ns = ns;
  row.speedup = row.speedup_low = row.speedup_high = 1000 / ns;
  row.gb_per_s = 1000 / ns;
  row.verdict = verdict;
  return row;
}

const AxisEffect* find_effect(const std::vector<AxisEffect>& effects, const std::string& axis) {
  for (const AxisEffect& effect : effects) {
    if (effect.axis == axis) return &effect;
  }
  return nullptr;
}

TEST_CASE("report: a matched pair differs in one axis alone", "[report]") {
  MadeUpRuns runs;
  runs.add("gpu0", "gpu", {}, 1);
  runs.add("gpu0", "gpu", {.unroll = 4}, 2);
  runs.add("gpu0", "gpu", {.unroll = 4, .padding = 1}, 3);
  runs.add("gpu0", "gpu", {.granularity = 2}, 0.5);
  const ReportData data = runs.data();
  const std::vector<AxisEffect> effects = axis_effects(data);

  const AxisEffect* const unroll = find_effect(effects, "unroll");
  REQUIRE(unroll != nullptr);  // with padding 1 there is no other unroll factor
  CHECK(unroll->contexts() == 1);
  CHECK(unroll->pairs.size() == 1);
  CHECK(unroll->helped() == 1);
  CHECK(unroll->pairs[0].gain.ratio == Approx(2).epsilon(1e-3));

  const AxisEffect* const padding = find_effect(effects, "padding");
  REQUIRE(padding != nullptr);  // 3 over 2, neither point being the baseline
  CHECK(padding->pairs[0].from == "0");
  CHECK(padding->pairs[0].to == "1");
  CHECK(padding->pairs[0].gain.ratio == Approx(1.5).epsilon(1e-3));

  const AxisEffect* const granularity = find_effect(effects, "granularity");
  REQUIRE(granularity != nullptr);
  CHECK(granularity->helped() == 0);
  CHECK(granularity->hurt() == 1);
}

TEST_CASE("report: what rounds share cancels in a matched pair", "[report]") {
  MadeUpRuns runs;  // its rounds drift by a factor of 2.5
  runs.add("gpu0", "gpu", {}, 1);
  runs.add("gpu0", "gpu", {.unroll = 4}, 2);
  runs.add("gpu0", "gpu", {.unroll = 4, .padding = 1}, 3);
  const ReportData data = runs.data();
  const auto gain = gain_between(data, data.rows[1], data.rows[2]);
  REQUIRE(gain);
  CHECK(gain->high / gain->low < 1.01);
  CHECK(gain->verdict == Verdict::faster);
  const auto back = gain_between(data, data.rows[2], data.rows[1]);
  REQUIRE(back);
  CHECK(back->ratio * gain->ratio == Approx(1));
}

TEST_CASE("report: without samples a pair's interval comes from the rows", "[report]") {
  MadeUpRuns runs;
  runs.add("gpu0", "gpu", {}, 1);
  runs.add("gpu0", "gpu", {.unroll = 4}, 2);
  runs.add("gpu0", "gpu", {.unroll = 4, .padding = 1}, 3);
  const ReportData data = make_report_data({}, runs.rows(), {});
  const auto gain = gain_between(data, data.rows[1], data.rows[2]);
  REQUIRE(gain);
  CHECK(gain->ratio == Approx(1.5));
  // Each side is 0.1 % wide on either side; of independent ones the squares add: sqrt(2) * 0.1 %.
  CHECK(std::log(gain->high / gain->ratio) == Approx(std::sqrt(2.0) * 0.001).epsilon(1e-3));
}

TEST_CASE("report: an interaction needs all four points", "[report]") {
  MadeUpRuns runs;
  runs.add("gpu0", "gpu", {}, 1);
  runs.add("gpu0", "gpu", {.unroll = 4}, 2);
  runs.add("gpu0", "gpu", {.unroll = 4, .padding = 1}, 3);
  CHECK(interactions(runs.data(), 9).empty());
  runs.add("gpu0", "gpu", {.padding = 1}, 1.2);
  const ReportData data = runs.data();
  const std::vector<Interaction> found = interactions(data, 9);
  REQUIRE(found.size() == 1);
  CHECK(found[0].product == Approx(2.4));
  CHECK(found[0].together == Approx(3));
  CHECK(found[0].excess.ratio == Approx(1.25).epsilon(1e-3));  // 3 / (2 * 1.2)
  CHECK(found[0].excess.verdict == Verdict::faster);
}

TEST_CASE("report: performance portability by hand", "[report]") {
  CHECK(performance_portability(std::vector<double>{1, 0.5}) == Approx(2.0 / 3));
  CHECK(performance_portability(std::vector<double>{1, 1, 0.25}) == Approx(0.5));
  CHECK(performance_portability(std::vector<double>{0.8}) == Approx(0.8));
  CHECK(performance_portability(std::vector<double>{0.9, 0}) == 0);
  CHECK(std::isnan(performance_portability({})));
}

TEST_CASE("report: not asked is not cannot run", "[report]") {
  MadeUpRuns runs;
  for (const char* device : {"gpu0", "cpu0"}) runs.add(device, device[0] == 'g' ? "gpu" : "cpu", {}, 1);
  runs.add("gpu0", "gpu", {.unroll = 4}, 4);
  runs.add("cpu0", "cpu", {.unroll = 4}, 0.5);
  runs.add("gpu0", "gpu", {.padding = 1}, 2);
  runs.add("cpu0", "cpu", {.padding = 1}, 1.6);
  runs.add("cpu0", "cpu", {.granularity = 8}, 2);
  runs.add_failed("cpu0", "cpu", {.unroll = 2}, "build_failed");
  runs.add("gpu0", "gpu", {.unroll = 2}, 1.5);
  const ReportData data = runs.data();
  const std::vector<PortableDwarf> dwarfs = portable_dwarfs(data);
  REQUIRE(dwarfs.size() == 1);
  const PortableDwarf& lud = dwarfs[0];
  const auto setting = [&](const std::string& label) -> const PortableSetting& {
    for (const PortableSetting& each : lud.settings) {
      if (each.label == label) return each;
    }
    throw std::runtime_error("there is no " + label);
  };
  // The best are 4 on the GPU and 2 on the CPU. Padding: 2/4 and 1.6/2, so 2 / (2 + 1.25).
  CHECK(*setting("padding=1").portability() == Approx(2 / 3.25));
  CHECK(*setting("unroll=4").portability() == Approx(2 / (1 + 4.0)));
  CHECK(!setting("granularity=8").portability());
  CHECK(*setting("unroll=2").portability() == 0);
  CHECK(lud.best_single() == &setting("padding=1"));
  PortabilityIntervals intervals(data, lud);
  const auto interval = intervals.of_all(setting("padding=1"), [](const std::vector<double>& efficiencies) {
    return performance_portability(efficiencies);
  });
  REQUIRE(interval);
  // The samples' noise is one part in ten thousand.
  CHECK(interval->low == Approx(2 / 3.25).epsilon(1e-3));
  CHECK(interval->high == Approx(2 / 3.25).epsilon(1e-3));
  CHECK(!intervals.of_efficiency(setting("unroll=4"), 0));  // the best itself
  CHECK(!intervals.of_all(setting("unroll=2"), [](const std::vector<double>&) { return 0.0; }));
}

TEST_CASE("report: how many algorithms a dwarf needs", "[report]") {
  MadeUpRuns runs;
  const auto add = [&](const std::string& variant, int unroll, double on_gpu, double on_cpu) {
    runs.add("gpu0", "gpu", {.variant = variant, .unroll = unroll}, on_gpu);
    runs.add("cpu0", "cpu", {.variant = variant, .unroll = unroll}, on_cpu);
  };
  add("tiled", 1, 1, 1);
  add("blocked", 1, 8, 2);
  add("blocked", 4, 2, 4);
  add("dataflow", 1, 4, 8);
  ReportData data = runs.data();
  std::vector<PortableDwarf> dwarfs = portable_dwarfs(data);  // what is needed points into it
  Choice needed = algorithms_needed(dwarfs.at(0));
  CHECK(needed.variants == std::vector<std::string>{"blocked", "dataflow"});
  CHECK(needed.settings.at(0)->label == "variant=blocked");
  CHECK(needed.least == 1);
  add("blocked", 16, 1, 7.6);  // with that unroll factor as good as dataflow on the CPU
  data = runs.data();
  dwarfs = portable_dwarfs(data);
  needed = algorithms_needed(dwarfs.at(0));
  CHECK(needed.variants == std::vector<std::string>{"blocked"});
  CHECK(needed.least == Approx(7.6 / 8));
}

TEST_CASE("report: a library that is faster is the best known", "[report]") {
  MadeUpRuns runs;
  for (const char* device : {"gpu0", "cpu0"}) runs.add(device, device[0] == 'g' ? "gpu" : "cpu", {}, 1);
  runs.add("gpu0", "gpu", {.unroll = 4}, 4);
  runs.add("cpu0", "cpu", {.unroll = 4}, 4);
  ReportData data = runs.data();
  data.peers = {{"gpu0", "lud", "n=240", "a library", 125},
                {"gpu0", "lud", "n=241", "of another problem", 1},
                {"gpu0", "crc", "bytes=240", "of another dwarf", 1},
                {"cpu0", "lud", "n=240", "a slow library", 2000}};
  const PortableDwarf lud = portable_dwarfs(data).at(0);
  REQUIRE(lud.library[0]);
  CHECK(!lud.library[1]);
  const PortableSetting& unrolled = *lud.find(lud.best[0].setting->config);
  CHECK(*unrolled.efficiencies[0] == Approx(0.5));  // 125 ns of 250
  CHECK(*unrolled.efficiencies[1] == 1);
  CHECK(*unrolled.portability() == Approx(2 / 3.0));
}

TEST_CASE("report: the libraries' times that come with the program can be read", "[report]") {
  const std::vector<PeerTime> peers = read_peers(find_results("peers"));
  CHECK(peers.size() > 50);
  CHECK(read_peers("nowhere").empty());
}

TEST_CASE("report: two runs of one device are no two devices", "[report]") {
  MadeUpRuns runs;
  runs.add("gpu0", "gpu", {}, 1);
  const std::size_t first = runs.rows().size();
  runs.add("gpu0", "gpu", {}, 1);
  runs.rows()[first].run_id = "another";
  runs.add("gpu0", "gpu", {.unroll = 4}, 2);
  const ReportData data = runs.data();
  CHECK(data.names == std::vector<std::string>{"gpu0"});
  CHECK(portable_dwarfs(data).empty());
  CHECK(data.model.tables.at(0).settings.size() == 2);

  // Two devices of one name in one run are two, and labels keep runs apart.
  MadeUpRuns twins;
  twins.add("gpu0", "gpu", {}, 1);
  twins.add("gpu1", "gpu", {}, 1);
  for (MeasurementRow& row : twins.rows()) row.device = "NVIDIA H200";
  CHECK(twins.data().names == std::vector<std::string>{"H200, A", "H200, B"});
  std::vector<MeasurementRow> rows = runs.rows();
  const auto nothing = std::make_shared<const Json>(Json::object());
  const ReportData labelled = make_report_data(
      {{"old", nothing, "before", {"another"}}, {"new", nothing, "after", {rows[0].run_id}}}, rows, {});
  CHECK(labelled.names == std::vector<std::string>{"after", "before"});
}

TEST_CASE("report: claims are judged by what was measured", "[report]") {
  MadeUpRuns none;
  none.add("gpu0", "gpu", {}, 1);
  const ReportData alone = none.data();
  CHECK(outcome_of(alone, "Unrolling pays") == Outcome::undecided);
  CHECK(outcome_of(alone, "Coarsening hurts GPUs") == Outcome::undecided);
  CHECK(outcome_of(alone, "Coarsening helps CPUs") == Outcome::not_about_it);
  CHECK(outcome_of(alone, "Occupancy") == Outcome::undecided);

  MadeUpRuns runs;
  runs.add("gpu0", "gpu", {}, 1, 32);
  runs.add("gpu0", "gpu", {.unroll = 4}, 2, 40);
  runs.add("gpu0", "gpu", {.unroll = 16}, 0.8, 128);
  runs.add("gpu0", "gpu", {.granularity = 4}, 0.6, 32);
  runs.add("cpu0", "cpu", {}, 1);
  runs.add("cpu0", "cpu", {.granularity = 4}, 1.7);
  const ReportData data = runs.data();
  CHECK(outcome_of(data, "Unrolling pays") == Outcome::holds);
  CHECK(outcome_of(data, "Unrolling loses") == Outcome::holds);
  CHECK(outcome_of(data, "Coarsening hurts") == Outcome::holds);
  CHECK(outcome_of(data, "Coarsening helps", 1) == Outcome::holds);
  CHECK(outcome_of(data, "Unrolling pays", 1) == Outcome::undecided);
  CHECK(outcome_of(data, "Occupancy") == Outcome::holds);  // 40 registers beat 32
  for (const Claim& claim : check_claims(data, axis_effects(data))) {
    INFO(claim.text);
    CHECK(claim.verdicts.size() == 2);
    for (const Claim::Verdict& verdict : claim.verdicts) CHECK_FALSE(verdict.evidence.empty());
  }
  CHECK(claims_csv(data).find("Unrolling pays,thesis_2013,") != std::string::npos);

  MadeUpRuns against;
  against.add("gpu0", "gpu", {}, 1, 32);
  against.add("gpu0", "gpu", {.unroll = 4}, 0.8, 32);
  against.add("gpu0", "gpu", {.granularity = 4}, 1.5, 32);
  const ReportData other = against.data();
  CHECK(outcome_of(other, "Unrolling pays") == Outcome::fails);
  CHECK(outcome_of(other, "Unrolling loses") == Outcome::fails);  // of as many registers
  CHECK(outcome_of(other, "Coarsening hurts") == Outcome::fails);
}

TEST_CASE("report: claims about micro-benchmarks, stores and loaders", "[report]") {
  const auto judged = [](const std::vector<MeasurementRow>& rows, const std::string& claim) {
    return outcome_of(make_report_data({}, rows, {}), claim);
  };
  const auto micro = [](const std::string& kernel, const std::string& variant, double ns,
                        const std::string& verdict) {
    return std::vector<MeasurementRow>{row_of("micro", kernel, "initial", "", 1000, "within_noise"),
                                       row_of("micro", kernel, variant, "", ns, verdict)};
  };
  CHECK(judged(micro("permute", "tables", 500, "faster"), "Tables pay") == Outcome::holds);
  CHECK(judged(micro("permute", "tables", 1000, "within_noise"), "Tables pay") == Outcome::fails);
  CHECK(judged(micro("traverse", "columns", 2000, "slower"), "Bank conflicts") == Outcome::holds);
  CHECK(judged(micro("traverse", "columns", 900, "faster"), "Bank conflicts") == Outcome::fails);

  const auto diverging = [](const std::vector<double>& times) {
    std::vector<MeasurementRow> rows;
    for (std::size_t i = 0; i < times.size(); ++i)
      rows.push_back(
          row_of("micro", "diverge", "divergence", "divergent=" + std::to_string(8 * i), times[i], ""));
    return rows;
  };
  CHECK(judged(diverging({100, 200, 300, 400, 500}), "Time grows linearly") == Outcome::holds);
  CHECK(judged(diverging({100, 200, 200, 200, 200}), "Time grows linearly") == Outcome::fails);
  CHECK(judged(diverging({100, 101, 102, 103, 104}), "Time grows linearly") == Outcome::fails);
  CHECK(judged(diverging({100, 200}), "Time grows linearly") == Outcome::undecided);

  const auto stores = [](double ns, const std::string& answers) {
    std::vector<MeasurementRow> rows = {row_of("crc", "compute", "per_byte", "answers=combined", 1000, ""),
                                        row_of("crc", "compute", "per_byte", "answers=" + answers, ns, "")};
    rows[0].granularity = "1";
    rows[1].granularity = "16";
    return rows;
  };
  CHECK(judged(stores(800, "each"), "Coarsening pays by wider stores") == Outcome::holds);
  CHECK(judged(stores(990, "each"), "Coarsening pays by wider stores") == Outcome::fails);
  CHECK(judged(stores(800, "combined"), "Coarsening pays by wider stores") == Outcome::undecided);

  const auto saxpy = [](double ns) {
    return std::vector<MeasurementRow>{row_of("saxpy", "total", "initial", "dummy=0", 1000, ""),
                                       row_of("saxpy", "total", "staged", "dummy=0", 1000, ""),
                                       row_of("saxpy", "total", "staged", "dummy=40", ns, "")};
  };
  CHECK(judged(saxpy(1010), "Few resident groups") == Outcome::holds);
  CHECK(judged(saxpy(1200), "Few resident groups") == Outcome::fails);
}

TEST_CASE("report: a random sample suffices where many points are near the best", "[report]") {
  MadeUpRuns flat, peaked;
  for (int unroll = 1; unroll <= 40; ++unroll) {
    flat.add("gpu0", "gpu", {.unroll = unroll}, unroll % 4 == 0 ? 1 : 2);
    peaked.add("gpu0", "gpu", {.unroll = unroll}, unroll == 8 ? 2 : 1);
  }
  CHECK(outcome_of(flat.data(), "A random sample") == Outcome::holds);
  CHECK(outcome_of(peaked.data(), "A random sample") == Outcome::fails);
}

TEST_CASE("report: padding instead of branches, and vectors on CPUs", "[report]") {
  const auto padded = [](double gain) {
    MadeUpRuns runs;
    runs.add("cpu0", "cpu", {}, 1);
    runs.add("cpu0", "cpu", {.padding = 1}, gain);
    for (MeasurementRow& row : runs.rows()) row.dwarf = "cp";
    return make_report_data({}, runs.rows(), {});
  };
  CHECK(outcome_of(padded(1.5), "Padding instead") == Outcome::holds);
  CHECK(outcome_of(padded(0.8), "Padding instead") == Outcome::fails);
  const auto vectors = [](double gain) {
    MadeUpRuns runs;
    runs.add("cpu0", "cpu", {}, 1);
    runs.add("cpu0", "cpu", {.unroll = 2}, gain);
    runs.rows()[0].vector_width = "1";
    runs.rows()[1].vector_width = "4";
    runs.rows()[1].unroll = "1";
    return make_report_data({}, runs.rows(), {});
  };
  CHECK(outcome_of(vectors(1.5), "Vectors of 4") == Outcome::holds);
  CHECK(outcome_of(vectors(0.8), "Vectors of 4") == Outcome::fails);
}

TEST_CASE("report: one axis at a time ends in a local maximum", "[report]") {
  MadeUpRuns runs;
  runs.add("gpu0", "gpu", {}, 1);
  runs.add("gpu0", "gpu", {.unroll = 4}, 0.8);
  runs.add("gpu0", "gpu", {.padding = 1}, 0.8);
  CHECK(outcome_of(runs.data(), "Tuning one axis") == Outcome::undecided);
  runs.add("gpu0", "gpu", {.unroll = 4, .padding = 1}, 2);
  CHECK(outcome_of(runs.data(), "Tuning one axis") == Outcome::holds);
  runs.add("gpu0", "gpu", {.granularity = 2, .padding = 0}, 1.1);
  runs.add("gpu0", "gpu", {.unroll = 4, .granularity = 2}, 1.3);
  runs.add("gpu0", "gpu", {.unroll = 4, .granularity = 2, .padding = 1}, 2.5);
  CHECK(outcome_of(runs.data(), "Tuning one axis") == Outcome::fails);
}

}  // namespace
}  // namespace dwarfsweep
