#include "tests/synthetic_run.hpp"

#include <numeric>

#include "suite/record/run_log.hpp"

namespace dwarfsweep {
namespace {

const std::string baseline_config =
    "variant=tiled;work_group=16;granularity=1;vector_width=1;unroll=1;padding=0;direction=x";

PointKey lud_point(const std::string& device, const std::string& config) {
  return {device, "lud", "small", "n=240", config};
}

std::string with_granularity(const std::string& value) {
  std::string config = baseline_config;
  return config.replace(config.find("granularity=1"), 13, "granularity=" + value);
}

DeviceRecord make_device(const std::string& id, const std::string& name, const std::string& type,
                         Timer timer) {
  DeviceRecord device;
  device.info.id = id;
  device.info.index = "0:0";
  device.info.name = name;
  device.info.type = type;
  device.info.platform = "Pretended, \"quoted\" platform";
  device.info.driver = "1.0";
  device.timer.timer = timer;
  return device;
}

PointRecord make_point(const PointKey& key, bool baseline) {
  PointRecord point;
  point.key = key;
  point.baseline = baseline;
  point.timestamp = "2026-01-02T03:04:05Z";
  point.driver = "1.0";
  point.timer = key.device_id == "fast" ? "device" : "host";
  point.cache = "hot";
  point.preparation.build_ns = 5000000;
  point.preparation.upload_ns = 120000;
  point.preparation.download_ns = 130000;
  point.preparation.facts = {{"diagonal", 256, 1024, 16, 0, 0}, {"internal", 256, 2048, 0, 40, 8}};
  point.preparation.work = {{"internal", 2e6, 9e6, 57600}, {"total", 3e6, 1e7, 57600}};
  point.preparation.check = {true, 1e-6, 1e-4, ""};
  return point;
}

PointRecord make_failure(const PointKey& key, bool baseline, Status status, const std::string& reason) {
  PointRecord point = make_point(key, baseline);
  point.preparation = {};
  point.preparation.status = status;
  point.preparation.reason = reason;
  return point;
}

KernelTime kernel_time(const std::string& name, double ns) {
  KernelTime time;
  time.kernel = name;
  time.ns = ns;
  time.events = 10;
  time.queued_ns = 1700000000000000001;  // does not fit a double
  time.end_ns = 1700000000000900000;
  return time;
}

// The kernels of a run follow one another without a gap.
Sample make_sample(const std::vector<std::pair<std::string, double>>& kernels, double factor, bool spans) {
  Sample sample;
  double total = 0;
  for (const auto& [name, ns] : kernels) {
    sample.kernels.push_back(kernel_time(name, ns * factor));
    total += ns * factor;
  }
  sample.kernels.push_back(kernel_time("total", total));
  sample.launches = 2;
  sample.wall_ns = total + 1000;
  if (spans) sample.span_ns = total;
  return sample;
}

void add(RunLog& log, const PointRecord& point, const std::vector<BlockRecord>& blocks,
         const std::string& stop_reason) {
  const std::string key = point.key.text();
  log.order.push_back(point.key);
  log.points[key] = point;
  if (!blocks.empty()) log.blocks[key] = blocks;
  log.ends[key] = {point.key, stop_reason};
}

using Kernels = std::vector<std::pair<std::string, double>>;

std::vector<BlockRecord> make_blocks(const PointKey& key, const Kernels& own, const Kernels& baseline) {
  std::vector<BlockRecord> blocks;
  for (int round = 0; round < 5; ++round) blocks.push_back(make_block({key, round, own, baseline}));
  return blocks;
}

void add_lud(RunLog& log, const std::string& device, double ns, double gain) {
  const Kernels base = {{"diagonal", ns}, {"internal", 10 * ns}};
  const Kernels coarse = {{"diagonal", ns}, {"internal", 10 * ns / gain}};
  const Kernels blocked = {{"diagonal", ns}, {"trailing", 3 * ns}};
  const PointKey key = lud_point(device, baseline_config);
  add(log, make_point(key, true), make_blocks(key, base, base), "converged");
  const PointKey two = lud_point(device, with_granularity("2"));
  add(log, make_point(two, false), make_blocks(two, coarse, base), "converged");
  const PointKey four = lud_point(device, with_granularity("4"));
  add(log, make_failure(four, false, Status::rejected, "granularity, 4 of it, must divide the tile"), {},
      "failed");
  const PointKey other = lud_point(
      device, "variant=blocked;work_group=16;granularity=1;vector_width=1;unroll=1;padding=0;direction=x");
  add(log, make_point(other, false), make_blocks(other, blocked, base), "budget");
}

}  // namespace

BlockRecord make_block(const SyntheticBlock& block) {
  BlockRecord record;
  record.key = block.key;
  record.round = block.round;
  record.process = 1;
  record.paired = !block.baseline_kernels.empty();
  const bool spans = block.key.device_id != "slow";
  for (int pair = 0; pair < block.pairs; ++pair) {
    // Both samples of a pair share the drift of their round; samples differ by less.
    const double drift = 1 + 0.003 * ((block.round * 7) % 5);
    const double own = drift * (1 + 0.001 * ((pair * 3 + block.round) % 4));
    const double other = drift * (1 + 0.001 * ((pair + block.round * 3) % 4));
    const int first = (pair + block.round) % 2;
    record.samples.push_back({pair, first, PairRole::variant, make_sample(block.kernels, own, spans)});
    if (record.paired) {
      record.samples.push_back(
          {pair, 1 - first, PairRole::baseline, make_sample(block.baseline_kernels, other, spans)});
    }
  }
  return record;
}

RunLog make_anchored_run() {
  RunLog log = make_synthetic_run();
  const PointKey anchor = test::point_of(log, "fast", "variant=blocked").key;
  log.anchors[anchor.text()] = {anchor, 110000, 40000};
  const PointKey two = test::point_of(log, "fast", "granularity=2").key;
  std::vector<BlockRecord>& blocks = log.blocks.at(two.text());
  for (BlockRecord& block : blocks) {
    block = make_block({two,
                        block.round,
                        {{"diagonal", 10000}, {"internal", 50000}},
                        {{"diagonal", 10000}, {"trailing", 30000}}});
    block.opponent = anchor.config;
    for (BlockSample& taken : block.samples) {
      if (taken.role == PairRole::baseline) taken.role = PairRole::incumbent;
    }
  }
  return log;
}

RunLog make_synthetic_run() {
  RunLog log;
  log.run.run_id = "pretended-20260102T030405Z";
  log.run.timestamp = "2026-01-02T03:04:05Z";
  log.run.version = "0.1.0";
  log.run.revision = "abc";
  log.run.arguments = {"sweep", "--dwarf", "lud,crc"};
  log.run.host.name = "pretended";
  log.devices["fast"] = make_device("fast", "Fast GPU, model 2", "gpu", Timer::device);
  log.devices["slow"] = make_device("slow", "Slow CPU", "cpu", Timer::host);
  log.devices["host"] = make_device("host", "Slow CPU", "host", Timer::host);
  log.peaks["fast"] = {
      "fast", {{"read_gb_per_s", 90}, {"copy_gb_per_s", 100}, {"gflop_per_s", 1000}, {"launch_ns", 20}}};
  add_lud(log, "fast", 10000, 2);
  add_lud(log, "slow", 400000, 1);
  for (const char* variant : {"serial", "openmp"}) {
    const PointKey key = lud_point("host", std::string("variant=") + variant);
    const double ns = key.config == "variant=serial" ? 4e6 : 1e6;
    PointRecord point = make_point(key, false);
    point.preparation.facts.clear();
    add(log, point, make_blocks(key, {}, {}), "converged");
    for (auto& block : log.blocks[key.text()]) {
      for (auto& taken : block.samples) {
        taken.sample.kernels = {kernel_time("total", ns)};
        taken.sample.span_ns = 0;
        taken.sample.wall_ns = ns;
      }
    }
  }
  for (const char* device : {"fast", "slow"}) {
    const PointKey key = {device, "crc", "tiny", "bytes=2000", "variant=per_byte;work_group=256"};
    add(log,
        make_failure(key, true, Status::build_failed,
                     "<kernel>:7: error: use of \"x\", undeclared\nmore of it"),
        {}, "failed");
  }
  return log;
}

void write_synthetic_log(const std::string& path) {
  const RunLog log = make_synthetic_run();
  RunLogWriter writer(path);
  writer.append(log.run);
  for (const auto& [id, device] : log.devices) writer.append(device);
  for (const auto& [id, peaks] : log.peaks) writer.append(peaks);
  for (const PointKey& key : log.order) {
    writer.append(log.points.at(key.text()));
    if (const auto blocks = log.blocks.find(key.text()); blocks != log.blocks.end()) {
      for (const BlockRecord& block : blocks->second) writer.append(block);
    }
    writer.append(log.ends.at(key.text()));
  }
}

PointRecord& test::point_of(RunLog& log, const std::string& device, const std::string& part) {
  for (auto& [key, point] : log.points) {
    if (point.key.device_id == device && point.key.config.find(part) != std::string::npos) return point;
  }
  throw std::runtime_error("there is no such point");
}

}  // namespace dwarfsweep
