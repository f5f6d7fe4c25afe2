// The matrices that lud factors: random ones, and those from files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dwarfs/lud/verification.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep {

/// A square matrix, row-major, and the check of its factors.
class LudInput final : public Input {
 public:
  /// `values` holds order x order floats.
  LudInput(std::size_t order, std::vector<float> values)
      : order_(order), values_(std::move(values)), verification_(values_, order) {}

  [[nodiscard]] std::size_t order() const { return order_; }
  [[nodiscard]] const std::vector<float>& values() const { return values_; }
  [[nodiscard]] const FactorVerification& verification() const { return verification_; }

 private:
  std::size_t order_;
  std::vector<float> values_;
  FactorVerification verification_;
};

inline const LudInput& input_of(const Loaded& loaded) {
  return dynamic_cast<const LudInput&>(*loaded.input);
}

/// Off the diagonal uniform in [-1, 1); on it one more than the larger of the sums of magnitudes of its row
/// and its column, with a random sign. So every pivot of the elimination is at least 1, and no element grows
/// beyond twice the largest (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, 2002,
/// theorem 9.9).
std::shared_ptr<LudInput> random_matrix(std::size_t order, std::uint64_t seed);

/// From a file that read_matrix understands. Throws InputError where it is not square.
std::shared_ptr<LudInput> read_square_matrix(const std::string& file);

}  // namespace dwarfsweep
