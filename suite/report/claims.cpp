// What the papers claim: a verdict for each device, as a table of the report and as CSV.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "suite/record/csv.hpp"
#include "suite/report/claim_rules.hpp"
#include "suite/report/payoff.hpp"

namespace dwarfsweep {
namespace {

using Outcome = Claim::Outcome;

const char* mark_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::holds:
      return "✓ ";
    case Outcome::fails:
      return "≠ ";
    case Outcome::undecided:
      return "? ";
    case Outcome::not_about_it:
      break;
  }
  return "– ";
}

}  // namespace

const char* verdict_words(Outcome outcome) {
  switch (outcome) {
    case Outcome::holds:
      return "holds";
    case Outcome::fails:
      return "does not hold";
    case Outcome::undecided:
      return "undecided";
    case Outcome::not_about_it:
      break;
  }
  return "";
}

std::vector<Claim> check_claims(const ReportData& data, const std::vector<AxisEffect>& effects) {
  std::vector<Claim> claims;
  for (const ClaimRule& rule : claim_rules()) claims.push_back({rule.text, rule.work, rule.rule, {}});
  for (std::size_t column = 0; column < data.model.columns.size(); ++column) {
    ClaimFacts facts{data, column, {}};
    std::ranges::copy_if(effects, std::back_inserter(facts.effects),
                         [&](const AxisEffect& effect) { return effect.column == column; });
    for (std::size_t i = 0; i < claims.size(); ++i)
      claims[i].verdicts.push_back(claim_rules()[i].judge(facts));
  }
  return claims;
}

Html claims_part(const ReportData& data, const std::vector<AxisEffect>& effects) {
  HtmlTable table{
      .caption =
          "Each rule is counted over contexts, variants or problems. A claim holds if more than two thirds "
          "agree beyond noise, and does not hold if fewer than one third do.",
      .header = {"claim", "rule"},
      .numbers = 2};
  for (const std::string& name : data.names) {
    table.header.push_back(name);
    ++table.numbers;
  }
  for (const Claim& claim : check_claims(data, effects)) {
    table.rows.push_back({claim.text, claim.rule});
    for (const Claim::Verdict& verdict : claim.verdicts) {
      const Html deciding =
          verdict.command.empty() ? Html() : markup(". This would decide: <code>{}</code>", verdict.command);
      const std::string words = verdict_words(verdict.outcome);
      table.rows.back().push_back(
          markup("{}{}{}{}", mark_of(verdict.outcome), words, words.empty() ? "" : ": ", verdict.evidence) +
          deciding);
    }
  }
  return markup("<h3 id=\"claims\">What the papers claim</h3>\n") + to_html(table);
}

std::string claims_csv(const ReportData& data) {
  std::string text = "claim,work,rule,device,verdict,evidence\n";
  for (const Claim& claim : check_claims(data, shown_effects(data))) {
    for (std::size_t column = 0; column < claim.verdicts.size(); ++column) {
      const Claim::Verdict& verdict = claim.verdicts[column];
      text += fmt::format("{},{},{},{},{},{}\n", csv_cell(claim.text), csv_cell(claim.work),
                          csv_cell(claim.rule), csv_cell(data.names[column]), verdict_words(verdict.outcome),
                          csv_cell(verdict.evidence));
    }
  }
  return text;
}

}  // namespace dwarfsweep
