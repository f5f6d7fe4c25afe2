#include "dwarfs/matmul/cases.hpp"

#include <algorithm>

#include "dwarfs/matmul/matmul.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::matmul {

namespace {

std::size_t elements(std::int64_t rows, std::int64_t cols) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
}

void copy_rows(const float* from, std::int64_t from_stride, float* to, std::int64_t to_stride,
               std::int64_t rows, std::int64_t cols) {
  for (std::int64_t row = 0; row < rows; ++row) {
    std::copy_n(from + row * from_stride, cols, to + row * to_stride);
  }
}

}  // namespace

ProductCase::ProductCase(const Setup& setup, const Shape& tile)
    : workspace_(setup.workspace),
      input_(setup.input<MatmulInput>()),
      padded_{round_up(shape().rows, tile.rows), round_up(shape().cols, tile.cols),
              round_up(shape().terms, tile.terms)},
      a_(workspace_.allocate<float>("a", elements(padded_.rows, padded_.terms), Role::input)),
      b_(workspace_.allocate<float>("b", elements(padded_.terms, padded_.cols), Role::input)),
      c_(workspace_.allocate<float>("c", elements(padded_.rows, padded_.cols), Role::output)) {}

void ProductCase::upload_padded(const std::vector<float>& values, std::int64_t rows, std::int64_t cols,
                                std::int64_t stride, const Buffer<float>& to) {
  if (values.size() == to.count) return workspace_.upload(values, to);
  std::vector<float> padded(to.count);
  copy_rows(values.data(), cols, padded.data(), stride, rows, cols);
  workspace_.upload(padded, to);
}

void ProductCase::upload() {
  const Operands& operands = input_->operands();
  upload_padded(operands.a, shape().rows, shape().terms, padded_.terms, a_);
  upload_padded(operands.b, shape().terms, shape().cols, padded_.cols, b_);
}

void ProductCase::download() {
  workspace_.download(c_, result_);
  if (padded_.cols != shape().cols) {
    // Each row moves towards the beginning, and none over one that is still to move.
    copy_rows(result_.data(), padded_.cols, result_.data(), shape().cols, shape().rows, shape().cols);
  }
  result_.resize(elements(shape().rows, shape().cols));
}

void ProductCase::dump(DumpSink& sink) const {
  const auto rows = static_cast<std::size_t>(shape().rows);
  const auto cols = static_cast<std::size_t>(shape().cols);
  const auto terms = static_cast<std::size_t>(shape().terms);
  sink.array("a", std::span<const float>(input_->operands().a), {rows, terms});
  sink.array("b", std::span<const float>(input_->operands().b), {terms, cols});
  sink.array("c", std::span<const float>(result_), {rows, cols});
}

Work ProductCase::whole_work(const std::string& kernel) const {
  const auto m = static_cast<double>(shape().rows);
  const auto n = static_cast<double>(shape().cols);
  const auto k = static_cast<double>(shape().terms);
  return {kernel, 4 * (m * k + k * n + m * n), 2 * m * n * k, m * n};
}

std::vector<Work> ProductCase::shared_work(std::int64_t shares) const {
  std::vector<Work> work{whole_work("matmul")};
  if (shares > 1) {
    const double results = work.back().items;
    const auto count = static_cast<double>(shares);
    work.back().bytes += 4 * (count - 1) * results;
    work.back().operations -= (count - 1) * results;
    work.push_back({"reduce", 4 * (count + 1) * results, (count - 1) * results, results});
  }
  work.push_back(whole_work("total"));
  return work;
}

// The variants untiled and tiled of matmul: one launch, a work-item for each result or for a few of them.

namespace {

// The multiples that the groups of the variant need.
Shape tile_of(const Config& config) {
  const std::int64_t edge = config.integer("work_group");
  const bool tiled = config.string("variant") == "tiled";
  return {edge, edge * config.integer("granularity"), tiled ? edge : 1};
}

class DirectCase final : public ProductCase {
 public:
  explicit DirectCase(const Setup& setup)
      : ProductCase(setup, tile_of(setup.config)),
        group_(setup.size("work_group")),
        results_(setup.size("granularity")),
        kernel_(setup.kernel("matmul", "matmul")) {}

  void launch(Launcher& launcher) override {
    const auto rows = static_cast<std::size_t>(padded().rows);
    const auto cols = static_cast<std::size_t>(padded().cols);
    launcher.run(kernel_, Range(cols / results_, rows), Range(group_, group_), a(), b(), c(),
                 static_cast<cl_int>(padded().cols), static_cast<cl_int>(padded().terms));
  }
  [[nodiscard]] std::vector<Work> work() const override {
    return {whole_work("matmul"), whole_work("total")};
  }

 private:
  std::size_t group_, results_;
  Kernel kernel_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  if (setup.string("variant") == "blocked") return blocked_case(setup);
  if (setup.string("variant") == "thin") return thin_case(setup);
  return std::make_unique<DirectCase>(setup);
}

}  // namespace dwarfsweep::matmul
