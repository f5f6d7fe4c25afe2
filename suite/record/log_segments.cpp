#include "suite/record/log_segments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>

#include "harness/space/error.hpp"
#include "suite/record/json.hpp"
#include "suite/record/log_collector.hpp"
#include "suite/record/run_log.hpp"

namespace dwarfsweep {
namespace {

std::ifstream open_log(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(file.string(), "", fmt::format("cannot be read: {}", std::strerror(errno)));
  return stream;
}

// Calls `use` with the parsed line. Throws InputError naming file and line.
template <typename Use>
void with_record(const std::filesystem::path& file, int number, const std::string& line, const Use& use) {
  try {
    use(Json::parse(line));
  } catch (const Json::exception& error) {
    throw InputError(file.string(), fmt::format("line {}", number),
                     fmt::format("not a record of a run: {}", error.what()));
  } catch (const std::runtime_error& error) {
    throw InputError(file.string(), fmt::format("line {}", number), error.what());
  }
}

// Most lines are passed over by their end alone: RunLogWriter writes the fields in the order of their names,
// so that in these types "type" is the last. What another program has written in another order is parsed.
bool is_passed_over(std::string_view line) {
  constexpr std::array<std::string_view, 7> ends = {
      R"("type":"visit"})",  R"("type":"point"})",    R"("type":"end"})",  R"("type":"energy"})",
      R"("type":"device"})", R"("type":"selftest"})", R"("type":"peaks"})"};
  return std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return line.ends_with(end); });
}

// The record of the run or of the part that a line is.
void add_outline(LogOutline& outline, const Json& line, LogSegment segment) {
  const auto type = line.at("type").get<std::string>();
  if (type == "run" || type == "part") {
    if (outline.segments.empty() != (type == "run")) {
      throw std::runtime_error("expected the record of the run first, and once");
    }
    segment.run = read_run_record(line);
    outline.segments.push_back(std::move(segment));
  } else if (type == "plan") {
    outline.planned = line.get<PlanRecord>().points;
  }
}

}  // namespace

LogOutline outline_log(const std::filesystem::path& path) {
  const std::filesystem::path file = std::filesystem::is_directory(path) ? path / log_name : path;
  std::ifstream stream = open_log(file);
  LogOutline outline;
  std::string line;
  std::int64_t end = 0;
  for (int number = 1; std::getline(stream, line) && !stream.eof(); ++number) {
    const std::int64_t begin = end;
    end += static_cast<std::int64_t>(line.size()) + 1;
    if (number == 1 || !is_passed_over(line)) {
      with_record(file, number, line, [&](const Json& record) {
        const std::size_t known = outline.segments.size();
        add_outline(outline, record, {file, end, end, number + 1, {}});
        if (known > 0 && outline.segments.size() > known) outline.segments[known - 1].end = begin;
      });
    }
    if (outline.segments.empty()) break;
    outline.segments.back().end = end;
  }
  if (outline.segments.empty())
    throw InputError(file.string(), "", "contains no run: its first record is missing");
  return outline;
}

RunLog read_segment(const LogSegment& segment) {
  std::ifstream stream = open_log(segment.file);
  stream.seekg(segment.begin);
  RunLog log;
  add_to(log, segment.run);
  LogCollector collector(log);
  std::string line;
  std::int64_t place = segment.begin;
  for (int number = segment.first_line; place < segment.end && std::getline(stream, line); ++number) {
    place += static_cast<std::int64_t>(line.size()) + 1;
    with_record(segment.file, number, line, [&](const Json& record) { collector.add(record); });
  }
  return log;
}

}  // namespace dwarfsweep
