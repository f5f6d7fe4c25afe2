#include "dwarfs/fft_1d/signal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "harness/device/host.hpp"
#include "harness/formats/file_bytes.hpp"
#include "harness/formats/npy.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::fft_1d {
namespace {

bool is_power_of_two(std::int64_t n) {
  return n >= 2 && std::has_single_bit(static_cast<std::uint64_t>(n));
}

struct File {
  std::int64_t batch = 1, n = 0;  // n 0: one transform of all
  std::vector<float> values;
};

std::vector<float> read_raw(const std::string& name) {
  const std::string bytes = read_text(name);
  if (bytes.size() % (2 * sizeof(float)) != 0) {
    throw InputError(
        name, "",
        fmt::format("expected pairs of 32-bit floats, real and imaginary part; {} bytes are no multiple of 8",
                    bytes.size()));
  }
  std::vector<float> values = vector_from_little_endian<float>(bytes);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    throw InputError(name, fmt::format("byte {}", i * sizeof(float)),
                     fmt::format("expected a finite number, found {}", values[i]));
  }
  return values;
}

File read_signal(const std::string& name) {
  if (!name.ends_with(".npy")) {
    return {1, 0, read_raw(name)};
  }
  NpyFloats array = read_npy_floats(name, NpyNumbers::complex);
  if (array.shape.size() != 2 && array.shape.size() != 3) {
    throw InputError(name, "", "fft_1d needs complex numbers of one dimension, n, or two, batch and n");
  }
  const bool batched = array.shape.size() == 3;
  return {batched ? array.shape[0] : 1, array.shape[batched ? 1 : 0], std::move(array.values)};
}

}  // namespace

std::shared_ptr<const Signal> random_signal(const Problem& problem, std::uint64_t seed) {
  // Signal, spectrum, and both in double precision.
  const double bytes =
      problem.real("n") * problem.real("batch") * (2 * 2 * sizeof(float) + 2 * 2 * sizeof(double));
  require_host_memory(
      fmt::format("fft_1d: {} transforms of {}", problem.integer("batch"), problem.integer("n")),
      static_cast<std::uint64_t>(std::min(bytes, 0x1p62)));
  const Shape shape = shape_of(problem);
  std::vector<float> values(static_cast<std::size_t>(2 * shape.numbers()));
  Random random(seed);
  random.fill_uniform(values, -1, 1);
  return std::make_shared<Signal>(shape, std::move(values));
}

Loaded load_signal(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files) {
  require_files(info.name, info.input_formats, files, 1);
  File file = read_signal(files[0]);
  const auto numbers = static_cast<std::int64_t>(file.values.size() / 2);
  if (numbers == 0) throw InputError(files[0], "", "expected at least one complex number");
  if (file.n == 0) {
    // A raw file does not state its shape.
    const auto requested = [&](const char* key) -> std::int64_t {
      const Value* value = request.find(key);
      return value != nullptr && value->is_integer() && value->integer() > 0 ? value->integer() : 0;
    };
    const std::int64_t batch = std::max<std::int64_t>(1, requested("batch"));
    if (requested("n") == 0 && numbers % batch != 0)
      throw InputError(files[0], "", fmt::format("{} numbers are no {} transforms", numbers, batch));
    file.n = requested("n") == 0 ? numbers / batch : requested("n");
    file.batch = numbers / file.n;
    if (file.batch * file.n != numbers)
      throw InputError(files[0], "", fmt::format("{} numbers are no transforms of n = {}", numbers, file.n));
  }
  if (!is_power_of_two(file.n))
    throw InputError(files[0], "", fmt::format("transforms of {} numbers: n must be a power of two", file.n));
  ValueMap values = with_found(info.name, request, "n", file.n, files[0]);
  values = with_found(info.name, values, "batch", file.batch, files[0]);
  Problem problem = make_problem(info.name, info.keys, {"file", values});
  const Shape shape = shape_of(problem);
  return {std::move(problem), std::make_shared<Signal>(shape, std::move(file.values))};
}

}  // namespace dwarfsweep::fft_1d
