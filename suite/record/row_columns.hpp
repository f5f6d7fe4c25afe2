// The columns of the three files, each listed once with its member of the row, for writing and for reading.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "suite/record/rows.hpp"

namespace dwarfsweep {

template <typename Row>
struct Column {
  std::string_view name;
  std::variant<std::string Row::*, Number Row::*, std::int64_t Row::*, bool Row::*> member;
  int since = 1;  ///< the schema that added it: files of an older one lack it
};

template <typename Row>
using Columns = std::vector<Column<Row>>;

/// In the order of the file.
template <typename Row>
const Columns<Row>& columns();
template <>
const Columns<MeasurementRow>& columns<MeasurementRow>();
template <>
const Columns<SampleRow>& columns<SampleRow>();
template <>
const Columns<SpeedupRow>& columns<SpeedupRow>();

}  // namespace dwarfsweep
