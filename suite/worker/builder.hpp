// A builder: a process that builds programs into the program cache before the worker needs them. It speaks
// the worker's protocol (suite/worker/worker.hpp), may crash or hang at any time, and runs no kernel.
//
//   {"do": "list", "device", "kernels", "points": [...]}  -> ProgramList: of points that share their data;
//   needs no device
//   {"do": "open", "device", "kernels"}                   -> {}
//   {"do": "build", "program": ProgramText}               -> {"build_ns", "end_ns"}: by now_ns(); end 0: it
//   was built before
//   {"do": "needs", "program": ProgramText}               -> ProgramNeeds; built where it was not
#pragma once

#include "suite/engine/build_queue.hpp"
#include "suite/record/json.hpp"

namespace dwarfsweep {

/// The most that a kernel of a program needs.
struct ProgramNeeds {
  std::int64_t registers = 0;    ///< of a work-item; 0: the compiler does not tell
  std::int64_t local_bytes = 0;  ///< of a group
};

void to_json(Json& json, const ProgramNeeds& needs);
void from_json(const Json& json, ProgramNeeds& needs);
void to_json(Json& json, const ProgramText& text);
void from_json(const Json& json, ProgramText& text);
void to_json(Json& json, const ProgramList& list);
void from_json(const Json& json, ProgramList& list);

/// The programs of points that share their data. A point whose case cannot be constructed has none, and a
/// reason instead. Throws what loading the data throws.
ProgramList list_programs(const DeviceInfo& device, const std::string& kernels,
                          const std::vector<PointRequest>& points);

/// Serves requests until their end is closed. Returns the exit status of the process.
int run_builder();

}  // namespace dwarfsweep
