// A builder: a process that builds programs into the program cache before the worker needs them. It speaks
// the worker's protocol (suite/sweep/worker.hpp), may crash or hang at any time, and runs no kernel.
//
//   {"do": "list", "device", "kernels", "points": [...]}  -> ProgramList: of points that share their data;
//   needs no device
//   {"do": "open", "device", "kernels"}                   -> {}
//   {"do": "build", "program": ProgramText}               -> {"build_ns", "end_ns"}: by now_ns(); end 0: it
//   was built before
#pragma once

#include "suite/record/json.hpp"
#include "suite/sweep/build_queue.hpp"

namespace dwarfsweep {

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
