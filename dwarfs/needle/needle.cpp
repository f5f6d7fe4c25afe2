// Needleman-Wunsch, global alignment of two sequences (dynamic programming): the host side of
// kernels_cl/needle/needle.cl, and the variant `wavefront`.
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

#include "dwarfs/needle/cases.hpp"
#include "harness/dwarf.hpp"
#include "harness/error.hpp"
#include "harness/formats/fasta.hpp"
#include "harness/random.hpp"

namespace dwarfsweep {
namespace {

using namespace needle;

constexpr std::int64_t longest = 1'000'000;
constexpr std::int64_t largest_gap = 1000;  // so that gap * (m + n) + 11 * min(m, n) stays below 2^31

// --- the space ---

// The same derivations as in kernels_cl/needle/needle.cl.
std::uint64_t tile_words(const Point& point) {
  const std::int64_t tile = point["work_group"];
  const std::int64_t pitch = tile + 1 + point["padding"];
  const std::int64_t words =
      point["granularity"] > 1 ? (2 * tile + 1) * pitch + 1 : (tile + 1) * pitch + tile * tile;
  return static_cast<std::uint64_t>(words);
}

std::uint64_t local_bytes_of(const Point& point) {
  if (point.variant() == "wavefront") return tile_words(point) * sizeof(cl_int);
  return is_strip(point.variant()) ? strip_local_bytes(point) : scan_local_bytes();
}

std::uint64_t group_items_of(const Point& point) {
  if (point.variant() == "wavefront") {
    return static_cast<std::uint64_t>(point["work_group"] / point["granularity"]);
  }
  return is_strip(point.variant()) ? strip_group_items(point) : 1;
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
    return p.config.string("handover") != "shuffle" || p["work_group"] == 32;
  });
  space.local_bytes(local_bytes_of);
  space.group_items(group_items_of);
}

Space make_space() {
  Space space;
  space
      .axis(
          {"variant",
           "wavefront: tiles in local memory, a launch per diagonal of tiles; strip: register strips handed "
           "from work-item to work-item, one launch; scan: rows as running maxima of vectors in large tiles; "
           "score_only, score_only_scan: the same without storing the matrix",
           {"wavefront", "strip", "score_only", "scan", "score_only_scan"},
           "wavefront"})
      .axis({"work_group",
             "edge of a tile (wavefront), or work-items side by side in a strip",
             {16, 32, 64, 128},
             16,
             {"wavefront", "strip", "score_only"}})
      .axis({"granularity",
             "cells of a diagonal per work-item (wavefront; above 1 the diagonals are padded to equal "
             "length), columns per work-item (strip), or rows of a tile in units of 16 (scan)",
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
             {"strip", "score_only"}})
      .axis(
          {"sync",
           "how a tile waits for the one above: a launch per diagonal, flags within one launch, or these on "
           "CPUs where groups may wait",
           {"auto", "launches", "flags"},
           "auto",
           {"scan", "score_only_scan"}})
      .axis(submission_axis());
  const ValueMap strip{{"work_group", 32}, {"granularity", 4}, {"vector_width", 4}, {"unroll", 2}};
  space.default_setting("strip", strip).default_setting("score_only", strip);
  // As measured on the H200.
  space.default_setting("score_only",
                        {{"work_group", 32}, {"granularity", 8}, {"vector_width", 4}, {"unroll", 4}}, is_gpu);
  const ValueMap scan{{"granularity", 4}, {"vector_width", 16}, {"unroll", 1}};
  space.default_setting("scan", scan).default_setting("score_only_scan", scan);
  add_constraints(space);
  return space;
}

// --- variant wavefront ---

class WavefrontCase final : public NeedleCase {
 public:
  explicit WavefrontCase(const Setup& setup)
      : NeedleCase(setup, extent_of(setup), ""),
        tile_(static_cast<std::size_t>(setup.config.integer("work_group"))),
        items_(tile_ / static_cast<std::size_t>(setup.config.integer("granularity"))),
        tile_rows_(extent().rows / tile_),
        tile_columns_(extent().columns / tile_),
        upper_left_(kernel("upper_left", "upper_left")),
        lower_right_(kernel("lower_right", "lower_right")) {
    const bool stored = setup.config.string("similarity") == "stored";
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

  void enqueue(Launcher& launcher) override {
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

// --- the dwarf ---

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
    const Scoring& scoring = scoring_of(problem.string("scoring"));
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
    const std::string& variant = config.string("variant");
    if (variant == "wavefront") return std::make_unique<WavefrontCase>(setup);
    return is_strip(variant) ? strip_case(setup) : scan_case(setup);
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
    values =
        with_found("needle", values, keys[k], length, k == 0 ? "the first sequence" : "the second sequence");
  }
  Problem problem = make_problem(info_.name, info_.keys, {"file", values});
  auto input = std::make_shared<NeedleInput>(
      SequencePair{std::move(records[0].letters), std::move(records[1].letters)},
      scoring_of(problem.string("scoring")), static_cast<std::int32_t>(problem.integer("gap")));
  return {std::move(problem), std::move(input)};
}

}  // namespace

const Dwarf& needle_dwarf() {
  static const Needle dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
