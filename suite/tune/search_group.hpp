// The space that is searched for one dwarf and one problem on one device.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "suite/engine/sweep_group.hpp"
#include "suite/plan/options.hpp"
#include "suite/search/search_space.hpp"

namespace dwarfsweep {

class SearchGroup {
 public:
  /// `group`: with its baseline as the only point. The variants are those that --axis or --set name, else all
  /// that give the whole result. Throws UsageError where nothing varies.
  SearchGroup(SweepGroup group, const Options& options);

  [[nodiscard]] SweepGroup& group() { return group_; }
  [[nodiscard]] const DwarfSpace& space() const { return *space_; }
  /// The metrics that carving uses.
  void set_metrics(std::map<PointNumber, CarveMetrics> metrics) { space_->set_metrics(std::move(metrics)); }
  /// Of the candidates for the best known point on this device and problem: those that are in the space and
  /// legal here.
  [[nodiscard]] std::vector<std::string> known() const;

  /// The index of the point, which is the group's last one from now on where it is new.
  std::size_t index_of(const Config& config);
  /// The number of that point in the space; none where it is not there, as the baseline with --set.
  [[nodiscard]] std::optional<PointNumber> number_of(std::size_t index) const;
  /// Work-items of its largest work-group; 0: not known.
  [[nodiscard]] std::uint64_t group_items_of(PointNumber point) const;
  /// What a builder is asked for.
  [[nodiscard]] PointRequest request_of(PointNumber point) const;

 private:
  SweepGroup group_;
  ValueMap settings_;
  // The space refers to both, wherever the group is moved to.
  std::unique_ptr<const Problem> problem_;
  std::unique_ptr<const Capabilities> device_;
  std::unique_ptr<DwarfSpace> space_;
};

/// One for each of the chosen devices, dwarfs and problems.
std::vector<SearchGroup> make_search_groups(std::vector<SweepGroup> groups, const Options& options);

}  // namespace dwarfsweep
