#include "dwarfs/mri/scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/device/host.hpp"
#include "harness/formats/npy.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::mri {
namespace {

constexpr double most_turns = 1e5;  // of a phase: beyond, single precision knows little of its fraction

void require_memory(const Problem& problem) {
  const double voxels = problem.real("voxels");
  const double samples = problem.real("samples");
  require_host_memory(fmt::format("mri: {:.0f} voxels and {:.0f} samples", voxels, samples),
                      static_cast<std::uint64_t>((8 * voxels + 14 * samples) * sizeof(float)));
}

std::vector<float> read_rows(const std::string& file, std::int64_t cols, const char* what) {
  NpyFloats array = read_npy_floats(file);
  std::vector<float>& values = array.values;
  if (array.shape.size() != 2 || array.shape[1] != cols || values.empty()) {
    throw InputError(file, "", fmt::format("mri needs {0}, an array of floats, {0} x {1}", what, cols));
  }
  const auto bad =
      std::find_if(values.begin(), values.end(), [](float value) { return std::abs(value) > 1e12F; });
  if (bad != values.end()) {
    throw InputError(file, fmt::format("row {}", (bad - values.begin()) / cols), "numbers are up to 1e12");
  }
  return std::move(values);
}

double largest(const std::vector<float>& values) {
  double size = 0;
  for (const float value : values) size = std::max(size, static_cast<double>(std::abs(value)));
  return size;
}

}  // namespace

std::shared_ptr<const MriInput> generate_scan(const Problem& problem, std::uint64_t seed) {
  require_memory(problem);
  Scan scan;
  scan.fhd = problem.string("kind") == "fhd";
  scan.voxels.resize(3 * static_cast<std::size_t>(problem.integer("voxels")));
  scan.samples.resize(3 * static_cast<std::size_t>(problem.integer("samples")));
  scan.phi.resize(2 * static_cast<std::size_t>(problem.integer("samples")));
  if (scan.fhd) scan.data.resize(scan.phi.size());
  Random(seed_of_part(seed, 0)).fill_uniform(scan.voxels, -0.5F, 0.5F);
  Random(seed_of_part(seed, 1)).fill_uniform(scan.samples, -32, 32);
  Random(seed_of_part(seed, 2)).fill_uniform(scan.phi, -1, 1);
  Random(seed_of_part(seed, 3)).fill_uniform(scan.data, -1, 1);
  // None is zero, so that each sample changes the result.
  for (std::vector<float>* const signal : {&scan.phi, &scan.data}) {
    for (float& part : *signal) part = std::copysign(0.25F + 0.75F * std::abs(part), part);
  }
  return std::make_shared<MriInput>(std::move(scan));
}

Loaded load_scan(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files) {
  const Value* const kind = request.find("kind");
  Scan scan;
  scan.fhd = kind != nullptr && *kind == Value("fhd");
  require_files(info.name, info.input_formats, files, scan.fhd ? 4 : 3);
  scan.voxels = read_rows(files[0], 3, "voxels");
  scan.samples = read_rows(files[1], 3, "samples");
  scan.phi = read_rows(files[2], 2, "samples");
  if (scan.fhd) scan.data = read_rows(files[3], 2, "samples");
  const auto voxels = static_cast<std::int64_t>(scan.voxels.size() / 3);
  const auto samples = static_cast<std::int64_t>(scan.samples.size() / 3);
  ValueMap values = with_found(info.name, request, "voxels", voxels, files[0]);
  values = with_found(info.name, values, "samples", samples, files[1]);
  values = with_found(info.name, values, "samples", static_cast<std::int64_t>(scan.phi.size() / 2), files[2]);
  if (scan.fhd) {
    values =
        with_found(info.name, values, "samples", static_cast<std::int64_t>(scan.data.size() / 2), files[3]);
  }
  if (3 * largest(scan.voxels) * largest(scan.samples) > most_turns) {
    throw UsageError(
        fmt::format("mri: {} and {} give phases of more than {:.0f} turns, whose fraction is lost in single "
                    "precision; scale them",
                    files[0], files[1], most_turns));
  }
  Problem problem = make_problem(info.name, info.keys, {"file", values});
  require_memory(problem);
  return {std::move(problem), std::make_shared<MriInput>(std::move(scan))};
}

}  // namespace dwarfsweep::mri
