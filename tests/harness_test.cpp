// The harness on a device: planted errors are caught, failures name device, options and log.
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>
#include <thread>

#include "harness/device/host.hpp"
#include "harness/program/kernel_source.hpp"
#include "harness/run/launcher.hpp"
#include "harness/run/self_test.hpp"
#include "harness/run/workspace.hpp"
#include "harness/space/error.hpp"
#include "harness/space/rounding.hpp"
#include "tests/catch.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;
using test::contains;

namespace {

const std::string planted_kernels = R"(
kernel void triple_and_add(global uint* restrict out, const uint step) {
  const size_t i = get_global_id(0);
  out[i] = 3 * out[i] + step;
}
kernel void ramp(global uint* restrict out, const uint count, const int shift) {
  const int i = (int)get_global_id(0);
  if (i < (int)count) out[i + shift] = (uint)i;
}
kernel void rotate_without_barrier(global uint* restrict out) {
  local uint shared[16];
  const uint lane = get_local_id(0);
  shared[lane] = lane;
  out[lane] = shared[(lane + 1) % 16];
}
kernel void unwritten_cell(global uint* restrict out) {
  local uint cells[16];
  out[0] = cells[0];
}
kernel void element_eleven(global uint* restrict out) {
  const uint16 all = (uint16)(1);
  vstore2(all.s8b, 0, out);
}
kernel void one_and_three(global uint* restrict out) {
  const uint4 all = (uint4)(1);
  vstore4((uint4)(1, all.s012), 0, out);
}
#if HAS_IMAGES
int itself(const int i) { return i; }
kernel void pixel(read_only image1d_buffer_t image, global uint* restrict out) {
  out[0] = read_imageui(image, itself(0)).x;
}
#endif
#ifdef BROKEN
kernel void broken(global no_such_type* out) { out[0] = 0; }
#endif
)";

// A folder with the planted kernels, until the process ends.
struct PlantedFolder {
  PlantedFolder()
      : path(std::filesystem::temp_directory_path() /
             ("dwarfsweep_planted_" + std::to_string(std::random_device{}()))) {
    std::filesystem::create_directory(path);
    std::ofstream(path / "prelude.cl") << kernel_text("prelude", "");
    std::ofstream(path / "planted.cl") << planted_kernels;
  }
  PlantedFolder(const PlantedFolder&) = delete;
  ~PlantedFolder() { std::filesystem::remove_all(path); }
  std::filesystem::path path;
};

// Never destroyed, see test_session().
Session& planted_session() {
  static const PlantedFolder folder;
  static Session& session = *new Session(test::test_session().device(), {folder.path.string()});
  return session;
}

// Runs `ramp` over `count` elements, shifted; returns the broken guard, if any.
std::optional<std::string> guard_after_ramp(cl_uint count, cl_int shift, std::vector<cl_uint>& result) {
  Workspace workspace(planted_session());
  const auto before = workspace.allocate<cl_uint>("before", count, Role::input);
  const auto out = workspace.allocate<cl_uint>("ramp output", count, Role::output);
  workspace.fill(before, cl_uint{7});
  Kernel ramp = workspace.kernel("planted", Macros(), "ramp", "ramp");
  workspace.poison();
  Launcher launcher(workspace.session());
  launcher.run(ramp, round_up(count, 16), 16, out, count, shift);
  launcher.finish();
  workspace.download(out, result);
  return workspace.broken_guard();
}

// 3 x + step, from 0 on, for steps 1 to 3, or 1 to 4 where the key is 1; the keys 0, 1, 0 one after another.
std::vector<cl_uint> replayed(Workspace& workspace) {
  const auto out = workspace.allocate<cl_uint>("out", 16, Role::output);
  Kernel kernel = workspace.kernel("planted", Macros(), "triple_and_add", "triple_and_add");
  Launcher launcher(workspace.session(), Launcher::Submission::command_buffer);
  launcher.begin();
  std::vector<cl_uint> results;
  for (const cl_uint key : {0U, 1U, 0U}) {
    launcher.batch(key, [&] {
      launcher.fill<cl_uint>(out, 0);
      for (cl_uint step = 1; step <= 3 + key; ++step) launcher.run(kernel, 16, 16, out, step);
    });
    std::array<cl_uint, 16> words{};
    launcher.read(out, words.data(), words.size());
    results.push_back(words.front());
  }
  Sample sample;
  sample.launches = 3;
  launcher.collect(sample);
  CHECK(sample.fault.empty());
  REQUIRE(sample.kernels.size() == 1);
  CHECK(sample.kernels.front().kernel == "total");
  CHECK(sample.kernels.front().events == 3 + 4 + 3);
  CHECK(sample.kernels.front().ns > 0);
  return results;
}

// Runs a planted kernel with one work-item; its last argument is 16 words.
template <typename... Arguments>
void run_planted(const std::string& function, const Arguments&... arguments) {
  Workspace workspace(planted_session());
  const auto out = workspace.allocate<cl_uint>("out", 16, Role::output);
  Kernel kernel = workspace.kernel("planted", Macros(), function, function);
  Launcher launcher(workspace.session());
  launcher.run(kernel, 1, 1, arguments..., out);
  launcher.finish();
  CHECK(out.count == 16);
}

PointFailure failure_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const PointFailure& failure) {
    return failure;
  }
  return {Status::ok, "nothing failed"};
}

}  // namespace

TEST_CASE("a kernel that stays in its bounds leaves the guards intact", "[device]") {
  std::vector<cl_uint> result;
  for (const cl_uint count : {1U, 63U, 1000U}) {
    CHECK(guard_after_ramp(count, 0, result) == std::nullopt);
    CHECK(result.front() == 0);
    CHECK(result.back() == count - 1);
  }
}

TEST_CASE("a write one past either end is caught and the buffer named", "[device]") {
  if (test::test_session().device().checks_bounds) {
    SUCCEED("no guards where the device reports such a write itself");
    return;
  }
  std::vector<cl_uint> result;
  for (const cl_int shift : {1, -1}) {
    const auto broken = guard_after_ramp(1000, shift, result);
    REQUIRE(broken.has_value());
    CHECK_THAT(*broken, contains("ramp output"));
    // The element that was not written keeps the poison.
    const cl_uint kept = shift > 0 ? result.front() : result.back();
    CHECK((kept == 0x7FA5A5A5 || kept == 0xFFA5A5A5));
  }
}

// 1, 3 + 2, 15 + 3 and so on: each launch with the argument that it was recorded with, from the fill on.
TEST_CASE("what is recorded runs in order, as it was recorded", "[device][harness]") {
  Workspace workspace(planted_session());
  if (workspace.device().has_extension("cl_khr_command_buffer")) {
    CHECK(replayed(workspace) == std::vector<cl_uint>{18, 58, 18});
  } else {
    const PointFailure failure = failure_of([&] { replayed(workspace); });
    CHECK(failure.status() == Status::unsupported);
    CHECK_THAT(failure.what(), test::contains("has no command buffers"));
  }
}

TEST_CASE("a batch in which the host looks is not recorded, and leaves no trace", "[device][harness]") {
  Workspace workspace(planted_session());
  if (!workspace.device().has_extension("cl_khr_command_buffer")) {
    SUCCEED("nothing is recorded here");
    return;
  }
  const auto out = workspace.allocate<cl_uint>("out", 16, Role::output);
  Launcher launcher(workspace.session(), Launcher::Submission::command_buffer);
  cl_uint word = 0;
  CHECK_THROWS_AS(launcher.batch([&] { launcher.read(out, &word, 1); }), std::logic_error);
  launcher.fill<cl_uint>(out, 7);
  launcher.read(out, &word, 1);
  CHECK(word == 7);
}

// Oclgrind's reports on these would fail any other test; CTest runs each alone and requires the report.

TEST_CASE("planted: a write past the end", "[.][planted_bounds]") {
  std::vector<cl_uint> result;
  guard_after_ramp(1000, 1, result);
  CHECK(result[1] == 0);
}

TEST_CASE("planted: a missing barrier", "[.][planted_race]") {
  Workspace workspace(planted_session());
  const auto out = workspace.allocate<cl_uint>("out", 16, Role::output);
  Kernel rotate = workspace.kernel("planted", Macros(), "rotate_without_barrier", "rotate");
  Launcher launcher(workspace.session());
  launcher.run(rotate, 16, 16, out);
  launcher.finish();
  CHECK(out.count == 16);
}

TEST_CASE("planted: an uninitialised cell of local memory", "[.][planted_unwritten]") {
  run_planted("unwritten_cell");
}

// Three kernels that read only initialised values, and yet Oclgrind 21.10 reports an error, or crashes. While
// it does, points with such code are not run under its check: see `within_the_check` in points.cpp.
TEST_CASE("planted: element 11 of a vector", "[.][planted_element_11]") {
  run_planted("element_eleven");
}

TEST_CASE("planted: a vector of one and three", "[.][planted_one_and_three]") {
  run_planted("one_and_three");
}

TEST_CASE("planted: a pixel", "[.][planted_pixel]") {
  const cl::Context& context = planted_session().context();
  cl_uint pixels[16] = {};
  const cl::Buffer memory(context, CL_MEM_READ_WRITE, sizeof pixels);
  planted_session().queue().enqueueWriteBuffer(memory, CL_TRUE, 0, sizeof pixels, pixels);
  run_planted("pixel", cl::Image1DBuffer(context, CL_MEM_READ_ONLY, cl::ImageFormat(CL_R, CL_UNSIGNED_INT32),
                                         16, memory));
}

TEST_CASE("a kernel that does not compile brings the device's log and the options", "[device]") {
  const PointFailure failure =
      failure_of([] { planted_session().program("planted", Macros().define("BROKEN", 17)); });
  CHECK(failure.status() == Status::build_failed);
  CHECK_THAT(failure.what(), contains("building planted.cl failed"));
  CHECK_THAT(failure.what(), contains("BROKEN=17"));
  CHECK_THAT(failure.what(), contains("no_such_type"));
  CHECK_THAT(failure.what(), contains(test::test_session().device().name));
}

TEST_CASE("a kernel that is not in its file is named in the message", "[device]") {
  Workspace workspace(planted_session());
  const PointFailure failure = failure_of([&] { workspace.kernel("planted", Macros(), "rump", "rump"); });
  CHECK(failure.status() == Status::build_failed);
  CHECK_THAT(failure.what(), contains("'rump'"));
}

TEST_CASE("a work-group beyond the limit is not launched, and the message has its size", "[device]") {
  Workspace workspace(planted_session());
  const auto out = workspace.allocate<cl_uint>("out", 16, Role::output);
  Kernel ramp = workspace.kernel("planted", Macros(), "ramp", "ramp");
  Launcher launcher(workspace.session());
  const std::size_t too_many = std::size_t{1} << 20;
  const PointFailure failure =
      failure_of([&] { launcher.run(ramp, too_many, too_many, out, cl_uint{16}, cl_int{0}); });
  // Where a driver does not report its limit (rusticl 22.3), the launch fails.
  CHECK((failure.status() == Status::rejected || failure.status() == Status::launch_failed));
  CHECK_THAT(failure.what(), contains("1048576"));
}

TEST_CASE("more work-groups than any device takes are not launched", "[device]") {
  Workspace workspace(planted_session());
  const auto out = workspace.allocate<cl_uint>("out", 16, Role::output);
  Kernel ramp = workspace.kernel("planted", Macros(), "ramp", "ramp");
  Launcher launcher(workspace.session());
  const PointFailure failure = failure_of(
      [&] { launcher.run(ramp, std::size_t{1} << 31, std::size_t{1}, out, cl_uint{16}, cl_int{0}); });
  CHECK(failure.status() == Status::rejected);
  CHECK_THAT(failure.what(), contains("kernel 'ramp' needs 2147483648 work-groups in dimension 0"));
}

// rusticl and NVIDIA's driver state less for a kernel than they launch.
TEST_CASE("the device's largest work-group is launched, whatever is stated for the kernel", "[device]") {
  const std::size_t items = planted_session().device().capabilities.work_group_items;
  Workspace workspace(planted_session());
  const auto out = workspace.allocate<cl_uint>("out", items, Role::output);
  Kernel ramp = workspace.kernel("planted", Macros(), "ramp", "ramp");
  workspace.poison();
  Launcher launcher(workspace.session());
  launcher.run(ramp, items, items, out, static_cast<cl_uint>(items), cl_int{0});
  launcher.finish();
  std::vector<cl_uint> result;
  workspace.download(out, result);
  CAPTURE(ramp.facts.work_group_items);
  CHECK(result.front() == 0);
  CHECK(result.back() == items - 1);
}

TEST_CASE("more memory than there is fails as such, with the buffer's name", "[device]") {
  Workspace workspace(planted_session());
  const PointFailure failure =
      failure_of([&] { workspace.allocate<cl_uint>("far too much", std::size_t{1} << 50, Role::input); });
  CHECK(failure.status() == Status::out_of_memory);
  CHECK_THAT(failure.what(), contains("far too much"));
}

TEST_CASE("the total is the sum of the kernels, each per launch", "[device]") {
  Workspace workspace(planted_session());
  const auto out = workspace.allocate<cl_uint>("out", 4096, Role::output);
  Kernel first = workspace.kernel("planted", Macros(), "ramp", "first");
  Kernel second = workspace.kernel("planted", Macros(), "ramp", "second");
  Launcher launcher(workspace.session());
  launcher.begin();
  for (int launch = 0; launch < 2; ++launch) {
    launcher.run(first, 4096, 16, out, cl_uint{4096}, cl_int{0});
    launcher.run(second, 4096, 16, out, cl_uint{4096}, cl_int{0});
    launcher.run(second, 4096, 16, out, cl_uint{4096}, cl_int{0});
  }
  launcher.finish();
  Sample sample;
  sample.launches = 2;
  launcher.collect(sample);
  REQUIRE(sample.kernels.size() == 3);
  CHECK(sample.kernels[0].kernel == "first");
  CHECK(sample.kernels[0].events == 2);
  CHECK(sample.kernels[1].kernel == "second");
  CHECK(sample.kernels[1].events == 4);
  CHECK(sample.kernels[2].kernel == "total");
  CHECK(sample.kernels[2].events == 6);
  // Sums of integers below 2^53, halved: exact.
  CHECK(sample.kernels[2].ns == sample.kernels[0].ns + sample.kernels[1].ns);
}

TEST_CASE("the span of a run encloses its kernels, transfers and the host's work", "[device]") {
  Session& session = planted_session();
  const TimerReport report = test_timer(test::test_session());
  session.set_timing(report.timing());
  Workspace workspace(session);
  const auto out = workspace.allocate<cl_uint>("out", 4096, Role::output);
  Kernel ramp = workspace.kernel("planted", Macros(), "ramp", "ramp");
  Launcher launcher(session);
  std::vector<cl_uint> words(out.count);
  constexpr double pause_ns = 3e6;
  const auto pause = [] { std::this_thread::sleep_for(std::chrono::nanoseconds(std::int64_t{3'000'000})); };
  const auto sampled = [&](const auto& run) {
    Sample sample;
    sample.launches = 2;
    launcher.begin();
    for (int i = 0; i < 2; ++i) {
      launcher.begin_run();
      const std::int64_t begin = now_ns();
      run();
      launcher.finish();
      sample.wall_ns += static_cast<double>(now_ns() - begin) / 2;
      pause();  // between runs: in no span
    }
    launcher.collect(sample);
    return sample;
  };
  const auto kernel = [&] { launcher.run(ramp, 4096, 16, out, cl_uint{4096}, cl_int{0}); };

  const Sample plain = sampled([&] { kernel(), kernel(); });
  if (!report.spans) {  // as rusticl's timer, which counts 0, 1, 2, 3
    CHECK(plain.span_ns == 0);
    return;
  }
  CHECK(plain.span_ns >= 0.99 * plain.kernels.back().ns);
  CHECK(plain.span_ns <= max_device_ns(plain.wall_ns, report.tick_ns));
  CHECK(plain.host_ns == 0);

  const Sample between = sampled([&] {
    kernel();
    launcher.read(out, words.data(), words.size());
    launcher.host(pause);
    kernel();
  });
  CHECK(between.host_ns >= pause_ns);
  CHECK(between.span_ns >= between.kernels.back().ns + pause_ns);

  const Sample behind = sampled([&] {
    kernel();
    launcher.read(out, words.data(), words.size());
    launcher.host(pause);
  });
  CHECK(behind.span_ns >= behind.kernels.back().ns + pause_ns);
  const Sample before = sampled([&] {
    launcher.host(pause);
    kernel();
  });
  CHECK(before.span_ns >= before.kernels.back().ns + pause_ns);
}

TEST_CASE("a device that is another one than asked for is not opened", "[device]") {
  DeviceInfo other = test::test_session().device();
  other.id = "another";
  CHECK_THROWS_AS(Session(other, {}), NoDeviceError);
  other = test::test_session().device();
  other.index = "77:0";
  CHECK_THROWS_AS(Session(other, {}), NoDeviceError);
}

TEST_CASE("a device's timer is used, or the report has the reason why not", "[device]") {
  const TimerReport report = test_timer(test::test_session());
  CHECK(test::test_session().timing().timer == report.timer);
  CHECK((report.timer == Timer::host) == !report.reason.empty());
  CHECK(report.launch_ns > 0);
}
