// LU decomposition without pivoting (dense linear algebra): A = L U in place, single precision, any order.
//
// The device's matrix is padded with an identity tail to an order that the tile divides: nothing else changes
// by it.
//
// Work. Operations are those of Gaussian elimination, multiplications, subtractions and divisions alike:
// 2/3 n^3 - n^2/2 - n/6 in total, whatever the blocking. Bytes: every kernel reads each element it needs once
// and writes each element it changes once; in total the matrix is read once and written once. Items are the
// elements that a kernel changes; in total those of the matrix. The identity tail does not count.
#include <fmt/format.h>

#include <algorithm>

#include "dwarfs/lud_reference.hpp"
#include "harness/dwarf.hpp"
#include "harness/error.hpp"
#include "harness/formats/matrix.hpp"
#include "harness/status.hpp"

namespace dwarfsweep {
namespace {

const LudInput& input_of(const Loaded& loaded) {
  return dynamic_cast<const LudInput&>(*loaded.input);
}

// --- the space ---------------------------------------------------------------------------------

// How a point of the tiled variant is coarsened; the same derivations as in kernels_cl/lud.cl.
struct TiledShape {
  explicit TiledShape(const Config& config)
      : tile(config.integer("work_group")),
        granularity(config.integer("granularity")),
        vector_width(config.integer("vector_width")),
        direction(config.word("direction")),
        transposed(config.word("layout") == "transposed") {}

  [[nodiscard]] std::int64_t neighbours() const {
    return direction == "perimeter" ? std::max(granularity, vector_width) : vector_width;
  }
  [[nodiscard]] std::int64_t coarse_x() const {
    return (direction == "internal_x" ? granularity : 1) * (transposed ? 1 : vector_width);
  }
  [[nodiscard]] std::int64_t coarse_y() const { return direction == "internal_y" ? granularity : 1; }
  [[nodiscard]] std::int64_t perimeter_items() const { return 2 * tile / neighbours(); }
  [[nodiscard]] std::int64_t largest_group() const {
    return std::max({tile, perimeter_items(), (tile / coarse_x()) * (tile / coarse_y())});
  }

  std::int64_t tile;
  std::int64_t granularity;
  std::int64_t vector_width;
  std::string direction;
  bool transposed;
};

// How a point of the blocked variant is shaped; the same derivations as in kernels_cl/lud.cl.
struct BlockedShape {
  explicit BlockedShape(const Config& config)
      : edge(config.integer("work_group")),
        granularity(config.integer("granularity")),
        vector_width(config.integer("vector_width")),
        staged(config.word("memory") == "local"),
        panel(config.integer("panel")),
        tile_x(config.integer("tile_x")),
        tile_y(config.integer("tile_y")) {}

  [[nodiscard]] std::int64_t items() const { return edge * edge; }
  [[nodiscard]] std::int64_t group_x() const { return tile_x * edge; }
  [[nodiscard]] std::int64_t group_y() const { return tile_y * edge; }
  [[nodiscard]] std::int64_t solve_items() const { return edge == 1 ? 1 : std::min<std::int64_t>(64, panel); }
  [[nodiscard]] std::int64_t lanes() const { return edge == 1 ? vector_width : solve_items(); }
  /// Does the block on the diagonal fit local memory while it is factored?
  [[nodiscard]] bool block_local(const Limits& limits) const {
    return (pivot_floats + block_floats()) * sizeof(float) <= limits.local_bytes;
  }
  [[nodiscard]] std::uint64_t local_bytes(const Limits& limits) const {
    const std::uint64_t stages = staged ? 2 * 16 * static_cast<std::uint64_t>(group_x() + group_y()) : 0;
    const std::uint64_t factoring = pivot_floats + (block_local(limits) ? block_floats() : 0);
    const std::int64_t solving = panel * (lanes() + (edge == 1 ? 0 : 1)) + (edge == 1 ? 1 : panel * step);
    return sizeof(float) * std::max({stages, factoring, static_cast<std::uint64_t>(solving)});
  }

  std::int64_t edge;
  std::int64_t granularity;
  std::int64_t vector_width;
  bool staged;
  std::int64_t panel;
  std::int64_t tile_x;
  std::int64_t tile_y;

 private:
  static constexpr std::int64_t step = 16;
  static constexpr std::uint64_t pivot_floats = 2 * step;
  [[nodiscard]] std::uint64_t block_floats() const {
    return static_cast<std::uint64_t>(panel * (panel + std::max<std::int64_t>(4, vector_width)));
  }
};

// How a point of the dataflow variant is shaped; the same derivations as in kernels_cl/lud.cl.
struct DataflowShape {
  explicit DataflowShape(const Config& config)
      : tile(config.integer("panel")), item_x(config.integer("tile_x")), item_y(config.integer("tile_y")) {}

  [[nodiscard]] std::int64_t items() const { return (tile / item_x) * (tile / item_y); }
  [[nodiscard]] std::uint64_t local_bytes() const {
    const std::int64_t chunk = tile <= 64 && items() >= 4 * tile ? 32 : 16;
    return sizeof(float) * static_cast<std::uint64_t>(2 * 2 * chunk * tile) + 3 * sizeof(cl_int);
  }

  std::int64_t tile;
  std::int64_t item_x;
  std::int64_t item_y;
};

bool is_tiled(const Point& point) {
  return point.variant() == "tiled";
}

bool is_blocked(const Point& point) {
  return point.variant() == "blocked";
}

void add_axes(Space& space) {
  const std::vector<std::string> tiled = {"tiled"};
  const std::vector<std::string> blocked = {"blocked"};
  const std::vector<std::string> in_registers = {"blocked", "dataflow"};
  const std::vector<std::string> not_dataflow = {"tiled", "blocked"};
  space
      .axis({"variant",
             "tiled: diagonal, perimeter and internal tiles in local memory, three launches per step; "
             "blocked: wide "
             "packed panels, register tiles, the next diagonal block factored with the update, two launches; "
             "dataflow: one launch, each group keeps a tile in registers and waits for the tiles it needs",
             {"tiled", "blocked", "dataflow"},
             "tiled"})
      .axis({"work_group",
             "tiled: edge of a tile; blocked: edge of the square of work-items",
             {1, 2, 4, 8, 16, 32, 64},
             16,
             not_dataflow})
      .axis(
          {"granularity",
           "tiled: results per work-item in the kernel that `direction` names; blocked: tiles per work-item",
           {1, 2, 4, 8, 16},
           1,
           not_dataflow})
      .axis({"vector_width",
             "neighbouring results, or with layout=transposed terms of the internal inner product",
             {1, 2, 4, 8, 16},
             1,
             not_dataflow})
      .axis({"unroll",
             "factor of the inner loops; in tiled from 2 on the perimeter's outer loop is unrolled fully as "
             "well",
             {1, 2, 4, 8, 16},
             1})
      .axis({"padding", "unused columns of the tiles in local memory", {0, 1}, 0, tiled})
      .axis({"direction",
             "which kernel is coarsened: the perimeter, or the internal kernel in x or in y",
             {"perimeter", "internal_x", "internal_y"},
             "perimeter",
             tiled})
      .axis({"layout",
             "transposed: the inner product's tiles are turned while they are loaded",
             {"direct", "transposed"},
             "direct",
             tiled})
      .axis({"memory", "where the update reads the packed panels", {"local", "global"}, "local", blocked})
      .axis({"panel", "columns per step; dataflow: edge of a tile", {32, 64, 128, 256}, 64, in_registers})
      .axis({"tile_x", "columns that a work-item updates at once", {4, 8, 16, 32, 64}, 4, in_registers})
      .axis({"tile_y", "rows that a work-item updates at once", {4, 8, 16}, 4, in_registers});
}

void constrain_tiled(Space& space) {
  space.constrain("a tile has an edge of at least 8",
                  [](const Point& p) { return !is_tiled(p) || p["work_group"] >= 8; });
  space.constrain("a direction says nothing while the granularity is 1", [](const Point& p) {
    return p["granularity"] > 1 || p.config.word("direction") == "perimeter";
  });
  space.constrain("a vector cannot be wider than the tile",
                  [](const Point& p) { return !is_tiled(p) || p["vector_width"] <= p["work_group"]; });
  space.constrain("a work-item cannot have more neighbouring results than the tile has columns",
                  [](const Point& p) {
                    const TiledShape shape(p.config);
                    const auto most = std::max({shape.neighbours(), shape.coarse_x(), shape.coarse_y()});
                    return !is_tiled(p) || most <= shape.tile;
                  });
}

void constrain_blocked(Space& space) {
  space.constrain("the square of work-items has an edge of at most 32",
                  [](const Point& p) { return !is_blocked(p) || p["work_group"] <= 32; });
  space.constrain("a vector cannot be wider than the tile of a work-item",
                  [](const Point& p) { return !is_blocked(p) || p["vector_width"] <= p["tile_x"]; });
  space.constrain("the columns of a group must divide the panel", [](const Point& p) {
    const BlockedShape shape(p.config);
    return !is_blocked(p) || shape.panel % shape.group_x() == 0;
  });
  space.constrain("the rows of a group, all its tiles, must divide the panel", [](const Point& p) {
    const BlockedShape shape(p.config);
    return !is_blocked(p) || shape.panel % (shape.group_y() * shape.granularity) == 0;
  });
}

void constrain_dataflow(Space& space) {
  space.constrain("more values than 128 do not stay in the registers of a work-item", [](const Point& p) {
    return p.variant() != "dataflow" || p["tile_x"] * p["tile_y"] <= 128;
  });
}

Space make_space() {
  Space space;
  add_axes(space);
  // Wide vectors, one work-item per group and packed panels read in place: what a CPU wants.
  space.start("blocked", {{"work_group", 1},
                          {"granularity", 8},
                          {"vector_width", 16},
                          {"unroll", 1},
                          {"memory", "global"},
                          {"panel", 128},
                          {"tile_x", 32},
                          {"tile_y", 8}});
  // The same by groups, which stage the panels: what a GPU wants.
  space.start("blocked",
              {{"work_group", 16},
               {"granularity", 1},
               {"vector_width", 4},
               {"unroll", 4},
               {"memory", "local"},
               {"panel", 64},
               {"tile_x", 4},
               {"tile_y", 4}},
              has_dedicated_local);
  space.start("dataflow", {{"unroll", 4}, {"panel", 64}, {"tile_x", 4}, {"tile_y", 8}});
  space.start("dataflow", {{"unroll", 16}}, has_dedicated_local);
  constrain_tiled(space);
  constrain_blocked(space);
  constrain_dataflow(space);
  space.group_items([](const Point& p) {
    const BlockedShape blocked(p.config);
    if (p.variant() == "dataflow") return static_cast<std::uint64_t>(DataflowShape(p.config).items());
    return static_cast<std::uint64_t>(is_tiled(p) ? TiledShape(p.config).largest_group()
                                                  : std::max(blocked.items(), blocked.solve_items()));
  });
  space.local_bytes([](const Point& p) {
    if (p.variant() == "dataflow") return DataflowShape(p.config).local_bytes();
    if (is_blocked(p)) return BlockedShape(p.config).local_bytes(p.limits);
    return static_cast<std::uint64_t>(3 * p["work_group"] * (p["work_group"] + p["padding"])) * sizeof(float);
  });
  return space;
}

// --- work --------------------------------------------------------------------------------------

Work total_work(std::size_t order, const std::string& kernel) {
  const auto n = static_cast<double>(order);
  return {kernel, 2 * sizeof(float) * n * n, n * (n - 1) * (4 * n + 1) / 6, n * n};
}

// Adds what the steps of width `step` do, kernel by kernel, for the true order.
std::vector<Work> work_of(std::size_t order, std::size_t step) {
  Work diagonal{"diagonal"};
  Work perimeter{"perimeter"};
  Work internal{"internal"};
  constexpr double element = sizeof(float);
  for (std::size_t begin = 0; begin < order; begin += step) {
    const auto width = static_cast<double>(std::min(step, order - begin));
    const double rest = static_cast<double>(order - begin) - width;
    diagonal.items += width * width;
    diagonal.bytes += 2 * element * width * width;
    diagonal.operations += width * (width - 1) * (4 * width + 1) / 6;
    perimeter.items += 2 * width * rest;
    perimeter.bytes += rest > 0 ? element * (4 * width * rest + width * width) : 0;
    perimeter.operations += rest * width * (2 * width - 1);
    internal.items += rest * rest;
    internal.bytes += element * (2 * rest * rest + 2 * width * rest);
    internal.operations += 2 * width * rest * rest;
  }
  return {diagonal, perimeter, internal, total_work(order, "total")};
}

// --- cases -------------------------------------------------------------------------------------

// What all variants share: the padded matrix, its transfers, its check.
class LudCase : public Case {
 public:
  LudCase(Workspace& workspace, const Loaded& loaded, std::size_t multiple, std::size_t stride_beyond_order)
      : workspace_(workspace),
        loaded_(loaded),
        order_(input_of(loaded).order()),
        padded_(round_up(order_, multiple)),
        stride_(padded_ + stride_beyond_order),
        original_(workspace.allocate<float>("original", padded_ * stride_, Role::input)),
        matrix_(workspace.allocate<float>("matrix", padded_ * stride_, Role::output)) {}

  void upload() override {
    const std::vector<float>& values = input_of(loaded_).values();
    std::vector<float> padded(padded_ * stride_);
    for (std::size_t row = 0; row < order_; ++row) {
      std::copy_n(values.data() + row * order_, order_, padded.data() + row * stride_);
    }
    for (std::size_t i = order_; i < padded_; ++i) padded[i * stride_ + i] = 1;
    workspace_.upload(padded, original_);
  }
  void reset() override { workspace_.copy(original_, matrix_); }
  void download() override { workspace_.download(matrix_, factors_); }
  [[nodiscard]] Check check() const override {
    return check_factors(input_of(loaded_), factors_.data(), stride_);
  }

  void dump(DumpSink& sink) const override {
    std::vector<float> factors(order_ * order_);
    for (std::size_t row = 0; row < order_; ++row) {
      std::copy_n(factors_.data() + row * stride_, order_, factors.data() + row * order_);
    }
    sink.array("matrix", std::span<const float>(input_of(loaded_).values()), {order_, order_});
    sink.array("lu", std::span<const float>(factors), {order_, order_});
  }

 protected:
  [[nodiscard]] std::size_t order() const { return order_; }
  [[nodiscard]] std::size_t padded() const { return padded_; }
  [[nodiscard]] cl_int stride() const { return static_cast<cl_int>(stride_); }
  [[nodiscard]] const Buffer<float>& matrix() const { return matrix_; }

 private:
  Workspace& workspace_;
  Loaded loaded_;
  std::size_t order_;
  std::size_t padded_;
  std::size_t stride_;
  Buffer<float> original_;
  Buffer<float> matrix_;
  std::vector<float> factors_;
};

class TiledCase final : public LudCase {
 public:
  TiledCase(Workspace& workspace, const Loaded& loaded, const Config& config, const std::string& options)
      : LudCase(workspace, loaded, static_cast<std::size_t>(config.integer("work_group")), 0),
        shape_(config),
        diagonal_(workspace.kernel("lud", options, "tiled_diagonal", "diagonal")),
        perimeter_(workspace.kernel("lud", options, "tiled_perimeter", "perimeter")),
        internal_(workspace.kernel("lud", options, "tiled_internal", "internal")) {}

  void launch(Launcher& launcher) override {
    const auto tile = static_cast<std::size_t>(shape_.tile);
    const auto perimeter_items = static_cast<std::size_t>(shape_.perimeter_items());
    const Range inner(static_cast<std::size_t>(shape_.tile / shape_.coarse_x()),
                      static_cast<std::size_t>(shape_.tile / shape_.coarse_y()));
    for (std::size_t offset = 0; offset < padded(); offset += tile) {
      const std::size_t tiles = (padded() - offset) / tile - 1;
      const auto begin = static_cast<cl_int>(offset);
      launcher.run(diagonal_, tile, tile, matrix(), stride(), begin);
      launcher.run(perimeter_, tiles * perimeter_items, perimeter_items, matrix(), stride(), begin);
      launcher.run(internal_, Range(tiles * inner.sizes[0], tiles * inner.sizes[1]), inner, matrix(),
                   stride(), begin);
    }
  }
  [[nodiscard]] std::vector<Work> work() const override {
    return work_of(order(), static_cast<std::size_t>(shape_.tile));
  }

 private:
  TiledShape shape_;
  Kernel diagonal_;
  Kernel perimeter_;
  Kernel internal_;
};

class BlockedCase final : public LudCase {
 public:
  // Rows begin at an odd multiple of 64 bytes: at a power of two a column would sit in one set of a cache.
  BlockedCase(Workspace& workspace, const Loaded& loaded, const Config& config, const std::string& options)
      : LudCase(workspace, loaded, static_cast<std::size_t>(config.integer("panel")), 16),
        shape_(config),
        diagonal_(workspace.kernel("lud", options, "blocked_diagonal", "diagonal")),
        perimeter_(workspace.kernel("lud", options, "blocked_perimeter", "perimeter")),
        internal_(workspace.kernel("lud", options, "blocked_internal", "internal")),
        factors_(workspace.allocate<float>("factors", 2 * panel() * panel(), Role::scratch)),
        right_panel_(workspace.allocate<float>("right panel", panel() * padded(), Role::scratch)),
        below_panel_(workspace.allocate<float>("below panel", panel() * padded(), Role::scratch)) {}

  void launch(Launcher& launcher) override {
    const auto items = static_cast<std::size_t>(shape_.items());
    const auto solve_items = static_cast<std::size_t>(shape_.solve_items());
    launcher.run(diagonal_, items, items, matrix(), factors_, stride());
    for (std::size_t offset = 0; offset + panel() < padded(); offset += panel()) {
      const std::size_t rest = padded() - offset - panel();
      const auto begin = static_cast<cl_int>(offset);
      const auto order_of_rest = static_cast<cl_int>(rest);
      const std::size_t solvers = 2 * rest / static_cast<std::size_t>(shape_.lanes()) * solve_items;
      launcher.run(perimeter_, solvers, solve_items, matrix(), factors_, right_panel_, below_panel_, stride(),
                   begin, order_of_rest);
      const std::size_t groups = 1 + stacks(rest) - stacks(panel());
      launcher.run(internal_, groups * items, items, matrix(), factors_, right_panel_, below_panel_, stride(),
                   begin, order_of_rest);
    }
  }
  [[nodiscard]] std::vector<Work> work() const override { return work_of(order(), panel()); }

 private:
  [[nodiscard]] std::size_t panel() const { return static_cast<std::size_t>(shape_.panel); }
  /// Stacks of tiles in a square of that order.
  [[nodiscard]] std::size_t stacks(std::size_t square) const {
    return square / static_cast<std::size_t>(shape_.group_x()) *
           (square / static_cast<std::size_t>(shape_.group_y() * shape_.granularity));
  }

  BlockedShape shape_;
  Kernel diagonal_;
  Kernel perimeter_;
  Kernel internal_;
  Buffer<float> factors_;
  Buffer<float> right_panel_;
  Buffer<float> below_panel_;
};

// A group that waits holds what it runs on, and only GPUs surely go on with the others meanwhile: a core of a
// busy CPU would wait out its time slice, and llvmpipe leaves any loop after 65,535 iterations. Oclgrind,
// which calls itself every type, runs one group after the other and would take what they share for a race.
bool groups_may_wait(const DeviceInfo& device) {
  return device.type == "gpu" && !device.checks_bounds;
}

// All tiles in one launch; where groups must not wait, two for each square that is left over, of the tile on
// its diagonal and of the others in its first row and column.
class DataflowCase final : public LudCase {
 public:
  DataflowCase(Workspace& workspace, const Loaded& loaded, const Config& config, const std::string& options)
      : LudCase(workspace, loaded, static_cast<std::size_t>(config.integer("panel")), 16),
        workspace_(workspace),
        items_(static_cast<std::size_t>(DataflowShape(config).items())),
        tiles_(padded() / static_cast<std::size_t>(config.integer("panel"))),
        kernel_(workspace.kernel("lud_dataflow", options, "factor_tiles", "tiles")),
        is_done_(workspace.allocate<cl_uint>("which tiles are done", tiles_ * tiles_, Role::scratch)),
        ticket_(workspace.allocate<cl_uint>("ticket", 1, Role::scratch)) {}

  void reset() override {
    LudCase::reset();
    workspace_.fill<cl_uint>(is_done_, 0);
    workspace_.fill<cl_uint>(ticket_, 0);
  }

  void launch(Launcher& launcher) override {
    if (groups_may_wait(workspace_.device())) return launch_groups(launcher, tiles_ * tiles_);
    for (std::size_t left = tiles_; left > 0; --left) {
      launch_groups(launcher, 1);
      launch_groups(launcher, 2 * (left - 1));
    }
  }
  [[nodiscard]] std::vector<Work> work() const override {
    return {total_work(order(), "tiles"), total_work(order(), "total")};
  }

 private:
  void launch_groups(Launcher& launcher, std::size_t groups) {
    launcher.run(kernel_, groups * items_, items_, matrix(), is_done_, ticket_, stride(),
                 static_cast<cl_int>(tiles_));
  }

  Workspace& workspace_;
  std::size_t items_;
  std::size_t tiles_;
  Kernel kernel_;
  Buffer<cl_uint> is_done_;
  Buffer<cl_uint> ticket_;
};

class LudHostCase final : public HostCase {
 public:
  LudHostCase(const Loaded& loaded, int threads) : loaded_(loaded), threads_(threads) {}

  void reset() override { factors_ = input_of(loaded_).values(); }
  void run() override { factor_on_host(factors_.data(), input_of(loaded_).order(), threads_); }
  [[nodiscard]] Check check() const override {
    return check_factors(input_of(loaded_), factors_.data(), input_of(loaded_).order());
  }

 private:
  Loaded loaded_;
  int threads_;
  std::vector<float> factors_;
};

// --- the dwarf ---------------------------------------------------------------------------------

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "lud";
  info.title = "LU decomposition without pivoting";
  info.pattern = "dense linear algebra";
  info.kernels = {"diagonal", "perimeter", "internal", "tiles"};
  info.item = "elements";
  info.keys = {{"n", "order of the matrix", 256, 1, 65536}};
  // The working set is the matrix: 25 KiB, 225 KiB, 7.9 MiB, 64 MiB.
  info.sizes = {{"tiny", {{"n", 80}}},    {"small", {{"n", 240}}},  {"medium", {{"n", 1440}}},
                {"large", {{"n", 4096}}}, {"paper", {{"n", 4096}}}, {"paper", {{"n", 8192}}}};
  info.input_formats = "Matrix Market array, or .dat: n, then n x n numbers by rows";
  return info;
}

class Lud final : public Dwarf {
 public:
  Lud() : info_(make_info()), space_(make_space()) {}

  [[nodiscard]] const DwarfInfo& info() const override { return info_; }
  [[nodiscard]] const Space& space() const override { return space_; }

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return random_matrix(static_cast<std::size_t>(problem.integer("n")), seed);
  }

  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    if (files.size() != 1)
      throw UsageError(fmt::format("lud reads one matrix file, {} were given", files.size()));
    Matrix matrix = read_matrix(files.front());
    if (matrix.rows != matrix.cols) {
      throw InputError(files.front(), "",
                       fmt::format("the matrix has {} rows and {} columns; lud needs a square one",
                                   matrix.rows, matrix.cols));
    }
    if (const Value* n = request.find("n"); n && *n != Value(matrix.rows)) {
      throw UsageError(fmt::format("n={} was asked for, but the matrix of {} is of order {}", n->to_string(),
                                   files.front(), matrix.rows));
    }
    Problem problem = make_problem(info_.name, info_.keys, {"file", {{"n", matrix.rows}}});
    auto input = std::make_shared<LudInput>(static_cast<std::size_t>(matrix.rows), std::move(matrix.values));
    return {std::move(problem), std::move(input)};
  }

  [[nodiscard]] std::unique_ptr<Case> prepare(Workspace& workspace, const Loaded& loaded,
                                              const Config& config) const override {
    const bool block_local = BlockedShape(config).block_local(workspace.device().limits);
    const std::string options =
        to_build_options(space_, config) + fmt::format(" -D BLOCK_LOCAL={}", block_local ? 1 : 0);
    if (config.word("variant") == "tiled")
      return std::make_unique<TiledCase>(workspace, loaded, config, options);
    if (config.word("variant") == "dataflow")
      return std::make_unique<DataflowCase>(workspace, loaded, config, options);
    return std::make_unique<BlockedCase>(workspace, loaded, config, options);
  }

  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return std::make_unique<LudHostCase>(loaded, threads);
  }

  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override;

 private:
  DwarfInfo info_;
  Space space_;
};

std::vector<PaperSetting> Lud::paper_settings() const {
  std::vector<PaperSetting> settings;
  for (const int n : {4096, 8192}) {
    const auto add = [&](const std::string& figure, const ValueMap& values) {
      settings.push_back({"thesis_2013 " + figure, {{"n", n}}, values});
    };
    for (const int g : {1, 2, 4, 8, 16}) add("6.2", {{"granularity", g}});
    for (const int tile : {16, 32}) add("6.4", {{"work_group", tile}});
    for (const int width : {1, 2, 4, 8, 16}) add("6.6", {{"granularity", width}, {"vector_width", width}});
    for (const int factor : {1, 2, 16}) add("6.8", {{"unroll", factor}});
    for (const auto& [figure, direction] :
         {std::pair("6.12", "internal_x"), std::pair("6.15", "internal_y")}) {
      add(figure, {{"granularity", 1}});
      for (const int g : {2, 4, 8}) add(figure, {{"granularity", g}, {"direction", direction}});
    }
    for (const int tile : {16, 32}) add("6.17", {{"work_group", tile}});
    for (const char* layout : {"direct", "transposed"}) add("6.20", {{"layout", layout}});
    for (const int width : {1, 2, 4, 8}) add("6.22", {{"layout", "transposed"}, {"vector_width", width}});
    add("6.24", {{"layout", "direct"}, {"vector_width", 1}});
    for (const int width : {2, 4, 8}) add("6.24", {{"layout", "transposed"}, {"vector_width", width}});
    for (const int factor : {1, 2, 4, 8}) add("6.26", {{"unroll", factor}});
  }
  return settings;
}

}  // namespace

const Dwarf& lud_dwarf() {
  static const Lud dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
