// Fuzz target of read_atlas, JSON, and of parse_best, CSV, which hold the same points.
#include "suite/plan/atlas_points.hpp"

#include <nlohmann/json.hpp>

#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::run_record(data, size, [](std::string_view bytes) {
    const auto device = fuzz::as_file("devices/device.json", bytes);
    for (const BestPoint& point : read_atlas(device.parent_path().parent_path()))
      (void)best_from_json(best_json(point));
  });
  return fuzz::run_record(data, size, [](std::string_view bytes) {
    const std::vector<BestPoint> points = parse_best("input", std::string(bytes));
    fuzz::require(parse_best("again", to_csv(points)).size() == points.size());
  });
}
