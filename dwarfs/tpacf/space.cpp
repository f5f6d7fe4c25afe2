#include <algorithm>
#include <bit>
#include <limits>

#include "dwarfs/tpacf/tpacf.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::tpacf {
namespace {

// Jobs enough to fill any device; more cost histograms.
constexpr std::int64_t wanted_jobs = 32768;
constexpr std::int64_t least_span = 1024;
constexpr std::int64_t span_alignment = 128;  // the largest block
constexpr std::int64_t most_jobs = std::int64_t{1} << 24;

bool counts_by_comparison(const Config& config) {
  return config.string("variant") == "register" || config.string("variant") == "cumulative";
}

void add_axes(Space& space) {
  const std::vector<std::string> lookups = {"tiled", "direct", "columns"};
  const std::vector<std::string> comparisons = {"register", "cumulative"};
  space
      .axis({"variant",
             "tiled: histograms of the group, by atomic additions; direct: histograms in global memory; "
             "columns: a histogram of each work-item in local memory; register: comparisons with all edges; "
             "cumulative: only with the edges that two blocks of sorted points leave in doubt",
             {"tiled", "direct", "columns", "register", "cumulative"},
             "tiled"})
      .axis({"work_group", "work-items of a group", {1, 32, 64, 128, 256}, 256})
      .axis({"granularity",
             "points (register, cumulative: vectors of them) per work-item at a time",
             {1, 2, 4, 8},
             1,
             {"columns", "register", "cumulative"}})
      .axis({"vector_width", "points in a vector", {1, 4, 8, 16}, 1, comparisons})
      .axis({"unroll", "of the loop over partners", {1, 2, 4, 8}, 1})
      .axis({"histograms", "of a group", {1, 2, 4, 8, 16, 32, 64, 128}, 128, {"tiled"}})
      .axis({"padding", "unused counters after each row of equal slots", {0, 1}, 0, {"tiled"}})
      .axis({"search",
             "for the slot of a pair: binary; linear_from_wide: from the widest bin on; table: by exponent "
             "and leading mantissa bits",
             {"binary", "linear_from_wide", "table"},
             "binary",
             lookups})
      .axis({"memory", "of edges or table", {"constant", "local", "global"}, "constant", lookups})
      .axis({"balance",
             "set: a group has all partners of its points (tiled, columns: a whole pair of sets); tile: "
             "groups have spans of equal size",
             {"set", "tile"},
             "set",
             {"tiled", "columns", "register", "cumulative"}})
      .axis({"edges", "counted in one pass over the partners", {1, 2, 3, 4, 7, 11, 21}, 1, comparisons})
      .axis({"block", "partners between two additions to the histogram", {16, 32, 64, 128}, 32, comparisons});
}

void add_defaults(Space& space) {
  const auto is_wide = [](const Capabilities& device) { return !device.is_gpu && device.float_lanes >= 16; };
  space.default_setting("direct", {{"memory", "local"}});
  space.default_setting("columns", {{"work_group", 1},
                                    {"granularity", 8},
                                    {"search", "table"},
                                    {"memory", "global"},
                                    {"balance", "tile"}});
  space.default_setting("columns", {{"work_group", 128}, {"granularity", 4}, {"memory", "local"}}, is_gpu);
  for (const char* variant : {"register", "cumulative"}) {
    space.default_setting(variant,
                          {{"work_group", 1}, {"granularity", 4}, {"vector_width", 8}, {"balance", "tile"}});
    space.default_setting(variant, {{"vector_width", 16}}, is_wide);
    space.default_setting(variant, {{"work_group", 32}, {"vector_width", 1}, {"unroll", 4}}, is_gpu);
  }
  space.default_setting("register", {{"edges", 4}, {"block", 128}});
  space.default_setting("cumulative", {{"edges", 3}});
}

std::uint64_t local_bytes(const Point& p) {
  const auto slots = static_cast<std::uint64_t>(p.problem.integer("bins")) + 2;
  const auto group = static_cast<std::uint64_t>(p["work_group"]);
  if (counts_by_comparison(p.config)) {
    const std::uint64_t counts = 4 * slots * group * static_cast<std::uint64_t>(p["vector_width"]) +
                                 8 * std::max(group, static_cast<std::uint64_t>(least_blocks));
    return std::max<std::uint64_t>(counts, p.variant() == "cumulative" ? sort_local_bytes : 0);
  }
  std::uint64_t bytes = 0;
  if (p.config.string("memory") == "local") {
    bytes += 4 * slots;
    if (p.config.string("search") == "table")
      if (const auto table = lookup_table(edges_of(p.problem).distances)) bytes += 8 * table->cells.size();
  }
  if (p.variant() == "tiled")
    return bytes + 12 * group + 4 * slots * static_cast<std::uint64_t>(p["histograms"] + p["padding"]);
  return p.variant() == "columns" ? bytes + 16 * group + 4 * slots * group : bytes;
}

}  // namespace

Jobs jobs_of(const Config& config, const Problem& problem) {
  const std::int64_t points = problem.integer("points");
  const std::int64_t pairs = 2 * problem.integer("sets") + 1;
  if (config.string("variant") == "direct") return {points, points, 1, 1, pairs};
  const std::int64_t group =
      config.integer("work_group") * config.integer("granularity") * config.integer("vector_width");
  const bool shares = config.string("balance") == "tile";
  Jobs jobs;
  jobs.a_span = shares || counts_by_comparison(config) ? group : points;
  jobs.a_count = ceil_div(points, jobs.a_span);
  jobs.b_count = shares ? std::clamp<std::int64_t>(ceil_div(wanted_jobs, pairs * jobs.a_count), 1,
                                                   ceil_div(points, least_span))
                        : 1;
  jobs.b_span = round_up(ceil_div(points, jobs.b_count), span_alignment);
  jobs.b_count = ceil_div(points, jobs.b_span);
  jobs.rows = pairs * jobs.a_count * jobs.b_count;
  return jobs;
}

std::optional<LookupTable> lookup_table(std::span<const float> distances) {
  constexpr int mantissa_bits = 23;
  for (int bits = 1; bits <= 4; ++bits) {
    LookupTable table;
    table.shift = mantissa_bits - bits;
    // Values are clamped to 1.
    table.cells.resize((std::bit_cast<std::uint32_t>(1.0F) >> table.shift) + 1);
    bool fits = true;
    std::size_t edge = 0;
    for (std::size_t i = 0; i < table.cells.size(); ++i) {
      const auto cell_of = [&](std::size_t k) {
        return std::bit_cast<std::uint32_t>(0.25F * distances[k]) >> table.shift;
      };
      table.cells[i] = {std::numeric_limits<float>::infinity(), static_cast<std::int32_t>(edge)};
      if (edge == distances.size() || cell_of(edge) != i) continue;
      table.cells[i].edge = 0.25F * distances[edge++];
      fits = fits && (edge == distances.size() || cell_of(edge) != i);
    }
    if (fits && edge == distances.size()) return table;
  }
  return std::nullopt;
}

Space make_space() {
  Space space;
  add_axes(space);
  add_defaults(space);
  space.constrain(
      "search=table requires bins whose edges differ in the exponent or the first four mantissa "
      "bits of 1 - cosine",
      [](const Point& p) {
        return p.config.string("search") != "table" ||
               lookup_table(edges_of(p.problem).distances).has_value();
      });
  space.constrain(
      "work_group times granularity is too small for so many points: there would be more than 2^24 jobs",
      [](const Point& p) { return jobs_of(p.config, p.problem).rows <= most_jobs; });
  space.constrain("granularity times edges times unroll must be at most 64, or compilers take minutes",
                  [](const Point& p) {
                    return !counts_by_comparison(p.config) ||
                           p["granularity"] * p["edges"] * p["unroll"] <= 64;
                  });
  space.local_bytes(local_bytes);
  return space;
}

// On a GPU with enough points, a histogram of each work-item: an H200 takes 0.28 ms instead of 0.51 for 4096
// points and 10 sets, and 2.5 instead of 3.3 for 16384. Else as many points per work-item as leave every
// compute unit enough work-items.
ValueMap first_choice(const Problem& problem, const Capabilities& device) {
  static const Space space = make_space();
  const std::int64_t points = problem.integer("points");
  if (device.is_gpu && device.local_is_dedicated && points >= 4096) {
    const ValueMap columns{{"variant", "columns"}, {"granularity", points < 16384 ? 2 : 8}};
    if (!space.why_rejected({space.set(space.baseline(), columns, device), problem, device})) return columns;
  }
  const std::int64_t enough = std::int64_t{device.compute_units} * (device.is_gpu ? 256 : 4);
  const ValueMap choice{{"variant", "cumulative"}};
  for (const int granularity : {4, 2}) {
    const ValueMap wide = choice.with("granularity", granularity);
    const Config config = space.set(space.baseline(), wide, device);
    if (jobs_of(config, problem).rows * config.integer("work_group") >= enough) return wide;
  }
  return choice.with("granularity", 1);
}

}  // namespace dwarfsweep::tpacf
