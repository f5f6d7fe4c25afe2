// stencil_3d: every axis over odd grids, on devices and on the host; polynomials; planted errors.
#include <cmath>

#include "dwarfs/stencil_3d/input.hpp"
#include "dwarfs/stencil_3d/stencil_3d.hpp"
#include "tests/made_up_devices.hpp"
#include "tests/points.hpp"
#include "tests/standard_tests.hpp"

using namespace dwarfsweep::stencil_3d;

namespace {

const Dwarf& dwarf() {
  return find_dwarf("stencil_3d");
}

ValueMap box(int nx, int ny, int nz, int steps = 1) {
  return {{"nx", nx}, {"ny", ny}, {"nz", nz}, {"steps", steps}};
}

const ValueMap alone = {{"variant", "streaming"}, {"work_group", 1}, {"rows", 1},  {"granularity", 2},
                        {"vector_width", 4},      {"padding", 0},    {"depth", 8}, {"unroll", 1},
                        {"memory", "global"},     {"strip", 128}};
const ValueMap grouped = {{"variant", "streaming"}, {"work_group", 8}, {"rows", 2},  {"granularity", 2},
                          {"vector_width", 2},      {"padding", 1},    {"depth", 0}, {"unroll", 1},
                          {"memory", "local"},      {"strip", 512}};

ValueMap changed(ValueMap settings, const ValueMap& difference) {
  for (const auto& [name, value] : difference.entries()) settings = settings.with(name, value);
  return settings;
}

ValueMap loading(const char* variant) {
  return {{"variant", variant}, {"work_group", 8}, {"rows", 4}, {"padding", 1}};
}

void check_settings(const std::vector<ValueMap>& all, const std::vector<ValueMap>& problems) {
  for (const ValueMap& problem : problems) {
    const Loaded loaded = generated(dwarf(), problem);
    for (const ValueMap& settings : all) {
      const Outcome outcome =
          run_point(dwarf(), loaded, dwarf().space().set(dwarf().space().baseline(), settings));
      INFO(problem.to_string() << " " << settings.to_string() << ": " << outcome.reason);
      CHECK(outcome.status == Status::ok);
    }
  }
}

}  // namespace

TEST_CASE("stencil_3d: every variant", "[device][stencil_3d][variants]") {
  check_settings({{{"work_group", 8}, {"rows", 4}},
                  changed(loading("halo_only_single"), {{"vector_width", 2}}),
                  changed(loading("halo_only_double"), {{"depth", 8}}),
                  loading("halo_only_manual"),
                  changed(loading("block_halo_single"), {{"granularity", 2}, {"loaders", 32}}),
                  alone,
                  changed(alone, {{"padding", 1}, {"vector_width", 8}}),
                  grouped,
                  changed(grouped, {{"memory", "global"}, {"padding", 0}, {"vector_width", 4}}),
                  changed(grouped, {{"ring", 3}, {"unroll", 9}}),
                  changed(grouped, {{"ring", 2}, {"padding", 0}, {"vector_width", 1}})},
                 {box(19, 15, 11, 2)});
}

TEST_CASE("stencil_3d: every axis varied from each variant's default", "[device][stencil_3d][heavy][long]") {
  check_one_at_a_time(dwarf(), box(43, 21, 22));
}

TEST_CASE("stencil_3d: grids of one inner point, long and thin, and many steps",
          "[device][stencil_3d][heavy]") {
  check_settings({{},
                  {{"variant", "halo_only_double"}},
                  {{"variant", "block_halo_single"}},
                  {{"variant", "streaming"}},
                  changed(grouped, {{"unroll", 9}, {"vector_width", 4}, {"depth", 16}}),
                  changed(grouped, {{"ring", 4}, {"vector_width", 4}, {"depth", 16}})},
                 {box(9, 9, 9), box(9, 9, 150), box(9, 150, 9), box(700, 9, 9), box(24, 24, 24, 30)});
}

TEST_CASE("stencil_3d: random points", "[device][stencil_3d][heavy]") {
  check_random_points(dwarf(), box(37, 18, 29, 2), 4);
}

TEST_CASE("stencil_3d: the full space, at tiny and at an odd size", "[device][stencil_3d][heavy][long]") {
  check_full_space(dwarf(), box(37, 18, 29, 2), 100);
}

TEST_CASE("stencil_3d: on the host", "[stencil_3d]") {
  for (const ValueMap& problem : {box(9, 9, 9), box(70, 33, 41), box(21, 19, 50, 5)})
    check_host(dwarf(), problem);
}

TEST_CASE("stencil_3d: the kernel's parameter table", "[stencil_3d]") {
  check_parameter_table(dwarf());
}

TEST_CASE("stencil_3d: streaming through a ring is the default where copies are asynchronous",
          "[unit][stencil_3d]") {
  Capabilities gpu = made_up_gpu("waves of 64").capabilities;
  CHECK(dwarf().space().default_config("streaming", gpu).integer("ring") == 0);
  gpu.async_copies = true;
  gpu.work_group_items = 1024;
  const Config config = dwarf().space().default_config("streaming", gpu);
  CHECK(config.integer("ring") == 3);
  CHECK(Groups(config).local_bytes == 3 * sizeof(float) * (128 + 8) * (16 + 8));
}

TEST_CASE("stencil_3d: a grid without an inner point is refused", "[stencil_3d]") {
  for (const char* key : {"nx", "ny", "nz"})
    CHECK_THROWS_AS(generated(dwarf(), box(9, 9, 9).with(key, 8)), UsageError);
}

// Central differences of eighth order have no error on polynomials of degree 9 and less: a step adds exactly
// rate times the Laplacian. Each monomial x^a y^b z^c of degree 7 or less is tried, in coordinates from -1 to
// 1. Single precision rounds values, coefficients and sums: the bound of the check, and for the coefficients
// and values half a unit in the last place of each.
TEST_CASE("stencil_3d: polynomials up to degree 7 are reproduced", "[device][stencil_3d][heavy]") {
  const ValueMap problem = box(17, 15, 13);
  const Loaded random = generated(dwarf(), problem);
  const Grid grid = grid_of(random.problem);
  constexpr double spacing = 0.125;
  const auto coordinate = [](std::int64_t i, std::int64_t count) {
    return spacing * (static_cast<double>(i) - static_cast<double>(count / 2));
  };
  const auto second = [](double x, int power) {
    return power < 2 ? 0 : power * (power - 1) * std::pow(x, power - 2);
  };
  for (int a = 0; a <= 7; ++a) {
    for (int b = 0; a + b <= 7; ++b) {
      const int c = (7 - a - b) / (1 + (a + b) % 2);  // of degree 7, and less
      std::vector<float> values(grid.points());
      std::vector<double> wanted(grid.points());
      for (std::size_t i = 0; i < grid.points(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        const double x = coordinate(at % grid.nx, grid.nx);
        const double y = coordinate(at / grid.nx % grid.ny, grid.ny);
        const double z = coordinate(at / (grid.nx * grid.ny), grid.nz);
        const double px = std::pow(x, a);
        const double py = std::pow(y, b);
        const double pz = std::pow(z, c);
        values[i] = static_cast<float>(px * py * pz);
        wanted[i] =
            px * py * pz + diffusion_rate * spacing * spacing *
                               (second(x, a) * py * pz + px * second(y, b) * pz + px * py * second(z, c));
      }
      const Loaded loaded{random.problem,
                          std::make_shared<StencilInput>(grid, diffusion_coefficients(), values)};
      const Dump dump = dumped(dwarf(), loaded, dwarf().space().baseline());
      double worst = 0;
      for (std::int64_t z = radius; z < grid.nz - radius; ++z) {
        for (std::int64_t y = radius; y < grid.ny - radius; ++y) {
          for (std::int64_t x = radius; x < grid.nx - radius; ++x) {
            const auto i = static_cast<std::size_t>((z * grid.ny + y) * grid.nx + x);
            worst = std::max(worst, std::abs(dump.floats.at("output")[i] - wanted[i]));
          }
        }
      }
      INFO("x^" << a << " y^" << b << " z^" << c);
      CHECK(worst <= (26 + 2) * 0x1p-24 * 1.1);  // the absolute coefficients add up to less than 1.1
    }
  }
}

TEST_CASE("stencil_3d: planted errors are caught", "[device][stencil_3d]") {
  const auto status = [](const std::string& from, const std::string& to, const ValueMap& settings) {
    return status_with(from, to, dwarf(), box(27, 21, 12), settings);
  };
  const ValueMap small = {{"work_group", 8}, {"rows", 4}};
  CHECK(status("nx - RADIUS", "nx - RADIUS", small) == Status::ok);  // nothing changed
  CHECK(status("k <= RADIUS", "k < RADIUS", small) == Status::wrong_result);
  CHECK(status("k * plane) + load_at", "k * stride) + load_at", alone) == Status::wrong_result);
  CHECK(status("d <= RADIUS", "d < RADIUS", grouped) == Status::wrong_result);
  CHECK(status("window[RADIUS + k - d], *sum", "window[RADIUS + k], *sum", changed(grouped, {{"ring", 3}})) ==
        Status::wrong_result);
  CHECK(status("(warp - 2) * 16", "(warp - 2) * 8 + 8", loading("halo_only_single")) == Status::wrong_result);
}
