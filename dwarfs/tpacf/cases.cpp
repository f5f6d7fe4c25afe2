#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "dwarfs/tpacf/tpacf.hpp"
#include "harness/formats/npy.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::tpacf {
namespace {

std::size_t size(std::int64_t count) {
  return static_cast<std::size_t>(count);
}

class TpacfCase final : public Case {
 public:
  explicit TpacfCase(const Setup& setup)
      : workspace_(setup.workspace),
        input_(setup.input<SkyInput>()),
        variant_(setup.string("variant")),
        by_table_(!compares() && setup.string("search") == "table"),
        group_(setup.size("work_group")),
        block_(setup.integer("block")),
        jobs_(jobs_of(setup.config, setup.loaded.problem)),
        points_(workspace_.allocate<cl_float4>("points", sky().all.size(), Role::input)),
        partial_(workspace_.allocate<cl_uint>("partial", size(jobs_.rows) * sky().slots(), Role::scratch)),
        result_(workspace_.allocate<cl_long>("result", kinds * sky().slots(), Role::output)) {
    const bool is_gpu = setup.device().capabilities.is_gpu;
    const auto group_of = [&](std::int64_t wanted) {
      const auto most = static_cast<std::int64_t>(setup.device().capabilities.work_group_items);
      return is_gpu && wanted <= most ? wanted : 1;
    };
    collect_group_ = group_of(256);
    sort_group_ = group_of(most_sort_group);
    cap_group_ = group_of(64);
    make_lookup();
    // Blocks of partners should be about as high as wide on the sky: 4 pi / blocks in area.
    const double blocks = static_cast<double>(sky().points) / static_cast<double>(block_);
    const auto bands =
        std::clamp<std::int64_t>(std::llround(std::sqrt(blocks / std::numbers::pi)), 1, most_bands);
    const Macros macros =
        setup.macros()
            .define("SLOTS", static_cast<std::int64_t>(sky().slots()))
            .define("EDGES_TOTAL", static_cast<std::int64_t>(sky().slots() - 1))
            .define("LOOKUPS", static_cast<std::int64_t>(lookup_.size() / (by_table_ ? 2 : 1)))
            .define("CELL_SHIFT", shift_)
            .define("LEAST_BLOCKS", least_blocks)
            .define("COLLECT_GROUP", collect_group_)
            .define("SORT_GROUP", sort_group_)
            .define("CAP_GROUP", cap_group_)
            .define("BANDS", bands);
    lookup_buffer_ = workspace_.allocate<float>("edges", lookup_.size(), Role::input);
    pairs_ = setup.kernel("pairs", "pairs", macros);
    collect_ = setup.kernel("collect", "collect", macros);
    if (!compares()) return;
    for (const double angle : sky().edges.angles) angles_.push_back(static_cast<float>(angle));
    angles_buffer_ = workspace_.allocate<float>("angles", angles_.size(), Role::input);
    const bool sorts = variant_ == "cumulative";
    const std::int64_t all_sets = sky().sets + 1;
    a_caps_ =
        workspace_.allocate<cl_float4>("caps", sorts ? size(all_sets * jobs_.a_count) : 1, Role::scratch);
    b_caps_ = workspace_.allocate<cl_float4>("caps of partners", sorts ? size(all_sets * blocks_of_set()) : 1,
                                             Role::scratch);
    if (!sorts) return;
    sorted_ = workspace_.allocate<cl_float4>("sorted", sky().all.size(), Role::scratch);
    sort_ = setup.kernel("sort", "sort", macros);
    caps_ = setup.kernel("caps", "caps", macros);
  }

  void upload() override {
    std::vector<cl_float4> points;
    points.reserve(sky().all.size());
    for (const SkyPoint& point : sky().all) points.push_back({{point.x, point.y, point.z, 0}});
    workspace_.upload(points, points_);
    workspace_.upload(lookup_, lookup_buffer_);
    if (compares()) workspace_.upload(angles_, angles_buffer_);
  }

  void launch(Launcher& launcher) override {
    const auto n = static_cast<cl_int>(sky().points);
    const auto sets = static_cast<cl_int>(sky().sets);
    const auto rows = static_cast<cl_int>(jobs_.rows);
    const auto a_jobs = static_cast<cl_int>(jobs_.a_count);
    const auto b_jobs = static_cast<cl_int>(jobs_.b_count);
    const auto b_span = static_cast<cl_int>(jobs_.b_span);
    if (variant_ == "cumulative") {
      launcher.run(sort_, size((sky().sets + 1) * sort_group_), size(sort_group_), points_, n, sorted_);
      launch_caps(launcher, jobs_.a_span, jobs_.a_count, a_caps_);
      launch_caps(launcher, block_, blocks_of_set(), b_caps_);
    }
    if (compares()) {
      launcher.run(pairs_, size(jobs_.rows) * group_, group_, variant_ == "cumulative" ? sorted_ : points_,
                   a_caps_, b_caps_, lookup_buffer_, angles_buffer_, n, sets, b_span, a_jobs, b_jobs, rows,
                   partial_);
    } else {
      if (variant_ == "direct") launcher.fill(partial_, cl_uint{0});
      const std::size_t items = variant_ == "direct" ? round_up(size(jobs_.rows * sky().points), group_)
                                                     : size(jobs_.rows) * group_;
      launcher.run(pairs_, items, group_, points_, lookup_buffer_, n, sets, static_cast<cl_int>(jobs_.a_span),
                   b_span, a_jobs, b_jobs, rows, partial_);
    }
    launcher.run(collect_, kinds * sky().slots() * size(collect_group_), size(collect_group_), partial_, rows,
                 static_cast<cl_int>(jobs_.a_count * jobs_.b_count), sets, result_);
  }

  void download() override {
    std::vector<cl_long> slots;
    workspace_.download(result_, slots);
    counts_.assign(slots.begin(), slots.end());
  }
  [[nodiscard]] Check check() const override { return input_->check(counts_); }

  [[nodiscard]] std::vector<Work> work() const override {
    double pairs = 0;
    for (std::size_t kind = 0; kind < kinds; ++kind) pairs += static_cast<double>(sky().pairs(kind));
    const auto points = static_cast<double>(sky().all.size());
    const double partial = 4 * static_cast<double>(partial_.count);
    const double result = 8 * static_cast<double>(kinds * sky().slots());
    const double operations = 11 * pairs;
    std::vector<Work> work;
    if (variant_ == "cumulative") {
      work.push_back({"sort", 32 * points, 0, points});
      work.push_back({"caps", 32 * points, 0, points});
    }
    work.push_back({"pairs", 16 * points + partial, operations, pairs});
    work.push_back({"collect", partial + result, static_cast<double>(partial_.count), pairs});
    work.push_back({"total", 12 * points + result, operations, pairs});
    return work;
  }

  void dump(DumpSink& sink) const override {
    std::vector<float> coordinates;
    for (const SkyPoint& point : sky().all)
      coordinates.insert(coordinates.end(), {point.x, point.y, point.z});
    const std::span<const float> all(coordinates);
    const std::size_t points = size(sky().points);
    sink.array("data", all.first(3 * points), {points, 3});
    sink.array("random", all.subspan(3 * points), {size(sky().sets), points, 3});
    std::vector<float> edges;
    for (std::size_t k = 0; k <= sky().bins(); ++k) edges.push_back(sky().edges.cosine(k));
    sink.array("edges", std::span<const float>(edges), {edges.size()});
    const char* names[kinds] = {"dd", "dr", "rr"};
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      sink.array(names[kind],
                 std::span<const std::int64_t>(counts_).subspan(kind * sky().slots() + 1, sky().bins()),
                 {sky().bins()});
    }
    // No other dwarf has results in double precision, and the sink's arrays know none.
    sink.text("w.npy", [this] {
      const std::vector<double> w = correlation(sky(), counts_);
      return npy_bytes(std::span<const double>(w), {static_cast<std::int64_t>(w.size())});
    });
  }

 private:
  [[nodiscard]] const Sky& sky() const { return input_->sky(); }
  [[nodiscard]] bool compares() const { return variant_ == "register" || variant_ == "cumulative"; }
  [[nodiscard]] std::int64_t blocks_of_set() const { return ceil_div(sky().points, block_); }

  void make_lookup() {
    if (by_table_) {
      const LookupTable table = *lookup_table(sky().edges.distances);
      shift_ = table.shift;
      for (const LookupTable::Cell& cell : table.cells) {
        lookup_.push_back(cell.edge);
        lookup_.push_back(std::bit_cast<float>(cell.slot));
      }
    } else if (compares()) {
      lookup_ = sky().edges.distances;
    } else {
      for (std::size_t k = 0; k <= sky().bins(); ++k) lookup_.push_back(sky().edges.cosine(k));
    }
  }

  void launch_caps(Launcher& launcher, std::int64_t block, std::int64_t blocks,
                   const Buffer<cl_float4>& caps) {
    const std::int64_t count = (sky().sets + 1) * blocks;
    launcher.run(caps_, size(round_up(count, cap_group_)), size(cap_group_), sorted_,
                 static_cast<cl_int>(sky().points), static_cast<cl_int>(block), static_cast<cl_int>(blocks),
                 static_cast<cl_int>(count), caps);
  }

  Workspace& workspace_;
  std::shared_ptr<const SkyInput> input_;
  std::string variant_;
  bool by_table_;
  std::size_t group_;
  std::int64_t block_;
  Jobs jobs_;
  Buffer<cl_float4> points_;
  Buffer<cl_uint> partial_;
  Buffer<cl_long> result_;
  std::int64_t collect_group_ = 1, sort_group_ = 1, cap_group_ = 1, shift_ = 0;
  std::vector<float> lookup_, angles_;
  Buffer<float> lookup_buffer_, angles_buffer_;
  Buffer<cl_float4> a_caps_, b_caps_, sorted_;
  Kernel pairs_, collect_, sort_, caps_;
  Counts counts_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  return std::make_unique<TpacfCase>(setup);
}

}  // namespace dwarfsweep::tpacf
