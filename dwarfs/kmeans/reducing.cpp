// The variants reduce, blocked and fused of kmeans: partial sums on the device, and their total.
#include <algorithm>
#include <bit>

#include "dwarfs/kmeans/device_case.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::kmeans {
namespace {

// How the points are divided among the groups that make partial sums. By clusters there are none.
struct Division {
  std::int64_t part = 0;  // points of a group, or tiles where sums are by tiles
  std::int64_t sets = 0;  // groups, each with a set of partial sums
};

// At most `max_groups` groups. Interleaved tiles go to the groups in turn, so that all groups have some.
Division divide(const Geometry& geometry, std::int64_t points, std::int64_t max_groups) {
  if (geometry.per_block) return {geometry.group, ceil_div(points, geometry.group)};
  if (!geometry.sums_by_tiles) {
    // In whole vectors of assignments.
    const std::int64_t part = std::max<std::int64_t>(64, round_up(ceil_div(points, max_groups), 4));
    return {part, ceil_div(points, part)};
  }
  const std::int64_t tiles = ceil_div(points, geometry.tile_points);
  const std::int64_t part = ceil_div(tiles, max_groups);
  return {part, geometry.interleaved ? std::min(max_groups, tiles) : ceil_div(tiles, part)};
}

class ReducingCase final : public KmeansCase {
 public:
  explicit ReducingCase(const Setup& setup)
      : KmeansCase(setup),
        fused_(geometry_.variant == "fused"),
        by_tiles_(geometry_.sums_by_tiles),
        by_cluster_(geometry_.sums_by_cluster),
        on_host_(setup.string("finish") == "host"),
        sums_(setup.kernel(by_tiles_     ? "tile_sums"
                           : by_cluster_ ? "cluster_sums"
                                         : "sums",
                           fused_ ? "assign" : "update", macros_)) {
    if (!fused_) assign_ = setup.kernel("assign", "assign", macros_);
    if (geometry_.products && !fused_) {
      pack_ = setup.kernel("pack", "assign", macros_);
      panel_ = workspace_.allocate<float>(
          "panel", static_cast<std::size_t>((shape_.features + 1) * geometry_.panel()), Role::scratch);
    }
    if (by_cluster_) return;
    total_ = setup.kernel("finish", "update", macros_);
    const std::int64_t most = std::max<std::int64_t>(1, max_partial_sums / geometry_.set());
    const std::int64_t wanted = setup.device().capabilities.compute_units * setup.integer("groups_per_unit");
    division_ =
        divide(geometry_, shape_.points, std::clamp<std::int64_t>(wanted / geometry_.sum_blocks, 1, most));
    const std::int64_t sets = division_.sets;
    partial_ = workspace_.allocate<float>("partial sums", static_cast<std::size_t>(sets * geometry_.set()),
                                          Role::scratch);
    numbers_ = workspace_.allocate<cl_int>("partial numbers",
                                           static_cast<std::size_t>(sets * shape_.clusters), Role::scratch);
  }

  void launch(Launcher& launcher) override {
    if (on_host_) host_centroids_ = with_padding(input_->centroids());
    const auto part = static_cast<cl_int>(division_.part);
    for (std::size_t i = 1; i < centroids_.size(); ++i) {
      const Buffer<float>& previous = centroids_[i - 1];
      if (!fused_) run_assigning(launcher, previous);
      if (by_cluster_) {
        points_.run(launcher, sums_, shape_.clusters * geometry_.sum_blocks, geometry_.sum_group,
                    assignments_, previous, centroids_[i], count());
        continue;
      }
      if (by_tiles_) {
        points_.run(launcher, sums_, division_.sets, geometry_.group, previous, assignments_, partial_,
                    numbers_, count(), part, stride());
      } else {
        points_.run(launcher, sums_, division_.sets * geometry_.sum_blocks, geometry_.sum_group, assignments_,
                    partial_, numbers_, count(), part, stride());
      }
      if (on_host_) {
        finish_on_host(launcher, centroids_[i]);
      } else {
        run_finish(launcher, previous, centroids_[i]);
      }
    }
  }

  [[nodiscard]] std::vector<Work> work() const override {
    const StepWork& step = step_work_;
    const double set_bytes =
        4.0 * static_cast<double>(division_.sets) * static_cast<double>(geometry_.set() + shape_.clusters);
    if (!fused_) {
      return {step.assign(),
              step.of("update",
                      step.point_bytes() + step.assignment_bytes() + step.centroid_bytes() + 2 * set_bytes,
                      step.update_operations() + set_bytes / 4),
              step.total()};
    }
    const Work sums = step.of("assign", set_bytes, step.update_operations());
    Work assign = step.assign();
    assign.bytes += sums.bytes;
    assign.operations += sums.operations;
    return {assign, step.of("update", set_bytes + step.centroid_bytes(), set_bytes / 4), step.total()};
  }

 private:
  void run_assigning(Launcher& launcher, const Buffer<float>& centroids) {
    if (geometry_.products) run_pack(launcher, centroids);
    run_assign(launcher, assign_, geometry_.products ? panel_ : centroids);
  }

  void run_pack(Launcher& launcher, const Buffer<float>& centroids) {
    constexpr std::int64_t items = Geometry::pack_group;
    launcher.run(pack_,
                 Range(static_cast<std::size_t>(round_up(geometry_.panel() * geometry_.pack_lanes, items))),
                 Range(static_cast<std::size_t>(items)), centroids, panel_);
  }

  void run_finish(Launcher& launcher, const Buffer<float>& previous, const Buffer<float>& next) {
    const Finish& finish = geometry_.finish;
    const auto items = static_cast<std::size_t>(finish.outputs * finish.lanes);
    const auto groups = static_cast<std::size_t>(ceil_div(geometry_.set(), finish.outputs));
    launcher.run(total_, Range(groups * items), Range(items), partial_, numbers_, previous, next,
                 static_cast<cl_int>(division_.sets));
  }

  // As in the paper: the partial sums of all groups go to the host, and new centroids come back. A cluster
  // without points keeps its centroid.
  void finish_on_host(Launcher& launcher, const Buffer<float>& next) {
    host_sums_.resize(partial_.count);
    host_numbers_.resize(numbers_.count);
    launcher.read(partial_, host_sums_.data(), host_sums_.size());
    launcher.read(numbers_, host_numbers_.data(), host_numbers_.size());
    launcher.host([&] { add_up(); });
    launcher.write(host_centroids_.data(), next, host_centroids_.size());
  }

  void add_up() {
    const auto clusters = static_cast<std::size_t>(shape_.clusters);
    const std::size_t stride = host_centroids_.size() / clusters;
    for (std::size_t k = 0; k < clusters; ++k) {
      std::int64_t number = 0;
      for (std::size_t at = k; at < host_numbers_.size(); at += clusters) number += host_numbers_[at];
      if (number == 0) continue;
      for (std::size_t f = k * stride; f < (k + 1) * stride; ++f) {
        double sum = 0;
        for (std::size_t at = f; at < host_sums_.size(); at += host_centroids_.size()) sum += host_sums_[at];
        host_centroids_[f] = static_cast<float>(sum / static_cast<double>(number));
      }
    }
  }

  // By clusters: the points of a cluster, which may be all, one after the other. By tiles: a work-item's
  // vectors of points, the folding of a vector, and the lanes of a row. In `finish`: the sets of a lane, and
  // the tree over lanes; the host adds in double precision.
  [[nodiscard]] Rounding rounding() const override {
    if (by_cluster_) return {shape_.points, shape_.points, 0};
    const std::int64_t lanes = geometry_.finish.lanes;
    const std::int64_t of_parts =
        on_host_ ? 1 : ceil_div(division_.sets, lanes) + std::bit_width(static_cast<std::uint64_t>(lanes));
    if (!by_tiles_) return {division_.part, division_.part, of_parts};
    const std::int64_t points = division_.part * geometry_.tile_points;
    return {points / geometry_.point_lanes / geometry_.lanes + 4 + geometry_.lanes, points, of_parts};
  }

  bool fused_, by_tiles_, by_cluster_, on_host_;
  Kernel pack_, assign_, sums_, total_;
  Division division_;
  Buffer<float> panel_, partial_;
  Buffer<cl_int> numbers_;
  std::vector<float> host_sums_, host_centroids_;  // of FINISH_HOST, as they lie on the device
  std::vector<cl_int> host_numbers_;
};

}  // namespace

std::unique_ptr<Case> reducing_case(const Setup& setup) {
  return std::make_unique<ReducingCase>(setup);
}

}  // namespace dwarfsweep::kmeans
