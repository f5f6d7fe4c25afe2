// saxpy: its data and expected result, and what its files declare to each other.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

#include "harness/run/array_dwarf.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::saxpy {

struct SaxpyInput final : Input {
  SaxpyInput(const Problem& problem, Random& random)
      : a(static_cast<float>(problem.real("a"))), x(static_cast<std::size_t>(problem.integer("n"))), y(x) {
    random.fill_uniform(x, -1, 1);
    random.fill_uniform(y, -1, 1);
  }
  // Two roundings, or one where they are fused: at most 2^-24 (2 |a x| + |y|), and a little of second order.
  // A product and a sum below FLT_MIN may be flushed to zero.
  [[nodiscard]] Result<float> result() const {
    return {"y", {y.size()}, [this](std::size_t i) -> Expected {
              const double product = static_cast<double>(a) * x[i];
              return {product + y[i], 0x1p-23 * (std::abs(product) + std::abs(y[i])) + 2 * FLT_MIN};
            }};
  }
  [[nodiscard]] auto results() const { return std::tuple(result()); }
  void compute(int threads, std::vector<float>& sums) const {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t i = 0; i < y.size(); ++i) sums[i] = a * x[i] + y[i];
  }

  float a;
  std::vector<float> x, y;
};

/// Work-items of a group: those that compute, and those that only load.
std::int64_t group_items(const Config& config);

/// case.cpp
std::unique_ptr<Case> make_case(const Setup& setup);

}  // namespace dwarfsweep::saxpy
