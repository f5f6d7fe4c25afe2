#include "dwarfs/fft_1d/reference.hpp"

#include <algorithm>
#include <numbers>

namespace dwarfsweep::fft_1d {
namespace {

constexpr int log_definition = 6;  // by the definition up to here
constexpr int log_row = 13;        // rows of this length stay in a cache

Number exact_root(std::int64_t numerator, int bits) {
  const double n = static_cast<double>(std::int64_t{1} << bits);
  const double angle = -2 * std::numbers::pi * (static_cast<double>(numerator) / n);
  return {std::cos(angle), std::sin(angle)};
}

}  // namespace

ReferenceTransform::ReferenceTransform(int log_n) : log_n_(log_n) {
  const int fine_bits = log_n / 2;
  for (std::int64_t i = 0; i < std::int64_t{1} << fine_bits; ++i) fine_.push_back(exact_root(i, log_n));
  for (std::int64_t i = 0; i < std::int64_t{1} << (log_n - fine_bits); ++i)
    coarse_.push_back(exact_root(i, log_n - fine_bits));
}

Number ReferenceTransform::root(std::int64_t numerator) const {
  const int fine_bits = log_n_ / 2;
  return coarse_[static_cast<std::size_t>(numerator >> fine_bits)] *
         fine_[static_cast<std::size_t>(numerator & ((std::int64_t{1} << fine_bits) - 1))];
}

void ReferenceTransform::run(std::span<Number> numbers) const {
  if (log_n_ <= log_definition) return by_definition(numbers);
  if (log_n_ > log_row) return of_many_rows(numbers);
  std::vector<Number> scratch(numbers.size());
  of_row(numbers, scratch);
}

void ReferenceTransform::by_definition(std::span<Number> numbers) const {
  const std::vector<Number> from(numbers.begin(), numbers.end());
  for (std::size_t k = 0; k < from.size(); ++k) {
    Number sum = 0;
    for (std::size_t j = 0; j < from.size(); ++j)
      sum += from[j] * root(static_cast<std::int64_t>(j * k % from.size()));
    numbers[k] = sum;
  }
}

// Halving: even and odd numbers apart, each half's transform, and both together; without recursion, the
// shortest first, each step from one array to the other.
void ReferenceTransform::of_row(std::span<Number> numbers, std::vector<Number>& scratch) const {
  const std::size_t n = numbers.size();
  Number* from = numbers.data();
  Number* to = scratch.data();
  for (std::size_t length = n / 2, stride = 1; length >= 1; length /= 2, stride *= 2) {
    for (std::size_t p = 0; p < length; ++p) {
      const Number turn = root(static_cast<std::int64_t>(p * stride));
      for (std::size_t q = 0; q < stride; ++q) {
        const Number a = from[q + stride * p];
        const Number b = from[q + stride * (p + length)];
        to[q + stride * 2 * p] = a + b;
        to[q + stride * (2 * p + 1)] = (a - b) * turn;
      }
    }
    std::swap(from, to);
  }
  if (from != numbers.data()) std::copy_n(from, n, numbers.data());
}

void ReferenceTransform::of_many_rows(std::span<Number> numbers) const {
  // Number j = j1 cols + j2 has frequency k = k1 + k2 rows.
  const int log_rows = log_n_ / 2;
  const std::int64_t rows = std::int64_t{1} << log_rows;
  const std::int64_t cols = std::int64_t{1} << (log_n_ - log_rows);
  const ReferenceTransform of_columns(log_rows);
  const ReferenceTransform of_rows(log_n_ - log_rows);
  constexpr std::int64_t block = 8;  // columns at a time, so that cache lines are used as a whole
#pragma omp parallel for schedule(static)
  for (std::int64_t begin = 0; begin < cols; begin += block) {
    std::vector<Number> column(static_cast<std::size_t>(rows * block));
    for (std::int64_t j = 0; j < rows; ++j) {
      for (std::int64_t c = 0; c < block; ++c) column[c * rows + j] = numbers[j * cols + begin + c];
    }
    for (std::int64_t c = 0; c < block; ++c) {
      of_columns.run(std::span(column).subspan(c * rows, rows));
      for (std::int64_t k = 0; k < rows; ++k) column[c * rows + k] *= root(k * (begin + c));
    }
    for (std::int64_t k = 0; k < rows; ++k) {
      for (std::int64_t c = 0; c < block; ++c) numbers[k * cols + begin + c] = column[c * rows + k];
    }
  }
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < rows; ++row) of_rows.run(numbers.subspan(row * cols, cols));
  // Row k1 has frequencies k1 + k2 rows.
  const std::vector<Number> by_rows(numbers.begin(), numbers.end());
#pragma omp parallel for schedule(static)
  for (std::int64_t begin = 0; begin < cols; begin += block) {
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t k2 = begin; k2 < begin + block; ++k2)
        numbers[row + k2 * rows] = by_rows[row * cols + k2];
    }
  }
}

}  // namespace dwarfsweep::fft_1d
