#include "suite/plan/point_request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dwarfsweep {

void to_json(Json& json, const PointRequest& request) {
  json = {{"dwarf", request.dwarf},    {"problem", request.problem}, {"files", request.files},
          {"seed", request.seed},      {"config", request.config},   {"host_threads", request.host_threads},
          {"kernels", request.kernels}};
}

void from_json(const Json& json, PointRequest& request) {
  json.at("dwarf").get_to(request.dwarf);
  json.at("problem").get_to(request.problem);
  json.at("files").get_to(request.files);
  json.at("seed").get_to(request.seed);
  json.at("config").get_to(request.config);
  json.at("host_threads").get_to(request.host_threads);
  json.at("kernels").get_to(request.kernels);
}

std::string PointRequest::data_key() const {
  return fmt::format("{}|{}|{}|{}|{}", dwarf, problem.size, problem.values.to_string(), fmt::join(files, ","),
                     seed);
}

std::string PointRequest::key() const {
  return fmt::format("{}|{}|{}|{}", data_key(), config.to_string(), host_threads, kernels);
}

}  // namespace dwarfsweep
