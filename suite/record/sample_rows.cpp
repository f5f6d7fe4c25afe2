#include "suite/record/sample_rows.hpp"

#include "suite/record/kernel_columns.hpp"
#include "suite/record/point_samples.hpp"

namespace dwarfsweep {
namespace {

void add_sample(const TakeSample& take_row, SampleRow& row, const BlockSample& taken, RunTime run_time) {
  row.pair = taken.pair;
  row.order = taken.order;
  row.role = to_string(taken.role);
  row.launches = taken.sample.launches;
  row.host_begin_ns = taken.sample.host_begin_ns;
  row.host_end_ns = taken.sample.host_end_ns;
  row.wall_ns = taken.sample.wall_ns;
  for (const KernelTime& time : taken.sample.kernels) {
    row.kernel = time.kernel;
    row.events = time.events;
    const double ns = time_in(taken.sample, time, run_time);
    row.ns = ns;
    row.queued_ns = time.queued_ns;
    row.submit_ns = time.submit_ns;
    row.start_ns = time.start_ns;
    row.end_ns = time.end_ns;
    row.fault = why_dropped(taken.sample, ns);
    if (time.kernel == "total" && run_time != RunTime::kernels) {
      row.kernels_ns = kernels_ns(taken.sample);
      row.span_ns = unless_zero(taken.sample.span_ns);
      row.host_ns = unless_zero(taken.sample.host_ns);
    }
    take_row(row);
    row.kernels_ns = row.span_ns = row.host_ns = std::nullopt;
  }
}

}  // namespace

void add_sample_rows(const TakeSample& take_row, const std::string& run_id, const PointRecord& point,
                     const std::vector<BlockRecord>& blocks, RunTime run_time) {
  SampleRow row;
  static_cast<RowIdentity&>(row) = identify(run_id, point.key);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    row.round = blocks[i].round;
    row.block = static_cast<std::int64_t>(i);
    row.confirmation = blocks[i].confirmation;
    row.process = blocks[i].process;
    for (const BlockSample& taken : blocks[i].samples) add_sample(take_row, row, taken, run_time);
  }
}

}  // namespace dwarfsweep
