// A child process's side of the protocol in suite/worker/requests.hpp: one line in, one line out.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "suite/record/json.hpp"
#include "suite/worker/requests.hpp"

namespace dwarfsweep {

/// Answers lines until their end is closed: `result` gives the answer or throws what becomes the error,
/// `deferred` gives what comes with each answer. Ends the process when its parent dies. Returns the exit
/// status of the process, if at all.
int serve_lines(const std::function<Json(const std::string& line)>& result,
                const std::function<std::vector<DeferredFailure>()>& deferred);

/// The same for a server with a function `answer` for each of the `Requests`.
template <typename Requests, typename Server>
int serve_requests(
    Server& server, const std::function<std::vector<DeferredFailure>()>& deferred = [] {
      return std::vector<DeferredFailure>();
    }) {
  const auto result = [&](const std::string& line) {
    return std::visit(
        [&](const auto& request) {
          return write_answer<std::decay_t<decltype(request)>>(server.answer(request));
        },
        read_request<Requests>(line));
  };
  return serve_lines(result, deferred);
}

}  // namespace dwarfsweep
