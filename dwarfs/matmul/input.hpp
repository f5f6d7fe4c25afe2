// What matmul multiplies: the shape of the problem, and the two matrices.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "harness/run/case.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/problem.hpp"

namespace dwarfsweep::matmul {

/// A is rows x terms, B is terms x cols, C is rows x cols; all row-major, without gaps.
struct Shape {
  std::int64_t rows = 0, cols = 0, terms = 0;  // m, n, k
};

Shape shape_of(const Problem& problem);

struct Operands {
  Shape shape;
  std::vector<float> a;
  std::vector<float> b;
  bool exact = false;  ///< every sum of products, partial and in whatever order, is a float
};

/// Random elements whose sums are exact. Throws PointFailure where the host's memory does not suffice.
Operands random_operands(const Shape& shape, std::uint64_t seed);

class Verifier {
 public:
  /// The operands must outlive the verifier.
  explicit Verifier(const Operands& operands) : operands_(operands) {}
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  /// `c` holds rows x cols elements. The reported error and tolerance are those of the element that is
  /// furthest off, measured by its tolerance.
  [[nodiscard]] Check check(std::span<const float> c) const;

  static constexpr int probes = 2;

 private:
  /// The sum of an element's products, and of their absolute values, in double precision.
  struct Sum {
    double value = 0;
    double magnitude = 0;
  };
  /// v, A (B v), and |A| (|B| |v|).
  struct Probe {
    std::vector<double> v, product, magnitude;
  };

  void prepare() const;
  void sum_rows() const;
  [[nodiscard]] Probe make_probe(std::uint64_t seed) const;
  [[nodiscard]] double tolerance_of(const Sum& sum) const;
  /// The tolerance of a row of C times the vector; `found` is the sum of the absolute values of its products.
  [[nodiscard]] double tolerance_of_product(double magnitude, double found) const;
  void check_rows(std::span<const float> c, Check& check) const;
  void check_probe(std::span<const float> c, const Probe& probe, Check& check) const;

  const Operands& operands_;
  mutable std::once_flag prepared_;
  mutable std::vector<std::int64_t> rows_;  // those whose elements are compared
  mutable std::vector<Sum> sums_;           // of their elements
  mutable std::vector<Probe> probes_;
};

// The operands of matmul together with their check: generated, or from two files.

class MatmulInput final : public Input {
 public:
  explicit MatmulInput(Operands operands) : operands_(std::move(operands)), verifier_(operands_) {}

  [[nodiscard]] const Operands& operands() const { return operands_; }
  [[nodiscard]] const Shape& shape() const { return operands_.shape; }
  [[nodiscard]] Check check(std::span<const float> c) const { return verifier_.check(c); }

 private:
  Operands operands_;
  Verifier verifier_;
};

/// Two matrices, A and B, as info.input_formats says. Throws UsageError, InputError.
Loaded load_operands(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files);

}  // namespace dwarfsweep::matmul
