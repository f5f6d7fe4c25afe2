#include "suite/tune/search_group.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/space/error.hpp"
#include "suite/plan/nearest_best.hpp"
#include "suite/plan/plan.hpp"

namespace dwarfsweep {
namespace {

PlanRequest request_of(const Options& options) {
  PlanRequest request;
  request.settings = options.settings;
  request.axes = options.axes;
  return request;
}

bool names_variants(const PlanRequest& request) {
  return request.settings.has("variant") ||
         std::ranges::any_of(request.axes, [](const auto& axis) { return axis.first == "variant"; });
}

std::vector<SearchedVariant> searched_variants(const SweepGroup& group, const Options& options) {
  const Space& space = group.dwarf->space();
  const Capabilities& device = group.device.capabilities;
  const PlanRequest request = request_of(options);
  const Config origin = space.set(space.baseline(), request.settings, device);
  std::vector<SearchedVariant> variants;
  for (const std::string& variant : variants_of(space, request, origin)) {
    if (!names_variants(request) && !gives_whole_result(group.dwarf->info().name, variant)) continue;
    variants.push_back({default_of(space, variant, device, request), free_axes(space, variant, request)});
  }
  return variants;
}

}  // namespace

SearchGroup::SearchGroup(SweepGroup group, const Options& options)
    : group_(std::move(group)), settings_(options.settings) {
  const SweepPoint& baseline = group_.points.front();
  problem_ = std::make_unique<Problem>(Problem{baseline.key.size, ValueMap::parse(baseline.key.problem)});
  device_ = std::make_unique<Capabilities>(group_.device.capabilities);
  space_ = std::make_unique<DwarfSpace>(group_.dwarf->space(), *problem_, *device_,
                                        searched_variants(group_, options));
  if (options.shard.count > 1) space_->keep_shard(options.shard.index, options.shard.count);
  if (space_->numbers() < 2) {
    throw UsageError(fmt::format("--set and --axis leave one point of {}; a search needs two or more",
                                 baseline.key.dwarf));
  }
}

std::vector<std::string> SearchGroup::known() const {
  const Space& space = group_.dwarf->space();
  std::vector<std::string> configs;
  for (const KnownPoint& each : choose_known_candidates(read_own_best(), best_points(), group_.device,
                                                        *group_.dwarf, *problem_, settings_)) {
    const Config config =
        space.set(space.set(space.baseline(), each.settings, *device_), settings_, *device_);
    const std::optional<PointNumber> point = space_->find(config);
    if (point && space_->is_legal(*point)) configs.push_back(config.to_string());
  }
  return configs;
}

std::size_t SearchGroup::index_of(const Config& config) {
  const std::string text = config.to_string();
  const auto found =
      std::ranges::find_if(group_.points, [&](const SweepPoint& point) { return point.key.config == text; });
  const auto index = static_cast<std::size_t>(found - group_.points.begin());
  if (found != group_.points.end()) return index;
  PointRequest request = group_.points.front().request;
  request.config = config;
  PointKey key = group_.points.front().key;
  key.config = text;
  group_.points.push_back({.request = request, .key = key});
  return index;
}

std::optional<PointNumber> SearchGroup::number_of(std::size_t index) const {
  return space_->find(group_.points[index].request.config);
}

std::uint64_t SearchGroup::group_items_of(PointNumber point) const {
  return group_.dwarf->space().group_items_of({space_->config(point), *problem_, *device_});
}

PointRequest SearchGroup::request_of(PointNumber point) const {
  PointRequest request = group_.points.front().request;
  request.config = space_->config(point);
  return request;
}

std::vector<SearchGroup> make_search_groups(std::vector<SweepGroup> groups, const Options& options) {
  std::vector<SearchGroup> searches;
  for (SweepGroup& group : groups) searches.emplace_back(std::move(group), options);
  return searches;
}

}  // namespace dwarfsweep
