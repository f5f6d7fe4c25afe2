#include "harness/space/error.hpp"

#include <array>
#include <utility>

namespace dwarfsweep {
namespace {

constexpr std::array<std::pair<Status, std::string_view>, 10> names = {{
    {Status::ok, "ok"},
    {Status::rejected, "rejected"},
    {Status::unsupported, "unsupported"},
    {Status::not_run, "not_run"},
    {Status::build_failed, "build_failed"},
    {Status::launch_failed, "launch_failed"},
    {Status::wrong_result, "wrong_result"},
    {Status::timed_out, "timed_out"},
    {Status::crashed, "crashed"},
    {Status::out_of_memory, "out_of_memory"},
}};

}  // namespace

std::string_view to_string(Status status) {
  return names.at(static_cast<std::size_t>(status)).second;
}

std::optional<Status> status_from_string(std::string_view name) {
  for (const auto& [status, text] : names) {
    if (text == name) return status;
  }
  return std::nullopt;
}

}  // namespace dwarfsweep
