// The alignment of two sequences, traced back through the matrix of their scores.
#include "dwarfs/needle/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "dwarfs/needle/input.hpp"
#include "dwarfs/needle/needle.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep {

/// The alignment that a correct matrix contains: two lines of equal length, '-' for a gap. Where several
/// alignments have the best score, going back from the end a pair is preferred to a gap in `second`, and that
/// to a gap in `first`.
std::string traced_alignment(const Sequences& sequences, const ScoreMatrix& matrix);

std::string traced_alignment(const Sequences& sequences, const ScoreMatrix& matrix) {
  std::size_t i = sequences.rows();
  std::size_t j = sequences.columns();
  std::string first;
  std::string second;
  while (i > 0 || j > 0) {
    const std::int32_t here = matrix.at(i, j);
    const bool pair = i > 0 && j > 0 &&
                      here == matrix.at(i - 1, j - 1) + sequences.scoring().score(sequences.first()[i - 1],
                                                                                  sequences.second()[j - 1]);
    const bool gap_in_second = !pair && i > 0 && (j == 0 || here == matrix.at(i - 1, j) - sequences.gap());
    const bool takes_first = pair || gap_in_second;
    const bool takes_second = !gap_in_second;
    first += takes_first ? sequences.letters().first[--i] : '-';
    second += takes_second ? sequences.letters().second[--j] : '-';
  }
  std::reverse(first.begin(), first.end());
  std::reverse(second.begin(), second.end());
  return first + "\n" + second + "\n";
}

}  // namespace dwarfsweep

namespace dwarfsweep::needle {

Diagonal diagonal_of(std::size_t index, std::size_t tile_rows, std::size_t tile_columns) {
  const std::size_t right = std::min(index, tile_columns - 1);
  const std::size_t top = index - right;
  return {static_cast<cl_uint>(top), static_cast<cl_uint>(right), std::min(right + 1, tile_rows - top)};
}

Macros macros_of(const Setup& setup) {
  return setup.macros().define("LEAD", lead);
}

NeedleCase::NeedleCase(const Setup& setup, const Extent& extent)
    : workspace_(setup.workspace),
      input_(setup.input<NeedleInput>()),
      extent_(extent),
      stored_(is_stored(setup.string("variant"))),
      first_(workspace_.allocate<cl_uchar>("first", extent.rows, Role::input)),
      profile_(
          workspace_.allocate<cl_short>("profile", input_->scoring().count() * extent.columns, Role::input)),
      matrix_(
          workspace_.allocate<cl_int>("matrix", stored_ ? (extent.rows + 1) * stride() : 0, Role::output)),
      score_(workspace_.allocate<cl_int>("score", stored_ ? 0 : 1, Role::output)) {}

void NeedleCase::upload() {
  std::vector<cl_uchar> first = input_->first();
  first.resize(extent_.rows);
  workspace_.upload(first, first_);
  workspace_.upload(input_->profile(extent_.columns, 2 * input_->gap()), profile_);
}

// An empty sequence leaves no cell to compute: the score is that of the border.
void NeedleCase::reset() {
  workspace_.fill<cl_int>(score_, -input_->gap() * static_cast<cl_int>(input_->rows() + input_->columns()));
}

void NeedleCase::download() {
  workspace_.download(matrix_, cells_);
  workspace_.download(score_, got_score_);
}

Check NeedleCase::check() const {
  const ScoreVerification& verification = input_->verification();
  return stored_ ? verification.check_matrix(matrix()) : verification.check_score(got_score_.at(0));
}

std::vector<Work> NeedleCase::work() const {
  const Work all = work_of("total", cells());
  return {work_of("fill", cells()), all};
}

Work NeedleCase::work_of(const std::string& kernel, double cells_of_kernel) const {
  const auto m = static_cast<double>(input_->rows());
  const auto n = static_cast<double>(input_->columns());
  const double bytes = m + n + sizeof(cl_int) * (stored_ ? (m + 1) * (n + 1) : 1);
  const double share = cells_of_kernel == cells() ? 1 : cells_of_kernel / cells();
  return {kernel, share * bytes, 5 * cells_of_kernel, cells_of_kernel};
}

std::vector<Work> NeedleCase::work_of_halves(std::size_t tile, std::size_t growing) const {
  double upper = 0;
  for (std::size_t row = 0; row * tile < extent_.rows; ++row) {
    const std::size_t height = std::min(tile, input_->rows() - std::min(input_->rows(), row * tile));
    const std::size_t width = std::min(input_->columns(), (growing - std::min(growing, row)) * tile);
    upper += static_cast<double>(height) * static_cast<double>(width);
  }
  return {work_of("upper_left", upper), work_of("lower_right", cells() - upper), work_of("total", cells())};
}

// A score for each cell, where the profile has a row for each letter.
void NeedleCase::upload_similarity(const Buffer<cl_int>& similarity) {
  Staging<cl_int> scores(similarity.count);
  const std::vector<std::int16_t> profile = input_->profile(extent_.columns, 0);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < input_->rows(); ++i) {
    std::copy_n(profile.data() + input_->first()[i] * extent_.columns, extent_.columns,
                scores.data() + i * extent_.columns);
  }
  const std::size_t filled = input_->rows() * extent_.columns;
  std::fill(scores.begin() + static_cast<std::ptrdiff_t>(filled), scores.end(), 0);
  workspace_.upload(scores, similarity);
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
  sink.text("alignment.txt", [this] { return traced_alignment(*input_, matrix()); });
}

std::unique_ptr<Case> make_case(const Setup& setup) {
  const std::string& variant = setup.string("variant");
  if (variant == "wavefront") return wavefront_case(setup);
  if (variant == "global") return global_case(setup);
  return is_strip(variant) ? strip_case(setup) : scan_case(setup);
}

}  // namespace dwarfsweep::needle
