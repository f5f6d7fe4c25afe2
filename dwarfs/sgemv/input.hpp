// What sgemv multiplies: the shape of the problem, the matrix and the vectors.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "harness/run/dwarf.hpp"
#include "harness/space/problem.hpp"

namespace dwarfsweep::sgemv {

/// A is rows x cols, its rows begin row_stride elements apart; the product is of A, or of its transpose.
struct Shape {
  std::int64_t rows = 0, cols = 0, row_stride = 0;
  bool transposed = false;
  float alpha = 1, beta = 0;

  [[nodiscard]] std::int64_t outputs() const { return transposed ? cols : rows; }
  [[nodiscard]] std::int64_t terms() const { return transposed ? rows : cols; }
};

/// Throws UsageError where lda is too small for n.
Shape shape_of(const Problem& problem);

struct Operands {
  /// A matrix of NaN, which it stays between cols and row_stride; empty vectors. Throws PointFailure where
  /// memory does not suffice.
  explicit Operands(const Shape& its_shape);

  /// Random elements, and `grain`.
  void fill_matrix(std::uint64_t seed);
  /// Random elements of both vectors.
  void fill_vectors(std::uint64_t seed);

  Shape shape;
  std::vector<float> matrix;  ///< rows x row_stride
  std::vector<float> x;       ///< one element per term
  std::vector<float> y_in;    ///< one element per output
  double grain = 0;           ///< all products of the elements are multiples of it; 0: not known
};

/// The sums of all outputs, computed at the first check.
class Verifier {
 public:
  /// The operands must outlive the verifier.
  explicit Verifier(const Operands& operands) : operands_(operands) {}
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  /// `y` holds all outputs. The reported error and tolerance are those of the output with the largest ratio.
  [[nodiscard]] Check check(std::span<const float> y) const;

 private:
  /// For one output: the sum of its products, and of their absolute values, in double precision.
  struct Sum {
    double value = 0;
    double magnitude = 0;
  };

  void compute_sums() const;
  /// How far `y` may be from alpha * sum + beta * y_in.
  [[nodiscard]] double tolerance_of(const Sum& sum, double y_in) const;

  const Operands& operands_;
  mutable std::once_flag summed_;
  mutable std::vector<Sum> sums_;
};

// The operands of sgemv together with their check: generated, or with a matrix from a file.

class SgemvInput final : public Input {
 public:
  explicit SgemvInput(Operands operands) : operands_(std::move(operands)), verifier_(operands_) {}

  [[nodiscard]] const Operands& operands() const { return operands_; }
  [[nodiscard]] const Shape& shape() const { return operands_.shape; }
  [[nodiscard]] Check check(std::span<const float> y) const { return verifier_.check(y); }

 private:
  Operands operands_;
  Verifier verifier_;
};

/// Throws PointFailure where the host's memory does not suffice.
std::shared_ptr<const SgemvInput> generate_operands(const Shape& shape, std::uint64_t seed);

/// A matrix as info.input_formats says; the vectors are generated. Throws UsageError, InputError,
/// PointFailure.
Loaded load_matrix(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files);

}  // namespace dwarfsweep::sgemv
