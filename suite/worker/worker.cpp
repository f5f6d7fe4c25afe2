#include "suite/worker/worker.hpp"

#include "suite/worker/request_handler.hpp"
#include "suite/worker/serve_requests.hpp"

namespace dwarfsweep {

int run_worker() {
  RequestHandler handler;
  return serve_requests([&](const Json& request) { return handler.result(request); },
                        [&] { return handler.take_late(); });
}

}  // namespace dwarfsweep
