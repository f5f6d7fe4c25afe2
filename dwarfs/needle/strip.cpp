// The variants strip and score_only of needle: the host side of kernels_cl/needle/strip.cl.
#include <algorithm>

#include "dwarfs/needle/cases.hpp"
#include "dwarfs/needle/needle.hpp"
#include "harness/program/macros.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::needle {
namespace {

// Work-items that fetch for lanes that shuffle by PTX, and store for them.
std::uint64_t helpers_of(const std::string& variant, const Lanes& lanes) {
  if (lanes.method != Shuffle::ptx) return 0;
  return static_cast<std::uint64_t>(lanes.count) * (is_stored(variant) ? 2 : 1);
}

// Strips that follow each other within one launch. Where groups must not wait, and on CPUs, where one that
// waits keeps a core from work, each gets a launch of its own.
class StripCase final : public NeedleCase {
 public:
  explicit StripCase(const Setup& setup)
      : NeedleCase(setup, extent_of(setup)),
        items_(setup.size("work_group") + helpers(setup)),
        width_(width_of(setup)),
        margin_(margin_blocks(setup) * setup.size("unroll")),
        strips_(extent().columns / width_),
        strips_at_once_(workspace().device().type == "gpu" && workspace().device().groups_may_wait() ? strips_
                                                                                                     : 1),
        letters_(workspace().allocate<cl_int>("letters", extent().rows + 2 * margin_, Role::input)),
        edges_(workspace().allocate<cl_int>("edges", (strips_ + 1) * letters_.count, Role::scratch)),
        next_group_id_(workspace().allocate<cl_uint>("next group id", 1, Role::scratch)),
        fill_(
            setup.kernel("fill_strips", "fill", macros(setup).allow_inter_group_sync(strips_at_once_ > 1))) {}

  void upload() override {
    NeedleCase::upload();
    const auto score_begin = [this](std::size_t letter) { return static_cast<cl_int>(letter * width_); };
    std::vector<cl_int> letters(letters_.count, score_begin(input().scoring().count()));
    std::transform(input().first().begin(), input().first().end(),
                   letters.begin() + static_cast<std::ptrdiff_t>(margin_), score_begin);
    workspace().upload(letters, letters_);
  }

  void enqueue(Launcher& launcher) override {
    launcher.fill<cl_int>(edges_, -1);
    launcher.fill<cl_uint>(next_group_id_, 0);
    for (std::size_t begin = 0; begin < strips_; begin += strips_at_once_) {
      launcher.run(fill_, strips_at_once_ * items_, items_, device_matrix(), device_score(), letters_,
                   profile(), edges_, next_group_id_, static_cast<cl_uint>(strips_), rows(), last(),
                   columns(), gap());
    }
  }

 private:
  static Macros macros(const Setup& setup) {
    return macros_of(setup)
        .let_lanes_shuffle(lanes_of(setup))
        .define("HELPERS", static_cast<std::int64_t>(helpers(setup)))
        .define("MARGIN", static_cast<std::int64_t>(margin_blocks(setup)))
        .define("LETTERS", static_cast<std::int64_t>(setup.input<NeedleInput>()->scoring().count()));
  }
  static std::size_t width_of(const Setup& setup) {
    return setup.size("work_group") * setup.size("granularity");
  }
  // The last lane begins a work-group of steps after the first, and up to 96 rows are fetched ahead.
  static std::size_t margin_blocks(const Setup& setup) { return setup.size("work_group") + 128; }
  static Extent extent_of(const Setup& setup) {
    const auto input = setup.input<NeedleInput>();
    return {round_up(std::max<std::size_t>(1, input->rows()), setup.size("unroll")),
            round_up(std::max<std::size_t>(1, input->columns()), width_of(setup))};
  }
  static std::size_t helpers(const Setup& setup) {
    return helpers_of(setup.string("variant"), lanes_of(setup));
  }
  static Lanes lanes_of(const Setup& setup) { return strip_lanes(setup.config, setup.device().capabilities); }

  std::size_t items_, width_, margin_, strips_, strips_at_once_;
  Buffer<cl_int> letters_, edges_;
  Buffer<cl_uint> next_group_id_;
  Kernel fill_;
};

}  // namespace

Lanes strip_lanes(const Config& config, const Capabilities& device) {
  const std::string& handover = config.string("handover");
  if (handover == "local" || (handover == "auto" && !device.is_gpu)) return {};
  const std::vector<std::int64_t> counts =
      handover == "auto" ? certain_lane_counts(device) : lane_counts(device);
  const std::int64_t group = config.integer("work_group");
  return std::find(counts.begin(), counts.end(), group) == counts.end() ? Lanes{}
                                                                        : shuffling_lanes(device, group);
}

// The same derivations as in kernels_cl/needle/strip.cl.
std::uint64_t strip_local_bytes(const Point& point) {
  const auto lanes = static_cast<std::uint64_t>(point["work_group"]);
  const auto rows = static_cast<std::uint64_t>(point["unroll"]);
  const std::uint64_t letters = scoring_of(point.problem.string("scoring")).count();
  const auto columns = static_cast<std::uint64_t>(point["granularity"]);
  const std::uint64_t scores = ceil_div((letters + 1) * lanes * columns, 2);  // two share a word
  const std::uint64_t inbox = 32 * rows;
  const Lanes shuffling = strip_lanes(point.config, point.device);
  if (!shuffling.shuffle()) return (scores + 2 * lanes * rows + inbox + 1) * sizeof(cl_int);
  if (shuffling.method == Shuffle::sub_groups) return (scores + 5) * sizeof(cl_int);
  const std::uint64_t fetched_letters = std::max<std::uint64_t>(256, 128 * rows);
  const std::uint64_t steps_kept = columns == 1 ? 64 : columns == 2 ? 32 : 16;
  const std::uint64_t kept = is_stored(point.variant()) ? steps_kept * rows * lanes * columns : 0;
  return (scores + kept + inbox + fetched_letters + 3) * sizeof(cl_int);
}

std::uint64_t strip_group_items(const Point& point) {
  return static_cast<std::uint64_t>(point["work_group"]) +
         helpers_of(point.variant(), strip_lanes(point.config, point.device));
}

std::unique_ptr<Case> strip_case(const Setup& setup) {
  return std::make_unique<StripCase>(setup);
}

}  // namespace dwarfsweep::needle
