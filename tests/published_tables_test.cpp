// Published figures next to ours: that the same settings are in one row, and figures without one of ours are
// left out.
#include "suite/published/published.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "harness/space/error.hpp"
#include "suite/output/tables.hpp"
#include "suite/record/rows.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/synthetic_run.hpp"

using namespace dwarfsweep;
using test::contains;

namespace {

const std::string header =
    "source,figure,device,dwarf,kernel,size,optimisation,setting,reference,axis,value,time_ns,time_"
    "resolution_ns,rate,"
    "rate_unit,speedup,note\n";

std::string tables_with(
    const std::string& rows, const std::string& title = "Published figures next to ours",
    const std::vector<MeasurementRow>& ours = make_rows(make_synthetic_run()).measurements) {
  const test::ScratchDirectory scratch;
  scratch.file("paper.csv", header + rows);
  TableOptions options;
  options = with_published(TableFormat::text, scratch.path());
  const std::string text = make_tables(ours, options);
  const std::size_t begin = text.find(title);
  return begin == std::string::npos ? "" : text.substr(begin);
}

// Up to the figures themselves, with one blank where there are several.
std::string claims_with(const std::string& rows, const std::vector<MeasurementRow>& ours =
                                                     make_rows(make_synthetic_run()).measurements) {
  std::string text = tables_with(rows, "What holds of the published comparisons", ours);
  text.resize(std::min(text.size(), text.find("Published figures")));
  text.erase(std::unique(text.begin(), text.end(), [](char a, char b) { return a == ' ' && b == ' '; }),
             text.end());
  return text;
}

const std::string initial =
    "paper,6.2,Old GPU,lud,internal,n=240,initial,Initial,Initial,granularity,1,3000,1,,,,\n";

// A published speedup of granularity 2.
std::string speedup_row(const std::string& change, const std::string& setting, const std::string& speedup,
                        const std::string& device = "Old GPU") {
  return "paper,6.2," + device + ",lud,internal,n=240," + change + "," + setting +
         ",Initial,granularity,2,3000,1,,," + speedup + ",\n";
}

}  // namespace

TEST_CASE("a published figure and our time of the same setting are in one row", "[published]") {
  const std::string text = tables_with(
      "paper,6.2,Old GPU,lud,internal,n=240,initial,Initial Code,Initial Code,granularity,1,63321554,1,,,,\n"
      "paper,6.2,Old GPU,lud,internal,n=240,Granularity,2x coarsening,Initial "
      "Code,granularity;direction,2;x,60574101,1,,,1.05,\n"
      "paper,6.2,Old GPU,lud,internal,n=240,Granularity,4x coarsening,Initial "
      "Code,granularity,4,1000,1,,,0.5,\n"
      "paper,6.2,Old GPU,lud,internal,n=240,Unrolling,8x,Initial Code,unroll,8,1000,1,,,0.5,\n");
  INFO(text);
  CHECK_THAT(text, contains("paper, 6.2: lud internal, n=240"));
  // 100 us and 50 us on the fast device, and no change on the slow one.
  CHECK_THAT(text, contains("Initial Code                   63.32 ms        100.7 us         4.028 ms"));
  CHECK_THAT(text,
             contains("2x coarsening (granularity=2)  60.57 ms 1.05x  50.35 us 2.00x+  4.028 ms 1.00x~"));
  CHECK_THAT(text, contains("1.000 us  0.5x   not applicable   not applicable"));
  CHECK_THAT(text,
             contains("8x (unroll=8)                  1.000 us  0.5x                .                .\n"));
}

TEST_CASE("a speedup over another setting than our baseline is marked as unpaired", "[published]") {
  const std::string text = tables_with(
      "paper,7,Old GPU,lud,internal,n=240,x,from,from,granularity,2,2000,1,,,,\n"
      "paper,7,Old GPU,lud,internal,n=240,x,to,from,granularity,1,1000,1,,,2,\n");
  INFO(text);
  CHECK_THAT(text, contains("100.7 us 0.50x*"));
}

TEST_CASE("a setting that is none of ours has no time of ours, and no claim", "[published]") {
  const std::string rows =
      "paper,7,Old GPU,lud,internal,n=240,initial,Initial,Initial,granularity,2,3000,1,,,,\n"
      "paper,7,Old GPU,lud,internal,n=240,Unrolling,case 2,Initial,,,1500,1,,,,\n"
      "paper,8,Old GPU,lud,internal,n=240,initial,library,library,,,3000,1,,,,\n"
      "paper,8,Old GPU,lud,internal,n=240,Granularity,kernel,library,granularity,2,1500,1,,,,\n";
  const std::string text = tables_with(rows);
  INFO(text);
  CHECK_THAT(text, contains("case 2                   1.500 us         .         .\n"));
  CHECK_THAT(text, contains("library                 3.000 us         .         .\n"));
  CHECK_THAT(text, contains("kernel (granularity=2)  1.500 us  50.35 us  4.028 ms"));
  CHECK(tables_with(rows, "What holds of the published comparisons").empty());
}

TEST_CASE("the best of a search is compared with the best of ours", "[published]") {
  const std::string text = tables_with(
      "paper,9,Old GPU,lud,internal,n=240,Exhaustive search,best,best,variant,tiled,3000,1,,,,\n"
      "paper,9,Old GPU,lud,internal,n=240,Random sampling,expected,best,,,4000,1,,,,\n");
  INFO(text);
  CHECK_THAT(text, contains("best               3.000 us  50.35 us  4.028 ms\n"));
  CHECK_THAT(text, contains("expected           4.000 us         .         ."));
}

TEST_CASE("the claims count the settings for which a paper and a device say the same", "[published]") {
  // On the fast device granularity 2 is twice as fast, on the slow one no different.
  const std::string text = tables_with(
      "paper,6.2,Old GPU,lud,internal,n=240,initial,Initial,Initial,granularity,1,3000,1,,,,\n"
      "paper,6.2,Old GPU,lud,internal,n=240,Granularity,faster,Initial,granularity,2,1500,1,,,,\n"
      "paper,6.2,Old GPU,lud,internal,n=240,Granularity,same,Initial,granularity,2,3000,1,,,1.01,\n"
      "paper,6.2,Old GPU,lud,internal,n=240,Granularity,slower,Initial,granularity,2,6000,1,,,0.5,\n"
      "paper,6.2,Old GPU,lud,internal,n=240,Unrolling,not ours,Initial,unroll,8,1,1,,,3000,\n",
      "What holds of the published comparisons");
  INFO(text);
  CHECK_THAT(text, contains("paper on Old GPU: 1 of 3 the same on A, 1 of 3 the same on B"));
  CHECK_THAT(text, contains("0.50 to 2.00x"));
  CHECK_THAT(text.substr(0, text.find("Published figures")), !contains("Unrolling"));
}

TEST_CASE("the claims take a difference for one where it is beyond the noise", "[published]") {
  auto rows = make_rows(make_synthetic_run()).measurements;
  for (MeasurementRow& row : rows) {
    if (row.kernel != "internal" || row.granularity != "2") continue;
    const bool is_fast = row.device_id == "fast";
    row.speedup = is_fast ? 1.5 : 0.9;
    row.verdict = is_fast ? "within_noise" : "slower";
  }
  const std::string text = claims_with(initial + speedup_row("x", "a", "2") + speedup_row("x", "b", "1.5") +
                                           speedup_row("x", "c", "0.99") + speedup_row("y", "d", "0.5") +
                                           speedup_row("y", "e", "0.7") + speedup_row("y", "f", "0.9"),
                                       rows);
  INFO(text);
  CHECK_THAT(text, contains("paper on Old GPU: 1 of 6 the same on A, 3 of 6 the same on B"));
}

TEST_CASE("every work, kernel, change and device has its own line among the claims", "[published]") {
  std::string older = initial;
  older.replace(older.find("Old GPU"), 7, "Older GPU");
  const std::string threads = "lud,total,n=240,CUDA,CUDA,1 CPU thread,granularity,2,,,,,17,\n";
  const std::string diagonal =
      "paper,6.1,Old GPU,lud,diagonal,n=240,initial,Initial,Initial,granularity,1,9,1,,,,\n"
      "paper,6.1,Old GPU,lud,diagonal,n=240,x,a,Initial,granularity,2,9,1,,,1,\n";
  const std::string text = claims_with(
      diagonal + initial + speedup_row("x", "a", "2") + speedup_row("y", "b", "3") + older +
      speedup_row("x", "a", "1", "Older GPU") + "study,4,Old GPU," + threads + "review,4,Old GPU," + threads);
  INFO(text);
  for (const char* line : {"paper on Old GPU: 3 of 3 the same on A, 1 of 3 the same on B\n",
                           "paper on Older GPU: 0 of 1 the same on A, 1 of 1 the same on B\n",
                           "study on Old GPU: 1 of 1 the same on A, 0 of 1 the same on B\n",
                           "review on Old GPU: 1 of 1 the same on A, 0 of 1 the same on B\n",
                           "paper lud diagonal x Old GPU 1.00x 1.00x 1 of 1 1.00x 1 of 1\n",
                           "paper lud internal x Old GPU 2.00x 2.00x 1 of 1 1.00x 0 of 1\n",
                           "paper lud internal y Old GPU 3.00x 2.00x 1 of 1 1.00x 0 of 1\n",
                           "paper lud internal x Older GPU 1.00x 2.00x 0 of 1 1.00x 1 of 1\n",
                           "study lud CUDA, over 1 CPU thread Old GPU 17.0x 12.8x 1 of 1 0.85x 0 of 1\n",
                           "review lud CUDA, over 1 CPU thread Old GPU 17.0x 12.8x 1 of 1 0.85x 0 of 1\n"})
    CHECK_THAT(text, contains(line));
}

TEST_CASE("a device that measured nothing of a claim has no answer to it", "[published]") {
  auto rows = make_rows(make_synthetic_run()).measurements;
  std::erase_if(rows,
                [](const MeasurementRow& row) { return row.device_id == "fast" && row.granularity == "2"; });
  const std::string text = claims_with(initial + speedup_row("x", "a", "1"), rows);
  INFO(text);
  CHECK_THAT(text, contains("paper on Old GPU: 1 of 1 the same on B\n"));
  CHECK_THAT(text, contains("paper lud internal x Old GPU 1.00x 1.00x 1 of 1\n"));
}

TEST_CASE("figures of other problems, kernels and dwarfs make no claims", "[published]") {
  const std::string figure = initial + speedup_row("x", "a", "2");
  CHECK_FALSE(claims_with(figure).empty());
  for (const auto& [ours, theirs] :
       {std::pair{"n=240", "n=4096"}, {"internal", "perimeter"}, {"lud", "crc"}}) {
    std::string other = figure;
    for (std::size_t at = 0; (at = other.find(ours, at)) != std::string::npos;)
      other.replace(at, std::string_view(ours).size(), theirs);
    INFO(other);
    CHECK(claims_with(figure + other) == claims_with(figure));
  }
}

TEST_CASE("figures of other problems, kernels and dwarfs are left out", "[published]") {
  CHECK(tables_with("paper,6.2,Old GPU,lud,internal,n=4096,initial,Initial,Initial,granularity,1,1,1,,,,\n")
            .empty());
  CHECK(
      tables_with("paper,6.2,Old GPU,lud,internal,,initial,Initial,Initial,granularity,1,1,1,,,,\n").empty());
  CHECK(tables_with("paper,6.2,Old GPU,lud,other,n=240,initial,Initial,Initial,granularity,1,1,1,,,,\n")
            .empty());
  CHECK(tables_with("paper,6.2,Old GPU,lud,internal,n=240,initial,Initial,Initial,pyramid_height,2,1,1,,,,\n")
            .empty());
}

TEST_CASE("the real published figures are found and can be read", "[published]") {
  TableOptions options;
  options = with_published(TableFormat::text);
  REQUIRE(options.appendix);
  CHECK_NOTHROW(make_tables(make_rows(make_synthetic_run()).measurements, options));
}

TEST_CASE("a speedup over CPU threads includes the transfers, over one thread and over four", "[published]") {
  const std::string text = tables_with(
      "study,4,Old GPU,lud,total,n=240,CUDA,CUDA,1 CPU thread,granularity,2,,,,,17,\n"
      "study,4,Old GPU,lud,total,n=240,CUDA,CUDA,4 CPU threads,granularity,2,,,,,5,\n");
  INFO(text);
  // 60 us of kernels and 1 us more by the host's clock, 120 us up, 130 us down; one thread takes 4 ms.
  CHECK_THAT(text, contains("CUDA, over 1 CPU thread (granularity=2)"));
  CHECK_THAT(text, contains("311.4 us 12.8x*"));
  CHECK_THAT(text, contains("CUDA, over 4 CPU threads (granularity=2)"));
  CHECK_THAT(text, contains("311.4 us      ?"));  // four were not measured
}

TEST_CASE("a kernel's speedup over CPU threads is without the transfers", "[published]") {
  const std::string text =
      tables_with("study,4,Old GPU,lud,internal,n=240,CUDA,CUDA,1 CPU thread,granularity,2,,,,,17,\n");
  INFO(text);
  CHECK_THAT(text, contains("50.35 us 79.4x*"));  // one thread takes 4 ms
}

TEST_CASE("a published rate and ours have the same unit", "[published]") {
  const std::string row =
      "paper,2,Old GPU,lud,internal,n=240,initial,Initial,Initial,granularity,1,,,46.49,gflop_per_s,,\n";
  const test::ScratchDirectory scratch;
  scratch.file("paper.csv", header + row);
  TableOptions options;
  options = with_published(TableFormat::text, scratch.path());
  auto rows = make_rows(make_synthetic_run()).measurements;
  for (auto& each : rows) each.gop_per_s = 1234.5;
  const std::string text = make_tables(rows, options);
  INFO(text);
  CHECK_THAT(text, contains("46.49 GFLOP/s"));
  CHECK_THAT(text, contains("1234 GFLOP/s"));
}

TEST_CASE("speedups over the CPU reference include the transfers", "[published]") {
  const std::string text = make_tables(make_rows(make_synthetic_run()).measurements, TableOptions{});
  const std::size_t begin = text.find("Speedup over the CPU reference, transfers included");
  REQUIRE(begin != std::string::npos);
  const std::string table = text.substr(begin, 1200);
  INFO(table);
  // The baseline of the fast device, and its fastest setting.
  CHECK_THAT(table, contains("baseline"));
  CHECK_THAT(table, contains("120.0 us"));
  CHECK_THAT(table, contains("130.0 us"));
}

TEST_CASE("a figure without a size is compared with the problems of size paper only", "[published]") {
  const std::string row = "paper,2,Old GPU,lud,internal,,initial,Initial,Initial,granularity,1,1,1,,,,\n";
  const test::ScratchDirectory scratch;
  scratch.file("paper.csv", header + row);
  TableOptions options;
  options = with_published(TableFormat::text, scratch.path());
  auto rows = make_rows(make_synthetic_run()).measurements;
  CHECK(make_tables(rows, options).find("Published figures") == std::string::npos);
  for (auto& each : rows) each.size = "paper";
  CHECK_THAT(make_tables(rows, options), contains("paper, 2: lud internal, size not stated, here n=240"));
}
