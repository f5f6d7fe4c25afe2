// What the columns of measurements.csv, samples.csv and speedups.csv mean, for programs that read them.
#pragma once

#include <string>
#include <vector>

namespace dwarfsweep {

struct ColumnMeaning {
  std::string file;  ///< "measurements.csv"
  std::string name;
  std::string type;     ///< string, number, integer or boolean; a number may be missing
  std::string unit;     ///< "ns", "GB/s"; empty where the column has none
  std::string meaning;  ///< Markdown; what results/README.md says, in which several columns may share a line
  int since = 1;        ///< the schema that added the column
};

/// All of them, file by file in the order of the file.
const std::vector<ColumnMeaning>& column_dictionary();

}  // namespace dwarfsweep
