// Points as numbers, uniform drawing, neighbours.
#include <algorithm>
#include <map>
#include <set>

#include "suite/search/search_space.hpp"
#include "tests/catch.hpp"

using namespace dwarfsweep;

namespace {

// Two variants of 4 x 4 x 2 and 3 points; 24 and 3 of them are legal.
struct Sketch {
  Sketch() {
    space.axis({"variant", "algorithm", {"plain", "wide"}, "plain"})
        .axis({"rows", "of a tile", {1, 2, 4, 8}, 1, {"plain"}})
        .axis({"columns", "of a tile", {1, 2, 4, 8}, 1, {"plain"}})
        .axis({"memory", "where", {"local", "global"}, "global", {"plain"}})
        .axis({"vector_width", "lanes", {4, 8, 16}, 4, {"wide"}})
        .constrain("the tile has at most 16 cells, and at least 2", [](const Point& point) {
          const std::int64_t cells = point["rows"] * point["columns"];
          return point.variant() == "wide" || (cells <= 16 && cells >= 2);
        });
    for (const char* variant : {"plain", "wide"}) {
      SearchedVariant searched{space.default_config(variant), {}};
      for (const Axis& axis : space.axes()) {
        if (axis.name != "variant" && Space::applies(axis, variant)) searched.axes.push_back(axis);
      }
      variants.push_back(searched);
    }
    device.work_group_items = 1;
  }

  [[nodiscard]] DwarfSpace searched() const { return DwarfSpace(space, problem, device, variants); }

  Space space;
  Problem problem;
  Capabilities device;
  std::vector<SearchedVariant> variants;
};

std::vector<PointNumber> legal_points(const SearchSpace& space) {
  std::vector<PointNumber> points;
  for (PointNumber point = 0; point < space.numbers(); ++point) {
    if (space.is_legal(point)) points.push_back(point);
  }
  return points;
}

bool contains(const std::vector<PointNumber>& points, PointNumber point) {
  return std::find(points.begin(), points.end(), point) != points.end();
}

}  // namespace

TEST_CASE("every legal point of a space is in one of its shards, and no value in one alone", "[unit]") {
  const Sketch sketch;
  const std::vector<PointNumber> whole = legal_points(sketch.searched());
  std::vector<PointNumber> of_all;
  for (int index = 1; index <= 3; ++index) {
    DwarfSpace space = sketch.searched();
    space.keep_shard(index, 3);
    const std::vector<PointNumber> some = legal_points(space);
    std::set<std::string> memories;
    for (const PointNumber point : some) {
      const Config config = space.config(point);
      if (const Value* const memory = config.find("memory")) memories.insert(memory->string());
    }
    CHECK(memories == std::set<std::string>{"local", "global"});
    of_all.insert(of_all.end(), some.begin(), some.end());
  }
  std::sort(of_all.begin(), of_all.end());
  CHECK(of_all == whole);
}

TEST_CASE("a point's number, its digits and its configuration are the same point", "[unit]") {
  const Sketch sketch;
  const DwarfSpace space = sketch.searched();
  CHECK(space.numbers() == 4 * 4 * 2 + 3);
  std::set<std::string> configs;
  for (PointNumber point = 0; point < space.numbers(); ++point) {
    CHECK(space.number(space.coordinates(point)) == point);
    CHECK(space.find(space.config(point)) == point);
    configs.insert(space.config(point).to_string());
  }
  CHECK(configs.size() == space.numbers());
  CHECK_FALSE(space.find(space.config(0).with("rows", 3)));
  CHECK(space.config(*space.parts()[1].default_point) == sketch.space.default_config("wide"));
}

TEST_CASE("drawing is uniform over the legal points of a constrained space", "[unit]") {
  const Sketch sketch;
  const DwarfSpace space = sketch.searched();
  const std::vector<PointNumber> legal = legal_points(space);
  REQUIRE(legal.size() == 24 + 3);
  Random random(17);
  std::map<PointNumber, int> counts;
  constexpr int per_point = 1000;
  const std::size_t draws = per_point * legal.size();
  for (std::size_t drawn = 0; drawn < draws;) {
    const auto point = space.try_draw(random);
    if (!point) continue;
    ++counts[*point];
    ++drawn;
  }
  double chi_squared = 0;
  for (const PointNumber point : legal) {
    const double difference = counts[point] - per_point;
    chi_squared += difference * difference / per_point;
  }
  CHECK(counts.size() == legal.size());
  // The 0.1 % quantile from above of chi squared with 26 degrees of freedom is 54.1. Drawing the variants
  // equally would give 27,000 / 6 draws instead of 1,000 to each of the three points of "wide".
  CHECK(chi_squared < 54.1);
}

TEST_CASE("every legal point is found, each once, and then none", "[unit]") {
  const Sketch sketch;
  const DwarfSpace space = sketch.searched();
  Random random(3);
  std::set<PointNumber> found;
  while (const auto point = draw_new(
             space, [&](PointNumber each) { return found.count(each) == 0; }, random))
    REQUIRE(found.insert(*point).second);
  const std::vector<PointNumber> legal = legal_points(space);
  CHECK(found == std::set<PointNumber>(legal.begin(), legal.end()));
}

TEST_CASE("neighbours are legal, near, and neighbours of each other", "[unit]") {
  const Sketch sketch;
  const DwarfSpace space = sketch.searched();
  for (const PointNumber point : legal_points(space)) {
    for (const auto& neighbours : {step_neighbours, axis_neighbours, pair_neighbours}) {
      const std::vector<PointNumber> others = neighbours(space, point);
      CHECK(std::set<PointNumber>(others.begin(), others.end()).size() == others.size());
      for (const PointNumber other : others) {
        CHECK(space.is_legal(other));
        CHECK(other != point);
        CHECK(space.coordinates(other).part == space.coordinates(point).part);
      }
    }
    for (const PointNumber other : step_neighbours(space, point)) {
      CHECK(contains(step_neighbours(space, other), point));
      CHECK(contains(axis_neighbours(space, point), other));
    }
    for (const PointNumber other : axis_neighbours(space, point))
      CHECK(contains(axis_neighbours(space, other), point));
  }
}

TEST_CASE("a constraint between two axes is crossed by changing both", "[unit]") {
  const Sketch sketch;
  const DwarfSpace space = sketch.searched();
  const auto tile = [&](int rows, int columns) {
    return *space.find(sketch.space.default_config("plain").with("rows", rows).with("columns", columns));
  };
  // 4 x 4 is as large as may be: only smaller ones are one step away.
  const std::vector<PointNumber> steps = step_neighbours(space, tile(4, 4));
  CHECK(steps.size() == 3);  // two smaller tiles, the other memory
  CHECK(contains(steps, tile(2, 4)));
  CHECK(contains(axis_neighbours(space, tile(4, 4)), tile(1, 4)));
  const std::vector<PointNumber> pairs = pair_neighbours(space, tile(4, 4));
  CHECK(contains(pairs, tile(2, 8)));
  CHECK(contains(pairs, tile(8, 2)));
  // Both changes alone are legal: two single steps.
  CHECK_FALSE(contains(pairs, tile(2, 2)));
  CHECK(variant_neighbours(space, tile(4, 4)) ==
        std::vector<PointNumber>{*space.find(sketch.space.default_config("wide"))});
}

TEST_CASE("a space beyond 63 bits is refused", "[unit]") {
  Sketch sketch;
  std::vector<Value> many;
  for (int i = 0; i < 1024; ++i) many.emplace_back(i);
  for (int i = 0; i < 7; ++i) {
    const std::string name = "axis" + std::to_string(i);
    sketch.variants[0].axes.push_back({name, "one of many", many, 0});
    sketch.variants[0].default_config = sketch.variants[0].default_config.with(name, 0);
  }
  CHECK_THROWS_WITH(sketch.searched(),
                    "the space has more than 2^63 points; fix some axes (--set axis=value)");
}
