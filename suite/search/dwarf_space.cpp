#include "suite/search/dwarf_space.hpp"

#include <algorithm>
#include <string>

#include "harness/space/hash.hpp"

namespace dwarfsweep {
namespace {

SpacePart searched_part(const SearchedVariant& variant) {
  SpacePart part;
  part.fixed = variant.default_config;
  for (const Axis& axis : variant.axes) {
    SearchAxis searched{axis.name, axis.values, true};
    std::sort(searched.values.begin(), searched.values.end(), comes_before);
    searched.ordered = std::none_of(searched.values.begin(), searched.values.end(),
                                    [](const Value& value) { return value.is_string(); });
    part.axes.push_back(std::move(searched));
  }
  return part;
}

std::vector<SpacePart> searched_parts(const std::vector<SearchedVariant>& variants) {
  std::vector<SpacePart> parts;
  for (const SearchedVariant& variant : variants) parts.push_back(searched_part(variant));
  return parts;
}

}  // namespace

DwarfSpace::DwarfSpace(const Space& space, const Problem& problem, const Capabilities& device,
                       const std::vector<SearchedVariant>& variants)
    : SearchSpace(searched_parts(variants)), space_(space), problem_(problem), device_(device) {
  for (std::size_t part = 0; part < variants.size(); ++part) {
    if (const auto point = find(variants[part].default_config)) set_default(part, *point);
  }
}

void DwarfSpace::keep_shard(int index, int count) {
  shard_ = static_cast<std::uint64_t>(index - 1);
  shards_ = static_cast<std::uint64_t>(count);
}

bool DwarfSpace::is_legal(PointNumber point) const {
  if (shards_ > 1 && fnv1a(std::to_string(point)) % shards_ != shard_) return false;
  return !space_.why_rejected({values(point), problem_, device_});
}

std::optional<PointNumber> DwarfSpace::find(const Config& config) const {
  for (std::size_t i = 0; i < parts().size(); ++i) {
    const SpacePart& part = parts()[i];
    if (part.fixed.at("variant") != config.at("variant")) continue;
    Coordinates at{i, {}};
    for (const SearchAxis& axis : part.axes) {
      const Value* const wanted = config.find(axis.name);
      const auto value =
          wanted ? std::find(axis.values.begin(), axis.values.end(), *wanted) : axis.values.end();
      if (value == axis.values.end()) return std::nullopt;
      at.digits.push_back(static_cast<std::uint32_t>(value - axis.values.begin()));
    }
    const PointNumber point = number(at);
    return values(point) == config ? std::optional(point) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace dwarfsweep
