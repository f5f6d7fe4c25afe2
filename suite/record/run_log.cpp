#include "suite/record/run_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>

#include "harness/space/error.hpp"
#include "suite/record/json.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const char* doing) {
  throw std::runtime_error(fmt::format("cannot {} {}: {}", doing, path.string(), std::strerror(errno)));
}

// --- the types of records ---

// Calls `use(name, type)` for every type of record but those that begin a part.
template <typename Use>
void for_each_type(const Use& use) {
  use("device", std::type_identity<DeviceRecord>());
  use("peaks", std::type_identity<PeaksRecord>());
  use("selftest", std::type_identity<SelfTestRecord>());
  use("size", std::type_identity<SizeRecord>());
  use("known", std::type_identity<KnownPointRecord>());
  use("plan", std::type_identity<PlanRecord>());
  use("point", std::type_identity<PointRecord>());
  use("visit", std::type_identity<BlockRecord>());
  use("anchor", std::type_identity<AnchorRecord>());
  use("energy", std::type_identity<EnergyRecord>());
  use("digest", std::type_identity<DigestRecord>());
  use("end", std::type_identity<EndRecord>());
  use("search", std::type_identity<SearchRecord>());
  use("evaluation", std::type_identity<EvaluationRecord>());
  use("answer", std::type_identity<AnswerRecord>());
}

// These records are about a point, whose own record comes before them.
template <typename Record>
constexpr bool is_of_point = std::is_same_v<Record, BlockRecord> || std::is_same_v<Record, EnergyRecord> ||
                             std::is_same_v<Record, AnchorRecord> || std::is_same_v<Record, DigestRecord> ||
                             std::is_same_v<Record, EndRecord> || std::is_same_v<Record, EvaluationRecord>;

std::string to_line(const char* type, Json json) {
  json["type"] = type;
  return json_text(json) + "\n";
}

std::string line_of_run(const char* type, const RunRecord& run) {
  Json json = run;
  json["schema_version"] = run.schema;
  return to_line(type, std::move(json));
}

RunRecord read_run_record(const Json& line) {
  const int version = line.value("schema_version", 0);
  if (version < oldest_schema || version > schema_version) {
    throw std::runtime_error(fmt::format("schema version {}; this program reads versions {} to {}", version,
                                         oldest_schema, schema_version));
  }
  auto run = line.get<RunRecord>();
  run.schema = version;
  return run;
}

// Adds the record of a line to a run. Throws std::runtime_error or Json::exception: what is wrong with it.
void add_line(RunLog& log, const Json& line) {
  const auto type = line.at("type").get<std::string>();
  if (type == "run") return add_to(log, read_run_record(line));
  if (log.run.run_id.empty())
    throw std::runtime_error(fmt::format("expected the record of the run first, found '{}'", type));
  if (type == "part") return add_to(log, PartRecord{read_run_record(line)});
  bool known = false;
  for_each_type([&]<typename Record>(const char* name, std::type_identity<Record>) {
    if (type != name) return;
    known = true;
    const auto record = line.get<Record>();
    if constexpr (is_of_point<Record>) {
      const std::string key = record.key.text();
      if (!log.points.contains(key))
        throw std::runtime_error(fmt::format("there is no record of the point {} before it", key));
    }
    add_to(log, record);
  });
  if (known) return;
  std::string names = "run, part";
  for_each_type([&](const char* name, auto) { names += fmt::format(", {}", name); });
  throw std::runtime_error(fmt::format("unknown type '{}'; expected one of {}", type, names));
}

// --- lines and files ---

std::ifstream open_log(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(file.string(), "", fmt::format("cannot be read: {}", std::strerror(errno)));
  return stream;
}

fs::path log_file(const fs::path& path) {
  return fs::is_directory(path) ? path / log_name : path;
}

// Calls `use` with the parsed line. Throws InputError naming file and line.
template <typename Use>
void with_record(const fs::path& file, int number, const std::string& line, const Use& use) {
  const auto refuse = [&](const std::string& why) {
    throw InputError(file.string(), fmt::format("line {}", number), why);
  };
  try {
    use(parse_json(line));
  } catch (const Json::exception& error) {
    refuse("not a record of a run: " + plain_message(error));
  } catch (const std::runtime_error& error) {
    refuse(error.what());
  }
}

// Most lines are passed over by their end alone: RunLogWriter writes the fields in the order of their names,
// so that in these types "type" is the last. What another program has written in another order is parsed.
bool is_passed_over(std::string_view line) {
  constexpr std::array<std::string_view, 8> ends = {
      R"("type":"visit"})",  R"("type":"point"})",    R"("type":"end"})",   R"("type":"energy"})",
      R"("type":"device"})", R"("type":"selftest"})", R"("type":"peaks"})", R"("type":"digest"})"};
  return std::ranges::any_of(ends, [&](std::string_view end) { return line.ends_with(end); });
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

template <typename Record>
std::string log_line(const Record& record) {
  if constexpr (std::is_same_v<Record, RunRecord>) {
    return line_of_run("run", record);
  } else if constexpr (std::is_same_v<Record, PartRecord>) {
    return line_of_run("part", record.run);
  } else {
    std::string text;
    for_each_type([&]<typename Each>(const char* type, std::type_identity<Each>) {
      if constexpr (std::is_same_v<Record, Each>) text = to_line(type, Json(record));
    });
    return text;
  }
}
template std::string log_line(const RunRecord&);
template std::string log_line(const PartRecord&);
template std::string log_line(const DeviceRecord&);
template std::string log_line(const PeaksRecord&);
template std::string log_line(const SelfTestRecord&);
template std::string log_line(const SizeRecord&);
template std::string log_line(const KnownPointRecord&);
template std::string log_line(const PlanRecord&);
template std::string log_line(const PointRecord&);
template std::string log_line(const BlockRecord&);
template std::string log_line(const AnchorRecord&);
template std::string log_line(const EnergyRecord&);
template std::string log_line(const DigestRecord&);
template std::string log_line(const EndRecord&);
template std::string log_line(const SearchRecord&);
template std::string log_line(const EvaluationRecord&);
template std::string log_line(const AnswerRecord&);

RunLogWriter::RunLogWriter(const fs::path& path) : path_(path) {
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) fail(path, "open");
  try {
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      throw UsageError(fmt::format("{}: another process is writing this run", path.string()));
    }
    cut_incomplete_line();
  } catch (...) {
    ::close(file_);
    throw;
  }
}

RunLogWriter::~RunLogWriter() {
  ::close(file_);
}

void RunLogWriter::cut_incomplete_line() {
  struct stat status {};
  if (::fstat(file_, &status) != 0) fail(path_, "read");
  if (!S_ISREG(status.st_mode)) return;
  std::array<char, 65536> block{};
  std::int64_t end = status.st_size;
  while (end > 0) {
    const std::int64_t begin = std::max<std::int64_t>(0, end - static_cast<std::int64_t>(block.size()));
    const auto bytes = static_cast<std::size_t>(end - begin);
    if (::pread(file_, block.data(), bytes, begin) != static_cast<ssize_t>(bytes)) fail(path_, "read");
    const std::size_t newline = std::string_view(block.data(), bytes).rfind('\n');
    if (newline != std::string_view::npos) {
      whole_bytes_ = begin + static_cast<std::int64_t>(newline) + 1;
      break;
    }
    end = begin;
  }
  if (whole_bytes_ < status.st_size && ::ftruncate(file_, whole_bytes_) != 0) fail(path_, "shorten");
}

void RunLogWriter::write_line(const std::string& line) {
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t count = ::write(file_, line.data() + done, line.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const int reason = errno;
      // The exception reports the cause. If the line cannot be removed either, the reader ignores it.
      [[maybe_unused]] const int ignored = ::ftruncate(file_, whole_bytes_);
      errno = reason;
      fail(path_, "write");
    }
    done += static_cast<std::size_t>(count);
  }
  whole_bytes_ += static_cast<std::int64_t>(line.size());
}

RunLog read_log(const fs::path& path) {
  const fs::path file = log_file(path);
  std::ifstream stream = open_log(file);
  return read_log(file, stream);
}

RunLog read_log(const fs::path& file, std::istream& stream) {
  RunLog log;
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (stream.eof()) {  // no newline at its end
      log.truncated = true;
      break;
    }
    log.whole_bytes += static_cast<std::int64_t>(line.size()) + 1;
    with_record(file, number, line, [&](const Json& record) { add_line(log, record); });
  }
  if (log.run.run_id.empty())
    throw InputError(file.string(), "", "contains no run: its first record is missing");
  return log;
}

LogOutline outline_log(const fs::path& path) {
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
  std::string line;
  std::int64_t place = segment.begin;
  for (int number = segment.first_line; place < segment.end && std::getline(stream, line); ++number) {
    place += static_cast<std::int64_t>(line.size()) + 1;
    with_record(segment.file, number, line, [&](const Json& record) { add_line(log, record); });
  }
  return log;
}

}  // namespace dwarfsweep
