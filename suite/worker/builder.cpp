#include "suite/worker/builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "dwarfs/registry.hpp"
#include "harness/run/session.hpp"
#include "harness/space/error.hpp"
#include "suite/record/json_fields.hpp"
#include "suite/worker/point_data.hpp"
#include "suite/worker/serve_requests.hpp"

namespace dwarfsweep {
namespace {

class BuilderRequests {
 public:
  Json result(const Json& request) {
    const std::string what = request.at("do");
    if (what == "list") {
      return list_programs(request.at("device").get<DeviceInfo>(), request.at("kernels"),
                           request.at("points").get<std::vector<PointRequest>>());
    }
    if (what == "open") {
      SessionOptions options;
      options.kernel_folder = request.at("kernels");
      options.program_cache = program_cache_folder();
      session_ = std::make_unique<Session>(request.at("device").get<DeviceInfo>(), options);
      return Json::object();
    }
    if (what == "build") {
      const auto program = session_->build(request.at("program").get<ProgramText>());
      return {{"build_ns", program->build_ns}, {"end_ns", program->build_end_ns}};
    }
    if (what == "needs") return needs_of(*session_->build(request.at("program").get<ProgramText>()));
    throw UsageError("the builder does not know the request '" + what + "'");
  }

 private:
  [[nodiscard]] ProgramNeeds needs_of(const Program& program) const {
    ProgramNeeds needs;
    std::vector<cl::Kernel> kernels;
    cl::Program built = program.program;
    built.createKernels(&kernels);
    for (const cl::Kernel& each : kernels) {
      const auto name = each.getInfo<CL_KERNEL_FUNCTION_NAME>();
      const KernelFacts facts = session_->kernel(program, name, name).facts;
      needs.registers = std::max(needs.registers, static_cast<std::int64_t>(facts.registers));
      needs.local_bytes = std::max(needs.local_bytes, static_cast<std::int64_t>(facts.local_bytes));
    }
    return needs;
  }

  std::unique_ptr<Session> session_;
};

std::vector<std::size_t> places_of(const std::vector<ProgramText>& wanted, std::vector<ProgramText>& all) {
  std::vector<std::size_t> places;
  for (const ProgramText& text : wanted) {
    const auto found = std::find(all.begin(), all.end(), text);
    places.push_back(static_cast<std::size_t>(found - all.begin()));
    if (found == all.end()) all.push_back(text);
  }
  return places;
}

}  // namespace

BOTH_WAYS(ProgramNeeds, registers, local_bytes)

void to_json(Json& json, const ProgramText& text) {
  json = {{"file", text.file}, {"text", text.text}, {"options", text.options}};
}

void from_json(const Json& json, ProgramText& text) {
  json.at("file").get_to(text.file);
  json.at("text").get_to(text.text);
  json.at("options").get_to(text.options);
}

void to_json(Json& json, const ProgramList& list) {
  json = {{"programs", list.programs}, {"points", Json::array()}, {"reasons", list.reasons}};
  for (const auto& places : list.points) json["points"].push_back(places ? Json(*places) : Json());
}

void from_json(const Json& json, ProgramList& list) {
  json.at("programs").get_to(list.programs);
  json.at("reasons").get_to(list.reasons);
  for (const Json& places : json.at("points")) {
    list.points.emplace_back();
    if (!places.is_null()) list.points.back() = places.get<std::vector<std::size_t>>();
  }
}

ProgramList list_programs(const DeviceInfo& device, const std::string& kernels,
                          const std::vector<PointRequest>& points) {
  ProgramList list;
  if (points.empty()) return list;
  SessionOptions options;
  options.kernel_folder = kernels;
  options.only_lists_programs = true;
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
  constexpr int override = 1;
  ::setenv("OMP_NUM_THREADS", "1", override);  // there is a builder for each idle core
  BuilderRequests requests;
  return serve_requests([&](const Json& request) { return requests.result(request); },
                        [] { return Json::array(); });
}

}  // namespace dwarfsweep
