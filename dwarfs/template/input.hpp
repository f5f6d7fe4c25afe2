// The data of `template`, and what its result must be.
#pragma once

#include <tuple>

#include "harness/run/array_dwarf.hpp"

namespace dwarfsweep {

struct TemplateInput final : Input {
  TemplateInput(const Problem& problem, Random& random) : x(static_cast<std::size_t>(problem.integer("n"))) {
    random.fill_uniform(x, -1, 1);
  }
  // The square of a float is exact in double precision. The device rounds it once, to the nearest float: by
  // at most 2^-24 of its magnitude. A square below 2^-126 may be flushed to zero.
  [[nodiscard]] Result<float> y() const {
    return {"y", {x.size()}, [this](std::size_t i) -> Expected {
              const double square = static_cast<double>(x[i]) * x[i];
              return {square, 0x1p-24 * square + 0x1p-126};
            }};
  }
  [[nodiscard]] auto results() const { return std::tuple(y()); }
  void compute(int threads, std::vector<float>& squares) const {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t i = 0; i < x.size(); ++i) squares[i] = x[i] * x[i];
  }

  std::vector<float> x;
};

std::unique_ptr<Case> make_template_case(const Setup& setup);  // case.cpp

}  // namespace dwarfsweep
