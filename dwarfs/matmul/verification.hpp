// The check of a matrix product. Shares no code with the kernels or with the host version.
//
// u = 2^-24 and w = 2^-53 are the unit roundoffs of float and double, gamma_k(u) = k u / (1 - k u).
//
// Elements. A sum of k products, in whatever order and with or without fused multiply-add, has an error of at
// most gamma_k(u) * sum |a||b| (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., 3.1 and
// 3.5), and what is flushed to zero adds at most 2^-126 for each product and each sum. The first row, the
// last one and some between are compared with sums in double precision; of a small problem all are.
//
// The whole (R. Freivalds, "Probabilistic machines can use less running time", IFIP 1977). For a vector v,
// C v must be A (B v):
//   |C v - A (B v)| <= gamma_k(u) * |A| (|B| |v|) + flushed products,
// to which the two sides, which double precision computes with sums of n, n and k terms, add at most
//   gamma_(2n + k)(w) * (|A| (|B| |v|) + |C| |v|).
// v holds odd integers, so that no single wrong element is lost.
//
// Generated data are sharper: their elements are so coarse that every partial sum, in whatever order, is a
// float, and elements have no error at all. Their products are multiples of some g with k <= 2^24 g, so that
// |A| (|B| |v|) <= 255 n k < 2^53 g for all n <= 2^20: in double precision C v and A (B v) are exact as well,
// and must be equal. One wrong bit in one element shows in a matrix of any size.
#pragma once

#include <mutex>
#include <span>
#include <vector>

#include "dwarfs/matmul/operands.hpp"
#include "harness/run/case.hpp"

namespace dwarfsweep::matmul {

class Verifier {
 public:
  /// The operands must outlive the verifier.
  explicit Verifier(const Operands& operands) : operands_(operands) {}
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  /// `c` holds rows x cols elements. The error and tolerance told are those of the element that is furthest
  /// off, measured by its tolerance.
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
  /// Of a row of C times the vector; `found` is the sum of the absolute values of its products.
  [[nodiscard]] double tolerance_of_product(double magnitude, double found) const;
  void check_rows(std::span<const float> c, Check& check) const;
  void check_probe(std::span<const float> c, const Probe& probe, Check& check) const;

  const Operands& operands_;
  mutable std::once_flag prepared_;
  mutable std::vector<std::int64_t> rows_;  // those whose elements are compared
  mutable std::vector<Sum> sums_;           // of their elements
  mutable std::vector<Probe> probes_;
};

}  // namespace dwarfsweep::matmul
