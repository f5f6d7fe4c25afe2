#include "suite/report/report.hpp"

#include <fmt/format.h>

#include <optional>

#include "suite/record/draft_file.hpp"
#include "suite/record/run_rows.hpp"
#include "suite/report/page_parts.hpp"
#include "suite/report/sections.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

Html contents_list() {
  return markup(
      "<nav aria-label=\"sections\"><a href=\"#verdict\">1 Verdict</a> <a href=\"#trust\">2 Trust</a> "
      "<a href=\"#overview\">3 Overview</a> <a href=\"#roofline\">4 Roofline</a> "
      "<a href=\"#dwarfs\">5 Dwarfs</a> <a href=\"#payoff\">6 What pays off</a> <a href=\"#portability\">7 "
      "Portability</a> "
      "<a href=\"#left-out\">8 Left out</a> "
      "<a href=\"#against\">9 Against</a> <a href=\"#rows\">10 Rows</a> <a href=\"#method\">11 "
      "Method</a></nav>\n");
}

Html page_body(const ReportData& data, const Comparison* comparison) {
  Html names;
  for (const ReportRun& run : data.runs) names += markup("{}{}", names.empty() ? "" : ", ", run.name);
  Html body = markup("<header><h1>dwarfsweep: {}</h1>\n{}</header>\n<main>\n", names, contents_list());
  for (const auto section : {verdict_section, trust_section, overview_section, roofline_section,
                             dwarf_sections, payoff_section, portability_section, left_out_section})
    body += section(data);
  body += against_section(data, comparison);
  body += rows_section(data);
  body += method_section(data);
  return body + markup("</main>\n");
}

}  // namespace

std::string make_report(const ReportData& data, const Comparison* comparison, bool all_samples) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{}'; script-src "
      "'{}'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>dwarfsweep report</title>\n<style>{}</style>\n</head>\n<body>\n{}"
      "<script type=\"application/json\" id=\"data\">{}</script>\n<script>{}</script>\n</body>\n</html>\n",
      policy_hash(report_style_sha256), policy_hash(report_script_sha256), report_style,
      page_body(data, comparison).str(), json_for_html(rows_json(data, all_samples)), report_script);
}

void write_report(const fs::path& file, const ReportRequest& request) {
  const ReportData data = read_report_data(request.runs);
  std::optional<Comparison> comparison;
  RunData before;
  RunData after;
  if (!request.against.empty()) {
    before = read_run(request.against);
    after = read_run(request.runs.front());
    comparison = compare_runs(before, after);
  }
  DraftFile draft(file);
  draft.write(make_report(data, comparison ? &*comparison : nullptr, request.all_samples));
  draft.finish();
}

}  // namespace dwarfsweep
