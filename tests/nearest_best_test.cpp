#include "suite/plan/nearest_best.hpp"

#include "dwarfs/registry.hpp"
#include "suite/commands/new_run.hpp"
#include "tests/catch.hpp"
#include "tests/made_up_devices.hpp"

using namespace dwarfsweep;

namespace {

constexpr const char* header =
    "device,device_type,platform,dwarf,size,problem,config,run_id,median_ns,speedup,compute_units,float_"
    "lanes\n";

std::vector<BestPoint> points_of(const std::string& lines) {
  return parse_best("B", header + lines);
}

DeviceInfo device_of(const std::string& name, const std::string& type, const std::string& platform,
                     std::uint32_t units = 0, std::uint32_t lanes = 0) {
  DeviceInfo device;
  device.name = name;
  device.type = type;
  device.platform = platform;
  device.capabilities.compute_units = units;
  device.capabilities.float_lanes = lanes;
  return device;
}

Problem problem_of(const std::string& dwarf, const ValueMap& values) {
  return make_problem(dwarf, find_dwarf(dwarf).info().keys, {"custom", values});
}

std::string nearest(const std::vector<BestPoint>& points, const DeviceInfo& device, const std::string& dwarf,
                    const ValueMap& problem) {
  const auto sorted = by_nearness(points, device, find_dwarf(dwarf).info(), problem_of(dwarf, problem));
  return sorted.empty() ? "none" : sorted.front()->config;
}

}  // namespace

TEST_CASE("what changes the algorithm counts more than any size", "[unit]") {
  const auto points = points_of(
      "H200,gpu,NVIDIA,sgemv,custom,m=8192;n=8192;transposed=1,variant=a,r,1,2,,\n"
      "H200,gpu,NVIDIA,sgemv,custom,m=64;n=64;transposed=0,variant=b,r,1,2,,\n"
      "H200,gpu,NVIDIA,sgemv,custom,m=512;n=512,variant=c,r,1,2,,\n");
  const DeviceInfo h200 = device_of("H200", "gpu", "NVIDIA");
  CHECK(nearest(points, h200, "sgemv", {{"m", 10000}, {"n", 3000}}) == "variant=c");
  CHECK(nearest(points, h200, "sgemv", {{"m", 64}, {"n", 70}}) == "variant=b");
  CHECK(nearest(points, h200, "sgemv", {{"m", 64}, {"n", 64}, {"transposed", 1}}) == "variant=a");
  // As far as the program's own points go.
  const auto known =
      by_nearness(best_points(), device_of("NVIDIA H200", "gpu", "NVIDIA CUDA", 132),
                  find_dwarf("sgemv").info(), problem_of("sgemv", {{"m", 10000}, {"n", 3000}}));
  REQUIRE_FALSE(known.empty());
  CHECK(known.front()->problem.find("transposed=0") != std::string::npos);
}

TEST_CASE("a point that was not compared with the program's choice stays with its problem", "[unit]") {
  auto own = points_of("H200,gpu,NVIDIA,matmul,custom,m=1024;n=1024;k=1024,variant=tiled,r,1,2,132,\n");
  const DeviceInfo h200 = device_of("H200", "gpu", "NVIDIA", 132);
  const auto origin = [&](const ValueMap& problem) {
    return choose_known_point(own, {}, h200, find_dwarf("matmul"), problem_of("matmul", problem), {}).origin;
  };
  const ValueMap same = {{"m", 1024}, {"n", 1024}, {"k", 1024}};
  const ValueMap other = {{"m", 1000}, {"n", 1024}, {"k", 1024}};
  for (const int compared : {0, 1}) {
    own.front().compared = compared;
    CHECK(origin(same).find("measured on H200") == 0);
    CHECK((origin(other).find("measured on H200") == 0) == (compared == 1));
  }
  CHECK(parse_best("B", to_csv(own)).front().compared == 1);
}

TEST_CASE("an own point that was not compared or is far away comes after all that the program knows",
          "[unit]") {
  auto own = points_of("PoCL,cpu,PoCL,sgemv,custom,m=959;n=6;transposed=1,variant=vec_single,r,1,2,2,16\n");
  const auto built_in =
      points_of("Other,cpu,PoCL,sgemv,custom,m=2048;n=2048;transposed=0,variant=split_k,r,1,2,2,16\n");
  DeviceInfo device = device_of("PoCL", "cpu", "PoCL", 2, 16);
  device.capabilities.work_group_items = 4096;
  for (std::uint64_t& size : device.capabilities.work_item_sizes) size = 4096;
  device.capabilities.local_bytes = 1 << 20;
  const Dwarf& sgemv = find_dwarf("sgemv");
  const auto variant = [&](const std::vector<BestPoint>& known, const ValueMap& problem) {
    return choose_known_point(own, known, device, sgemv, problem_of("sgemv", problem), {})
        .settings.to_string();
  };
  const ValueMap far{{"m", 760}, {"n", 6447}, {"transposed", 1}};
  const ValueMap near{{"m", 900}, {"n", 6}, {"transposed", 1}};
  const std::string first_far = "variant=split_k;unroll=4";
  const std::string first_near = "variant=split_k;padding=0";
  for (const int compared : {0, 1}) {
    own.front().compared = compared;
    CHECK(variant(built_in, far) == first_far);
    CHECK(variant(built_in, near) == (compared == 1 ? "variant=vec_single" : first_near));
    CHECK(variant({}, far) == first_far);
  }
}

TEST_CASE("a point suits no other type of device and no other algorithm where the dwarf has a first choice",
          "[unit]") {
  const auto points = points_of(
      "GPU,gpu,none,hotspot,custom,rows=8192;cols=8192,variant=streaming;granularity=1024,r,1,2,,\n"
      "GPU,gpu,none,des,custom,blocks=1000000;mode=search,variant=bitslice;granularity=1,r,1,2,,\n");
  DeviceInfo device = test::made_up_gpu("waves of 64");
  const auto origin = [&](const std::string& dwarf, const ValueMap& problem) {
    return choose_known_point({}, points, device, find_dwarf(dwarf), problem_of(dwarf, problem), {}).origin;
  };
  CHECK(origin("des", {{"blocks", 1000000}, {"mode", "search"}}).find("measured on GPU") == 0);
  CHECK(origin("des", {{"blocks", 1000000}}).find("the dwarf's first choice") == 0);
  CHECK(origin("hotspot", {{"rows", 8192}, {"cols", 8192}}).find("measured on GPU") == 0);
  device.type = "cpu";
  CHECK(origin("hotspot", {{"rows", 8192}, {"cols", 8192}}).find("the dwarf's first choice") == 0);
}

TEST_CASE("a run that measured the program's choice has compared its best point with it", "[unit]") {
  const DeviceInfo device = device_of("H200", "gpu", "NVIDIA", 132);
  const Dwarf& dwarf = find_dwarf("lud");
  const Problem problem = problem_of("lud", {{"n", 1000}});
  const auto row_with = [&](const ValueMap& settings) {
    const Config config = dwarf.space().set(dwarf.space().baseline(), settings, device.capabilities);
    MeasurementRow row;
    static_cast<RowIdentity&>(row) =
        identify("r", {"", "lud", problem.size, problem.values.to_string(), config.to_string()});
    row.kernel = "total";
    row.status = "ok";
    return row;
  };
  BestPoint point = make_best_point(device, "lud", problem, Config::parse("variant=tiled"));
  const MeasurementRow known =
      row_with(choose_known_point({}, best_points(), device, dwarf, problem, {}).settings);
  CHECK(was_compared({row_with({}), known}, point, device));
  CHECK_FALSE(was_compared({row_with({})}, point, device));
  using Field = std::string MeasurementRow::*;
  for (const auto& [field, another] : {std::pair<Field, const char*>{&MeasurementRow::device_id, "gpu1"},
                                       {&MeasurementRow::dwarf, "crc"},
                                       {&MeasurementRow::problem, "n=999"},
                                       {&MeasurementRow::kernel, "internal"},
                                       {&MeasurementRow::status, "wrong_result"}}) {
    MeasurementRow other = known;
    other.*field = another;
    CAPTURE(another);
    CHECK_FALSE(was_compared({other}, point, device));
  }
  MeasurementRow best = row_with({});
  best.median_ns = 1000;
  best.stop_reason = confirmed;
  best.cache = "hot";
  REQUIRE(remeasured_best({best, known}, {device}).size() == 1);
  CHECK(remeasured_best({best, known}, {device}).front().compared == 1);
  CHECK(remeasured_best({best}, {device}).front().compared == 0);
}

TEST_CASE("sizes are compared by their logarithms, details not at all", "[unit]") {
  const auto points = points_of(
      "H200,gpu,NVIDIA,sgemv,custom,m=100;n=100,variant=a,r,1,2,,\n"
      "H200,gpu,NVIDIA,sgemv,custom,m=10000;n=10000;alpha=3;lda=20000,variant=b,r,1,2,,\n"
      "H200,gpu,NVIDIA,sgemv,custom,what is this,variant=c,r,1,2,,\n");
  const DeviceInfo h200 = device_of("H200", "gpu", "NVIDIA");
  CHECK(nearest(points, h200, "sgemv", {{"m", 990}, {"n", 1000}}) == "variant=a");
  CHECK(nearest(points, h200, "sgemv", {{"m", 1010}, {"n", 1000}, {"alpha", 0.5}}) == "variant=b");
  const DwarfInfo& dwarf = find_dwarf("sgemv").info();
  const ProblemDistance distance = problem_distance(dwarf, {{"m", 1}, {"n", 100}}, {{"m", 1}, {"n", 10}});
  CHECK(distance.sizes == Approx(std::log(10)));
  CHECK(distance.algorithm == 0);
  CHECK(problem_distance(dwarf, {{"m", 3}, {"n", 4}}, {{"m", 3}, {"n", 4}, {"lda", 9}}).sizes == 0);
  const DwarfInfo& needle = find_dwarf("needle").info();  // a length of 0 has no logarithm
  CHECK(problem_distance(needle, {{"m", 0}, {"n", 5}}, {{"m", 1}, {"n", 5}}).sizes == 0);
}

TEST_CASE("the same device comes first, then the same kind, then the same type", "[unit]") {
  const auto points = points_of(
      "Wide,cpu,PoCL,lud,custom,n=1000,variant=a,r,1,2,16,16\n"
      "Wide,cpu,PoCL,lud,custom,n=1000,variant=b,r,1,2,2,16\n"
      "Narrow,cpu,PoCL,lud,custom,n=8000,variant=c,r,1,2,4,8\n"
      "A100,gpu,NVIDIA,lud,custom,n=1000,variant=d,r,1,2,108,\n"
      "H200,gpu,NVIDIA,lud,custom,n=1000,variant=e,r,1,2,132,\n"
      "MI300,gpu,AMD,lud,custom,n=1000,variant=f,r,1,2,304,\n");
  const ValueMap problem{{"n", 1000}};
  CHECK(nearest(points, device_of("Wide", "cpu", "PoCL", 2, 16), "lud", problem) == "variant=b");
  CHECK(nearest(points, device_of("Wide", "cpu", "PoCL", 16, 16), "lud", problem) == "variant=a");
  CHECK(nearest(points, device_of("Xeon", "cpu", "Intel", 12, 16), "lud", problem) == "variant=a");
  CHECK(nearest(points, device_of("EPYC", "cpu", "PoCL", 2, 8), "lud", problem) == "variant=c");
  CHECK(nearest(points, device_of("A100", "gpu", "NVIDIA", 108), "lud", {{"n", 60000}}) == "variant=d");
  CHECK(nearest(points, device_of("H100", "gpu", "NVIDIA", 132), "lud", problem) == "variant=e");
  CHECK(nearest(points, device_of("RTX", "gpu", "NVIDIA", 46), "lud", problem) == "variant=d");
  CHECK(nearest(points, device_of("MI210", "gpu", "AMD", 104), "lud", problem) == "variant=f");
  CHECK(nearest(points, device_of("Arc", "gpu", "Intel", 32), "lud", problem) == "variant=d");
  CHECK(nearest(points, device_of("H200", "gpu", "NVIDIA"), "srad", {}) == "none");
}

TEST_CASE("an illegal point gives way to the next, and one of another version, too", "[unit]") {
  const auto points = points_of(
      "H200,gpu,NVIDIA,lud,custom,n=1000,variant=a_new_one,r,1,2,,\n"
      "H200,gpu,NVIDIA,lud,custom,n=1001,no setting,r,1,2,,\n"
      "H200,gpu,NVIDIA,lud,custom,n=1100,variant=tiled;work_group=32,r,1,2,,\n"
      "H200,gpu,NVIDIA,lud,custom,n=4000,variant=tiled;work_group=8,r,1,2,,\n");
  DeviceInfo device = device_of("H200", "gpu", "NVIDIA");
  Capabilities& can = device.capabilities;
  can.work_group_items = 256;
  for (std::uint64_t& size : can.work_item_sizes) size = 1024;
  can.local_bytes = 48 << 10;
  can.global_bytes = can.allocation_bytes = std::uint64_t{1} << 34;
  can.constant_bytes = 64 << 10;
  const Dwarf& lud = find_dwarf("lud");
  const Problem problem = problem_of("lud", {{"n", 1000}});
  const KnownPoint taken = choose_known_point({}, points, device, lud, problem, {});
  CHECK(taken.settings.to_string() == "variant=tiled;work_group=8");
  CHECK(taken.origin.find("measured on H200 with n=4000 (built in)") == 0);
  CHECK(taken.origin.find("3 nearer cannot run here") != std::string::npos);
  CHECK(choose_known_point(points, {}, device, lud, problem, {}).origin.find(own_best_path().string()) !=
        std::string::npos);
  // What is fixed counts: the point with it must be legal.
  const KnownPoint none = choose_known_point({}, points, device, lud, problem, {{"work_group", 32}});
  CHECK(none.settings.to_string() == "variant=tiled;work_group=32");
}

TEST_CASE("the user's own point comes before one that is as near", "[unit]") {
  const auto own = points_of("PoCL,cpu,PoCL,lud,custom,n=1000,variant=tiled;work_group=8,r,1,2,2,16\n");
  const auto built_in = points_of(
      "PoCL,cpu,PoCL,lud,custom,n=1000,variant=blocked,r,1,2,,\n"
      "PoCL,cpu,PoCL,lud,custom,n=4000,variant=tiled;work_group=16,r,1,2,,\n");
  DeviceInfo device = device_of("PoCL", "cpu", "PoCL", 2, 16);
  device.capabilities.work_group_items = 4096;
  for (std::uint64_t& size : device.capabilities.work_item_sizes) size = 4096;
  device.capabilities.local_bytes = 1 << 20;
  const auto chosen = [&](int n) {
    return choose_known_point(own, built_in, device, find_dwarf("lud"), problem_of("lud", {{"n", n}}), {})
        .settings.to_string();
  };
  CHECK(chosen(1000) == "variant=tiled;work_group=8");
  CHECK(chosen(1100) == "variant=tiled;work_group=8");
  CHECK(chosen(3900) == "variant=tiled;work_group=16");
}

TEST_CASE("a problem eight times as large is another problem, whose first choice the dwarf makes", "[unit]") {
  const auto points = points_of(
      "GPU,gpu,none,hotspot,custom,rows=8192;cols=8192;steps=24,variant=streaming;granularity=1024,r,1,2,,"
      "\n");
  const DeviceInfo device = test::made_up_gpu("waves of 64");
  const auto chosen = [&](const ValueMap& problem) {
    return choose_known_point({}, points, device, find_dwarf("hotspot"), problem_of("hotspot", problem), {});
  };
  // However many steps: they are no size.
  const ValueMap eighth{{"rows", 4096}, {"cols", 2048}, {"steps", 1000}};
  CHECK(chosen(eighth).settings.to_string() == "variant=streaming;granularity=1024");
  CHECK(chosen({{"rows", 4096}, {"cols", 2047}}).origin.find("first choice") != std::string::npos);
  CHECK(chosen({{"rows", 4096}, {"cols", 32768}}).settings.to_string() ==
        "variant=streaming;granularity=1024");
  CHECK(chosen({{"rows", 400}, {"cols", 131072}}).origin.find("first choice") != std::string::npos);
  const DwarfInfo& dwarf = find_dwarf("sgemv").info();
  CHECK(problem_distance(dwarf, {{"m", 2}, {"n", 60}}, {{"m", 10}, {"n", 20}}).factor == Approx(std::log(5)));
  // Without a first choice the only point is taken all the same.
  const auto far = points_of("GPU,gpu,none,staging,custom,n=100000000,variant=split,r,1,2,,\n");
  CHECK(choose_known_point({}, far, device, find_dwarf("staging"), problem_of("staging", {{"n", 9}}), {})
            .settings.to_string() == "variant=split");
  CHECK(choose_known_point({}, {}, device, find_dwarf("staging"), problem_of("staging", {{"n", 9}}), {})
            .origin == "none is known; the baseline");
}

TEST_CASE("the candidates are the nearest smaller and larger points and the first choice", "[unit]") {
  const DeviceInfo device = test::made_up_gpu("waves of 64");
  const Dwarf& crc = find_dwarf("crc");
  const auto candidates = [&](const std::vector<BestPoint>& own, const std::vector<BestPoint>& built_in,
                              int bytes) {
    std::vector<std::string> settings;
    for (const KnownPoint& each :
         choose_known_candidates(own, built_in, device, crc, problem_of("crc", {{"bytes", bytes}}), {}))
      settings.push_back(each.settings.to_string());
    return settings;
  };
  using Settings = std::vector<std::string>;
  const auto points = points_of(
      "GPU,gpu,none,crc,custom,bytes=1000,variant=per_byte;work_group=64,r,1,2,,\n"
      "GPU,gpu,none,crc,custom,bytes=200000,variant=per_byte;work_group=128,r,1,2,,\n"
      "GPU,gpu,none,crc,custom,bytes=100000000,variant=slicing;work_group=64,r,1,2,,\n"
      "GPU,gpu,none,crc,custom,bytes=900000000,variant=slicing;work_group=128,r,1,2,,\n"
      "CPU,cpu,none,crc,custom,bytes=3000000,variant=slicing;work_group=256,r,1,2,,\n");
  // The first one is what stands where nothing can be tried: no point is near enough.
  CHECK(candidates({}, points, 3000000) ==
        Settings{"variant=interleaved", "variant=per_byte;work_group=128", "variant=slicing;work_group=64"});
  CHECK(candidates({}, points, 300000) ==
        Settings{"variant=per_byte;work_group=128", "variant=slicing;work_group=64", "variant=interleaved"});
  CHECK(candidates({}, {}, 3000000) == Settings{"variant=interleaved"});
  // Measured here, for this problem: nothing else is tried, unless it was compared with nothing.
  auto own = points_of("GPU,gpu,none,crc,custom,bytes=3000000,variant=slicing;work_group=256,r,1,2,,\n");
  own.front().device = device.name;
  own.front().platform = device.platform;
  own.front().compared = 1;
  CHECK(candidates(own, points, 3000000) == Settings{"variant=slicing;work_group=256"});
  own.front().compared = 0;
  CHECK(candidates(own, points, 3000000).size() == max_known_candidates);
  CHECK(candidates(own, points, 3000001).front() == "variant=interleaved");
}

TEST_CASE("a point of another algorithm is one candidate, never what stands by itself", "[unit]") {
  const auto points =
      points_of("GPU,gpu,none,sgemv,custom,m=760;n=6447;transposed=0,variant=row_per_item,r,1,2,,\n");
  const DeviceInfo device = test::made_up_gpu("waves of 64");
  const Problem problem = problem_of("sgemv", {{"m", 760}, {"n", 6447}, {"transposed", 1}});
  const auto candidates = choose_known_candidates({}, points, device, find_dwarf("sgemv"), problem, {});
  REQUIRE(candidates.size() == 2);
  CHECK(candidates[0].settings.to_string() == "variant=split_k");
  CHECK(candidates[1].settings.to_string() == "variant=row_per_item");
}

TEST_CASE("first choices are legal on every device, and their geometry is the problem's", "[unit]") {
  std::vector<DeviceInfo> devices = test::made_up_gpus();
  DeviceInfo nvidia = test::made_up_gpu("waves of 64");
  nvidia.name = "warps";
  nvidia.capabilities.sub_group_sizes = {};
  nvidia.capabilities.inline_ptx = true;
  nvidia.capabilities.compute_units = 132;
  nvidia.capabilities.work_group_items = 1024;
  devices.push_back(nvidia);
  for (const std::uint32_t units : {1U, 2U, 16U, 128U}) {
    DeviceInfo& cpu = devices.emplace_back(test::made_up_gpu("waves of 64"));
    cpu.name = "cores";
    cpu.type = "cpu";
    cpu.derive_capabilities();
    cpu.capabilities.compute_units = units;
    cpu.capabilities.work_group_items = 4096;
    cpu.capabilities.local_is_dedicated = false;
  }
  const auto choice = [](const std::string& dwarf, const DeviceInfo& device, const ValueMap& problem) {
    return find_dwarf(dwarf).info().first_choice(problem_of(dwarf, problem), device.capabilities);
  };
  for (const DeviceInfo& device : devices) {
    for (const int size : {1, 3, 100, 512, 1024, 5000, 30000}) {
      for (const auto& [dwarf, problem] : {std::pair{"hotspot", ValueMap{{"rows", size}, {"cols", size}}},
                                           {"srad", {{"rows", size}, {"cols", 70}}},
                                           {"stencil_3d", {{"nx", 8 + size}, {"ny", 30}, {"nz", 50}}},
                                           {"des", {{"blocks", std::int64_t{size} * size}}},
                                           {"matmul", {{"m", size}, {"n", 100}, {"k", size}}},
                                           {"matmul", {{"m", size}, {"n", size}, {"k", 64}}},
                                           {"sgemv", {{"m", 700}, {"n", size}, {"transposed", 1}}},
                                           {"fft_1d", {{"n", 8}, {"batch", size}}},
                                           {"fft_1d", {{"n", 16}, {"batch", size}}},
                                           {"fft_1d", {{"n", 64}, {"batch", size}}},
                                           {"kmeans", {{"features", std::min(size, 4096)}, {"clusters", 4}}},
                                           {"fdtd", {{"nx", 2 + size}, {"ny", 2 + size}}},
                                           {"fem", {{"nx", std::min(size, 512)}, {"ny", 20}, {"nz", 20}}},
                                           {"pns", {{"n", std::min(size, 1024)}}},
                                           {"rc5_72", {{"keys", std::int64_t{size} * size}}},
                                           {"tpacf", {{"points", size}}},
                                           {"rpes", {{"atoms", std::min(size, 300)}}},
                                           {"h264", {{"rows", 2 * std::min(size, 1024)}, {"cols", 64}}}}) {
        CAPTURE(device.name, device.capabilities.compute_units, dwarf, problem.to_string());
        const Space& space = find_dwarf(dwarf).space();
        const Config config =
            space.set(space.baseline(), choice(dwarf, device, problem), device.capabilities);
        CHECK(space.why_rejected({config, problem_of(dwarf, problem), device.capabilities}).value_or("") ==
              "");
      }
    }
  }
  const auto text = [&](const std::string& dwarf, const ValueMap& problem) {
    return choice(dwarf, nvidia, problem).to_string();
  };
  CHECK(text("hotspot", {{"rows", 512}, {"cols", 512}}) == "variant=pyramid;pyramid_height=8");
  CHECK(text("hotspot", {{"rows", 2048}, {"cols", 2048}}) == "variant=streaming;granularity=16");
  CHECK(text("hotspot", {{"rows", 4096}, {"cols", 4096}}) == "variant=streaming;granularity=64");
  CHECK(text("hotspot", {{"rows", 8192}, {"cols", 8192}}) == "variant=streaming");
  CHECK(text("srad", {{"rows", 256}, {"cols", 256}}) == "variant=fused;vector_width=1;granularity=4");
  CHECK(text("srad", {{"rows", 4096}, {"cols", 4096}}) == "variant=fused;vector_width=4;granularity=16");
  CHECK(text("stencil_3d", {{"nx", 512}, {"ny", 512}, {"nz", 512}}) == "variant=streaming;depth=256");
  CHECK(text("stencil_3d", {{"nx", 128}, {"ny", 128}, {"nz", 128}}) == "variant=streaming;depth=8");
  CHECK(text("fdtd", {{"nx", 4096}, {"ny", 4096}}) == "variant=streaming;granularity=16");
  CHECK(text("fdtd", {{"nx", 16384}, {"ny", 16384}}) == "variant=streaming;granularity=128");
  CHECK(text("rc5_72", {{"keys", 1 << 16}}) == "variant=shared_prefix;keys_per_prefix=16;granularity=2");
  CHECK(text("rc5_72", {{"keys", 1 << 30}}) == "variant=shared_prefix;keys_per_prefix=128;granularity=2");
  CHECK(text("tpacf", {{"points", 1024}}) == "variant=cumulative;granularity=1");
  CHECK(text("tpacf", {{"points", 10391}, {"sets", 100}}) == "variant=columns;granularity=2");
  CHECK(text("rpes", {{"atoms", 10}}) == "variant=pairs;granularity=1");
  CHECK(text("rpes", {{"atoms", 128}}) == "variant=pairs");
  CHECK(text("h264", {}) == "variant=fused;frames_per_launch=8");
  CHECK(text("h264", {{"predictor", "previous"}}) == "variant=fused");
  CHECK(text("h264", {{"rows", 1088}, {"cols", 1920}}) == "variant=fused;frames_per_launch=1");
  CHECK(text("fem", {{"nx", 15}, {"ny", 15}, {"nz", 15}}) == "variant=csr;work_group=32");
  CHECK(text("fem", {{"nx", 40}, {"ny", 40}, {"nz", 40}}) == "variant=csr;work_group=64");
  CHECK(text("fem", {{"nx", 99}, {"ny", 99}, {"nz", 99}}) == "variant=edges");
  CHECK(text("pns", {{"trajectories", 4096}}) == "granularity=1;variant=local");
  CHECK(text("des", {{"blocks", 1000}}) == "variant=lut;memory=local");
  CHECK(text("des", {{"blocks", 1000}, {"mode", "search"}}) == "variant=bitslice");
  CHECK(text("des", {{"blocks", 1000000}}) == "variant=bitslice");
  CHECK(text("matmul", {{"m", 4096}, {"n", 4096}, {"k", 4096}}) == "variant=blocked");
  CHECK(text("matmul", {{"m", 10}, {"n", 2}, {"k", 119}}) == "variant=tiled");
  CHECK(text("sgemv", {{"m", 1449}, {"n", 781}, {"transposed", 1}}) ==
        "variant=split_k;work_group=512;unroll=4;padding=64;lanes=4;splits=1");
  CHECK(text("sgemv", {{"m", 10000}, {"n", 300}, {"transposed", 1}}) ==
        "variant=split_k;work_group=512;unroll=4;padding=64;lanes=4;splits=0");
  CHECK(text("sgemv", {{"m", 1000}, {"n", 30000}, {"transposed", 1}}) ==
        "variant=split_k;work_group=512;unroll=4;padding=64;splits=1");
  CHECK(text("sgemv", {{"m", 20000}, {"n", 20000}, {"transposed", 1}}) == "variant=split_k");
  const auto width_of_kmeans = [&](int points, int features, int clusters) {
    return choice("kmeans", nvidia, {{"points", points}, {"features", features}, {"clusters", clusters}})
        .integer("vector_width");
  };
  CHECK(width_of_kmeans(257, 1886, 47) == 1);
  CHECK(width_of_kmeans(500, 2000, 20) == 1);
  CHECK(width_of_kmeans(300, 800, 100) == 2);
  CHECK(text("sgemv", {{"m", 17}, {"n", 2000}, {"transposed", 1}}) ==
        "variant=split_k;work_group=512;unroll=2;splits=1");
  CHECK(text("sgemv", {{"m", 70}, {"n", 49775}, {"transposed", 1}}) ==
        "variant=split_k;work_group=128;unroll=8;splits=1");
  CHECK(text("sgemv", {{"m", 143841}, {"n", 1}, {"transposed", 1}}) ==
        "variant=split_k;padding=0;work_group=512;unroll=4");
  CHECK(text("sgemv", {{"m", 1449}, {"n", 781}}) == "variant=split_k");
  CHECK(text("sgemv", {{"m", 250}, {"n", 1893}}) ==
        "variant=row_per_group;work_group=256;vector_width=4;unroll=1;padding=16");
  CHECK(text("fft_1d", {{"n", 4}, {"batch", 9709992}}) ==
        "variant=stockham;work_group=16;vector_width=2;granularity=8;unroll=4;padding=0;radix=32");
  CHECK(text("fft_1d", {{"n", 8}, {"batch", 208050}}) ==
        "variant=stockham;work_group=64;vector_width=2;granularity=4;unroll=4;padding=0;radix=32");
  CHECK(text("fft_1d", {{"n", 64}, {"batch", 19655}}) ==
        "variant=stockham;work_group=64;vector_width=2;roots=computed;granularity=8;unroll=2");
  CHECK(text("fft_1d", {{"n", 256}, {"batch", 13}}) == "variant=stockham;work_group=64;vector_width=2");
  const auto lanes = [&](std::int64_t points) {
    return choice("kmeans", nvidia, {{"points", points}, {"features", 793}, {"clusters", 1}})
        .integer("cluster_lanes");
  };
  CHECK(lanes(297) == 16);
  CHECK(lanes(3008) == 4);
  CHECK(
      choice("kmeans", nvidia, {{"points", 4162}, {"features", 16}, {"clusters", 1118}}).string("variant") ==
      "blocked");
  const auto group = [&](const ValueMap& problem) {
    const ValueMap settings = choice("matmul", nvidia, problem);
    return settings.find("tile_x") ? settings.integer("work_group") * settings.integer("tile_x") : 0;
  };
  CHECK(group({{"m", 2048}, {"n", 2048}, {"k", 2048}}) == 0);  // the default's
  CHECK(group({{"m", 1024}, {"n", 1024}, {"k", 1024}}) == 64);
  CHECK(group({{"m", 1500}, {"n", 1500}, {"k", 1500}}) == 64);
  CHECK(group({{"m", 3000}, {"n", 100}, {"k", 3000}}) == 64);
  CHECK(group({{"m", 370}, {"n", 980}, {"k", 646}}) == 64);
  CHECK(group({{"m", 3000}, {"n", 30}, {"k", 300}}) == 32);
  const auto tiles = [&](const ValueMap& problem) { return choice("matmul", nvidia, problem).to_string(); };
  CHECK(tiles({{"m", 300}, {"n", 30}, {"k", 300}}) == "variant=thin;finish=group;unroll=1");
  CHECK(tiles({{"m", 706571}, {"n", 11}, {"k", 595}}) ==
        "variant=thin;finish=group;tile_x=4;tile_y=8;work_group=8;unroll=2");
  CHECK(tiles({{"m", 706571}, {"n", 11}, {"k", 100}}) ==
        "variant=thin;finish=group;tile_x=4;tile_y=8;work_group=8;unroll=1");
  CHECK(tiles({{"m", 350082}, {"n", 10}, {"k", 1}}) == "variant=thin;finish=group;tile_x=4;tile_y=1");
  const auto heights = [&](std::size_t cores, const ValueMap& problem) {
    return choice("hotspot", devices[cores], problem).to_string();
  };
  const std::size_t first_cpu = devices.size() - 4;  // of 1, 2, 16 and 128 cores
  CHECK(heights(first_cpu + 1, {{"rows", 512}, {"cols", 512}}) ==
        "granularity=128;strip=256;variant=streaming");
  CHECK(heights(first_cpu + 2, {{"rows", 512}, {"cols", 512}}) ==
        "granularity=32;strip=128;variant=streaming");
  CHECK(heights(first_cpu + 3, {{"rows", 512}, {"cols", 512}}) ==
        "granularity=16;strip=128;variant=streaming");
  const auto on_two_cores = [&](const ValueMap& problem) {
    return choice("sgemv", devices[first_cpu + 1], problem).to_string();
  };
  CHECK(on_two_cores({{"m", 2768952}, {"n", 3}}) == "variant=split_k;padding=0");
  CHECK(on_two_cores({{"m", 2768952}, {"n", 3}, {"lda", 4}}) ==
        "variant=row_per_item;work_group=256;vector_width=4");
  CHECK(on_two_cores({{"m", 2768952}, {"n", 9}}) == "variant=row_per_item;work_group=256;vector_width=4");
  CHECK(on_two_cores({{"m", 2768952}, {"n", 27}}) == "variant=row_per_item;work_group=256;vector_width=8");
  CHECK(on_two_cores({{"m", 39669}, {"n", 605}}) == "variant=row_per_item;work_group=256;vector_width=16");
  CHECK(on_two_cores({{"m", 9600}, {"n", 2500}}) == "variant=split_k");
  CHECK(on_two_cores({{"m", 472}, {"n", 11637}, {"transposed", 1}}) == "variant=split_k;unroll=4");
  CHECK(on_two_cores({{"m", 10}, {"n", 11637}, {"transposed", 1}}) == "variant=split_k");
  CHECK(on_two_cores({{"m", 25639}, {"n", 180}, {"transposed", 1}}) == "variant=split_k;padding=0");
}

TEST_CASE("every dwarf begins with a point that is known or its own choice, never with the baseline",
          "[unit]") {
  for (const DeviceInfo& device : test::made_up_gpus()) {
    for (const Dwarf* dwarf : built_in_dwarfs()) {
      const DwarfInfo& info = dwarf->info();
      // The first two measure each variant for its own sake; the last is in this program alone.
      if (info.name == "micro" || info.name == "staging" || info.name == "template") continue;
      for (const Size& size : info.sizes) {
        const Problem problem = make_problem(info.name, info.keys, size);
        CAPTURE(device.name, info.name, size.name);
        const KnownPoint begin = choose_known_point({}, best_points(), device, *dwarf, problem, {});
        CHECK(begin.settings.find("variant"));
        CHECK(begin.origin != "none is known; the baseline");
      }
    }
  }
}

TEST_CASE("every dwarf says what its keys mean for the best point", "[unit]") {
  for (const Dwarf* dwarf : built_in_dwarfs()) {
    bool has_size = false;
    for (const ProblemKey& key : dwarf->info().keys) {
      CAPTURE(dwarf->info().name, key.name);
      CHECK(role_of(key) != KeyRole::by_kind);
      CHECK_FALSE((key.preset.is_string() && role_of(key) == KeyRole::size));
      has_size = has_size || role_of(key) == KeyRole::size;
    }
    CHECK(has_size);
  }
}
