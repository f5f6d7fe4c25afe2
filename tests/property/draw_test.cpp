// Random trials are legal, reach the shapes at which kernels are wrong, and depend on the seed alone.
#include <rapidcheck/Random.h>

#include <set>

#include "dwarfs/registry.hpp"
#include "tests/catch.hpp"
#include "tests/property/draw.hpp"
#include "tests/property/draw_number.hpp"

using namespace dwarfsweep;
using namespace dwarfsweep::property;

namespace {

Capabilities some_cpu() {
  Capabilities device;
  device.work_group_items = 4096;
  device.local_bytes = 1 << 20;
  device.constant_bytes = 1 << 20;
  device.global_bytes = device.allocation_bytes = std::uint64_t{1} << 33;
  device.fp64 = device.images = true;
  device.compute_units = 4;
  return device;
}

std::vector<Trial> drawn(const Dwarf& dwarf, std::uint64_t seed, int batches, const DrawLimits& limits = {}) {
  std::vector<Trial> trials;
  for (int i = 0; i < batches; ++i) {
    const rc::Random random(seed + static_cast<std::uint64_t>(i));
    const Batch batch = batches_of(dwarf, some_cpu(), limits)(random, rc::kNominalSize).value();
    trials.insert(trials.end(), batch.trials.begin(), batch.trials.end());
  }
  return trials;
}

}  // namespace

TEST_CASE("random trials of every dwarf are legal, and are of many shapes and all variants", "[unit]") {
  for (const Dwarf* dwarf : built_in_dwarfs()) {
    INFO(dwarf->info().name);
    std::set<std::string> shapes, variants;
    const std::vector<Trial> trials = drawn(*dwarf, 1, 100, {20'000, 4});
    for (const Trial& trial : trials) {
      INFO(trial.problem.to_string() << " " << trial.config.to_string());
      CHECK(is_legal(trial, some_cpu()));
      shapes.insert(trial.problem.to_string());
      variants.insert(trial.config.string("variant"));
    }
    CHECK(trials.size() > 200);
    CHECK(shapes.size() > trials.size() / 4);
    CHECK(variants.size() == dwarf->space().find("variant").values.size());
  }
}

TEST_CASE("dwarfs generate data for what is drawn", "[unit]") {
  for (const Dwarf* dwarf : built_in_dwarfs()) {
    INFO(dwarf->info().name);
    for (const Trial& trial : drawn(*dwarf, 7, 20, {500, 4})) {
      INFO(trial.problem.to_string());
      CHECK_NOTHROW((void)dwarf->generate({"custom", trial.problem}, trial.seed));
    }
  }
}

TEST_CASE("the sizes of problems are bounded, and reach the bound", "[unit]") {
  const Dwarf& hotspot = find_dwarf("hotspot");
  std::int64_t largest = 0, thinnest = 0;
  for (const Trial& trial : drawn(hotspot, 3, 300, {1'000'000, 4})) {
    const ValueMap& problem = trial.problem;
    const std::int64_t rows = problem.integer("rows"), cols = problem.integer("cols");
    CHECK(rows * cols * problem.integer("steps") <= 1'000'000);
    largest = std::max(largest, rows * cols * problem.integer("steps"));
    thinnest = std::max(thinnest, rows / cols);
  }
  CHECK(largest > 300'000);
  CHECK(thinnest > 1000);
}

TEST_CASE("problem sizes are at and next to multiples of the configuration's tiles", "[unit]") {
  std::set<std::int64_t> beside;
  for (const Trial& trial : drawn(find_dwarf("saxpy"), 5, 200, {20'000, 4})) {
    const std::int64_t group = trial.config.integer("work_group") * trial.config.integer("granularity") *
                               trial.config.integer("vector_width");
    const std::int64_t n = trial.problem.integer("n");
    if (group > 3 && (n + 1) % group <= 2) beside.insert((n + 1) % group - 1);
  }
  CHECK(beside == std::set<std::int64_t>{-1, 0, 1});
}

TEST_CASE("the same seed draws the same trials, another one others", "[unit]") {
  const auto texts = [](std::uint64_t seed) {
    std::string all;
    for (const Trial& trial : drawn(find_dwarf("bfs"), seed, 5))
      all += trial.problem.to_string() + trial.config.to_string();
    return all;
  };
  CHECK(texts(1) == texts(1));
  CHECK(texts(1) != texts(100));
}

TEST_CASE("primes and roots", "[unit]") {
  CHECK(prime_up_to(2) == 2);
  CHECK(prime_up_to(100) == 97);
  CHECK(prime_up_to(1) == 1);
  CHECK(root(1000, 3) >= 9);
  CHECK(root(17, 1) == 17);
}
