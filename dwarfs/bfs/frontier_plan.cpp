#include "dwarfs/bfs/frontier_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dwarfs/bfs/geometry.hpp"
#include "dwarfs/sync.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/error.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::bfs {
namespace {

constexpr std::size_t word_bits = 32;
constexpr std::size_t noted_chunks = 64;  // NOTED_CHUNKS: edge chunks of a group of `note`, at a time
constexpr std::size_t noted_apart = 16;   // NOTED_APART

// Groups that are likely to run at a time; other groups would wait forever for one more than that. Where they
// wait for each other on a CPU's threads, one may wait out another program's time slice: there one group does
// it all.
std::size_t groups_at_a_time(const DeviceInfo& device, std::size_t work_group) {
  if (!device.capabilities.is_gpu) return 1;
  groups_wait(device, "barrier");
  return device.capabilities.compute_units * std::max<std::size_t>(1, 1024 / work_group);
}

// Enough work-items to fill the device: 2048 on a core of a GPU; on a CPU a few groups, that one may take
// longer. Groups of one are more, so that no work-item has more turns than llvmpipe can count.
std::size_t filling_items(const Capabilities& capabilities, std::size_t work_group) {
  const std::size_t per_unit = capabilities.is_gpu ? 2048 : 8 * std::max<std::size_t>(128, work_group);
  return std::max<std::size_t>(1, capabilities.compute_units * per_unit / work_group) * work_group;
}

cl_uint counted_chunks(const PaddedLists& lists, std::size_t edge_chunk) {
  constexpr std::size_t most = std::numeric_limits<cl_uint>::max() / 2;
  std::size_t chunks = 0;
  for (std::size_t node = 0; node + 1 < lists.offsets.size(); ++node)
    chunks += ceil_div(lists.length(static_cast<std::int64_t>(node)), edge_chunk);
  if (chunks > most) {
    throw PointFailure(
        Status::rejected,
        fmt::format("a frontier of {} edge chunks is more than the {} that are counted", chunks, most));
  }
  return static_cast<cl_uint>(chunks);
}

// A work-item of `search` has its part of all nodes and edges in several levels of one launch.
void check_iterations(const PaddedLists& lists, std::size_t items, const DeviceInfo& device) {
  constexpr std::size_t levels = 8;
  const std::size_t iterations = levels * ceil_div(lists.offsets.size() + lists.neighbours.size(), items);
  if (device.max_iterations == 0 || iterations <= device.max_iterations) return;
  throw PointFailure(Status::unsupported,
                     fmt::format("one launch of {} work-items would take more loop iterations than the {} "
                                 "that {} counts; sync=launches takes fewer",
                                 items, device.max_iterations, device.name));
}

// A bitmap for each group of `note` that runs at a time; one for each group where they must not wait until
// one is free.
void plan_notes(FrontierPlan& plan, const DeviceInfo& device) {
  const std::size_t most = ceil_div(std::size_t{plan.capacity}, noted_chunks);
  plan.note_groups = round_up(std::clamp<std::size_t>(most, 1, plan.push_items), noted_apart);
  std::size_t bitmaps = plan.note_groups;
  if (plan.mode.merges_claims && plan.mode.one_launch) {
    bitmaps = plan.search_items;
  } else if (device.groups_may_wait()) {
    bitmaps = std::min<std::size_t>(plan.note_groups, device.capabilities.compute_units);
  }
  plan.noted_bitmaps = static_cast<cl_uint>(bitmaps);
}

// If claims are not merged, they move cache lines between the cores of a CPU. Pulling claims nothing, so it
// pays off earlier on a CPU than on a GPU. If claims are merged, it pays off later:
// - A push reads all edges that leave the frontier.
// - A pull reads the edges of a node until one comes from the frontier: about 1 / f edges if the share f of
// all
//   edges leaves the frontier.
// With d edges per node a pull costs less if f * f * d exceeds a constant. At the usual degree f is a third.
// Two cores take 53 us instead of 1.2 ms for 4888 nodes of degree 1060.
std::int64_t pulled_part(const SearchMode& mode, const DeviceInfo& device, double degree) {
  if (!mode.merges_claims) return device.capabilities.is_gpu ? 14 : 32;
  constexpr double usual_degree = 8;
  return std::max<std::int64_t>(3, std::llround(3 * std::sqrt(degree / usual_degree)));
}

}  // namespace

SearchMode search_mode(const Config& config, const DeviceInfo& device) {
  SearchMode mode;
  mode.pulls = config.string("variant") == "direction_optimising";
  mode.merges_claims = merges_claims(config, device.capabilities);
  const std::string& sync = config.string("sync");
  const bool waits_if_it_may = sync == "auto" && device.capabilities.is_gpu;
  mode.one_launch = mode.merges_claims ? groups_wait(device, sync)
                                       : sync == "barrier" || (waits_if_it_may && device.groups_may_wait());
  return mode;
}

FrontierPlan make_plan(const PaddedLists& lists, const Config& config, const DeviceInfo& device) {
  FrontierPlan plan;
  plan.mode = search_mode(config, device);
  const SearchMode& mode = plan.mode;
  const std::size_t nodes = lists.offsets.size() - 1;
  plan.nodes = static_cast<cl_int>(nodes);
  plan.edge_chunk = static_cast<std::size_t>(max_edge_chunk(config.integer("team")));
  plan.edge_unit = lists.neighbours.size() <= std::numeric_limits<cl_uint>::max() ? 1 : 64;
  plan.words = static_cast<cl_uint>(
      round_up(ceil_div(nodes, word_bits), mode.merges_claims ? FrontierPlan::merged_words : 1));

  plan.work_group = static_cast<std::size_t>(config.integer("work_group"));
  plan.batch = static_cast<cl_uint>(config.integer("batch"));
  plan.push_items = filling_items(device.capabilities, plan.work_group);
  if (mode.one_launch) {
    plan.search_items = mode.merges_claims ? device.capabilities.compute_units
                                           : groups_at_a_time(device, plan.work_group) * plan.work_group;
    check_iterations(lists, plan.search_items, device);
  }
  plan.phase_chunks =
      static_cast<cl_uint>(16 * plan.search_items);  // enough that few groups wait for the last one
  if (mode.pulls) {
    const auto nodes_per_item = static_cast<std::size_t>(config.integer("granularity"));
    plan.pull_items = round_up(ceil_div(plan.words * word_bits, nodes_per_item), plan.work_group);
  }
  plan.walk_group = walk_items(plan.work_group, device.capabilities);
  plan.max_walk_chunks =
      static_cast<cl_uint>(2 * plan.walk_group / static_cast<std::size_t>(config.integer("team")));
  plan.capacity = counted_chunks(lists, plan.edge_chunk);
  const double degree = static_cast<double>(lists.neighbours.size()) / static_cast<double>(nodes);
  plan.pulled_part = pulled_part(mode, device, degree);
  plan_notes(plan, device);
  return plan;
}

bool FrontierPlan::groups_wait() const {
  if (mode.one_launch) return search_items > work_group;
  return mode.merges_claims && noted_bitmaps < note_groups;
}

Macros plan_macros(const Setup& setup, const FrontierPlan& plan) {
  const Capabilities& capabilities = setup.device().capabilities;
  Macros macros = setup.macros();
  macros.define("EDGE_CHUNK", static_cast<std::int64_t>(plan.edge_chunk))
      .define("SHARE", share_of_chunk(setup.config))
      .define("COLUMNS", static_cast<std::int64_t>(max_group_items(setup.config, capabilities)))
      .define("EDGE_UNIT", static_cast<std::int64_t>(plan.edge_unit))
      .define("NARROW", FrontierPlan::narrow)
      .define("PULLED_PART", plan.pulled_part)
      .define("WALK_GROUP", static_cast<std::int64_t>(plan.walk_group))
      .define("PEEK", setup.device().checks_bounds ? 0 : 1)
      .define("SERIAL_ITEMS", capabilities.is_gpu ? 0 : 1)
      .define("MERGING", plan.mode.merges_claims ? 1 : 0)
      .define("ONE_LAUNCH", plan.mode.one_launch ? 1 : 0)
      .allow_inter_group_sync(plan.groups_wait());
  if (plan.mode.merges_claims) {
    macros.define("NOTED_CHUNKS", noted_chunks)
        .define("NOTED_APART", noted_apart)
        .define("MERGED_WORDS", FrontierPlan::merged_words);
  }
  return macros;
}

}  // namespace dwarfsweep::bfs
