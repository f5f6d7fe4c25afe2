#include "harness/launcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "harness/cl_error.hpp"
#include "harness/clock.hpp"
#include "harness/status.hpp"

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

struct Stamps {
  std::int64_t queued, submit, start, end;
};

Stamps stamps_of(const cl::Event& event) {
  return {static_cast<std::int64_t>(event.getProfilingInfo<CL_PROFILING_COMMAND_QUEUED>()),
          static_cast<std::int64_t>(event.getProfilingInfo<CL_PROFILING_COMMAND_SUBMIT>()),
          static_cast<std::int64_t>(event.getProfilingInfo<CL_PROFILING_COMMAND_START>()),
          static_cast<std::int64_t>(event.getProfilingInfo<CL_PROFILING_COMMAND_END>())};
}

}  // namespace

std::size_t Launcher::name_index(const std::string& name) {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
  names_.push_back(name);
  return names_.size() - 1;
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
  try {
    recording_->add(kernel.kernel, to_cl(global), to_cl(local));
  } catch (const cl::Error& error) {
    fail(kernel, global, local, "recording", error);
  }
}

void Launcher::refuse_to_record(const char* what) const {
  if (!recording_) return;
  throw std::logic_error(fmt::format("the host {} inside a batch, which no command buffer holds", what));
}

void Launcher::submit(CommandBuffer& commands) {
  Record record;
  cl::CommandQueue& queue = session_.queue();
  const bool host_timed = session_.timer() == Timer::host;
  if (host_timed) queue.finish();
  const std::int64_t begin = now_ns();
  queue.enqueueMarkerWithWaitList(nullptr, &record.event);
  commands.enqueue();
  record.launches = commands.launches();
  queue.enqueueMarkerWithWaitList(nullptr, &record.behind);
  if (host_timed) {
    queue.finish();
    record.host_ns = now_ns() - begin;
  }
  records_.push_back(std::move(record));
}

void Launcher::enqueue(Kernel& kernel, const Range& global, const Range& local) {
  if (global.items() == 0) return;
  Record record;
  record.name = name_index(kernel.name);
  try {
    const bool host_timed = session_.timer() == Timer::host;
    if (host_timed) session_.queue().finish();
    const std::int64_t begin = now_ns();
    session_.queue().enqueueNDRangeKernel(kernel.kernel, cl::NullRange, to_cl(global), to_cl(local), nullptr,
                                          &record.event);
    if (host_timed) {
      session_.queue().finish();
      record.host_ns = now_ns() - begin;
    }
  } catch (const cl::Error& error) {
    fail(kernel, global, local, "launching", error);
  }
  records_.push_back(std::move(record));
}

void Launcher::collect(Sample& sample) const {
  std::vector<KernelTime> times(names_.size());
  const double launches = static_cast<double>(std::max<std::int64_t>(1, sample.launches));
  KernelTime total;
  total.kernel = "total";
  bool batches = false;
  for (const Record& record : records_) {
    const bool whole = record.name == nameless;
    batches = batches || whole;
    Stamps stamps{0, 0, 0, record.host_ns};
    if (session_.timer() == Timer::device) {
      stamps = stamps_of(record.event);
      if (whole) {
        stamps.start = stamps.end;
        stamps.end = stamps_of(record.behind).start;
      }
      if (stamps.start <= 0 || stamps.end < stamps.start) {
        sample.fault = fmt::format("START {} and END {} of {} cannot be true", stamps.start, stamps.end,
                                   whole ? "a command buffer" : "kernel '" + names_[record.name] + "'");
      }
    }
    const double ns = static_cast<double>(stamps.end - stamps.start) / launches;
    for (KernelTime* sum : {whole ? nullptr : &times[record.name], &total}) {
      if (!sum) continue;
      if (sum->events == 0) {
        sum->queued_ns = stamps.queued;
        sum->submit_ns = stamps.submit;
        sum->start_ns = stamps.start;
      }
      sum->events += record.launches;
      sum->end_ns = session_.timer() == Timer::device ? stamps.end : 0;
      sum->ns += ns;
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

}  // namespace dwarfsweep
