#include "dwarfs/fft_1d/signal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "harness/error.hpp"
#include "harness/formats/file_bytes.hpp"
#include "harness/formats/little_endian.hpp"
#include "harness/formats/npy.hpp"
#include "harness/host_memory.hpp"
#include "harness/random.hpp"

namespace dwarfsweep::fft_1d {
namespace {

bool is_power_of_two(std::int64_t n) {
  return n >= 2 && std::has_single_bit(static_cast<std::uint64_t>(n));
}

void require_power_of_two(std::int64_t n) {
  if (is_power_of_two(n)) return;
  throw UsageError(fmt::format("fft_1d: n = {} is no power of two; allowed are 2, 4, 8, ... 2^26", n));
}

struct File {
  std::int64_t batch = 1, n = 0;  // n 0: one transform of all
  std::vector<float> values;
};

File read_signal(const std::string& name) {
  if (!name.ends_with(".npy")) {
    std::vector<float> values = vector_from_little_endian<float>(FileText(name).view());
    return {1, 0, std::move(values)};
  }
  NpyArray array = read_npy_complex(name);
  if (array.shape.size() != 2 && array.shape.size() != 3) {
    throw InputError(name, "", "fft_1d needs complex numbers of one dimension, n, or two, batch and n");
  }
  const bool batched = array.shape.size() == 3;
  return {batched ? array.shape[0] : 1, array.shape[batched ? 1 : 0],
          std::move(std::get<std::vector<float>>(array.values))};
}

}  // namespace

std::shared_ptr<const Signal> random_signal(const Problem& problem, std::uint64_t seed) {
  require_power_of_two(problem.integer("n"));
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
  if (file.values.size() % 2 != 0 || numbers == 0)
    throw InputError(files[0], "",
                     "expected pairs of 32-bit floats, real and imaginary part, and at least one");
  if (file.n == 0) {
    // A raw file does not tell its shape: n as requested, else one transform of all.
    const Value* n = request.find("n");
    file.n = n != nullptr && n->is_integer() && n->integer() > 0 ? n->integer() : numbers;
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
