#include "suite/published/published_claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "suite/output/table_cells.hpp"
#include "suite/published/our_speedup.hpp"
#include "suite/published/published_settings.hpp"

namespace dwarfsweep {
namespace {

// Printed speedups have two decimals: a difference below this is none.
constexpr double no_difference = 0.02;

int direction(double speedup) {
  if (speedup > 1 + no_difference) return 1;
  return speedup < 1 - no_difference ? -1 : 0;
}

int direction(const OurSpeedup& ours) {
  if (ours.verdict.empty()) return direction(ours.ratio);
  const std::string mark = verdict_mark(ours.verdict);
  return mark == "+" ? 1 : mark == "-" ? -1 : 0;
}

struct Range {
  std::vector<double> values;

  [[nodiscard]] std::string text() const {
    if (values.empty()) return "";
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const std::string from = ratio_text(*low);
    const std::string to = ratio_text(*high);
    return from == to ? from + "x" : fmt::format("{} to {}x", from, to);
  }
};

// Of one of our devices.
struct Answer {
  Range ours;
  int same = 0;
};

struct Claim {
  std::string source, what, change, device;
  Range published;
  std::vector<Answer> answers;
};

class ClaimTable {
 public:
  explicit ClaimTable(const TableModel& model) : model_(model) {}

  void add(const SettingTable& ours, const std::vector<PublishedRow>& figure) {
    const PublishedJoin join(ours, figure);
    for (const PublishedRow& row : figure) {
      const std::optional<double> published = published_speedup(figure, row);
      if (!published) continue;
      for (std::size_t column = 0; column < model_.columns.size(); ++column) {
        const std::optional<OurSpeedup> speedup = join.speedup(row, column);
        if (!speedup) continue;
        Claim& claim = claim_of(row);
        Answer& answer = claim.answers[column];
        answer.ours.values.push_back(speedup->ratio);
        answer.same += direction(*speedup) == direction(*published) ? 1 : 0;
        if (std::find(claim.published.values.begin(), claim.published.values.end(), *published) ==
            claim.published.values.end())
          claim.published.values.push_back(*published);
      }
    }
  }

  [[nodiscard]] Document make() const {
    if (claims_.empty()) return {};
    Block table{.kind = Block::Kind::table};
    table.header = {"work", "of", "what is changed", "on", "published"};
    table.leading = 4;
    for (const DeviceColumn& column : model_.columns) {
      table.header.push_back(column.letter + ", here");
      table.header.push_back("the same");
    }
    for (const Claim& claim : claims_) table.rows.push_back(row_of(claim));
    return {
        heading("What holds of the published comparisons"),
        paragraph(
            "For each work, kernel, kind of change and published device: the published speedups, ours of the "
            "same settings, and of how many the two say the same: faster, slower, or neither (published: "
            "within 2 %; ours: within noise). Setting by setting they are below."),
        items(totals()), std::move(table)};
  }

 private:
  Claim& claim_of(const PublishedRow& row) {
    const std::string what = row.kernel == "total" ? row.dwarf : row.dwarf + " " + row.kernel;
    const std::string change =
        is_over_threads(row) ? fmt::format("{}, over {}", row.optimisation, row.reference) : row.optimisation;
    const auto found = std::find_if(claims_.begin(), claims_.end(), [&](const Claim& claim) {
      return claim.source == row.source && claim.what == what && claim.change == change &&
             claim.device == row.device;
    });
    if (found != claims_.end()) return *found;
    claims_.push_back({row.source, what, change, row.device, {}, std::vector<Answer>(model_.columns.size())});
    return claims_.back();
  }

  static std::string agreement(const Answer& answer) {
    return fmt::format("{} of {}", answer.same, answer.ours.values.size());
  }

  static std::vector<Cell> row_of(const Claim& claim) {
    std::vector<Cell> cells;
    for (const std::string& text :
         {claim.source, claim.what, claim.change, claim.device, claim.published.text()})
      cells.push_back({{text}, ""});
    for (const Answer& answer : claim.answers) {
      const bool has_none = answer.ours.values.empty();
      cells.push_back({{answer.ours.text()}, ""});
      cells.push_back({{has_none ? "" : agreement(answer)}, ""});
    }
    return cells;
  }

  // "thesis_2013 on NVIDIA GeForce GTX480: A 40 of 62".
  [[nodiscard]] std::vector<std::string> totals() const {
    std::vector<std::pair<std::string, std::vector<Answer>>> works;
    for (const Claim& claim : claims_) {
      const std::string work = fmt::format("{} on {}", claim.source, claim.device);
      auto found =
          std::find_if(works.begin(), works.end(), [&](const auto& each) { return each.first == work; });
      if (found == works.end())
        found = works.insert(works.end(), {work, std::vector<Answer>(model_.columns.size())});
      for (std::size_t column = 0; column < claim.answers.size(); ++column) {
        const Answer& answer = claim.answers[column];
        Answer& sum = found->second[column];
        sum.same += answer.same;
        sum.ours.values.insert(sum.ours.values.end(), answer.ours.values.begin(), answer.ours.values.end());
      }
    }
    std::vector<std::string> lines;
    for (const auto& [work, answers] : works) {
      std::string line = work + ":";
      for (std::size_t column = 0; column < answers.size(); ++column) {
        if (answers[column].ours.values.empty()) continue;
        line += fmt::format("{} {} the same on {}", line.back() == ':' ? "" : ",", agreement(answers[column]),
                            model_.columns[column].letter);
      }
      lines.push_back(line);
    }
    return lines;
  }

  const TableModel& model_;
  std::vector<Claim> claims_;
};

}  // namespace

Document published_claims(const TableModel& model, const std::vector<std::vector<PublishedRow>>& figures) {
  ClaimTable claims(model);
  for (const std::vector<PublishedRow>& figure : figures) {
    for (const SettingTable& ours : model.tables) {
      if (ours.dwarf != figure.front().dwarf || ours.kernel != figure.front().kernel) continue;
      if (is_published_problem(figure.front().size, ours)) claims.add(ours, figure);
    }
  }
  return claims.make();
}

}  // namespace dwarfsweep
