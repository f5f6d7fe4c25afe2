// The product y = A x with a sparse matrix from a file, which fem's variant csr computes instead of a motion.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/formats/matrix.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::fem {

class ProductInput final : public Input {
 public:
  ProductInput(SparseMatrix matrix, std::vector<float> x) : matrix_(std::move(matrix)), x_(std::move(x)) {}

  [[nodiscard]] const SparseMatrix& matrix() const { return matrix_; }
  [[nodiscard]] const std::vector<float>& x() const { return x_; }
  [[nodiscard]] Check check(std::span<const float> y) const;

 private:
  SparseMatrix matrix_;
  std::vector<float> x_;
};

/// Does the problem have a matrix from a file, and no mesh?
inline bool is_product(const Problem& problem) {
  return problem.integer("rows") > 0;
}

/// A square matrix from a Matrix Market file, and x uniform in [-1, 1). Throws UsageError, InputError,
/// PointFailure.
Loaded load_product(const DwarfInfo& info, const ValueMap& request, const std::string& file);

/// On `threads` threads (1: serial).
std::unique_ptr<HostCase> make_product_host_case(std::shared_ptr<const ProductInput> input, int threads);

}  // namespace dwarfsweep::fem
