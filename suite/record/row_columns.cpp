#include "suite/record/row_columns.hpp"

namespace dwarfsweep {
namespace {

template <typename Row>
Columns<Row> identity_columns() {
  return {
      {"run_id", &Row::run_id},
      {"device_id", &Row::device_id},
      {"dwarf", &Row::dwarf},
      {"kernel", &Row::kernel},
      {"size", &Row::size},
      {"problem", &Row::problem},
      {"variant", &Row::variant},
      {"work_group", &Row::work_group},
      {"granularity", &Row::granularity},
      {"vector_width", &Row::vector_width},
      {"unroll", &Row::unroll},
      {"padding", &Row::padding},
      {"options", &Row::options},
  };
}

template <typename Row>
Columns<Row> after_identity(const Columns<Row>& rest) {
  Columns<Row> list = identity_columns<Row>();
  list.insert(list.end(), rest.begin(), rest.end());
  return list;
}

}  // namespace

template <>
const Columns<MeasurementRow>& columns<MeasurementRow>() {
  using Row = MeasurementRow;
  static const Columns<Row> list = {
      {"schema_version", &Row::schema_version},
      {"run_id", &Row::run_id},
      {"timestamp", &Row::timestamp},
      {"host", &Row::host},
      {"platform", &Row::platform},
      {"device", &Row::device},
      {"device_type", &Row::device_type},
      {"device_id", &Row::device_id},
      {"driver", &Row::driver},
      {"dwarf", &Row::dwarf},
      {"kernel", &Row::kernel},
      {"size", &Row::size},
      {"problem", &Row::problem},
      {"variant", &Row::variant},
      {"work_group", &Row::work_group},
      {"granularity", &Row::granularity},
      {"vector_width", &Row::vector_width},
      {"unroll", &Row::unroll},
      {"padding", &Row::padding},
      {"options", &Row::options},
      {"baseline", &Row::baseline},
      {"status", &Row::status},
      {"reason", &Row::reason},
      {"samples", &Row::samples},
      {"launches", &Row::launches},
      {"min_ns", &Row::min_ns},
      {"q1_ns", &Row::q1_ns},
      {"median_ns", &Row::median_ns},
      {"q3_ns", &Row::q3_ns},
      {"mean_ns", &Row::mean_ns},
      {"stddev_ns", &Row::stddev_ns},
      {"ci_low_ns", &Row::ci_low_ns},
      {"ci_high_ns", &Row::ci_high_ns},
      {"stop_reason", &Row::stop_reason},
      {"wall_ns", &Row::wall_ns},
      {"upload_ns", &Row::upload_ns},
      {"download_ns", &Row::download_ns},
      {"build_ns", &Row::build_ns},
      {"bytes", &Row::bytes},
      {"operations", &Row::operations},
      {"items", &Row::items},
      {"gb_per_s", &Row::gb_per_s},
      {"gop_per_s", &Row::gop_per_s},
      {"items_per_s", &Row::items_per_s},
      {"peak_fraction", &Row::peak_fraction},
      {"bound", &Row::bound},
      {"max_error", &Row::max_error},
      {"tolerance", &Row::tolerance},
      {"local_bytes", &Row::local_bytes},
      {"private_bytes", &Row::private_bytes},
      {"registers", &Row::registers},
      {"spill_bytes", &Row::spill_bytes},
      {"speedup", &Row::speedup},
      {"speedup_low", &Row::speedup_low},
      {"speedup_high", &Row::speedup_high},
      {"verdict", &Row::verdict},
      {"timer", &Row::timer},
      {"cache", &Row::cache},
      {"kernels_ns", &Row::kernels_ns, 2},
      {"host_ns", &Row::host_ns, 2},
      {"wall_ci_low_ns", &Row::wall_ci_low_ns, 2},
      {"wall_ci_high_ns", &Row::wall_ci_high_ns, 2},
      {"wall_speedup", &Row::wall_speedup, 2},
      {"wall_speedup_low", &Row::wall_speedup_low, 2},
      {"wall_speedup_high", &Row::wall_speedup_high, 2},
      {"energy_j", &Row::energy_j, 2},
      {"clock_mhz", &Row::clock_mhz, 2},
      {"throttled", &Row::throttled, 2},
      {"program_id", &Row::program_id, 2},
  };
  return list;
}

template <>
const Columns<SampleRow>& columns<SampleRow>() {
  using Row = SampleRow;
  static const Columns<Row> list = after_identity<Row>({
      {"round", &Row::round},
      {"block", &Row::block},
      {"confirmation", &Row::confirmation},
      {"pair", &Row::pair},
      {"order", &Row::order},
      {"role", &Row::role},
      {"process", &Row::process},
      {"launches", &Row::launches},
      {"events", &Row::events},
      {"ns", &Row::ns},
      {"queued_ns", &Row::queued_ns},
      {"submit_ns", &Row::submit_ns},
      {"start_ns", &Row::start_ns},
      {"end_ns", &Row::end_ns},
      {"host_begin_ns", &Row::host_begin_ns},
      {"host_end_ns", &Row::host_end_ns},
      {"wall_ns", &Row::wall_ns},
      {"fault", &Row::fault},
      {"kernels_ns", &Row::kernels_ns, 2},
      {"span_ns", &Row::span_ns, 2},
      {"host_ns", &Row::host_ns, 2},
  });
  return list;
}

template <>
const Columns<SpeedupRow>& columns<SpeedupRow>() {
  using Row = SpeedupRow;
  static const Columns<Row> list = after_identity<Row>({
      {"speedup", &Row::speedup},
      {"speedup_low", &Row::speedup_low},
      {"speedup_high", &Row::speedup_high},
      {"verdict", &Row::verdict},
      {"blocks", &Row::blocks},
      {"pairs", &Row::pairs},
      {"baseline_config", &Row::baseline_config},
      {"baseline_median_ns", &Row::baseline_median_ns},
      {"variant_median_ns", &Row::variant_median_ns},
  });
  return list;
}

}  // namespace dwarfsweep
