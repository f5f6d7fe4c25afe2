// The name of the JSON type, for headers that only mention it. Files that use it include
// suite/record/json.hpp.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace dwarfsweep {

using Json = nlohmann::json;

}  // namespace dwarfsweep
