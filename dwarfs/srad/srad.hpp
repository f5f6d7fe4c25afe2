// What the files of srad declare to each other: its space and how a point is laid out, its cases, its host
// version.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "dwarfs/srad/input.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/problem.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::srad {

/// Work-items of a group in the statistics' kernels; fewer where the device allows fewer.
inline constexpr std::size_t max_statistics_group = 256;

/// The most columns of a strip of fused_rows: a few rows of it fit a first-level cache.
inline constexpr std::size_t max_strip = 1024;

/// The image and its region as they lie in device memory: in fused_rows, transposed if the rows are short. A
/// step is the same along rows and along columns.
Parameters stored_image(const std::string& variant, const Parameters& p);

// The axes of srad, its default configurations, and which points are legal.

Space make_space();

/// Settings to begin with where no point is known: geometry by problem and device.
ValueMap first_choice(const Problem& problem, const Capabilities& device);

// The cases of srad on a device.

/// The case of a point: chooses among the variants.
std::unique_ptr<Case> make_case(const Setup& setup);

/// The case of the variants branches and halo: two kernels per step.
std::unique_ptr<Case> make_two_pass_case(const Setup& setup);

/// The case of the variants fused and fused_rows: a step in one kernel. Throws PointFailure if sync=flags is
/// requested and the device's groups cannot wait for each other.
std::unique_ptr<Case> make_fused_case(const Setup& setup);

// The diffusion on the host's cores: the CPU reference of srad.

/// The image after its iterations, in single precision on one thread.
std::vector<float> diffused_on_host(const SradInput& input);

/// The same on `threads` threads, to be timed.
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const SradInput> input, int threads);

}  // namespace dwarfsweep::srad
