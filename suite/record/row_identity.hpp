// The columns that measurements.csv, samples.csv and speedups.csv share: what was measured.
#pragma once

#include <string>

#include "suite/record/record.hpp"

namespace dwarfsweep {

/// An axis that the dwarf does not have is empty.
struct RowIdentity {
  std::string run_id;
  std::string device_id;
  std::string dwarf;
  std::string kernel;  ///< "total": all kernels together
  std::string size;
  std::string problem;  ///< "n=1024"
  std::string variant;
  std::string work_group;
  std::string granularity;
  std::string vector_width;
  std::string unroll;
  std::string padding;
  std::string options;  ///< the dwarf's own axes, "direction=x;memory=local"
};

/// The identity of a point, without a kernel.
RowIdentity identify(const std::string& run_id, const PointKey& key);

/// The configuration: "variant=tiled;work_group=16;direction=x". An axis that the dwarf does not have is left
/// out.
std::string config_text(const RowIdentity& row);

}  // namespace dwarfsweep
