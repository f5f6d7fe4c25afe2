#include "suite/record/kernel_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/statistics/statistics.hpp"

namespace dwarfsweep {

void add_times(MeasurementRow& row, const KernelSamples& samples) {
  if (samples.dropped > 0) {
    row.reason += fmt::format("{}{} of {} samples dropped: {}", row.reason.empty() ? "" : "; ",
                              samples.dropped, samples.taken, samples.first_drop);
  }
  const auto summary = summarise(samples.blocks);
  if (!summary) return;
  row.samples = static_cast<double>(summary->count);
  row.min_ns = summary->min;
  row.q1_ns = summary->q1;
  row.median_ns = summary->median;
  row.q3_ns = summary->q3;
  row.mean_ns = summary->mean;
  row.stddev_ns = summary->stddev;
  row.ci_low_ns = summary->ci_low;
  row.ci_high_ns = summary->ci_high;
}

void add_work(MeasurementRow& row, const std::vector<Work>& work) {
  const auto found =
      std::find_if(work.begin(), work.end(), [&](const Work& w) { return w.kernel == row.kernel; });
  if (found == work.end()) return;
  row.bytes = unless_zero(found->bytes);
  row.operations = unless_zero(found->operations);
  row.items = unless_zero(found->items);
  const auto rate = [&](const Number& amount, double scale) {
    return amount && row.median_ns ? Number(*amount / *row.median_ns * scale) : Number();
  };
  row.gb_per_s = rate(row.bytes, 1);
  row.gop_per_s = rate(row.operations, 1);
  row.items_per_s = rate(row.items, 1e9);
}

void add_facts(MeasurementRow& row, const std::vector<KernelFacts>& facts) {
  const auto raise = [](Number& number, std::uint64_t value) {
    number = std::max(number.value_or(0), static_cast<double>(value));
  };
  for (const KernelFacts& fact : facts) {
    if (row.kernel != "total" && row.kernel != fact.name) continue;
    raise(row.local_bytes, fact.local_bytes);
    raise(row.private_bytes, fact.private_bytes);
    if (fact.registers == 0) continue;  // not every driver reports registers
    raise(row.registers, fact.registers);
    raise(row.spill_bytes, fact.spill_bytes);
  }
}

Number unless_zero(double value) {
  return value == 0 ? Number() : Number(value);
}

}  // namespace dwarfsweep
