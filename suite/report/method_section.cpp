// Section 11: how it was measured.
#include "suite/report/sections.hpp"

namespace dwarfsweep {
namespace {

std::string json_text(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found == json.end() || !found->is_string() ? "" : found->get<std::string>();
}

Html run_lines(const ReportData& data) {
  std::vector<Html> lines;
  for (const ReportRun& run : data.runs) {
    std::string command;
    const auto arguments = run.description.find("arguments");
    if (arguments != run.description.end() && arguments->is_array()) {
      for (const Json& each : *arguments) {
        if (each.is_string()) command += (command.empty() ? "" : " ") + each.get<std::string>();
      }
    }
    lines.push_back(markup("<b>{}</b>: <code>{}</code>; run {}, {}; program {} {}; kernels {}", run.name,
                           command, json_text(run.description, "run_id"),
                           json_text(run.description, "timestamp"), json_text(run.description, "version"),
                           json_text(run.description, "revision"), json_text(run.description, "kernels")));
  }
  return html_list(lines);
}

}  // namespace

Html method_section(const ReportData& data) {
  return html_section(
      "method", "11 Method",
      run_lines(data) +
          markup("<ul>\n"
                 "<li>Every result is checked against a reference before it is timed; a wrong one has no "
                 "time.</li>\n"
                 "<li>A <b>measurement block</b> is a few pairs of baseline and setting in random order, one "
                 "right after "
                 "the other. Blocks of all settings take turns, round by round, so that drift hits all "
                 "alike.</li>\n"
                 "<li>A <b>speedup</b> is, per block, the median over its pairs of ln(baseline / setting), "
                 "and the median "
                 "of these over the blocks. Its 95 % interval takes one number per block, since samples "
                 "within a block "
                 "depend on each other. An interval that contains 1 is within noise.</li>\n"
                 "<li>The best candidate is selected by such samples, which favours it; so it is measured "
                 "again, and its "
                 "row has those blocks alone.</li>\n"
                 "<li>A <b>time</b> is that of a whole run: from inputs resident on the device to results "
                 "complete where "
                 "the next step needs them.</li>\n"
                 "<li><b>Of peak</b>: the time that the dwarf's bytes or operations, each counted once, take "
                 "at the "
                 "device's measured peak, over the time.</li>\n"
                 "<li>Glossary. Dwarf: a computational pattern. Axis: a parameter of a kernel. Variant: an "
                 "algorithm. "
                 "Point: one setting of all axes for one problem on one device. Context: the values of all "
                 "other axes, "
                 "with dwarf, problem and device. Round: every point measured once.</li>\n</ul>\n"));
}

}  // namespace dwarfsweep
