// Two passes over memory per step, row by row: H, then E.
#include "dwarfs/fdtd/fdtd.hpp"
#include "dwarfs/x86_levels.hpp"

namespace dwarfsweep::fdtd {
namespace {

FOR_EACH_X86_LEVEL void update_h(const float* ez, const float* below, std::size_t count, float* hx,
                                 float* hy) {
#pragma omp simd
  for (std::size_t j = 0; j < count - 1; ++j) {
    hx[j] -= time_step * (ez[j + 1] - ez[j]);
    hy[j] += time_step * (below[j] - ez[j]);
  }
  hy[count - 1] += time_step * (below[count - 1] - ez[count - 1]);
}

struct ElectricRow {
  const float *hx, *hy, *above, *ca, *cb;
};

FOR_EACH_X86_LEVEL void update_e(const ElectricRow& row, std::size_t count, float* ez) {
  const ElectricRow r = row;
#pragma omp simd
  for (std::size_t j = 1; j < count - 1; ++j)
    ez[j] = r.ca[j] * ez[j] + r.cb[j] * ((r.hy[j] - r.above[j]) - (r.hx[j] - r.hx[j - 1]));
}

class FdtdHostCase final : public HostCase {
 public:
  FdtdHostCase(std::shared_ptr<const FdtdInput> input, int threads)
      : input_(std::move(input)),
        grid_(input_->grid()),
        threads_(threads),
        ca_(input_->medium().of_each_cell(&Coefficients::ca)),
        cb_(input_->medium().of_each_cell(&Coefficients::cb)) {}

  void reset() override { fields_ = input_->start(); }

  void run() override {
#pragma omp parallel num_threads(threads_)
    for (int step = 0; step < grid_.steps; ++step) {
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < grid_.nx; ++i) {
        const std::size_t at = i * grid_.ny;
        const std::size_t below = i + 1 < grid_.nx ? at + grid_.ny : at;  // Ez of the last row stays 0
        update_h(fields_.ez.data() + at, fields_.ez.data() + below, grid_.ny, fields_.hx.data() + at,
                 fields_.hy.data() + at);
      }
#pragma omp for schedule(static)
      for (std::size_t i = 1; i < grid_.nx - 1; ++i) {
        const std::size_t at = i * grid_.ny;
        update_e({fields_.hx.data() + at, fields_.hy.data() + at, fields_.hy.data() + at - grid_.ny,
                  ca_.data() + at, cb_.data() + at},
                 grid_.ny, fields_.ez.data() + at);
        if (grid_.has_source && i == grid_.source_row())
          fields_.ez[at + grid_.source_column()] += source_in_step(step);
      }
    }
  }

  [[nodiscard]] Check check() const override {
    return input_->check(fields_);
  }

 private:
  std::shared_ptr<const FdtdInput> input_;
  const Grid& grid_;
  int threads_;
  std::vector<float> ca_, cb_;
  Fields fields_;
};

}  // namespace

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const FdtdInput> input, int threads) {
  return std::make_unique<FdtdHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::fdtd
