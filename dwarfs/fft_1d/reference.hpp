// Transforms in double precision, for the check alone.
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

namespace dwarfsweep::fft_1d {

using Number = std::complex<double>;

/// The forward transform of 2^log_n numbers, without a factor, in place. By the definition for n up to 64;
/// else on all threads, n = n1 n2 numbers as n1 rows, whose transforms, turned by roots of unity, are
/// followed by those of the columns (W. M. Gentleman and G. Sande, "Fast Fourier transforms - for fun and
/// profit", AFIPS Fall Joint Computer Conference, 1966). Errors are some log n units of 2^-53 of the numbers'
/// norm.
class ReferenceTransform {
 public:
  explicit ReferenceTransform(int log_n);

  void run(std::span<Number> numbers) const;

 private:
  void by_definition(std::span<Number> numbers) const;
  void of_row(std::span<Number> numbers, std::vector<Number>& scratch) const;
  void of_many_rows(std::span<Number> numbers) const;
  /// exp(-2 pi i numerator / n)
  [[nodiscard]] Number root(std::int64_t numerator) const;

  int log_n_;
  std::vector<Number> coarse_, fine_;  // roots of the upper and the lower half of a numerator's bits
};

}  // namespace dwarfsweep::fft_1d
