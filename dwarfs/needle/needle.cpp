// Needleman-Wunsch, global alignment of two sequences (dynamic programming). What runs on a device is in
// cases, wavefront, strip and scan, with kernels_cl/needle/needle.cl.
//
// Work: items are the m * n cells; operations are 5 per cell (an addition, two subtractions, two maxima),
// which all variants answer for; bytes are both sequences read once and the (m + 1) * (n + 1) words of the
// matrix, or the score, written once. `upper_left` and `lower_right` divide the cells between them, `fill`
// has all of them.
//
// The check is exact: scores are integers.
#include <array>

#include "dwarfs/needle/input.hpp"
#include "dwarfs/needle/needle.hpp"
#include "harness/formats/fasta.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep {
namespace {

using namespace needle;

constexpr std::int64_t longest = 1'000'000;
constexpr std::int64_t largest_gap = 1000;  // so that gap * (m + n) + 11 * min(m, n) stays below 2^31

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "needle";
  info.title = "Needleman-Wunsch sequence alignment";
  info.pattern = "dynamic programming";
  info.kernels = {"upper_left", "lower_right", "fill"};
  info.item = "cells";
  info.arithmetic = Arithmetic::integer;
  const auto maximum = static_cast<double>(longest);
  info.keys = {{"m", "letters of the first sequence (rows)", 512, 0, maximum},
               {"n", "letters of the second sequence (columns)", 512, 0, maximum},
               {"scoring",
                "dna: 5 for a match, -4 for a mismatch; blosum62: protein",
                "blosum62",
                0,
                0,
                {"dna", "blosum62"}},
               {"gap",
                "penalty per letter that has no partner",
                10,
                0,
                static_cast<double>(largest_gap),
                {},
                KeyRole::detail}};
  // The working set is the matrix: 36 KiB, 1 MiB, 16 MiB, 256 MiB.
  for (const auto& [name, length] :
       {std::pair("tiny", 96), std::pair("small", 512), std::pair("medium", 2048), std::pair("large", 8192),
        std::pair("paper", 4096), std::pair("paper", 8192), std::pair("paper", 16384)}) {
    info.sizes.push_back({name, {{"m", length}, {"n", length}}});
  }
  info.partial_variants = {"score_only", "score_only_scan"};  // no matrix, so no traceback
  info.input_formats = "FASTA: one file with two records, or two files with one each";
  info.first_choice = [](const Problem&, const Capabilities& device) -> ValueMap {
    return {{"variant", device.is_gpu ? "strip" : "scan"}};
  };
  info.demand = [](const Problem& problem) {
    const double cells = problem.real("m") * problem.real("n");
    return Demand{4 * cells, 4 * cells, 5 * cells, 2};
  };
  info.checks.odd_problems = {
      {{"m", 45}, {"n", 71}}, {{"m", 83}, {"n", 29}, {"scoring", "dna"}, {"gap", 3}}, {{"m", 1}, {"n", 33}}};
  info.checks.refused_problems = {{{"m", 900000}, {"n", 900000}}};
  info.checks.large_problems = {{{"m", 16000}, {"n", 16000}}};
  info.checks.single_item_settings = {{{"variant", "scan"}}};
  info.checks.small_local_settings = {{{"work_group", 16}}};
  info.checks.random_problems.maxima = {{"gap", largest_gap}};
  info.checks.results = {"score", "matrix", "alignment.txt"};
  return info;
}

class Needle final : public Dwarf {
 public:
  Needle() : Dwarf(make_info(), make_space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return random_sequences(problem, seed);
  }

  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override;

  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return needle::make_case(setup);
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
    // Said to change nothing on any device.
    for (const int steps : {2, 4, 8}) {
      settings.push_back({"thesis_2013 Section 6.3.1.4", {{"m", 4096}, {"n", 4096}}, {{"unroll", steps}}});
    }
    settings.push_back({"performance_study_2008 Figure 11",
                        {{"m", 4096}, {"n", 4096}},
                        {{"variant", "wavefront"}, {"work_group", 16}}});
    settings.push_back(
        {"performance_study_2008 Section 6.4", {{"m", 4096}, {"n", 4096}}, {{"variant", "global"}}});
    return settings;
  }
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
  Problem problem = make_problem(info().name, info().keys, {"file", values});
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
