// Measures an own kernel with the harness: verifies its result, prints its median time and the interval.
#include <cstdio>
#include <exception>
#include <vector>

#include "harness/device/inventory.hpp"
#include "harness/run/launcher.hpp"
#include "harness/run/self_test.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/statistics.hpp"

using namespace dwarfsweep;

const char* const source = R"(
kernel void scale(global const float* restrict x, global float* restrict y, const float factor) {
  y[get_global_id(0)] = factor * x[get_global_id(0)];
}
)";

int main(int argc, char** argv) try {
  const DeviceInfo device = select_devices(discover_devices(), argc > 1 ? argv[1] : "all").front();
  Session session(device, {.own_kernels = {{"scale", source}}});
  test_timer(session);  // chooses the device's timer, or the host's clock where that one fails

  constexpr std::size_t n = std::size_t{1} << 20U;
  std::vector<float> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>(i);
  Workspace workspace(session);
  const auto x_buffer = workspace.allocate<float>("x", n, Role::input);
  const auto y_buffer = workspace.allocate<float>("y", n, Role::output);
  Kernel scale = workspace.kernel("scale", Macros(), "scale", "scale");
  Launcher launcher(session);
  const auto run_ns = [&] {
    Sample sample;
    launcher.begin();
    launcher.run(scale, n, 64, x_buffer, y_buffer, cl_float{3});
    launcher.finish();
    launcher.collect(sample);
    return sample.kernels.back().ns;
  };
  workspace.upload(x, x_buffer);
  workspace.poison();
  run_ns();
  std::vector<float> y;
  workspace.download(y_buffer, y);
  bool correct = !workspace.broken_guard();
  for (std::size_t i = 0; i < n; ++i) correct = correct && y[i] == 3 * x[i];
  if (!correct) throw PointFailure(Status::wrong_result, "wrong result");

  std::vector<std::vector<double>> blocks(8);
  for (auto& block : blocks) {
    for (int i = 0; i < 5; ++i) block.push_back(run_ns());
  }
  const Summary time = summarise(blocks).value();
  std::printf("scale on %s: verified; median %.0f ns, 95 %% interval %.0f to %.0f ns\n", device.name.c_str(),
              time.median, time.ci_low, time.ci_high);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
