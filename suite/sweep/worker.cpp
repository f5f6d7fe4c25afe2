#include "suite/sweep/worker.hpp"

#include "suite/sweep/request_handler.hpp"
#include "suite/sweep/serve_requests.hpp"

namespace dwarfsweep {

int run_worker() {
  RequestHandler handler;
  return serve_requests([&](const Json& request) { return handler.result(request); },
                        [&] { return handler.take_late(); });
}

}  // namespace dwarfsweep
