// What mri reconstructs from: samples of the Fourier space, and the voxels that are wanted.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dwarfs/mri/verification.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::mri {

class MriInput final : public Input {
 public:
  explicit MriInput(Scan scan) : scan_(std::move(scan)), verifier_(scan_) {}

  [[nodiscard]] const Scan& scan() const { return scan_; }
  /// The numbers of sample `index` as kernels and host read them: kx, ky, kz, and |phi|^2 or phi's two parts.
  [[nodiscard]] std::vector<float> sample(std::size_t index) const;
  [[nodiscard]] std::size_t sample_floats() const { return scan_.fhd ? 5 : 4; }
  [[nodiscard]] const char* result_name() const { return scan_.fhd ? "fhd" : "q"; }
  /// `result` holds the two parts of each voxel one after the other.
  [[nodiscard]] Check check(std::span<const float> result, double function_error) const {
    return verifier_.check(result, function_error);
  }

 private:
  Scan scan_;
  Verifier verifier_;
};

/// Voxels in a cube of edge 1 about 0 and samples in one of edge 64. Throws PointFailure.
std::shared_ptr<const MriInput> generate_scan(const Problem& problem, std::uint64_t seed);

/// Reads what info.input_formats says. Throws UsageError, InputError.
Loaded load_scan(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files);

}  // namespace dwarfsweep::mri
