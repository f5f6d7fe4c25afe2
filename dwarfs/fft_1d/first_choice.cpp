// fft_1d where no point is known: on GPUs by the number of passes.
#include "dwarfs/fft_1d/plan.hpp"
#include "dwarfs/fft_1d/space.hpp"
#include "harness/device/kinds.hpp"

namespace dwarfsweep::fft_1d {

ValueMap first_choice(const Problem& problem, const Capabilities& device) {
  const ValueMap stockham = {{"variant", "stockham"}};
  if (!device.is_gpu || has_few_registers(device)) return stockham;
  static const Space space = make_space();
  const Config usual = space.default_config("stockham", device);
  const int log_n = log_of(problem.integer("n"));
  const int log_radix = log_of(usual.integer("radix"));
  // One pass: small groups, whose ends the next ones fill, and stores of two numbers (on an H200 65536
  // transforms of 128 take 39.0 us instead of 39.7). In two stages a work-item has few roots to compute,
  // which costs less than the registers and loads of a table's (36.5 us instead of 37.2).
  if (log_n <= log_radix) {
    const ValueMap small = stockham.with("work_group", 64).with("vector_width", 2);
    return log_n <= 2 * log_of(usual.integer("granularity")) ? small.with("roots", "computed") : small;
  }
  // Two passes instead of three: 23.7 us instead of 28.4 at 2^20. With radix 2048, in columns of four
  // numbers, two are no faster than three.
  if (log_n > 2 * log_radix && log_n <= 2 * log_radix + 2)
    return stockham.with("radix", 2 * usual.integer("radix")).with("exchange", "parts");
  return stockham;
}

}  // namespace dwarfsweep::fft_1d
