// The best points of an atlas: a JSON file for each device.
#pragma once

#include <filesystem>
#include <vector>

#include "suite/plan/best.hpp"
#include "suite/record/record.hpp"

namespace dwarfsweep {

/// With the columns of a file of best points as keys; those without a value are left out.
Json best_json(const BestPoint& point);
/// The same back. Throws Json::exception.
BestPoint best_from_json(const Json& json);

/// The points in the folder `devices` of an atlas. Throws UsageError and InputError.
std::vector<BestPoint> read_atlas(const std::filesystem::path& atlas);

}  // namespace dwarfsweep
