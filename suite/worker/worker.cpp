#include "suite/worker/worker.hpp"

#include "suite/worker/request_handler.hpp"
#include "suite/worker/serve_requests.hpp"

namespace dwarfsweep {

int run_worker() {
  RequestHandler handler;
  return serve_requests<WorkerRequest>(handler, [&] { return handler.take_deferred_failures(); });
}

}  // namespace dwarfsweep
