// Needleman-Wunsch, global alignment of two sequences (dynamic programming): the host side of
// kernels_cl/needle.cl.
//
// Work: items are the m * n cells; operations are 5 per cell (an addition, two subtractions, two maxima),
// which all variants answer for; bytes are both sequences read once and the (m + 1) * (n + 1) words of the
// matrix, or the score, written once. `upper_left` and `lower_right` share the cells out, `fill` has them
// all.
//
// The check is exact: scores are whole numbers.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "dwarfs/needle_reference.hpp"
#include "harness/dwarf.hpp"
#include "harness/error.hpp"
#include "harness/formats/fasta.hpp"
#include "harness/random.hpp"
#include "harness/status.hpp"

namespace dwarfsweep {
namespace {

constexpr std::size_t lead = 32;  // words before column 1 of a row: what column 1 is aligned to
constexpr std::size_t widest_chunk =
    512;  // columns of a chunk of `scan`: a row stays in the first-level cache
constexpr std::int64_t longest = 1'000'000;
constexpr std::int64_t largest_gap = 1000;  // so that gap * (m + n) + 11 * min(m, n) stays below 2^31

std::size_t divided_up(std::size_t value, std::size_t by) {
  return (value + by - 1) / by;
}

// --- the space
// --------------------------------------------------------------------------------------------------

bool is_strip(const std::string& variant) {
  return variant == "strip" || variant == "score_only";
}
bool is_stored(const std::string& variant) {
  return variant == "wavefront" || variant == "strip" || variant == "scan";
}

// The same derivations as in kernels_cl/needle.cl.
std::uint64_t tile_words(const Point& point) {
  const std::int64_t tile = point["work_group"];
  const std::int64_t pitch = tile + 1 + point["padding"];
  const std::int64_t words =
      point["granularity"] > 1 ? (2 * tile + 1) * pitch + 1 : (tile + 1) * pitch + tile * tile;
  return static_cast<std::uint64_t>(words);
}

// Whether the device has shuffles is not known here; those that have them have local memory of their own, and
// lanes that shuffle have helpers and keep cells for these.
bool may_shuffle(const Point& point) {
  return point.limits.local_is_dedicated && point["work_group"] == 32 &&
         point.config.word("handover") != "local";
}

// Work-items that fetch for 32 lanes that shuffle, and store for them.
std::uint64_t helpers_of(const std::string& variant) {
  return is_stored(variant) ? 64 : 32;
}

std::uint64_t local_bytes_of(const Point& point) {
  if (point.variant() == "wavefront") return tile_words(point) * sizeof(cl_int);
  if (!is_strip(point.variant())) {
    return widest_chunk * sizeof(cl_int);
  }
  const auto lanes = static_cast<std::uint64_t>(point["work_group"]);
  const auto rows = static_cast<std::uint64_t>(point["unroll"]);
  const std::uint64_t letters = scoring_of(point.problem.word("scoring")).count();
  const auto columns = static_cast<std::uint64_t>(point["granularity"]);
  const std::uint64_t scores = (letters + 1) * lanes * columns;
  const std::uint64_t inbox = 32 * rows;
  if (!may_shuffle(point)) return (scores + 2 * lanes * rows + inbox + 1) * sizeof(cl_int);
  const std::uint64_t fetched_letters = std::max<std::uint64_t>(256, 128 * rows);
  const std::uint64_t steps_kept = columns == 1 ? 64 : columns == 2 ? 32 : 16;
  const std::uint64_t kept = is_stored(point.variant()) ? steps_kept * rows * lanes * columns : 0;
  return (scores + kept + inbox + fetched_letters + 3) * sizeof(cl_int);
}

std::uint64_t group_items_of(const Point& point) {
  const auto group = static_cast<std::uint64_t>(point["work_group"]);
  if (point.variant() == "wavefront") return group / static_cast<std::uint64_t>(point["granularity"]);
  if (!is_strip(point.variant())) return 1;
  return group + (may_shuffle(point) ? helpers_of(point.variant()) : 0);
}

void add_constraints(Space& space) {
  space.constrain("the vectors of a coarsened work-item cannot be wider than its cells of a diagonal",
                  [](const Point& p) {
                    return p.variant() != "wavefront" || p["granularity"] == 1 ||
                           p["vector_width"] <= p["granularity"];
                  });
  space.constrain("a vector cannot be wider than the columns of a work-item", [](const Point& p) {
    return !is_strip(p.variant()) || p["vector_width"] <= p["granularity"];
  });
  space.constrain("more than 64 cells per step do not stay in registers", [](const Point& p) {
    return !is_strip(p.variant()) || p["granularity"] * p["unroll"] <= 64;
  });
  space.constrain("a shuffle joins exactly 32 work-items", [](const Point& p) {
    return p.config.word("handover") != "shuffle" || p["work_group"] == 32;
  });
  space.local_bytes(local_bytes_of);
  space.group_items(group_items_of);
}

Space make_space() {
  Space space;
  space
      .axis({"variant",
             "wavefront: tiles in local memory, a launch per diagonal of tiles; strip: register strips "
             "handed from "
             "work-item to work-item, one launch; scan: rows as running maxima of vectors, a launch per "
             "diagonal of large tiles; score_only, "
             "score_only_scan: the same without storing the matrix",
             {"wavefront", "strip", "score_only", "scan", "score_only_scan"},
             "wavefront"})
      .axis({"work_group",
             "edge of a tile (wavefront), or work-items side by side in a strip",
             {16, 32, 64, 128},
             16,
             {"wavefront", "strip", "score_only"}})
      .axis({"granularity",
             "cells of a diagonal per work-item (wavefront; above 1 the diagonals are padded to equal "
             "length), columns "
             "per work-item (strip), or rows of a tile in units of 16 (scan)",
             {1, 2, 4, 8, 16},
             1})
      .axis({"vector_width", "neighbours moved and computed at once", {1, 2, 4, 8, 16}, 1})
      .axis({"unroll",
             "of the loop over diagonals (wavefront), rows per step (strip), or vectors per iteration (scan)",
             {1, 2, 4, 8},
             1})
      .axis({"padding", "unused columns of a tile in local memory", {0, 1}, 0, {"wavefront"}})
      .axis({"similarity",
             "stored: a score for each cell is read, made beforehand by the host; profile: a row for each "
             "letter",
             {"stored", "profile"},
             "stored",
             {"wavefront"}})
      .axis({"handover",
             "how work-items pass columns on: local memory, shuffles, or these where the device has them",
             {"auto", "local", "shuffle"},
             "auto",
             {"strip", "score_only"}});
  const ValueMap strip{{"work_group", 32}, {"granularity", 4}, {"vector_width", 4}, {"unroll", 2}};
  space.start("strip", strip).start("score_only", strip);
  // As measured on the H200.
  space.start("score_only", {{"work_group", 32}, {"granularity", 4}, {"vector_width", 4}, {"unroll", 4}},
              has_dedicated_local);
  const ValueMap scan{{"granularity", 4}, {"vector_width", 16}, {"unroll", 1}};
  space.start("scan", scan).start("score_only_scan", scan);
  add_constraints(space);
  return space;
}

// --- cases
// --------------------------------------------------------------------------------------------------------

struct Setup {
  Workspace& workspace;
  const Space& space;
  std::shared_ptr<const NeedleInput> input;
  const Config& config;
};

// What the device fills: at least the cells of the problem, whole tiles, strips or bands.
struct Extent {
  std::size_t rows;
  std::size_t columns;
};

class NeedleCase : public Case {
 public:
  NeedleCase(const Setup& setup, const Extent& extent, const std::string& more_options)
      : workspace_(setup.workspace),
        input_(setup.input),
        extent_(extent),
        stored_(is_stored(setup.config.word("variant"))),
        options_(fmt::format("{} -D LETTERS={} -D LEAD={}{}", to_build_options(setup.space, setup.config),
                             setup.input->scoring().count(), lead, more_options)),
        first_(workspace_.allocate<cl_uchar>("first", extent.rows, Role::input)),
        profile_(workspace_.allocate<cl_short>("profile", input_->scoring().count() * extent.columns,
                                               Role::input)),
        matrix_(
            workspace_.allocate<cl_int>("matrix", stored_ ? (extent.rows + 1) * stride() : 0, Role::output)),
        score_(workspace_.allocate<cl_int>("score", stored_ ? 0 : 1, Role::output)) {}

  void upload() override {
    std::vector<cl_uchar> first = input_->first();
    first.resize(extent_.rows);
    workspace_.upload(first, first_);
    workspace_.upload(input_->profile(extent_.columns, 2 * input_->gap()), profile_);
  }
  // An empty sequence leaves no cell to compute: the score is that of the border.
  void reset() override {
    workspace_.fill<cl_int>(score_, -input_->gap() * static_cast<cl_int>(input_->rows() + input_->columns()));
  }
  void download() override {
    workspace_.download(matrix_, cells_);
    workspace_.download(score_, got_score_);
  }
  [[nodiscard]] Check check() const override {
    return stored_ ? input_->check_matrix(matrix()) : input_->check_score(got_score_.at(0));
  }
  [[nodiscard]] std::vector<Work> work() const override {
    const Work all = work_of("total", cells());
    return {work_of("fill", cells()), all};
  }
  void dump(DumpSink& sink) const override;

 protected:
  [[nodiscard]] double cells() const {
    return static_cast<double>(input_->rows()) * static_cast<double>(input_->columns());
  }
  [[nodiscard]] Work work_of(const std::string& kernel, double cells_of_kernel) const;
  [[nodiscard]] Workspace& workspace() { return workspace_; }
  [[nodiscard]] const NeedleInput& input() const { return *input_; }
  [[nodiscard]] const Extent& extent() const { return extent_; }
  [[nodiscard]] cl_int rows() const { return static_cast<cl_int>(input_->rows()); }
  [[nodiscard]] cl_int last() const { return static_cast<cl_int>(input_->columns()); }
  [[nodiscard]] cl_ulong columns() const { return extent_.columns; }
  [[nodiscard]] cl_int gap() const { return input_->gap(); }
  [[nodiscard]] const Buffer<cl_uchar>& first() const { return first_; }
  [[nodiscard]] const Buffer<cl_short>& profile() const { return profile_; }
  [[nodiscard]] const Buffer<cl_int>& device_matrix() const { return matrix_; }
  [[nodiscard]] const Buffer<cl_int>& device_score() const { return score_; }
  Kernel kernel(const std::string& function, const std::string& name) {
    return workspace_.kernel("needle", options_, function, name);
  }

 private:
  [[nodiscard]] std::size_t stride() const { return lead + extent_.columns; }
  [[nodiscard]] ScoreMatrix matrix() const { return {cells_.data() + lead - 1, stride()}; }

  Workspace& workspace_;
  std::shared_ptr<const NeedleInput> input_;
  Extent extent_;
  bool stored_;
  std::string options_;
  Buffer<cl_uchar> first_;
  Buffer<cl_short> profile_;
  Buffer<cl_int> matrix_, score_;
  std::vector<cl_int> cells_, got_score_;
};

Work NeedleCase::work_of(const std::string& kernel, double cells_of_kernel) const {
  const auto m = static_cast<double>(input_->rows());
  const auto n = static_cast<double>(input_->columns());
  const double bytes = m + n + sizeof(cl_int) * (stored_ ? (m + 1) * (n + 1) : 1);
  const double share = cells_of_kernel == cells() ? 1 : cells_of_kernel / cells();
  return {kernel, share * bytes, 5 * cells_of_kernel, cells_of_kernel};
}

void NeedleCase::dump(DumpSink& sink) const {
  const auto array = [&](const char* name, const std::string& letters) {
    sink.array(name, {reinterpret_cast<const std::uint8_t*>(letters.data()), letters.size()},
               {letters.size()});
  };
  array("first", input_->letters().first);
  array("second", input_->letters().second);
  const Scoring& scoring = input_->scoring();
  std::string table;
  for (std::size_t a = 0; a < scoring.count(); ++a) {
    for (std::size_t b = 0; b < scoring.count(); ++b) {
      table += fmt::format("{}{}", b == 0 ? (a == 0 ? "" : ";") : " ", scoring.score(a, b));
    }
  }
  sink.note("letters", scoring.letters);
  sink.note("match_table", table);
  if (!stored_) {
    sink.array("score", std::span<const std::int32_t>(got_score_), {1});
    return;
  }
  const std::size_t m = input_->rows();
  const std::size_t n = input_->columns();
  std::vector<std::int32_t> packed((m + 1) * (n + 1));
  for (std::size_t i = 0; i <= m; ++i) {
    std::copy_n(matrix().cells + i * stride(), n + 1, packed.data() + i * (n + 1));
  }
  sink.array("score", std::span<const std::int32_t>(&packed.back(), 1), {1});
  sink.array("matrix", std::span<const std::int32_t>(packed), {m + 1, n + 1});
  sink.text("alignment.txt", traced_alignment(*input_, matrix()));
}

// An anti-diagonal of a grid of tiles: from its upper right tile on down and left.
struct Diagonal {
  cl_uint top;
  cl_uint right;
  std::size_t tiles;
};

Diagonal diagonal_of(std::size_t index, std::size_t tile_rows, std::size_t tile_columns) {
  const std::size_t right = std::min(index, tile_columns - 1);
  const std::size_t top = index - right;
  return {static_cast<cl_uint>(top), static_cast<cl_uint>(right), std::min(right + 1, tile_rows - top)};
}

class WavefrontCase final : public NeedleCase {
 public:
  explicit WavefrontCase(const Setup& setup)
      : NeedleCase(setup, extent_of(setup), " -D SHUFFLE=0 -D HELPERS=0 -D MARGIN=0 -D CHUNK=16"),
        tile_(static_cast<std::size_t>(setup.config.integer("work_group"))),
        items_(tile_ / static_cast<std::size_t>(setup.config.integer("granularity"))),
        tile_rows_(extent().rows / tile_),
        tile_columns_(extent().columns / tile_),
        upper_left_(kernel("upper_left", "upper_left")),
        lower_right_(kernel("lower_right", "lower_right")) {
    const bool stored = setup.config.word("similarity") == "stored";
    similarity_ = workspace().allocate<cl_int>("similarity", stored ? extent().rows * extent().columns : 0,
                                               Role::input);
  }

  void upload() override {
    NeedleCase::upload();
    if (similarity_.count == 0) return;
    std::vector<cl_int> scores(similarity_.count);
    const std::vector<std::int16_t> profile = input().profile(extent().columns, 0);
    for (std::size_t i = 0; i < input().rows(); ++i) {
      std::copy_n(profile.data() + input().first()[i] * extent().columns, extent().columns,
                  scores.data() + i * extent().columns);
    }
    workspace().upload(scores, similarity_);
  }

  void launch(Launcher& launcher) override {
    for (std::size_t index = 0; index + 1 < tile_rows_ + tile_columns_; ++index) {
      const Diagonal diagonal = diagonal_of(index, tile_rows_, tile_columns_);
      launcher.run(index < growing() ? upper_left_ : lower_right_, diagonal.tiles * items_, items_,
                   device_matrix(), similarity_, profile(), first(), columns(), gap(), diagonal.top,
                   diagonal.right);
    }
  }

  [[nodiscard]] std::vector<Work> work() const override {
    double upper = 0;
    for (std::size_t row = 0; row < tile_rows_; ++row) {
      const std::size_t height = std::min(tile_, input().rows() - std::min(input().rows(), row * tile_));
      const std::size_t width = std::min(input().columns(), (growing() - std::min(growing(), row)) * tile_);
      upper += static_cast<double>(height) * static_cast<double>(width);
    }
    return {work_of("upper_left", upper), work_of("lower_right", cells() - upper), work_of("total", cells())};
  }

 private:
  static Extent extent_of(const Setup& setup) {
    const auto tile = static_cast<std::size_t>(setup.config.integer("work_group"));
    return {round_up(std::max<std::size_t>(1, setup.input->rows()), tile),
            round_up(std::max<std::size_t>(1, setup.input->columns()), tile)};
  }
  // Diagonals until they begin to shrink.
  [[nodiscard]] std::size_t growing() const { return std::max(tile_rows_, tile_columns_); }

  std::size_t tile_, items_, tile_rows_, tile_columns_;
  Buffer<cl_int> similarity_;
  Kernel upper_left_, lower_right_;
};

// A group that waits holds what it runs on, and only GPUs surely go on with the others meanwhile: a core of a
// busy CPU would wait out its time slice, and llvmpipe leaves any loop after 65,535 iterations. Oclgrind,
// which calls itself every type, runs one group after the other and would take the words they share for a
// race.
bool groups_may_wait(const DeviceInfo& device) {
  return device.type == "gpu" && !device.checks_bounds;
}

// Strips that follow each other within one launch; where groups must not wait, each gets a launch of its own.
class StripCase final : public NeedleCase {
 public:
  explicit StripCase(const Setup& setup)
      : NeedleCase(setup, extent_of(setup),
                   fmt::format(" -D SHUFFLE={} -D HELPERS={} -D CHUNK=16 -D MARGIN={}",
                               shuffles(setup) ? 1 : 0, helpers(setup), margin_blocks(setup))),
        lanes_(static_cast<std::size_t>(setup.config.integer("work_group"))),
        items_(lanes_ + helpers(setup)),
        width_(width_of(setup)),
        margin_(margin_blocks(setup) * static_cast<std::size_t>(setup.config.integer("unroll"))),
        strips_(extent().columns / width_),
        strips_at_once_(groups_may_wait(workspace().device()) ? strips_ : 1),
        letters_(workspace().allocate<cl_int>("letters", extent().rows + 2 * margin_, Role::input)),
        edges_(workspace().allocate<cl_int>("edges", (strips_ + 1) * letters_.count, Role::scratch)),
        ticket_(workspace().allocate<cl_uint>("ticket", 1, Role::scratch)),
        fill_(kernel("fill_strips", "fill")) {}

  void upload() override {
    NeedleCase::upload();
    const auto score_begin = [this](std::size_t letter) { return static_cast<cl_int>(letter * width_); };
    std::vector<cl_int> letters(letters_.count, score_begin(input().scoring().count()));
    std::transform(input().first().begin(), input().first().end(),
                   letters.begin() + static_cast<std::ptrdiff_t>(margin_), score_begin);
    workspace().upload(letters, letters_);
  }

  void reset() override {
    NeedleCase::reset();
    workspace().fill<cl_uint>(ticket_, 0);
  }

  void launch(Launcher& launcher) override {
    launcher.fill<cl_int>(edges_, -1);
    for (std::size_t begin = 0; begin < strips_; begin += strips_at_once_) {
      launcher.run(fill_, strips_at_once_ * items_, items_, device_matrix(), device_score(), letters_,
                   profile(), edges_, ticket_, static_cast<cl_uint>(strips_), rows(), last(), columns(),
                   gap());
    }
  }

 private:
  static std::size_t width_of(const Setup& setup) {
    return static_cast<std::size_t>(setup.config.integer("work_group") * setup.config.integer("granularity"));
  }
  // The last lane begins a work-group of steps after the first, and up to 96 rows are fetched ahead.
  static std::size_t margin_blocks(const Setup& setup) {
    return static_cast<std::size_t>(setup.config.integer("work_group")) + 128;
  }
  static Extent extent_of(const Setup& setup) {
    return {round_up(std::max<std::size_t>(1, setup.input->rows()),
                     static_cast<std::size_t>(setup.config.integer("unroll"))),
            round_up(std::max<std::size_t>(1, setup.input->columns()), width_of(setup))};
  }
  static std::size_t helpers(const Setup& setup) {
    return shuffles(setup) ? helpers_of(setup.config.word("variant")) : 0;
  }
  static bool shuffles(const Setup& setup) {
    const DeviceInfo& device = setup.workspace.device();
    const bool offered =
        device.has_extension("cl_nv_pragma_unroll");  // the same question as for HAS_INLINE_PTX
    const std::string& handover = setup.config.word("handover");
    if (handover == "shuffle" && !offered) {
      throw PointFailure(Status::unsupported, fmt::format("{} offers no shuffles to OpenCL C", device.name));
    }
    return offered && handover != "local" && setup.config.integer("work_group") == 32;
  }

  std::size_t lanes_, items_, width_, margin_, strips_, strips_at_once_;
  Buffer<cl_int> letters_, edges_;
  Buffer<cl_uint> ticket_;
  Kernel fill_;
};

// Bands of rows, cut into chunks of columns.
struct BandPlan {
  explicit BandPlan(const Setup& setup)
      : height(16 * static_cast<std::size_t>(setup.config.integer("granularity"))) {
    const std::size_t n = std::max<std::size_t>(1, setup.input->columns());
    chunks = divided_up(n, widest_chunk);
    chunk = round_up(divided_up(n, chunks), 16);
    extent = {std::max<std::size_t>(1, setup.input->rows()), chunks * chunk};
    bands = divided_up(extent.rows, height);
  }

  std::size_t height, chunks, chunk, bands;
  Extent extent;
};

class BandCase final : public NeedleCase {
 public:
  BandCase(const Setup& setup, const BandPlan& plan)
      : NeedleCase(setup, plan.extent,
                   fmt::format(" -D SHUFFLE=0 -D HELPERS=0 -D MARGIN=0 -D CHUNK={}", plan.chunk)),
        bands_(plan.bands),
        chunks_(plan.chunks),
        edge_(workspace().allocate<cl_int>("edge", plan.extent.columns, Role::scratch)),
        west_(workspace().allocate<cl_int>("west", plan.extent.rows, Role::scratch)),
        corners_(workspace().allocate<cl_int>("corners", plan.bands, Role::scratch)),
        fill_(kernel("fill_bands", "fill")) {}

  void launch(Launcher& launcher) override {
    for (std::size_t index = 0; index + 1 < bands_ + chunks_; ++index) {
      const Diagonal diagonal = diagonal_of(index, bands_, chunks_);
      launcher.run(fill_, diagonal.tiles, 1, device_matrix(), device_score(), first(), profile(), edge_,
                   west_, corners_, diagonal.top, diagonal.right, rows(), last(), columns(), gap());
    }
  }

 private:
  std::size_t bands_, chunks_;
  Buffer<cl_int> edge_, west_, corners_;
  Kernel fill_;
};

// --- the dwarf
// ----------------------------------------------------------------------------------------------------

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "needle";
  info.title = "Needleman-Wunsch sequence alignment";
  info.pattern = "dynamic programming";
  info.kernels = {"upper_left", "lower_right", "fill"};
  info.item = "cells";
  const auto maximum = static_cast<double>(longest);
  info.keys = {{"m", "letters of the first sequence (rows)", 512, 0, maximum},
               {"n", "letters of the second sequence (columns)", 512, 0, maximum},
               {"scoring",
                "dna: 5 for a match, -4 for a mismatch; blosum62: protein",
                "blosum62",
                0,
                0,
                {"dna", "blosum62"}},
               {"gap", "penalty per letter that has no partner", 10, 0, static_cast<double>(largest_gap)}};
  // The working set is the matrix: 36 KiB, 1 MiB, 16 MiB, 256 MiB.
  for (const auto& [name, length] :
       {std::pair("tiny", 96), std::pair("small", 512), std::pair("medium", 2048), std::pair("large", 8192),
        std::pair("paper", 4096), std::pair("paper", 8192), std::pair("paper", 16384)}) {
    info.sizes.push_back({name, {{"m", length}, {"n", length}}});
  }
  info.partial_variants = {"score_only", "score_only_scan"};  // no matrix, so no traceback
  info.input_formats = "FASTA: one file with two records, or two files with one each";
  return info;
}

std::string random_letters(Random& random, std::int64_t length, const Scoring& scoring) {
  // The 20 plain residues come first; the ambiguous ones and '*' are rare in nature.
  const std::uint64_t kinds = std::min<std::uint64_t>(20, scoring.count());
  std::string letters(static_cast<std::size_t>(length), ' ');
  for (char& letter : letters) letter = scoring.letters[random.below(kinds)];
  return letters;
}

class Needle final : public Dwarf {
 public:
  Needle() : info_(make_info()), space_(make_space()) {}

  [[nodiscard]] const DwarfInfo& info() const override { return info_; }
  [[nodiscard]] const Space& space() const override { return space_; }

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    const Scoring& scoring = scoring_of(problem.word("scoring"));
    Random random(seed);
    SequencePair letters;
    letters.first = random_letters(random, problem.integer("m"), scoring);
    letters.second = random_letters(random, problem.integer("n"), scoring);
    return std::make_shared<NeedleInput>(std::move(letters), scoring,
                                         static_cast<std::int32_t>(problem.integer("gap")));
  }

  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override;

  [[nodiscard]] std::unique_ptr<Case> prepare(Workspace& workspace, const Loaded& loaded,
                                              const Config& config) const override {
    const Setup setup{workspace, space_, std::dynamic_pointer_cast<const NeedleInput>(loaded.input), config};
    const std::string& variant = config.word("variant");
    if (variant == "wavefront") return std::make_unique<WavefrontCase>(setup);
    if (is_strip(variant)) return std::make_unique<StripCase>(setup);
    return std::make_unique<BandCase>(setup, BandPlan(setup));
  }

  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return needle_host_case(std::dynamic_pointer_cast<const NeedleInput>(loaded.input), threads);
  }

  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    std::vector<PaperSetting> settings;
    for (const int length : {4096, 8192, 16384}) {
      for (const int tile : {16, 32, 64}) {
        settings.push_back({"thesis_2013 6.37", {{"m", length}, {"n", length}}, {{"work_group", tile}}});
      }
    }
    settings.push_back({"performance_study_2008 Figure 11",
                        {{"m", 4096}, {"n", 4096}},
                        {{"variant", "wavefront"}, {"work_group", 16}}});
    return settings;
  }

 private:
  DwarfInfo info_;
  Space space_;
};

Loaded Needle::load(const ValueMap& request, const std::vector<std::string>& files) const {
  auto records = read_sequence_pair({files.begin(), files.end()});
  const std::array<const char*, 2> keys{"m", "n"};
  ValueMap values = request;
  for (std::size_t k = 0; k < 2; ++k) {
    const auto length = static_cast<std::int64_t>(records[k].letters.size());
    if (const Value* wished = request.find(keys[k]); wished && *wished != Value(length)) {
      throw UsageError(fmt::format("{}={} was asked for, but the {} sequence has {} letters", keys[k],
                                   wished->to_string(), k == 0 ? "first" : "second", length));
    }
    values = values.with(keys[k], length);
  }
  Problem problem = make_problem(info_.name, info_.keys, {"file", values});
  auto input = std::make_shared<NeedleInput>(
      SequencePair{std::move(records[0].letters), std::move(records[1].letters)},
      scoring_of(problem.word("scoring")), static_cast<std::int32_t>(problem.integer("gap")));
  return {std::move(problem), std::move(input)};
}

}  // namespace

const Dwarf& needle_dwarf() {
  static const Needle dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
