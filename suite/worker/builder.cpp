#include "suite/worker/serve.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <sys/resource.h>

#include <algorithm>
#include <memory>

#include "harness/run/session.hpp"
#include "harness/space/error.hpp"
#include "suite/worker/server.hpp"

namespace dwarfsweep {
namespace {

class Builder {
 public:
  ProgramList answer(const ListPrograms& request) {
    return list_programs(request.device, request.kernels, request.points);
  }

  Done answer(const OpenBuilder& request) {
    SessionOptions options;
    options.kernel_folder = request.kernels;
    options.program_cache = program_cache_folder();
    session_ = std::make_unique<Session>(request.device, options);
    return {};
  }

  BuildTime answer(const BuildProgram& request) {
    const auto program = session_->build(request.program);
    return {program->build_ns, program->build_end_ns};
  }

  ProgramNeeds answer(const FindNeeds& request) {
    const auto program = session_->build(request.program);
    ProgramNeeds needs;
    std::vector<cl::Kernel> kernels;
    cl::Program built = program->program;
    built.createKernels(&kernels);
    for (const cl::Kernel& each : kernels) {
      const auto name = each.getInfo<CL_KERNEL_FUNCTION_NAME>();
      const KernelFacts facts = session_->kernel(*program, name, name).facts;
      needs.registers = std::max(needs.registers, static_cast<std::int64_t>(facts.registers));
      needs.local_bytes = std::max(needs.local_bytes, static_cast<std::int64_t>(facts.local_bytes));
    }
    return needs;
  }

 private:
  std::unique_ptr<Session> session_;
};

std::vector<std::size_t> places_of(const std::vector<ProgramText>& wanted, std::vector<ProgramText>& all) {
  std::vector<std::size_t> places;
  for (const ProgramText& text : wanted) {
    const auto found = std::ranges::find(all, text);
    places.push_back(static_cast<std::size_t>(found - all.begin()));
    if (found == all.end()) all.push_back(text);
  }
  return places;
}

}  // namespace

ProgramList list_programs(const DeviceInfo& device, const std::string& kernels,
                          const std::vector<PointRequest>& points) {
  ProgramList list;
  if (points.empty()) return list;
  SessionOptions options;
  options.kernel_folder = kernels;
  options.dry_run = true;
  Session session(device, options);
  const Loaded data = load_data(points.front());
  for (const PointRequest& point : points) {
    list.points.emplace_back();
    list.reasons.emplace_back();
    session.forget_listed();
    Workspace workspace(session);
    try {
      const auto ready = find_dwarf(point.dwarf).prepare(workspace, data, point.config);
      list.points.back() = places_of(session.listed(), list.programs);
    } catch (const PointFailure& failure) {
      list.reasons.back() = fmt::format("{}: {}", to_string(failure.status()), failure.what());
    } catch (const std::exception& error) {
      list.reasons.back() = fmt::format("{}: {}", to_string(Status::launch_failed), error.what());
    }
  }
  return list;
}

int run_builder() {
  // There is a builder for each idle core, and preparing in the worker goes first. (OMP_NUM_THREADS is read
  // before main.)
  omp_set_num_threads(1);
  constexpr int niceness = 10;
  ::setpriority(PRIO_PROCESS, 0, niceness);
  Builder builder;
  return serve_requests<BuilderRequest>(builder);
}

}  // namespace dwarfsweep
