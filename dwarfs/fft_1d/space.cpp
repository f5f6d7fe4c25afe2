#include "dwarfs/fft_1d/fft_1d.hpp"

#include <algorithm>

#include "dwarfs/fft_1d/plan.hpp"
#include "harness/device/kinds.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::fft_1d {

namespace {

constexpr std::int64_t largest_radix = 4096;

bool is_global(const Point& p) {
  return p.variant() == "global";
}

bool is_staged(const Point& p) {
  return p.variant() == "staged";
}

bool is_alone(const Point& p) {
  return p.variant() == "stockham" && p["work_group"] == 1;
}

bool in_groups(const Point& p) {
  return p.variant() == "stockham" && p["work_group"] > 1;
}

void add_axes(Space& space) {
  space
      .axis({"variant",
             "global: a small radix in registers; staged: radix 128, columns loaded by other work-items; "
             "stockham: large radices, in groups or in private memory",
             {"global", "staged", "stockham"},
             "global"})
      .axis({"work_group",
             "work-items of a group that compute; stockham: 1 is alone",
             {1, 16, 32, 64, 128, 256, 512},
             64})
      .axis(
          {"granularity",
           "global: columns of a work-item; staged: numbers that a loader loads of a tile; stockham: numbers "
           "of a work-item, alone the radix of stages",
           {1, 2, 4, 8, 16, 32},
           1,
           {},
           {32}})
      .axis({"vector_width",
             "staged: numbers of a load; stockham, alone: columns in a vector; in groups: numbers of a store",
             {1, 2, 4, 8, 16},
             1})
      .axis({"unroll",
             "global: of the loop over columns; staged and stockham in groups: tiles of a group; alone: "
             "vectors "
             "of columns of a work-item",
             {1, 2, 4, 8},
             1})
      .axis({"padding", "numbers of local memory left out behind each 16, in groups", {0, 1}, 0})
      .axis({"radix",
             "largest radix of a pass",
             {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, largest_radix},
             2,
             {"global", "stockham"}})
      .axis({"layout",
             "a tile's columns in local memory: side by side as they come, or one behind the other",
             {"rows", "columns"},
             "rows",
             {"staged"}})
      .axis({"barrier",
             "how loaders meet the others: at a barrier of the group; named: at barriers of each buffer",
             {"group", "named"},
             "group",
             {"staged"},
             {"named"}})
      .axis({"prefetch",
             "1: loaders read the next tile into registers before they wait",
             {0, 1},
             0,
             {"staged"},
             {1}})
      .axis({"roots",
             "roots of unity: computed where they are needed, or read from tables",
             {"computed", "table"},
             "computed",
             {"stockham"}})
      .axis({"exchange",
             "between stages a group's numbers go through local memory whole; or in parts, the real ones "
             "first, in half of it",
             {"pairs", "parts"},
             "pairs",
             {"stockham"}})
      .axis(submission_axis());
}

void constrain_variants(Space& space) {
  space.constrain("work_group=1 requires variant=global or variant=stockham",
                  [](const Point& p) { return !is_staged(p) || p["work_group"] > 1; });
  space.constrain("variant=global requires radix of at most 16",
                  [](const Point& p) { return !is_global(p) || p["radix"] <= 16; });
  space.constrain(
      "variant=global requires vector_width=1, and variant=stockham in groups vector_width of at most 2",
      [](const Point& p) {
        return (!is_global(p) && !in_groups(p)) || p["vector_width"] <= (in_groups(p) ? 2 : 1);
      });
  space.constrain("padding=1 requires variant=staged, or variant=stockham with work_group above 1",
                  [](const Point& p) { return p["padding"] == 0 || is_staged(p) || in_groups(p); });
  space.constrain("exchange=parts requires work_group above 1",
                  [](const Point& p) { return in_groups(p) || p.config.string("exchange") == "pairs"; });
  space.constrain(
      "variant=global requires unroll of at most granularity, the iterations of the loop over columns",
      [](const Point& p) { return !is_global(p) || p["unroll"] <= p["granularity"]; });
}

void constrain_passes(Space& space) {
  space.constrain("variant=stockham requires granularity of at least 2, the radix of its stages",
                  [](const Point& p) { return (!is_alone(p) && !in_groups(p)) || p["granularity"] >= 2; });
  space.constrain(
      "variant=staged requires granularity of at least 4 and vector_width of at most 2",
      [](const Point& p) { return !is_staged(p) || (p["granularity"] >= 4 && p["vector_width"] <= 2); });
  space.constrain("granularity=32 requires variant=staged",
                  [](const Point& p) { return is_staged(p) || p["granularity"] <= 16; });
  space.constrain(
      "barrier=named requires a device whose compiler accepts PTX, and whole warps of 32 that compute in "
      "each pass",
      [](const Point& p) {
        if (p.config.string("barrier") == "group") return true;
        const auto passes = passes_of(p.config, log_of(p.problem.integer("n")));
        return p.device.inline_ptx && std::ranges::all_of(passes, [&](const Pass& pass) {
                 return (pass.columns << pass.bits) / points_of(p.config, pass) % 32 == 0;
               });
      });
  space.constrain("variant=stockham requires radix of at least 16",
                  [](const Point& p) { return (!is_alone(p) && !in_groups(p)) || p["radix"] >= 16; });
  space.constrain("work_group=1 requires radix of at most 256, or the numbers do not stay in the cache",
                  [](const Point& p) { return !is_alone(p) || p["radix"] <= 256; });
  space.constrain(
      "work_group times granularity must be at least radix, the length of a column",
      [](const Point& p) { return !in_groups(p) || p["work_group"] * p["granularity"] >= p["radix"]; });
  space.constrain("variant=staged requires work_group of at least 8: a column has 128 numbers",
                  [](const Point& p) { return !is_staged(p) || p["work_group"] * 16 >= 128; });
}

void add_defaults(Space& space) {
  space.default_setting(
      "staged",
      {{"work_group", 64}, {"granularity", 16}, {"vector_width", 2}, {"unroll", 4}, {"padding", 1}});
  // A work-item alone, with vectors of columns: what a CPU wants.
  space.default_setting(
      "stockham",
      {{"work_group", 1}, {"granularity", 8}, {"vector_width", 16}, {"unroll", 4}, {"radix", 256}});
  // Without native multiply-add, as in llvmpipe, compilers split wide vectors, which takes minutes.
  space.default_setting("stockham", {{"vector_width", 4}, {"granularity", 4}},
                        [](const Capabilities& device) { return !device.is_gpu && !device.fma; });
  space.default_setting("stockham",
                        {{"work_group", 256},
                         {"granularity", 16},
                         {"vector_width", 1},
                         {"unroll", 1},
                         {"padding", 1},
                         {"radix", 512},
                         {"roots", "table"}},
                        is_gpu);
  space.default_setting("stockham", {{"work_group", 128}, {"granularity", 8}}, has_few_registers);
}

template <typename Get>
std::int64_t most_of_passes(const Point& p, const Get& get) {
  std::int64_t most = 0;
  for (const Pass& pass : passes_of(p.config, log_of(p.problem.integer("n"))))
    most = std::max<std::int64_t>(most, get(Groups(p.config, pass)));
  return most;
}

}  // namespace

Space make_space() {
  Space space;
  add_axes(space);
  constrain_variants(space);
  constrain_passes(space);
  add_defaults(space);
  space.group_items([](const Point& p) {
    return static_cast<std::uint64_t>(most_of_passes(p, [](const Groups& groups) { return groups.items; }));
  });
  space.local_bytes([](const Point& p) {
    return static_cast<std::uint64_t>(most_of_passes(
        p, [](const Groups& groups) { return static_cast<std::int64_t>(groups.local_bytes); }));
  });
  return space;
}

// fft_1d where no point is known: on GPUs by the number of passes.

ValueMap first_choice(const Problem& problem, const Capabilities& device) {
  const ValueMap stockham = {{"variant", "stockham"}};
  if (!device.is_gpu || has_few_registers(device)) return stockham;
  static const Space space = make_space();
  const Config usual = space.default_config("stockham", device);
  const int log_n = log_of(problem.integer("n"));
  const int log_radix = log_of(usual.integer("radix"));
  // One pass: small groups, whose ends the next ones fill, and stores of two numbers (on an H200 65536
  // transforms of 128 take 39.0 us instead of 39.7). In two stages a work-item has few roots to compute,
  // which costs less than the registers and loads of a table's (36.5 us instead of 37.2). A table is faster
  // if a unit has at most one group: nothing hides the time that computing takes (13 transforms of 256: 6.4
  // us instead of 9.3).
  if (log_n <= log_radix) {
    const ValueMap small = stockham.with("work_group", 64).with("vector_width", 2);
    // A work-item makes several whole transforms of 2 or 4: 156 us instead of 225 for 9.7 million of 4. Two
    // work-items share a transform of 8, so that each reads a sector of memory at once: 158 us
    // instead of 266 for five million, 10.8 instead of 20.1 for 208050.
    if (log_n <= 3)
      return small.with("work_group", log_n == 3 ? 64 : 16)
          .with("granularity", log_n == 3 ? 4 : 8)
          .with("unroll", 4)
          .with("padding", 0)
          .with("radix", 32);
    // Two stages of 4, so that the work-items of a transform read and write whole sectors of memory together:
    // a work-item that has all 16 numbers takes an H200 1.32 ms for 5 million transforms, and cuFFT 0.33.
    if (log_n == 4) return small.with("granularity", 4).with("radix", 256);
    const std::int64_t group = 64 * usual.integer("granularity");
    const bool few = (problem.integer("batch") << log_n) <= group * device.compute_units;
    if (few || log_n > 2 * log_of(usual.integer("granularity"))) return small;
    // Two stages of 8: 10.0 us instead of 11.1 for 19655 transforms of 64.
    const ValueMap computed = small.with("roots", "computed");
    return log_n == 6 ? computed.with("granularity", 8).with("unroll", 2) : computed;
  }
  // Still one pass, since two move twice as many bytes: on an H100 they take 2.5 times as long as cuFFT's one
  // for 85,182 transforms of 1024. Seven take an H200 2.1 us in one pass, and cuFFT 1.8.
  if (log_n <= log_of(largest_radix)) {
    const std::int64_t n = std::int64_t{1} << log_n;
    return stockham.with("radix", n)
        .with("work_group", std::max<std::int64_t>(64, n / usual.integer("granularity")))
        .with("vector_width", 2)
        .with("exchange", n == largest_radix ? "parts" : "pairs");
  }
  // Two passes instead of three: 23.7 us instead of 28.4 at 2^20. With radix 2048, in columns of four
  // numbers, two are no faster than three.
  if (log_n > 2 * log_radix && log_n <= 2 * log_radix + 2)
    return stockham.with("radix", 2 * usual.integer("radix")).with("exchange", "parts");
  return stockham;
}

}  // namespace dwarfsweep::fft_1d
