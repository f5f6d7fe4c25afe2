#include "suite/published/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <system_error>
#include <utility>

#include "suite/output/table_cells.hpp"
#include "suite/published/published_rows.hpp"
#include "suite/record/reason.hpp"

namespace dwarfsweep {

// --- a figure with our times ---

namespace {

// A rate's unit as it is printed, and where our rows have it.
struct RateUnit {
  const char* text;
  Number MeasurementRow::*ours;
  double scale;
};

const RateUnit* find_unit(const std::string& name) {
  static const std::map<std::string, RateUnit> units = {
      {"gb_per_s", {"GB/s", &MeasurementRow::gb_per_s, 1}},
      {"gflop_per_s", {"GFLOP/s", &MeasurementRow::gop_per_s, 1}},
      {"mpoints_per_s", {"Mpoints/s", &MeasurementRow::items_per_s, 1e-6}}};
  const auto found = units.find(name);
  return found == units.end() ? nullptr : &found->second;
}

// As printed: the time, or the rate where the figure has no time.
std::string published_amount(const PublishedRow& row) {
  if (!row.time_ns.empty()) return time_text(std::stod(row.time_ns));
  const RateUnit* const unit = find_unit(row.rate_unit);
  return unit == nullptr ? "" : row.rate + " " + unit->text;
}

// Ours in the same unit.
std::string our_amount(const PublishedRow& row, const MeasurementRow& ours) {
  const RateUnit* const unit = row.time_ns.empty() ? find_unit(row.rate_unit) : nullptr;
  if (unit == nullptr || !(ours.*unit->ours)) return time_text(*ours.median_ns);
  return fmt::format("{:.4g} {}", *(ours.*unit->ours) * unit->scale, unit->text);
}

// The figure's name of the setting, and what that changes in our baseline.
std::string row_name(const PublishedRow& row, const Config& baseline) {
  Config changes;
  for (const auto& [axis, value] : row.changes.entries()) {
    const Value* const before = baseline.find(axis);
    if (before == nullptr || !(*before == value)) changes = changes.with(axis, value);
  }
  const std::string setting =
      is_over_threads(row) ? fmt::format("{}, over {}", row.setting, row.reference) : row.setting;
  return changes.entries().empty() ? setting : fmt::format("{} ({})", setting, changes.to_string(", "));
}

std::vector<std::string> devices_of(const std::vector<PublishedRow>& figure) {
  std::vector<std::string> devices;
  for (const PublishedRow& row : figure) {
    if (std::ranges::find(devices, row.device) == devices.end()) devices.push_back(row.device);
  }
  return devices;
}

Cell our_cell(const PublishedJoin& join, const PublishedRow& row, std::size_t column) {
  const MeasurementRow& ours = *join.measurement(row, column);
  const std::optional<OurSpeedup> speedup = join.speedup(row, column);
  if (is_over_threads(row)) {
    const double time = PublishedJoin::time_over_threads(row, ours).value_or(*ours.median_ns);
    return {{time_text(time), speedup ? ratio_text(speedup->ratio) + "x*" : "?"}, ""};
  }
  if (!speedup) return {{our_amount(row, ours), ""}, ""};
  const std::string mark = speedup->verdict.empty() ? "*" : verdict_mark(speedup->verdict);
  return {{our_amount(row, ours), ratio_text(speedup->ratio) + "x" + mark}, ""};
}

class FigureTable {
 public:
  FigureTable(const TableModel& model, const SettingTable& ours, const std::vector<PublishedRow>& figure)
      : model_(model), figure_(figure), join_(ours, figure), devices_(devices_of(figure)) {}

  std::optional<Block> make() {
    Block block{.kind = Block::Kind::table};
    block.header = {"published setting"};
    block.header.insert(block.header.end(), devices_.begin(), devices_.end());
    for (const DeviceColumn& column : model_.columns) block.header.push_back(column.letter + ", here");
    std::vector<std::string> done;
    for (const PublishedRow& row : figure_) {
      const std::string name = row_name(row, join_.baseline());
      if (std::ranges::find(done, name) != done.end()) continue;
      done.push_back(name);
      block.rows.push_back(make_row(row, name));
    }
    if (!any_of_ours_) return std::nullopt;
    return block;
  }

 private:
  std::vector<Cell> make_row(const PublishedRow& row, const std::string& name) {
    std::vector<Cell> cells = {{{name}, ""}};
    for (const std::string& device : devices_) cells.push_back(published_cell(device, name));
    for (std::size_t column = 0; column < model_.columns.size(); ++column) {
      const MeasurementRow* const ours = join_.measurement(row, column);
      any_of_ours_ = any_of_ours_ || ours != nullptr;
      if (ours == nullptr) {
        cells.push_back({{}, "."});
      } else if (!is_timed(ours)) {
        cells.push_back({{}, status_words(ours->status)});
      } else {
        cells.push_back(our_cell(join_, row, column));
      }
    }
    return cells;
  }

  [[nodiscard]] Cell published_cell(const std::string& device, const std::string& name) const {
    const auto row = std::ranges::find_if(figure_, [&](const PublishedRow& other) {
      return other.device == device && row_name(other, join_.baseline()) == name;
    });
    if (row == figure_.end()) return {{"", ""}, ""};
    return {{published_amount(*row), row->speedup.empty() ? "" : row->speedup + "x"}, ""};
  }

  const TableModel& model_;
  const std::vector<PublishedRow>& figure_;
  PublishedJoin join_;
  std::vector<std::string> devices_;
  bool any_of_ours_ = false;
};

}  // namespace

std::optional<Block> figure_table(const TableModel& model, const SettingTable& ours,
                                  const std::vector<PublishedRow>& figure) {
  return FigureTable(model, ours, figure).make();
}

// --- what holds of the published comparisons ---

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
    const auto [low, high] = std::ranges::minmax_element(values);
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
        if (std::ranges::find(claim.published.values, *published) == claim.published.values.end())
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
    const auto found = std::ranges::find_if(claims_, [&](const Claim& claim) {
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
      auto found = std::ranges::find(works, work, &decltype(works)::value_type::first);
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

// --- the document ---

namespace fs = std::filesystem;

fs::path find_results(const std::string& name) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  std::vector<fs::path> places = {program.parent_path().parent_path() / "share" / "dwarfsweep" / name};
  // Up from build/<preset>/dwarfsweep, and from the tests one folder deeper.
  fs::path folder = program.parent_path();
  for (int i = 0; i < 4; ++i, folder = folder.parent_path()) places.push_back(folder / "results" / name);
  for (const fs::path& place : places) {
    if (fs::is_directory(place, error)) return place;
  }
  return {};
}

fs::path find_published() {
  return find_results("published");
}

TableOptions with_published(TableFormat format, const fs::path& folder) {
  TableOptions options{format};
  if (!folder.empty())
    options.appendix = [folder](const TableModel& model) { return published_tables(model, folder); };
  return options;
}

Document published_tables(const TableModel& model, const fs::path& folder) {
  Document document;
  const auto figures = group_by_figure(read_published(folder));
  for (const std::vector<PublishedRow>& figure : figures) {
    const PublishedRow& any = figure.front();
    for (const SettingTable& ours : model.tables) {
      if (ours.dwarf != any.dwarf || ours.kernel != any.kernel) continue;
      if (!is_published_problem(any.size, ours)) continue;
      auto table = figure_table(model, ours, figure);
      if (!table) continue;
      document.push_back(
          subheading(fmt::format("{}, {}: {} {}, {}", any.source, any.figure, any.dwarf, any.kernel,
                                 any.size.empty() ? "size not stated, here " + ours.problem : any.size)));
      document.push_back(std::move(*table));
    }
  }
  if (document.empty()) return document;
  document.insert(
      document.begin(),
      {heading("Published figures next to ours"),
       paragraph(
           "Times and speedups as printed, then what was measured here with the same setting, . where there "
           "is none of ours. Speedups are over the figure's own first setting; * marks a ratio of medians, "
           "unpaired. Speedups over CPU threads include the transfers, here as published, unless they are of "
           "a kernel alone, and ours are over one or four threads of this host, ? where these were not "
           "measured (--cpu-reference). Sources and devices: "
           "results/published/README.md.")});
  const Document claims = published_claims(model, figures);
  document.insert(document.begin(), claims.begin(), claims.end());
  return document;
}

}  // namespace dwarfsweep
