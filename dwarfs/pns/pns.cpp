// pns (Monte Carlo): a Petri net simulated at random: what the dwarf says of itself.
//
// Work: items are attempts, transitions that a trajectory draws. An attempt takes 24 integer operations: 4 to
// draw and to reduce the word, 14 for the numbers around the transition, 2 comparisons, 4 changes of marks.
// Bytes are those of the results: the marks are written once, and read once for the statistics.
#include "dwarfs/pns/pns.hpp"

namespace dwarfsweep {
namespace {

ValueMap problem_of(int n, int steps, int trajectories) {
  return {{"n", n}, {"steps", steps}, {"trajectories", trajectories}};
}

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "pns";
  info.title = "Petri net simulation";
  info.pattern = "Monte Carlo";
  info.kernels = {"simulate", "statistics"};
  info.item = "attempts";
  info.arithmetic = Arithmetic::integer;
  info.keys = {
      {"n", "columns of the net, which has 2 n rows", 100, 1, 4096},
      {"steps", "steps of a trajectory; 312 of them are 624 attempts", 10000, 1, 1e8},
      {"trajectories", "independent simulations", 256, 1, 1 << 20},
      {"batch", "attempts that are made at a time", 256, 1, pns::refill_words, {}, KeyRole::algorithm},
      {"rng",
       "random numbers: mt19937 without tempering, or philox, which has no state",
       "mt19937",
       0,
       0,
       {"mt19937", "philox"}}};
  info.sizes = {{"tiny", problem_of(8, 600, 16)},
                {"small", problem_of(32, 2000, 64)},
                {"medium", problem_of(100, 5000, 256)},
                {"large", problem_of(100, 10000, 4096)},
                {"paper", problem_of(3000, 10000, 8)}};
  info.demand = [](const Problem& problem) {
    const double trajectories = problem.real("trajectories");
    const double marks = 2 * problem.real("n") * problem.real("n") * trajectories;
    const double attempts = 624.0 * pns::refills_of(problem) * trajectories;
    return Demand{5 * marks, 2 * marks, 100 * attempts, 2};
  };
  info.first_choice = pns::first_choice;
  info.checks.odd_problems = {problem_of(1, 1, 1), problem_of(7, 700, 3).with("batch", 100),
                              problem_of(6, 1000, 5).with("rng", "philox")};
  info.checks.refused_problems = {problem_of(4096, 1, 1 << 20)};
  info.checks.large_problems = {problem_of(4096, 1, 30)};
  info.checks.single_item_settings = {{{"variant", "item"}, {"work_group", 1}}};
  info.checks.small_local_settings = {{{"variant", "group"}}};
  info.checks.results = {"marks", "statistics"};
  info.checks.random_problems.maxima = {{"n", 40}, {"trajectories", 50}, {"batch", 624}};
  return info;
}

}  // namespace

// The paper does not state a size. Threads and bytes of its table 3 agree with eight nets of 3000 columns,
// each simulated by 256 threads; its text says that a thread has a simulation of its own.
const Dwarf& pns_dwarf() {
  static const ArrayDwarf<pns::PnsInput> dwarf(
      make_info(), pns::make_space(), pns::make_case,
      {{"optimization_principles_2008 Table 3", problem_of(3000, 10000, 8), {}},
       {"optimization_principles_2008 Table 3", problem_of(3000, 10000, 8), {{"variant", "item"}}}});
  return dwarf;
}

}  // namespace dwarfsweep
