// Which size auto chooses, by recorded peaks and costs.
#include "suite/plan/auto_size.hpp"

#include <filesystem>
#include <set>

#include "dwarfs/registry.hpp"
#include "suite/plan/known_sizes.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"

using namespace dwarfsweep;

namespace {

constexpr double mib = 1048576;

// Recorded: a H200, and two cores under PoCL.
const DeviceRates h200{128 * mib, 4540, 33000, 11500};
const DeviceRates two_cores{32 * mib, 28, 180, 1800};

const SizeLimits three_minutes_for_nine{20, 60, 5, 16, 3};

// A baseline with that many operations per second, in addition to the cost of a launch.
SizeTrial trial_of(const std::vector<LadderSize>& ladder, double operations_per_s, double launch_s,
                   int* tries = nullptr) {
  return [=, &ladder](std::size_t index, const SizeCost&) {
    if (tries) ++*tries;
    const Demand& demand = ladder[index].demand;
    const double data_s = demand.working_set_bytes / 5e9;
    return SizeCost{20 * data_s, data_s, launch_s + demand.operations / operations_per_s};
  };
}

std::string chosen(const char* dwarf, const DeviceRates& rates, const SizeLimits& limits,
                   double operations_per_s) {
  const std::vector<LadderSize> ladder = ladder_of(find_dwarf(dwarf));
  REQUIRE(ladder.size() == 4);
  return ladder[choose_size(ladder, rates, limits, trial_of(ladder, operations_per_s, 30e-6)).index].name;
}

}  // namespace

TEST_CASE("the ladder of every dwarf grows", "[auto_size]") {
  for (const Dwarf* dwarf : all_dwarfs()) {
    const std::vector<LadderSize> ladder = ladder_of(*dwarf);
    INFO(dwarf->info().name);
    REQUIRE(ladder.size() == 4);
    for (std::size_t i = 1; i < ladder.size(); ++i) {
      CHECK(ladder[i].demand.working_set_bytes > ladder[i - 1].demand.working_set_bytes);
      CHECK(ladder[i].demand.operations > ladder[i - 1].demand.operations);
    }
    for (const LadderSize& size : ladder) {
      CHECK(size.demand.bytes > 0);
      CHECK(size.demand.launches >= 1);
    }
  }
}

TEST_CASE("a H200 gets the large size of every dwarf", "[auto_size]") {
  // The baselines that were measured there, in operations per second: crc 4.3 ms of 1.3e8, lud 17 ms
  // of 4.6e10 ...
  for (const auto& [dwarf, rate] :
       {std::pair("crc", 3.1e10), std::pair("lud", 2.7e12), std::pair("des", 4.5e11),
        std::pair("needle", 2.2e10), std::pair("srad", 2.1e12), std::pair("bfs", 1.8e10),
        std::pair("sgemv", 1.4e11), std::pair("kmeans", 2.3e10), std::pair("hotspot", 2.2e12)}) {
    INFO(dwarf);
    CHECK(chosen(dwarf, h200, three_minutes_for_nine, rate) == "large");
    // Together with PoCL, each gets half of the time.
    SizeLimits half = three_minutes_for_nine;
    half.group_seconds = 10;
    CHECK(chosen(dwarf, h200, half, rate) == "large");
  }
}

TEST_CASE("two cores do not take minutes for a dwarf", "[auto_size]") {
  // crc's baseline takes 6.6 ms for 200 kB, 4.3 s for 128 MiB; lud's 0.52 s for n=1440.
  CHECK(chosen("crc", two_cores, three_minutes_for_nine, 3.1e7) == "small");
  CHECK(chosen("lud", two_cores, three_minutes_for_nine, 3.8e9) == "small");
  // Without a budget the limit of a point counts.
  const SizeLimits publishing{0, 60, 5, 16, 20};
  CHECK(chosen("crc", two_cores, publishing, 3.1e7) == "medium");
  CHECK(chosen("lud", two_cores, {2, 60, 0.7, 16, 3}, 3.8e7) == "tiny");
}

TEST_CASE("a slow baseline does not keep fast variants at sizes where they are launches", "[auto_size]") {
  const std::vector<LadderSize> ladder = ladder_of(find_dwarf("crc"));
  const SizeTrial trial = trial_of(ladder, 3.1e7, 30e-6);
  double share = 0.02;  // of the baseline's time: of an anchor, and of all points on average
  double others = 0.1;
  const VariantsTrial variants = [&](std::size_t, SizeCost& cost) {
    cost.anchor = share * cost.sample;
    cost.typical = others * cost.sample;
  };
  const auto chosen = [&] { return choose_size(ladder, two_cores, three_minutes_for_nine, trial, variants); };
  CHECK(ladder[chosen().index].name == "medium");
  // Many variants that are as slow as the baseline: down again, without another trial.
  others = 1;
  CHECK(ladder[chosen().index].name == "small");
  CHECK_THAT(chosen().reason, Catch::Contains("medium would take about") &&
                                  Catch::Contains("for each execution of the baseline"));
  CHECK(chosen().cost.sample < 0.01);
  // No variant is faster: as before.
  share = 1;
  CHECK(ladder[chosen().index].name == "small");
  // The baseline alone, executed a few times, is too slow.
  share = others = 1e-6;
  SizeLimits brief = three_minutes_for_nine;
  brief.group_seconds = 3;
  CHECK(ladder[choose_size(ladder, two_cores, brief, trial, variants).index].name == "small");
}

TEST_CASE("the first size beyond the caches is enough where launches are cheap", "[auto_size]") {
  const std::vector<LadderSize> ladder = ladder_of(find_dwarf("crc"));
  const DeviceRates small_gpu{1 * mib, 50, 500, 1000};
  CHECK(ladder[target_size(ladder, small_gpu).index].name == "medium");
  DeviceRates slow_launches = small_gpu;
  slow_launches.launch_ns = 100'000;
  CHECK(ladder[target_size(ladder, slow_launches).index].name == "large");
  CHECK(target_size(ladder, h200).reason ==
        "the largest: 128 MiB, not beyond the last-level cache of 128 MiB; launches are about 19 % of a run");
}

TEST_CASE("sizes that surely fit are not tried", "[auto_size]") {
  const std::vector<LadderSize> ladder = ladder_of(find_dwarf("sgemv"));
  int tries = 0;
  CHECK(choose_size(ladder, h200, three_minutes_for_nine, trial_of(ladder, 1e12, 1e-5, &tries)).index == 3);
  CHECK(tries <= 2);
  // A baseline that does not run leaves the smallest size.
  const auto fails = [](std::size_t, const SizeCost&) { return std::optional<SizeCost>(); };
  CHECK(choose_size(ladder, h200, three_minutes_for_nine, fails).index == 0);
}

TEST_CASE("samples that launches dominate are not taken to grow with the operations", "[auto_size]") {
  // lud on a H200, as recorded: 4.6 ms at n=240, nearly all of it launches; were it to grow with the
  // operations, medium would take 1 s and large 23 s.
  const std::vector<LadderSize> ladder = ladder_of(find_dwarf("lud"));
  const double recorded[] = {0.0021, 0.0046, 0.0052, 0.018};
  const auto trial = [&](std::size_t index, const SizeCost& expected) {
    CHECK(expected.sample < 1);
    return std::optional<SizeCost>({0.01, 0.003, recorded[index]});
  };
  const SizeLimits limits{10, 60, 3.3, 16, 3};
  CHECK(choose_size(ladder, h200, limits, trial).index == 3);
  // With few points small is sure to fit without a trial; it is tried when medium is in question.
  SizeLimits few = limits;
  few.points = 1;
  CHECK(choose_size(ladder, h200, few, trial).index == 3);
}

TEST_CASE("a trial that would take long is not made", "[auto_size]") {
  const std::vector<LadderSize> ladder = ladder_of(find_dwarf("crc"));
  const auto trial = [&](std::size_t index, const SizeCost& expected) {
    CHECK(expected.once + expected.prepared_point() < 1);
    return std::optional<SizeCost>({0.01, 0.01, 1e-7 * ladder[index].demand.operations});
  };
  const SizeChoice choice = choose_size(ladder, two_cores, {20, 60, 1, 16, 3}, trial);
  CHECK(ladder[choice.index].name == "small");
  CHECK_THAT(choice.reason, test::contains("to try medium alone would take about"));
}

TEST_CASE("a borderline choice stays, with the same budget", "[auto_size]") {
  const std::vector<LadderSize> ladder = ladder_of(find_dwarf("crc"));
  const double borderline = 4.194304e6 / 0.082;  // medium needs about the usable share of 20 s
  std::set<std::size_t> fresh;
  SizeLimits limits = three_minutes_for_nine;
  const SizeChoice first = choose_size(ladder, two_cores, limits, trial_of(ladder, borderline, 0));
  for (int percent = 70; percent <= 140; percent += 5) {
    const auto noisy = trial_of(ladder, borderline * percent / 100, 0);
    fresh.insert(choose_size(ladder, two_cores, limits, noisy).index);
    CHECK(still_holds(first, limits, limits));
  }
  CHECK(fresh.size() > 1);  // without the memory it would flip
  SizeLimits other = limits;
  other.group_seconds = 30;
  CHECK(still_holds(first, limits, other));
  other.group_seconds = 2;
  SizeChoice costly = first;
  costly.cost.sample = 0.08;
  CHECK_FALSE(still_holds(costly, limits, other));
  // What the budget has kept small may grow when there is far more of it.
  SizeChoice kept_small = first;
  kept_small.index = 1;
  kept_small.target = 3;
  other.group_seconds = 100;
  CHECK_FALSE(still_holds(kept_small, limits, other));
  other.group_seconds = 0;
  CHECK_FALSE(still_holds(kept_small, limits, other));
}

TEST_CASE("chosen sizes are kept by device, driver and dwarf", "[auto_size]") {
  const test::ScratchDirectory folder;
  const std::filesystem::path path = folder.path() / "results" / "best" / "sizes.csv";
  DeviceInfo device;
  device.id = "uuid-1";
  device.driver = "580.1";
  KnownSizes sizes(path);
  CHECK(sizes.find(device, "crc") == nullptr);
  sizes.put({device.id,
             "a GPU, \"big\"",
             device.driver,
             "crc",
             "medium",
             "bytes=4194304",
             "large",
             20,
             {0.5, 0.25, 0.125, 0.03125, 0.0625},
             "at large it would take hours, or more"});
  sizes.put({device.id, "a GPU", device.driver, "lud", "large", "n=4096", "large", 0, {}, ""});
  sizes.put({device.id, "a GPU", device.driver, "lud", "small", "n=240", "large", 0, {}, ""});
  sizes.write();
  const KnownSizes again(path);
  REQUIRE(again.find(device, "crc"));
  CHECK(again.find(device, "crc")->size == "medium");
  CHECK(again.find(device, "crc")->cost.sample == 0.125);
  CHECK(again.find(device, "crc")->cost.anchor == 0.03125);
  CHECK(again.find(device, "crc")->cost.typical == 0.0625);
  CHECK(again.find(device, "crc")->group_seconds == 20);
  CHECK(again.find(device, "lud")->size == "small");
  device.driver = "590.0";
  CHECK(again.find(device, "crc") == nullptr);
  device.driver = "580.1";
  device.id = "uuid-2";
  CHECK(again.find(device, "crc") == nullptr);
}

TEST_CASE("sizes chosen for pairs with the baseline alone are chosen again", "[auto_size]") {
  const test::ScratchDirectory folder;
  const std::filesystem::path path =
      folder.file("sizes.csv",
                  "device_id,device,driver,dwarf,size,problem,target,reason,once_s,point_s,sample_s,group_s\n"
                  "uuid-1,a GPU,1,crc,small,bytes=200000,large,slow,0.5,0.25,0.125,20\n");
  KnownSizes sizes(path);
  DeviceInfo device;
  device.id = "uuid-1";
  device.driver = "1";
  CHECK(sizes.find(device, "crc") == nullptr);
  sizes.put({"uuid-1", "", "1", "crc", "large", "", "large", 0, {}, ""});
  sizes.write();
  CHECK(KnownSizes(path).find(device, "crc")->size == "large");
}

TEST_CASE("a file of sizes that cannot be read is left alone", "[auto_size]") {
  const test::ScratchDirectory folder;
  const std::filesystem::path path = folder.file("sizes.csv", "what,is,this\n1,2,3\n");
  KnownSizes sizes(path);
  sizes.put({"uuid-1", "", "1", "crc", "large", "", "large", 0, {}, ""});
  sizes.write();
  CHECK(test::content(path) == "what,is,this\n1,2,3\n");
}

TEST_CASE("of two sweeps at once each keeps the sizes that it has chosen", "[auto_size]") {
  const test::ScratchDirectory scratch;
  const auto path = scratch.path() / "best" / "sizes.csv";
  KnownSizes one(path);
  KnownSizes other(path);
  one.put({"uuid-1", "", "1", "crc", "large", "", "large", 0, {}, ""});
  other.put({"uuid-1", "", "1", "lud", "large", "", "large", 0, {}, ""});
  one.write();
  other.write();
  DeviceInfo device;
  device.id = "uuid-1";
  device.driver = "1";
  const KnownSizes both(path);
  CHECK(both.find(device, "crc"));
  CHECK(both.find(device, "lud"));
}
