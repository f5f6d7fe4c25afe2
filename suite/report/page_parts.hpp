// The style sheet and the script of a report, which are part of the program; from report.css and report.js.
#pragma once

namespace dwarfsweep {

extern const char* const report_style;
extern const char* const report_style_sha256;  ///< hexadecimal, of the text
extern const char* const report_script;
extern const char* const report_script_sha256;

}  // namespace dwarfsweep
