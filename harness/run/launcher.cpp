#include "harness/run/launcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "harness/device/host.hpp"
#include "harness/device/opencl.hpp"
#include "harness/space/dwarf_info.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

cl::NDRange to_cl(const Range& range) {
  switch (range.dimensions) {
    case 1:
      return {range.sizes[0]};
    case 2:
      return {range.sizes[0], range.sizes[1]};
    case 3:
      return {range.sizes[0], range.sizes[1], range.sizes[2]};
    default:
      return cl::NullRange;
  }
}

std::string text(const Range& range) {
  if (range.dimensions == 0) return "chosen by the driver";
  return fmt::format("{}x{}x{}", range.sizes[0], range.sizes[1], range.sizes[2]);
}

EventTimes times_of(const cl::Event& event) {
  return {static_cast<std::int64_t>(event.getProfilingInfo<CL_PROFILING_COMMAND_QUEUED>()),
          static_cast<std::int64_t>(event.getProfilingInfo<CL_PROFILING_COMMAND_SUBMIT>()),
          static_cast<std::int64_t>(event.getProfilingInfo<CL_PROFILING_COMMAND_START>()),
          static_cast<std::int64_t>(event.getProfilingInfo<CL_PROFILING_COMMAND_END>())};
}

// Below the timer's resolution a duration may be 0: half a tick is what it is on average.
double duration_ns(const EventTimes& times, std::int64_t tick_ns) {
  const auto ns = static_cast<double>(times.end_ns - times.start_ns);
  return ns == 0 ? 0.5 * static_cast<double>(tick_ns) : ns;
}

}  // namespace

Launcher::Submission Launcher::submission_of(const Config& config) {
  const Value* submission = config.find(submission_axis().name);
  return submission && submission->string() == "command_buffer" ? Submission::command_buffer
                                                                : Submission::queue;
}

std::size_t Launcher::name_index(const std::string& name) {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
  names_.push_back(name);
  return names_.size() - 1;
}

// CUDA's limit of a grid, and more groups than an int counts. NVIDIA's driver (580) takes more, and then
// breaks the context.
void Launcher::check_groups(const Kernel& kernel, const Range& global, const Range& local) {
  constexpr std::size_t max_groups = 0x7fffffff;
  for (std::size_t i = 0; i < local.dimensions; ++i) {
    const std::size_t groups = global.sizes[i] / std::max<std::size_t>(1, local.sizes[i]);
    if (groups > max_groups) {
      throw PointFailure(
          Status::rejected,
          fmt::format("kernel '{}' needs {} work-groups in dimension {}; at most {} are launched",
                      kernel.name, groups, i, max_groups));
    }
  }
}

void Launcher::fail(const Kernel& kernel, const Range& global, const Range& local, const std::string& doing,
                    const cl::Error& error) const {
  const std::uint64_t stated = kernel.facts.work_group_items;
  const bool beyond_stated = stated > 0 && local.dimensions > 0 && local.items() > stated;
  // Only the driver knows whether a kernel fits a group: rusticl and NVIDIA's driver state less than they
  // launch. What it refuses was not launched, and the point is not legal here.
  if (error.err() == CL_INVALID_WORK_GROUP_SIZE || error.err() == CL_INVALID_WORK_ITEM_SIZE ||
      (error.err() == CL_OUT_OF_RESOURCES && beyond_stated)) {
    throw PointFailure(Status::rejected,
                       fmt::format("the device refuses a work-group of {} work-items for kernel '{}': {}",
                                   text(local), kernel.name, describe(error)));
  }
  throw PointFailure(
      status_of(error),
      fmt::format("{} failed: {}; device {}, driver {}; kernel {}; global size {}, local size {}", doing,
                  describe(error), session_.device().name, session_.device().driver, kernel.name,
                  text(global), text(local)));
}

cl::Kernel Launcher::copy_of(const cl::Kernel& kernel) {
  const std::string function = kernel.getInfo<CL_KERNEL_FUNCTION_NAME>();
  return cl::Kernel(kernel.getInfo<CL_KERNEL_PROGRAM>(), function.c_str());
}

void Launcher::record(const Kernel& kernel, const Range& global, const Range& local) {
  if (global.items() == 0) return;
  check_groups(kernel, global, local);
  try {
    recording_->add(kernel.kernel, to_cl(global), to_cl(local));
  } catch (const cl::Error& error) {
    fail(kernel, global, local, "recording", error);
  }
}

void Launcher::host_takes_part(const char* how) const {
  if (log_) log_->complete = false;
  if (!recording_) return;
  throw std::logic_error(fmt::format("the host {} inside a batch, which no command buffer holds", how));
}

void Launcher::keep(Record record) {
  if (!keeping_) return;
  record.run = run_;
  records_.push_back(std::move(record));
}

void Launcher::submit(CommandBuffer& commands) {
  Record record{.kind = Record::Kind::batch};
  cl::CommandQueue& queue = session_.queue();
  if (waits_for_each()) finish();
  const std::int64_t begin = now_ns();
  queue.enqueueMarkerWithWaitList(nullptr, &record.event);
  commands.enqueue();
  record.launches = commands.launches();
  queue.enqueueMarkerWithWaitList(nullptr, &record.behind);
  if (waits_for_each()) finish();
  record.host_ns = now_ns() - begin;
  keep(std::move(record));
}

void Launcher::enqueue(Kernel& kernel, const Range& global, const Range& local) {
  if (global.items() == 0) return;
  check_groups(kernel, global, local);
  Record record;
  record.name = name_index(kernel.name);
  try {
    if (waits_for_each()) finish();
    const std::int64_t begin = now_ns();
    session_.queue().enqueueNDRangeKernel(kernel.kernel, cl::NullRange, to_cl(global), to_cl(local), nullptr,
                                          &record.event);
    if (waits_for_each()) finish();
    record.host_ns = now_ns() - begin;
  } catch (const cl::Error& error) {
    fail(kernel, global, local, "launching", error);
  }
  keep(std::move(record));
}

EventTimes Launcher::device_times(const Record& record) {
  EventTimes times = times_of(record.event);
  if (record.kind == Record::Kind::batch) {
    times.start_ns = times.end_ns;
    times.end_ns = times_of(record.behind).start_ns;
  } else if (record.kind == Record::Kind::fill) {
    times.end_ns = times_of(record.behind).end_ns;
  }
  return times;
}

std::vector<EventTimes> Launcher::event_times() const {
  std::vector<EventTimes> all;
  for (const Record& record : records_) {
    if (record.kind != Record::Kind::host) all.push_back(device_times(record));
  }
  return all;
}

void Launcher::collect(Sample& sample) const {
  add_kernel_times(sample);
  add_spans(sample);
}

void Launcher::add_kernel_times(Sample& sample) const {
  std::vector<KernelTime> times(names_.size());
  const double launches = static_cast<double>(std::max<std::int64_t>(1, sample.launches));
  const bool device_timed = session_.timing().timer == Timer::device;
  KernelTime total;
  total.kernel = "total";
  bool batches = false;
  for (const Record& record : records_) {
    const bool whole = record.kind == Record::Kind::batch;
    if (!whole && record.kind != Record::Kind::kernel) continue;
    batches = batches || whole;
    EventTimes stamps;
    double ns = static_cast<double>(record.host_ns);
    if (device_timed) {
      stamps = device_times(record);
      ns = duration_ns(stamps, session_.timing().tick_ns);
      if (stamps.start_ns <= 0 || stamps.end_ns < stamps.start_ns) {
        sample.fault = fmt::format("START {} and END {} of {} cannot be true", stamps.start_ns, stamps.end_ns,
                                   whole ? "a command buffer" : "kernel '" + names_[record.name] + "'");
      }
    }
    for (KernelTime* sum : {whole ? nullptr : &times[record.name], &total}) {
      if (!sum) continue;
      if (sum->events == 0) {
        sum->queued_ns = stamps.queued_ns;
        sum->submit_ns = stamps.submit_ns;
        sum->start_ns = stamps.start_ns;
      }
      sum->events += record.launches;
      sum->end_ns = stamps.end_ns;
      sum->ns += ns / launches;
    }
  }
  sample.kernels.clear();
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i].events == 0 || batches) continue;  // a kernel's time would lack what is in a batch
    times[i].kernel = names_[i];
    sample.kernels.push_back(times[i]);
  }
  sample.kernels.push_back(total);
}

// A run's commands are in one in-order queue: the first one's START and the last one's END enclose them all.
void Launcher::add_spans(Sample& sample) const {
  using Kind = Record::Kind;
  const bool device_timed = session_.timing().timer == Timer::device;
  bool has_span = device_timed && session_.timing().spans;
  std::int64_t span_ns = 0;
  double host_ns = 0;
  for (auto first = records_.begin(); first != records_.end();) {
    const auto end =
        std::find_if(first, records_.end(), [&](const Record& r) { return r.run != first->run; });
    std::int64_t start_ns = 0;
    std::int64_t end_ns = 0;
    std::int64_t outside_ns = 0;  // the host's work before the first command, and after the last one
    for (auto record = first; record != end; ++record) {
      if (record->kind == Kind::host) {
        host_ns += static_cast<double>(record->host_ns);
        outside_ns += record->host_ns;
        continue;
      }
      if (record->kind == Kind::batch) has_span = false;
      if (!device_timed) {
        if (record->kind == Kind::transfer) host_ns += static_cast<double>(record->host_ns);
        continue;
      }
      const EventTimes times = device_times(*record);
      if (record->kind == Kind::transfer) host_ns += static_cast<double>(times.end_ns - times.start_ns);
      if (start_ns == 0) {
        start_ns = times.start_ns;
        span_ns += outside_ns;
      }
      end_ns = times.end_ns;
      outside_ns = 0;
    }
    span_ns += end_ns - start_ns + outside_ns;
    first = end;
  }
  const double launches = static_cast<double>(std::max<std::int64_t>(1, sample.launches));
  sample.span_ns = has_span && span_ns > 0 ? static_cast<double>(span_ns) / launches : 0;
  sample.host_ns = host_ns / launches;
}

}  // namespace dwarfsweep
