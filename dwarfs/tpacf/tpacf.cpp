// tpacf (MapReduce): histograms of the angles between points of the sky, for the two-point angular
// correlation: what the dwarf says of itself.
//
// Work: items are pairs of points. A pair takes 6 operations for the product of two vectors and 5 comparisons
// to find its bin among 20. Points are read once, histograms written once: arithmetic is the limit, or how
// fast counters are incremented.
#include "dwarfs/tpacf/tpacf.hpp"

namespace dwarfsweep {
namespace {

constexpr double operations_by_time = 12;  // a pair takes as long as so many operations

ValueMap problem_of(int points, int sets) {
  return {{"points", points}, {"sets", sets}};
}

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "tpacf";
  info.title = "two-point angular correlation function";
  info.pattern = "MapReduce";
  info.kernels = {"sort", "caps", "pairs", "collect"};
  info.item = "pairs of points";
  info.keys = {{"points", "points of the data and of each random set", 1024, 1, (1 << 16) - 1},
               {"sets", "random sets", 10, 1, 1 << 24},
               {"bins", "of equal width in the logarithm of the angle", 20, 1, 60},
               {"min", "least angle of the bins, in arcminutes", 1.0, 0.01, 10800},
               {"max", "largest angle of the bins, in arcminutes", 10000.0, 0.01, 10800}};
  // 4e5, 1.6e7, 2.6e8, 1.6e10 and 2.5e9 pairs.
  info.sizes = {{"tiny", problem_of(256, 4)},
                {"small", problem_of(1024, 10)},
                {"medium", problem_of(4096, 10)},
                {"large", problem_of(10391, 100)},
                {"paper", problem_of(4096, 100)}};
  info.input_formats =
      "text: a right ascension and a declination in degrees per line. The first file is the data; each more "
      "has as "
      "many random points, which are generated if there is none";
  info.first_choice = tpacf::first_choice;
  info.demand = [](const Problem& problem) {
    const double points = problem.real("points");
    const double sets = problem.real("sets");
    const double pairs = points * points * (1.5 * sets + 0.5);
    const double bytes = 16 * points * (sets + 1);
    return Demand{bytes, bytes, operations_by_time * pairs, 5};
  };
  info.checks.odd_problems = {problem_of(333, 2), problem_of(1, 1),
                              problem_of(41, 3).with("bins", 3).with("max", 300.0)};
  info.checks.refused_problems = {problem_of((1 << 16) - 1, 1 << 24)};
  info.checks.large_problems = {problem_of((1 << 16) - 1, 1000)};
  info.checks.single_item_settings = {{{"variant", "cumulative"}, {"work_group", 1}}};
  info.checks.small_local_settings = {{{"variant", "direct"}}};
  info.checks.results = {"dd", "dr", "rr"};
  info.checks.varying_results = info.checks.results;  // a pair near the edge of a bin
  info.checks.random_problems.maxima = {{"sets", 4}, {"bins", 60}};
  info.checks.random_problems.fit = [](const ValueMap& values) {
    ValueMap fitting = values;
    // A set has less than 2^12 points, that the check's pairs take less than a second.
    if (values.integer("points") >= 1 << 12)
      fitting = fitting.with("points", values.integer("points") % (1 << 12) + 1);
    if (values.real("min") >= values.real("max")) fitting = fitting.with("min", 1.0).with("max", 10000.0);
    return fitting;
  };
  return info;
}

class Tpacf final : public Dwarf {
 public:
  Tpacf() : Dwarf(make_info(), tpacf::make_space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return tpacf::generate_sky(problem, seed);
  }
  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    return tpacf::load_sky(info(), request, files);
  }
  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return tpacf::make_case(setup);
  }
  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return tpacf::make_host_case(std::static_pointer_cast<const tpacf::SkyInput>(loaded.input), threads);
  }

  // The paper prints neither sizes nor settings. Its 52.2 bytes of shared memory per thread are 256 points of
  // 12 bytes and 128 histograms of 20 bins in a group of 256, which is the baseline. Fewer histograms take
  // less of the memory that limits it, and the public version of the program without any is `direct`.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    const std::string figure = "optimization_principles_2008 Table 3";
    const ValueMap problem = problem_of(4096, 100);
    return {{figure, problem, {}},
            {figure, problem, {{"histograms", 32}}},
            {figure, problem, {{"padding", 1}}},
            {figure, problem, {{"variant", "direct"}}}};
  }
};

}  // namespace

const Dwarf& tpacf_dwarf() {
  static const Tpacf dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
