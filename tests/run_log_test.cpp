// The log: that it reads back as it was written, and what killed runs, full disks and malformed files do to
// it.
#include "suite/record/run_log.hpp"

#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "harness/space/error.hpp"
#include "suite/record/json.hpp"
#include "suite/record/row_csv.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/synthetic_run.hpp"

using namespace dwarfsweep;
using test::contains;
using test::content;

namespace {

std::filesystem::path written_log(const test::ScratchDirectory& scratch) {
  const auto path = scratch.path() / log_name;
  write_synthetic_log(path);
  return path;
}

std::string refusal(const std::filesystem::path& log) {
  try {
    read_log(log);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

// Limits the size of files while it exists: like a disk that is full in the middle of a line.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit = {bytes, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit old_{};
  void (*handler_)(int);
};

}  // namespace

TEST_CASE("a log reads back as it was written", "[log]") {
  const test::ScratchDirectory scratch;
  const RunLog written = make_synthetic_run();
  const RunLog read = read_log(written_log(scratch));
  CHECK(Json(read.run) == Json(written.run));
  CHECK(Json(read.devices) == Json(written.devices));
  CHECK(Json(read.peaks) == Json(written.peaks));
  CHECK(read.order == written.order);
  CHECK(Json(read.points) == Json(written.points));
  CHECK(Json(read.blocks) == Json(written.blocks));
  CHECK(Json(read.ends) == Json(written.ends));
  CHECK_FALSE(read.truncated);
  CHECK(read.blocks.size() == 8);
}

TEST_CASE("a device of an older log has no capabilities that the log does not contain", "[log]") {
  DeviceInfo device;
  device.capabilities.float_lanes = 16;
  device.capabilities.async_copies = true;
  device.capabilities.compute_capability = 90;
  Json json = device;
  CHECK(json.get<DeviceInfo>().capabilities.float_lanes == 16);
  CHECK(json.get<DeviceInfo>().capabilities.async_copies);
  CHECK(json.get<DeviceInfo>().capabilities.compute_capability == 90);
  json.erase("float_lanes");
  json.erase("async_copies");
  CHECK(json.get<DeviceInfo>().capabilities.float_lanes == 0);
  CHECK_FALSE(json.get<DeviceInfo>().capabilities.async_copies);
}

TEST_CASE("a later record of a point replaces the earlier one", "[log]") {
  const test::ScratchDirectory scratch;
  const auto path = written_log(scratch);
  PointRecord point = make_synthetic_run().points.begin()->second;
  point.preparation.status = Status::crashed;
  point.preparation.reason = "bytes that are no UTF-8: \xff\xfe";
  RunLogWriter(path).append(point);
  const RunLog read = read_log(path);
  CHECK(read.points.at(point.key.text()).preparation.status == Status::crashed);
  CHECK(read.order.size() == make_synthetic_run().order.size());
}

TEST_CASE("NaN and infinity are kept by the log", "[log]") {
  const test::ScratchDirectory scratch;
  const auto path = written_log(scratch);
  DeviceRecord device = make_synthetic_run().devices.at("fast");
  device.timer.scaling = std::numeric_limits<double>::infinity();
  PointRecord point = make_synthetic_run().points.begin()->second;
  point.preparation.check.max_error = std::numeric_limits<double>::quiet_NaN();
  {
    RunLogWriter writer(path);
    writer.append(device);
    writer.append(point);
  }
  const RunLog read = read_log(path);
  CHECK(std::isinf(read.devices.at("fast").timer.scaling));
  CHECK(std::isnan(read.points.at(point.key.text()).preparation.check.max_error));
}

TEST_CASE("the anchor of a group is kept by the log, behind its point", "[log]") {
  const test::ScratchDirectory scratch;
  const auto path = written_log(scratch);
  RunLog before = read_log(path);
  const PointKey key = test::point_of(before, "fast", "variant=blocked").key;
  RunLogWriter(path).append(AnchorRecord{key, 110000, 40000.5});
  const RunLog log = read_log(path);
  REQUIRE(log.anchors.size() == 1);
  CHECK(log.anchors.at(key.text()).key == key);
  CHECK(log.anchors.at(key.text()).baseline_ns == 110000);
  CHECK(log.anchors.at(key.text()).anchor_ns == 40000.5);
  PointKey unknown = key;
  unknown.problem = "n=1";
  RunLogWriter(path).append(AnchorRecord{unknown, 1, 1});
  CHECK_THAT(refusal(path), contains("there is no record of the point"));
}

TEST_CASE("an incomplete last line is ignored, and removed before the next line is written", "[log]") {
  const test::ScratchDirectory scratch;
  const auto path = written_log(scratch);
  const std::string whole = content(path);
  const RunLog run = make_synthetic_run();
  std::ofstream(path, std::ios::app) << R"({"type":"visit","key":{"device_id":"fa)";
  const RunLog read = read_log(path);
  CHECK(read.truncated);
  CHECK(Json(read.blocks) == Json(run.blocks));
  {
    RunLogWriter writer(path);
    CHECK(content(path) == whole);
    writer.append(run.ends.begin()->second);
  }
  CHECK_FALSE(read_log(path).truncated);
}

TEST_CASE("a full disk is reported, and leaves no incomplete line", "[log]") {
  CHECK_THROWS_WITH(RunLogWriter("/dev/full").append(make_synthetic_run().run),
                    contains("/dev/full") && contains("No space left on device"));
  const test::ScratchDirectory scratch;
  const auto path = written_log(scratch);
  const std::string whole = content(path);
  RunLogWriter writer(path);
  {
    const FileSizeLimit limit(whole.size() + 20);
    CHECK_THROWS_WITH(writer.append(make_synthetic_run().run),
                      contains(path.string()) && contains("File too large"));
  }
  CHECK(content(path) == whole);
}

TEST_CASE("a log has one writer", "[log]") {
  const test::ScratchDirectory scratch;
  const auto path = written_log(scratch);
  const RunLogWriter writer(path);
  CHECK_THROWS_WITH(RunLogWriter(path), contains("another process"));
  CHECK_THROWS_AS(RunLogWriter(scratch.path() / "missing" / "log.jsonl"), std::runtime_error);
}

TEST_CASE(
    "what the budget or a failing variant left out reads as not_run, also from a log that calls it rejected",
    "[log]") {
  for (const auto& [stop_reason, status] :
       {std::pair{"budget", Status::not_run}, std::pair{"skipped", Status::not_run},
        std::pair{"rejected", Status::rejected}}) {
    RunLog log;
    PointRecord point;
    point.key = {"device", "lud", "tiny", "n=1", "variant=tiled"};
    point.preparation.status = Status::rejected;
    add_to(log, point);
    add_to(log, EndRecord{point.key, stop_reason});
    CHECK(log.points.at(point.key.text()).preparation.status == status);
    MeasurementRow row;
    row.status = "rejected";
    row.stop_reason = stop_reason;
    CHECK(parse_measurements("run", to_csv(std::vector{row})).front().status == to_string(status));
  }
}

TEST_CASE("points of one group stand together", "[log]") {
  RunLog log;
  for (const auto& [dwarf, config] : {std::pair{"lud", "a"}, {"crc", "a"}, {"lud", "b"}, {"crc", "b"}}) {
    PointRecord point;
    point.key = {"device", dwarf, "tiny", "n=1", config};
    add_to(log, point);
  }
  std::string text;
  for (const PointKey& key : points_by_group(log)) text += key.dwarf + key.config + " ";
  CHECK(text == "luda ludb crca crcb ");
}

TEST_CASE("a malformed log is refused with file and line", "[log]") {
  const test::ScratchDirectory scratch;
  const std::string good = content(written_log(scratch));
  const std::string run = good.substr(0, good.find('\n') + 1);
  const auto said = [&](const std::string& text) { return refusal(scratch.file("hostile.jsonl", text)); };
  CHECK_THAT(said(""), contains("hostile.jsonl") && contains("contains no run"));
  CHECK_THAT(said("{\"type\":\"visit\"}\n"),
             contains("line 1") && contains("expected the record of the run first"));
  CHECK_THAT(said(run + "{\"type\":\"visit\"}\n"), contains("line 2"));
  CHECK_THAT(said(run + "{\"type\":\"party\"}\n"), contains("line 2") && contains("unknown type 'party'"));
  CHECK_THAT(said(run + "[1, 2]\n"), contains("line 2"));
  CHECK_THAT(said(run + "\n"), contains("line 2"));
  CHECK_THAT(said(run + test::rubbish + "\n"), contains("line 2"));
  CHECK_THAT(said(run + std::string(100000, '[') + "\n"), contains("line 2"));
  CHECK_THAT(said("{\"type\":\"run\",\"schema_version\":99}\n"), contains("schema version 99"));
  const std::string visit =
      R"({"type":"end","key":{"device_id":"d","dwarf":"x","size":"","problem":"","config":""},)"
      R"("stop_reason":"budget"})";
  CHECK_THAT(said(run + visit + "\n"), contains("line 2") && contains("no record of the point d|x"));
  CHECK_THAT(refusal(scratch.path() / "nothing"), contains("nothing"));
}

TEST_CASE("a number out of range is refused with file, line and name, without the library's words", "[log]") {
  const test::ScratchDirectory scratch;
  const std::string good = content(written_log(scratch));
  const auto with = [&](const std::string& name, const std::string& number) {
    std::string text = good;
    const std::size_t begin = text.find("\"" + name + "\":") + name.size() + 3;
    text.replace(begin, text.find_first_of(",}", begin) - begin, number);
    return refusal(scratch.file("hostile.jsonl", text));
  };
  CHECK_THAT(with("span_ns", "1e300"), contains("hostile.jsonl, line") && contains("'span_ns' is 1e+300"));
  CHECK_THAT(with("launches", "1e300"), contains("'launches'"));
  CHECK_THAT(with("round", "99999999999"), contains("'round'"));
  CHECK_THAT(with("schema_version", "1e300"), contains("out of range"));
  CHECK_THAT(with("memory_bytes", "-1"), contains("'memory_bytes'"));
  CHECK_THAT(with("process", "\"one\""), contains("line") && !contains("json.exception"));
}

TEST_CASE("JSON is written whatever the bytes of a name are", "[log]") {
  CHECK(json_text(Json("a\xff")) == "\"a\uFFFD\"");
  CHECK(as_utf8("h\xffst") == "h\uFFFDst");
  CHECK(as_utf8("h\u00f6st") == "h\u00f6st");
}
