// The memory next to a buffer's elements is poison: every result that is computed from it shows it.
#include <array>
#include <bit>
#include <cmath>
#include <set>

#include "harness/run/launcher.hpp"
#include "tests/catch.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;

namespace {

constexpr const char* kernels =
    "kernel void neighbours(global const float* x, const int n, global float* out) {"
    "  out[0] = x[-1];"
    "  out[1] = x[n];"
    "}"
    "kernel void double_one_too_many(const int n, global float* y) {"
    "  for (int i = 0; i <= n; ++i) y[i] *= 2;"
    "}";

// Never destroyed, see test_session().
Session& session() {
  static Session& opened = *new Session(test::test_session().device(), {"", {{"beside", kernels}}});
  return opened;
}

bool checks_bounds() {
  if (session().device().checks_bounds) SUCCEED("no guards where the device reports such an access itself");
  return session().device().checks_bounds;
}

}  // namespace

TEST_CASE("what lies before and behind a buffer is NaN, and far above or far below all integers",
          "[device]") {
  if (checks_bounds()) return;
  std::set<bool> signs_before, signs_behind;
  for (int n = 1; n < 12; ++n) {
    Workspace workspace(session());
    const auto x = workspace.allocate<float>("x", static_cast<std::size_t>(n), Role::input);
    const auto out = workspace.allocate<float>("out", 4, Role::output);
    Kernel neighbours = workspace.kernel("beside", Macros(), "neighbours", "neighbours");
    workspace.fill(x, 1.0F);
    Launcher launcher(session());
    launcher.run(neighbours, 1, 1, x, cl_int{n}, out);
    launcher.finish();
    std::vector<float> values;
    workspace.download(out, values);
    for (const std::size_t i : {0, 1}) {
      INFO("n " << n << ", end " << i);
      CHECK(std::isnan(values[i]));
      const auto integer = static_cast<std::int64_t>(std::bit_cast<std::int32_t>(values[i]));
      CHECK(std::abs(integer) > 1'000'000);
      (i == 0 ? signs_before : signs_behind).insert(integer > 0);
    }
    CHECK(workspace.broken_guard() == std::nullopt);
  }
  CHECK(signs_before.size() == 2);
  CHECK(signs_behind.size() == 2);
}

TEST_CASE("a write of what was computed from poison is caught, NaN as it is", "[device]") {
  if (checks_bounds()) return;
  for (const int n : {1, 2, 3, 5, 6, 7, 8}) {
    Workspace workspace(session());
    const auto y = workspace.allocate<float>("y", static_cast<std::size_t>(n), Role::output);
    Kernel kernel = workspace.kernel("beside", Macros(), "double_one_too_many", "double");
    workspace.poison();
    CHECK(workspace.broken_guard() == std::nullopt);
    Launcher launcher(session());
    launcher.run(kernel, 1, 1, cl_int{n}, y);
    launcher.finish();
    const auto broken = workspace.broken_guard();
    REQUIRE(broken.has_value());
    CHECK(*broken == "a kernel wrote past the last element of 'y'");
  }
}

TEST_CASE("a write to a buffer of no elements is caught", "[device]") {
  if (checks_bounds()) return;
  Workspace workspace(session());
  const auto y = workspace.allocate<float>("y", 0, Role::output);
  Kernel kernel = workspace.kernel("beside", Macros(), "double_one_too_many", "double");
  workspace.poison();
  CHECK(workspace.broken_guard() == std::nullopt);
  Launcher launcher(session());
  launcher.run(kernel, 1, 1, cl_int{0}, y);
  launcher.finish();
  CHECK(workspace.broken_guard() == "a kernel wrote past the last element of 'y'");
}
