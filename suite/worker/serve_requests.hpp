// A child process's side of the protocol in suite/worker/worker.hpp: one line in, one line out.
#pragma once

#include <functional>

#include "suite/record/json.hpp"

namespace dwarfsweep {

/// Answers requests until their end is closed: `result` gives the "result" or throws what becomes an "error",
/// `late` the "late" of each answer. Ends the process when its parent dies. Returns the exit status of the
/// process, if at all.
int serve_requests(const std::function<Json(const Json& request)>& result, const std::function<Json()>& late);

}  // namespace dwarfsweep
