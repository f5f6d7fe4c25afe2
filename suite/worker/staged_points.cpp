#include "suite/worker/staged_points.hpp"

#include <algorithm>

#include "dwarfs/registry.hpp"
#include "harness/formats/file_bytes.hpp"
#include "harness/space/error.hpp"
#include "suite/worker/server.hpp"

namespace dwarfsweep {
StagedPoint StagedPoints::stage(Session& session, const StagePoint& request) {
  const PointRequest& point = request.point;
  session.use_kernels(point.kernels);
  staged_ = std::make_unique<StagedCase>(session, find_dwarf(point.dwarf), data(point), point.config,
                                         std::move(staged_));
  staged_->stage(request.leftovers, request.seed);
  return {program_id(staged_->workspace().programs()), staged_->work(), staged_->workspace().input_bytes()};
}

Sample StagedPoints::launch() {
  return staged().launch();
}

CollectedOutput StagedPoints::collect(const CollectOutput& request) {
  const auto guard = staged().collect();
  const std::vector<std::uint8_t>& bytes = staged_->readings().bytes;
  try {
    write_bytes(request.file, {}, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  } catch (const UsageError&) {
    throw PointFailure(Status::out_of_memory, "the output cannot be written to a file");
  }
  return {guard.value_or("")};
}

CheckedOutput StagedPoints::check(const DeviceInfo& device, const CheckOutput& request) {
  Readings readings;
  try {
    readings.bytes = read_bytes(request.file);
  } catch (const InputError&) {
    // The process that was to write it has left something else there: no output at all.
  }
  CheckedOutput checked;
  checked.bytes = static_cast<std::int64_t>(readings.bytes.size());
  checked.poison = static_cast<std::int64_t>(Workspace::count_poison(readings.bytes));
  try {
    checked.check = check_readings(device, find_dwarf(request.point.dwarf), data(request.point),
                                   request.point.config, std::move(readings));
  } catch (const PointFailure& failure) {
    checked.check.message = failure.what();
  }
  return checked;
}

void StagedPoints::drop() {
  staged_.reset();
  data_.clear();
}

const Loaded& StagedPoints::data(const PointRequest& request) {
  const std::string key = request.data_key();
  const auto found = std::ranges::find(data_, key, [](const auto& each) { return each.first; });
  if (found != data_.end()) {
    data_.splice(data_.begin(), data_, found);
  } else {
    data_.emplace_front(key, load_data(request));
    if (data_.size() > StagePoint::kept_data) data_.pop_back();
  }
  return data_.front().second;
}

StagedCase& StagedPoints::staged() {
  if (!staged_) throw UsageError("no point is staged");
  return *staged_;
}

}  // namespace dwarfsweep
