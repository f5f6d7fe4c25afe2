// Section 10: all rows, which the script filters, sorts and hands out as CSV.
#include "suite/report/sections.hpp"

namespace dwarfsweep {

Html rows_section(const ReportData& data) {
  const Html content = markup(
      "<p>{} rows, as in <code>measurements.csv</code>: one for each device, dwarf, problem, setting and "
      "kernel; <code>total</code> is the whole run. <span class=\"noscript\">Without script every setting "
      "stands in section 5, and measurements.csv beside the run has all columns.</span></p>\n"
      "<div id=\"all-rows\"></div>\n",
      data.rows.size());
  return html_section("rows", "10 All rows", content);
}

}  // namespace dwarfsweep
