// kmeans: every variant on odd problems, known answers, ties and empty clusters, files, planted errors.
#include <algorithm>
#include <cstring>

#include "dwarfs/kmeans/geometry.hpp"
#include "dwarfs/kmeans/input.hpp"
#include "dwarfs/kmeans/kmeans.hpp"
#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/made_up_devices.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;

namespace {

const Dwarf& kmeans_() {
  return find_dwarf("kmeans");
}

ValueMap problem(int points, int features, int clusters, int iterations = 1) {
  return {{"points", points}, {"features", features}, {"clusters", clusters}, {"iterations", iterations}};
}

Config config_of(const ValueMap& settings) {
  return kmeans_().space().set(kmeans_().space().baseline(), settings,
                               test::test_session().device().capabilities);
}

ValueMap with(ValueMap settings, const ValueMap& more) {
  for (const auto& [name, value] : more.entries()) settings = settings.with(name, value);
  return settings;
}

// Distances by products, as on either kind of device.
std::vector<ValueMap> settings_by_products() {
  const ValueMap blocked{{"variant", "blocked"}, {"distances", "products"}};
  const ValueMap copied{{"layout", "aos"},  {"memory", "local"}, {"buffering", "local"},
                        {"work_group", 64}, {"granularity", 2},  {"unroll_clusters", 4},
                        {"unroll", 4}};
  const ValueMap fused{{"variant", "fused"}, {"distances", "products"}};
  const ValueMap prefetching{{"buffering", "prefetch"}, {"vector_width", 2}, {"cluster_lanes", 4}};
  return {blocked, with(with(blocked, copied), {{"vector_width", 4}, {"cluster_lanes", 8}, {"chunk", 8}}),
          with(with(blocked, copied), prefetching),
          with(with(blocked, copied), with(prefetching, {{"layout", "soa"}, {"memory", "global"}})),
          with(with(fused, copied), {{"vector_width", 4}, {"padding", 4}, {"granularity", 1}})};
}

// Each variant as it starts, in each layout, and `fused` in the shapes of either kind of device.
std::vector<ValueMap> settings_of_all_variants() {
  std::vector<ValueMap> all;
  for (const char* variant : {"assign_only", "reduce", "fused"}) {
    for (const char* layout : {"aos", "soa", "tiled"})
      all.push_back({{"variant", variant}, {"layout", layout}, {"work_group", 64}, {"vector_width", 4}});
  }
  all.push_back({{"variant", "reduce"}, {"finish", "host"}, {"layout", "soa"}, {"memory", "constant"}});
  for (const char* layout : {"aos", "soa", "tiled"})
    all.push_back(
        {{"variant", "reduce"}, {"layout", layout}, {"partial_sums", "per_block"}, {"work_group", 64}});
  all.push_back({{"variant", "fused"}});
  all.push_back({{"variant", "fused"},
                 {"work_group", 64},
                 {"granularity", 1},
                 {"vector_width", 1},
                 {"layout", "soa"},
                 {"buffering", "local"}});
  all.push_back({{"variant", "fused"}, {"work_group", 64}, {"granularity", 2}, {"vector_width", 1}});
  all.push_back({{"variant", "blocked"}});
  for (const char* layout : {"aos", "soa", "tiled"}) {
    for (const char* memory : {"local", "constant"})
      all.push_back({{"variant", "blocked"},
                     {"layout", layout},
                     {"memory", memory},
                     {"buffering", "local"},
                     {"work_group", 64},
                     {"vector_width", 4},
                     {"cluster_lanes", 4},
                     {"unroll_clusters", 2},
                     {"chunk", 8},
                     {"distances", "differences"}});
  }
  all.push_back({{"variant", "blocked"}, {"work_group", 16}, {"vector_width", 2}, {"cluster_lanes", 16}});
  return all;
}

// Known answers need no more: how a result is reached is compared above.
std::vector<ValueMap> starts_of_all_variants() {
  return {{{"variant", "assign_only"}},
          {{"variant", "reduce"}},
          {{"variant", "blocked"}},
          {{"variant", "blocked"},
           {"work_group", 16},
           {"vector_width", 1},
           {"layout", "aos"},
           {"memory", "local"},
           {"buffering", "local"},
           {"cluster_lanes", 4},
           {"unroll_clusters", 1}},
          {{"variant", "fused"}},
          {{"variant", "fused"},
           {"work_group", 64},
           {"vector_width", 1},
           {"granularity", 1},
           {"buffering", "local"}}};
}

void check_each(const std::vector<ValueMap>& all, const std::vector<ValueMap>& problems) {
  for (const ValueMap& each : problems) {
    const Loaded loaded = test::generated(kmeans_(), each);
    for (const ValueMap& settings : all) {
      const auto outcome = test::run_point(kmeans_(), loaded, config_of(settings));
      INFO(each.to_string() << " " << settings.to_string() << ": " << outcome.reason);
      CHECK(outcome.status == Status::ok);
    }
  }
}

// blocked, by itself and by groups.
void check_many_of(const std::vector<ValueMap>& problems) {
  const ValueMap groups{{"variant", "blocked"}, {"work_group", 64},     {"vector_width", 4},
                        {"layout", "aos"},      {"memory", "local"},    {"buffering", "local"},
                        {"cluster_lanes", 8},   {"unroll_clusters", 8}, {"granularity", 2}};
  for (const ValueMap& each : problems) {
    for (const ValueMap& settings :
         {ValueMap{{"variant", "blocked"}}, groups, with(groups, {{"distances", "products"}}),
          with(groups, {{"distances", "products"}, {"buffering", "prefetch"}})}) {
      const auto outcome = test::run_point(kmeans_(), each, settings);
      INFO(each.to_string() << " " << settings.to_string() << ": " << outcome.reason);
      CHECK(outcome.status == Status::ok);
    }
  }
}

// The status of a point whose kernel file has `from` replaced by `to`.
Status status_with(const std::string& from, const std::string& to, const ValueMap& of,
                   const ValueMap& settings) {
  return test::status_with(from, to, kmeans_(), of, settings);
}

}  // namespace

TEST_CASE("kmeans: every variant on odd problems", "[device][kmeans][variants]") {
  check_each(settings_of_all_variants(), {problem(133, 7, 3)});
  check_each(settings_by_products(), {problem(133, 7, 3)});
}

TEST_CASE("kmeans: every variant on a single point", "[device][kmeans][variants][axes]") {
  check_each(settings_of_all_variants(), {problem(1, 1, 1)});
}

TEST_CASE("kmeans: every variant on larger odd problems, several steps", "[device][kmeans][heavy]") {
  check_each(settings_of_all_variants(), {problem(1111, 35, 5, 3)});
  test::check_random_points(kmeans_(), problem(300, 3, 19, 2), 6);
}

TEST_CASE("kmeans: every value of every axis", "[device][kmeans][heavy][long]") {
  test::check_one_at_a_time(kmeans_(), problem(777, 11, 5, 2));
}

TEST_CASE("kmeans: random points", "[device][kmeans][heavy]") {
  test::check_random_points(kmeans_(), problem(259, 9, 4, 2), 12);
}

TEST_CASE("kmeans: a few points of the full space, at tiny and at an odd size", "[device][kmeans][heavy]") {
  test::check_full_space(kmeans_(), problem(777, 11, 7, 2), 4);
}

TEST_CASE("kmeans: the full space, at tiny and at an odd size", "[device][kmeans][heavy][long]") {
  test::check_full_space(kmeans_(), problem(777, 11, 7, 2), 100);
}

TEST_CASE("kmeans: problems that random ones have found wrong", "[device][kmeans]") {
  // One feature and one cluster of many, each a lone sum of work-item 0, wrong on PoCL 5.0; and one point
  // with sums of 65 KB in each work-item of a group, more than a thread's stack has.
  const ValueMap fused{{"variant", "fused"}, {"work_group", 64}, {"vector_width", 1},
                       {"layout", "aos"},    {"granularity", 4}, {"unroll_clusters", 1}};
  CHECK(test::run_point(kmeans_(), problem(235, 1, 26, 2), fused).status == Status::ok);
  CHECK(test::run_point(kmeans_(), problem(16, 41, 1, 3), fused).status == Status::ok);
  const auto large = test::run_point(kmeans_(), problem(1, 4069, 1, 2),
                                     {{"variant", "fused"}, {"work_group", 128}, {"vector_width", 16}});
  INFO(large.reason);
  CHECK(large.status == Status::rejected);
}

TEST_CASE("kmeans: blocked takes many clusters and features", "[device][kmeans]") {
  check_many_of({problem(257, 17, 256), problem(130, 3, 100, 2), problem(70, 257, 17)});
}

TEST_CASE("kmeans: blocked takes many clusters and features of more points", "[device][kmeans][heavy]") {
  check_many_of({problem(700, 130, 256), problem(257, 513, 17)});
}

TEST_CASE("kmeans: where sums do not fit, blocked by default, on every kind of device", "[kmeans][unit]") {
  const auto problem_of = [](int features, int clusters) {
    return make_problem("kmeans", kmeans_().info().keys, {"custom", problem(100000, features, clusters)});
  };
  std::vector<DeviceInfo> devices = test::made_up_gpus();
  DeviceInfo& cpu = devices.emplace_back();
  cpu.name = "a CPU";
  cpu.capabilities.work_group_items = 4096;
  for (std::uint64_t& size : cpu.capabilities.work_item_sizes) size = 4096;
  cpu.capabilities.local_bytes = cpu.capabilities.constant_bytes = 1 << 20;
  for (const DeviceInfo& device : devices) {
    for (const int features : {1, 34, 64, 128, 1000, 4096}) {
      for (const int clusters : {1, 5, 16, 64, 100, 256}) {
        CAPTURE(device.name, features, clusters);
        const Space& space = kmeans_().space();
        const Problem problem = problem_of(features, clusters);
        const Config blocked = space.default_config("blocked", device.capabilities);
        CHECK(space.why_rejected({blocked, problem, device.capabilities}).value_or("") == "");
      }
    }
    const auto first = [&](const Problem& problem) {
      return kmeans_().info().first_choice(problem, device.capabilities).string("variant");
    };
    const auto by_cluster = [&](const Config& config, int points, int features, int clusters) {
      const Problem of =
          make_problem("kmeans", kmeans_().info().keys, {"custom", problem(points, features, clusters)});
      return kmeans::Geometry(config, of, device.capabilities).sums_by_cluster;
    };
    const Config blocked = kmeans_().space().default_config("blocked", device.capabilities);
    CHECK(by_cluster(blocked, 8921, 496, 1638) == (blocked.string("layout") == "aos"));
    CHECK(!by_cluster(blocked, 200000, 496, 1638));
    CHECK(!by_cluster(blocked, 500, 64, 10));
    // The blocks are small where points are few, and have a setting of their own then.
    const Problem few = make_problem("kmeans", kmeans_().info().keys, {"custom", problem(500, 1000, 10)});
    CHECK(kmeans_().info().first_choice(few, device.capabilities).has("chunk") == device.capabilities.is_gpu);
    CHECK(first(problem_of(128, 256)) == "blocked");
    CHECK(first(problem_of(32, 300)) == (device.capabilities.is_gpu ? "blocked" : "reduce"));
  }
}

TEST_CASE("kmeans: planted errors in blocked", "[device][kmeans]") {
  const ValueMap groups{{"variant", "blocked"},      {"work_group", 16},  {"vector_width", 2},
                        {"layout", "soa"},           {"memory", "local"}, {"buffering", "local"},
                        {"cluster_lanes", 4},        {"chunk", 8},        {"unroll_clusters", 2},
                        {"distances", "differences"}};
  const ValueMap of = problem(259, 19, 21, 2);
  CHECK(status_with("number = other_number;", "number = 0;", of, groups) == Status::wrong_result);
  CHECK(status_with("const int features = min(CHUNK_FEATURES, FEATURES - chunk);",
                    "const int features = min(CHUNK_FEATURES, FEATURES - chunk - 1);", of,
                    groups) == Status::wrong_result);
  CHECK(status_with("lane < CLUSTER_ITEMS", "lane < CLUSTER_ITEMS - 1", of, groups) == Status::wrong_result);
}

TEST_CASE("kmeans: planted errors in chunks that are prefetched", "[device][kmeans]") {
  const ValueMap settings = settings_by_products()[2];
  const ValueMap of = problem(259, 35, 41);
  CHECK(status_with("same_tile ? chunk + CHUNK_FEATURES", "same_tile ? chunk", of, settings) ==
        Status::wrong_result);
  CHECK(status_with("same_tile ? first_cluster :", "same_tile ? 0 :", of, settings) == Status::wrong_result);
}

TEST_CASE("kmeans: centroids by cluster, of many points, of some and of none", "[device][kmeans]") {
  // On a GPU so many clusters that their sums do not fit into local memory. Cluster 0 has more points than a
  // list. All others begin at the same distant place, so that cluster 1 has what lies there and the rest
  // none.
  const Capabilities& device = test::test_session().device().capabilities;
  const int clusters = device.is_gpu ? static_cast<int>(device.local_bytes / 8 / 66) + 1 : 15;
  std::string points;
  for (int p = 0; p < 500; ++p) {
    points += "p";
    for (int f = 0; f < 66; ++f)
      points += " " + std::to_string(p > 0 && p < clusters ? 1000 + f : (p * 7 + f * 3) % 32);
    points += "\n";
  }
  const test::ScratchDirectory folder;
  const Loaded loaded = kmeans_().load({{"clusters", clusters}}, {folder.file("points.txt", points)});
  const ValueMap reduce{{"variant", "reduce"}, {"layout", "aos"}, {"memory", "global"}, {"work_group", 16}};
  for (const ValueMap& settings : {reduce, with(reduce, {{"vector_width", 16}}),
                                   with(reduce, {{"padding", 4}, {"vector_width", 8}, {"work_group", 64}}),
                                   with(reduce, {{"padding", 4}, {"vector_width", 4}, {"source", "image"}}),
                                   settings_by_products()[1]}) {
    if (settings.has("source") && !device.images) continue;
    const auto outcome = test::run_point(kmeans_(), loaded, config_of(settings));
    INFO(settings.to_string() << ": " << outcome.reason);
    CHECK(outcome.status == Status::ok);
  }
  const auto planted = [&](const std::string& from, const std::string& to) {
    return test::status_with(from, to, kmeans_(), loaded, reduce);
  };
  CHECK(planted("at + i < listed)", "at + i < listed - 1)") == Status::wrong_result);
  CHECK(planted("added > 0 ?", "added > 500 ?") == Status::wrong_result);
  CHECK(planted("SUM_GROUP, ROW", "2 * SUM_GROUP, ROW") == Status::wrong_result);
}

TEST_CASE("kmeans: products that cancel are compared again, by differences", "[device][kmeans]") {
  // Squares of 5e7, which are rounded to multiples of 4, for distances of some ten.
  std::string points;
  Random random(3);
  for (int p = 0; p < 150; ++p) {
    points += "p";
    for (int f = 0; f < 3; ++f)
      points += " " + std::to_string(4000 + static_cast<double>(random.below(1024)) / 64);
    points += "\n";
  }
  const test::ScratchDirectory folder;
  const std::string file = folder.file("far.txt", points);
  const Loaded far = kmeans_().load({{"clusters", 21}}, {file});
  // Two points at the start, each twice: every point lies as far from one centroid as from another.
  const Loaded twins = kmeans_().load(
      {{"clusters", 4}},
      {folder.file("twins.txt", "a 0.1 0.7\nb 9.3 2.1\nc 0.1 0.7\nd 9.3 2.1\ne 0.3 0.2\nf 8 3\n")});
  for (const ValueMap& settings : settings_by_products()) {
    INFO(settings.to_string());
    const auto outcome = test::run_point(kmeans_(), far, config_of(settings));
    INFO(outcome.reason);
    CHECK(outcome.status == Status::ok);
    if (!settings.has("memory")) continue;
    CHECK(test::dumped(kmeans_(), twins, config_of(settings)).integers["assignments"] ==
          std::vector<std::int32_t>{0, 1, 0, 1, 0, 1});
    CHECK(test::status_with("RELATIVE * (1.5f", "0 * (1.5f", kmeans_(), far, settings) ==
          Status::wrong_result);
  }
}

TEST_CASE("kmeans: on the host", "[kmeans]") {
  test::check_host(kmeans_(), problem(1, 1, 1));
  test::check_host(kmeans_(), problem(1003, 7, 20, 3));
  test::check_host(kmeans_(), problem(30000, 34, 5, 2));
}

TEST_CASE("kmeans: the kernel file names and guards all axes", "[kmeans]") {
  test::check_parameter_table(kmeans_());
}

TEST_CASE("kmeans: a text file, a tie and an empty cluster", "[device][kmeans]") {
  const test::ScratchDirectory folder;
  // Centroids 0, 4, 4: point 2 lies between the first two, and the third is never nearest.
  const std::string file = folder.file("points.txt", "a 0,0\nb 4 0\nc\t4 0\nd 2 0\ne 10 0\n");
  const Loaded loaded = kmeans_().load({{"clusters", 3}}, {file});
  CHECK(loaded.problem.size == "file");
  CHECK(loaded.problem.integer("features") == 2);
  for (const ValueMap& settings : starts_of_all_variants()) {
    INFO(settings.to_string());
    test::Dump dump = test::dumped(kmeans_(), loaded, config_of(settings));
    CHECK(dump.integers["assignments"] == std::vector<std::int32_t>{0, 1, 1, 0, 1});
    CHECK(dump.floats["centroids"] == std::vector<float>{1, 0, 6, 0, 4, 0});
    CHECK(dump.shapes["points"] == DumpSink::Shape{5, 2});
    CHECK(dump.shapes["centroids_in"] == DumpSink::Shape{3, 2});
  }
}

TEST_CASE("kmeans: several steps from a binary file settle", "[device][kmeans]") {
  const test::ScratchDirectory folder;
  const std::int32_t sizes[2] = {6, 1};
  const float values[6] = {0, 1, 2, 10, 11, 12};
  std::string bytes(sizeof sizes + sizeof values, '\0');
  std::memcpy(bytes.data(), sizes, sizeof sizes);
  std::memcpy(bytes.data() + sizeof sizes, values, sizeof values);
  const Loaded loaded =
      kmeans_().load({{"clusters", 2}, {"iterations", 5}}, {folder.file("points.bin", bytes)});
  for (const ValueMap& settings : starts_of_all_variants()) {
    INFO(settings.to_string());
    test::Dump dump = test::dumped(kmeans_(), loaded, config_of(settings));
    CHECK(dump.integers["assignments"] == std::vector<std::int32_t>{0, 0, 0, 1, 1, 1});
    CHECK(dump.floats["centroids"] == std::vector<float>{1, 11});
  }
}

TEST_CASE("kmeans: planted errors in the kernels are caught", "[device][kmeans]") {
  const ValueMap plain = problem(300, 5, 3);
  const ValueMap reduce{{"variant", "reduce"}};
  const ValueMap fused{{"variant", "fused"}};
  const auto wrong = Status::wrong_result;
  CHECK(status_with("distance < smallest", "distance < smallest", plain, {}) ==
        Status::ok);  // nothing changed
  CHECK(status_with("step < STEPS;", "step < STEPS - 1;", plain, {}) == wrong);
  CHECK(status_with("set < sets;", "set < sets - 1;", plain, reduce) == wrong);
  CHECK(status_with("numbers[item] > 0 ?", "numbers[item] > 120 ?", plain, reduce) == wrong);
  CHECK(status_with("j < VECTORS;", "j < VECTORS - TOGETHER;", plain, fused) == wrong);
  CHECK(status_with("sum = own->sums[cluster + k][i];", "sum = own->sums[cluster + k][i] + 1;", plain,
                    fused) == wrong);
}

TEST_CASE("kmeans: planted errors in results are caught", "[kmeans]") {
  const Loaded loaded = test::generated(kmeans_(), problem(500, 6, 4, 2));
  const auto& input = static_cast<const kmeans::KmeansInput&>(*loaded.input);
  kmeans::Outcome right;
  std::vector<float> centroids = input.centroids();
  for (int step = 0; step < 2; ++step) {
    right.assignments.clear();
    for (std::size_t p = 0; p < 500; ++p) {
      double least = 1e30;
      int nearest = 0;
      for (int k = 0; k < 4; ++k) {
        double distance = 0;
        for (std::size_t f = 0; f < 6; ++f) {
          const double off = static_cast<double>(input.points()[p * 6 + f]) -
                             static_cast<double>(centroids[static_cast<std::size_t>(k) * 6 + f]);
          distance += off * off;
        }
        if (distance < least) {
          least = distance;
          nearest = k;
        }
      }
      right.assignments.push_back(nearest);
    }
    std::vector<float> next;
    kmeans::update_on_host(input, right.assignments, centroids, next);
    centroids = next;
    right.centroids.push_back(centroids);
  }
  CHECK(kmeans::check_outcome(input, right, {}).ok);
  const auto fails = [&](auto&& spoil) {
    kmeans::Outcome spoilt = right;
    spoil(spoilt);
    return !kmeans::check_outcome(input, spoilt, {}).ok;
  };
  CHECK(fails([](kmeans::Outcome& o) { o.assignments[499] = (o.assignments[499] + 1) % 4; }));
  CHECK(fails([](kmeans::Outcome& o) { o.assignments[0] = -1; }));
  CHECK(fails([](kmeans::Outcome& o) { o.assignments.pop_back(); }));
  CHECK(fails([](kmeans::Outcome& o) { o.centroids[0][23] *= 1.00001F; }));
  CHECK(fails([](kmeans::Outcome& o) { o.centroids[1][0] *= 1.00001F; }));
  CHECK(fails([](kmeans::Outcome& o) { o.centroids[1][5] = std::numeric_limits<float>::quiet_NaN(); }));
  CHECK(fails([](kmeans::Outcome& o) { o.centroids.pop_back(); }));
}

TEST_CASE("kmeans: requests that cannot be met say what is allowed", "[kmeans]") {
  const test::ScratchDirectory folder;
  CHECK(test::usage_error([] { (void)test::generated(kmeans_(), problem(4, 2, 5)); }) ==
        "kmeans: problem key 'clusters' is 5, but must be at most the points, which are 4");
  const std::string file = folder.file("two.txt", "a 1 2\nb 3 4\n");
  CHECK(test::usage_error([&] {
          (void)kmeans_().load({{"points", 3}}, {file});
        }) == "kmeans: problem key 'points' is '3', but " + file + " has 2");
  CHECK(test::usage_error([&] {
          (void)kmeans_().load({}, {file, file});
        }) ==
        "kmeans takes one file of points: text (an identifier, then features, a line each) or binary (int32 "
        "points, int32 features, float32 row by row); 2 files were given");
  const std::string huge = folder.file("huge.txt", "a 1e30\nb 1\n");
  CHECK(test::usage_error([&] {
          (void)kmeans_().load({{"clusters", 1}}, {huge});
        }).find("overflow single precision") != std::string::npos);
}
