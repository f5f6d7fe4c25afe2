// The last-level cache from a measured curve, and what depends on its size.
#include "harness/device/caches.hpp"

#include <cmath>
#include <iterator>
#include <map>

#include "harness/peaks/peaks.hpp"
#include "harness/statistics/random.hpp"
#include "tests/catch.hpp"

using namespace dwarfsweep;

namespace {

constexpr double kib = 1024;
constexpr double mib = 1024 * kib;

// A H200, as recorded: a cache of 50 MB and more; the driver states 4 MB.
const std::map<double, double> h200 = {
    {64 * kib, 83},    {128 * kib, 168},  {256 * kib, 322},  {512 * kib, 565}, {1 * mib, 1046},
    {2 * mib, 1783},   {4 * mib, 3560},   {8 * mib, 7117},   {16 * mib, 8490}, {32 * mib, 8953},
    {64 * mib, 10449}, {128 * mib, 7420}, {256 * mib, 4182}, {512 * mib, 4014}};

// Two cores of a Xeon under PoCL, on a shared machine.
const std::map<double, double> two_cores = {
    {64 * kib, 225}, {128 * kib, 227}, {256 * kib, 225}, {512 * kib, 218}, {1 * mib, 194},
    {2 * mib, 195},  {4 * mib, 191},   {8 * mib, 186},   {16 * mib, 138},  {32 * mib, 60},
    {64 * mib, 35},  {128 * mib, 31},  {256 * mib, 30},  {512 * mib, 29}};

// Sixteen cores, whose last level is so large that memory comes into sight only at the end.
const std::map<double, double> sixteen_cores = {
    {64 * kib, 804}, {128 * kib, 1079}, {256 * kib, 1062}, {512 * kib, 1183}, {1 * mib, 1062},
    {2 * mib, 642},  {4 * mib, 412},    {8 * mib, 346},    {16 * mib, 312},   {32 * mib, 331},
    {64 * mib, 304}, {128 * mib, 270},  {256 * mib, 189},  {512 * mib, 157}};

// With the sizes between: three quarters of each above 2 MiB.
std::map<double, double> with_half_steps(const std::map<double, double>& curve) {
  std::map<double, double> finer = curve;
  for (auto each = curve.begin(), next = std::next(each); next != curve.end(); ++each, ++next) {
    if (next->first > 2 * mib) finer[next->first * 3 / 4] = std::sqrt(each->second * next->second);
  }
  return finer;
}

}  // namespace

TEST_CASE("the last-level cache is the largest size that is read clearly faster than memory", "[caches]") {
  CHECK(last_level_cache_bytes(h200, 4540) == 128 * mib);
  CHECK(last_level_cache_bytes(two_cores, 28.4) == 32 * mib);
  CHECK(last_level_cache_bytes(two_cores, 48.4) == 32 * mib);  // memory, measured in a quieter moment
  CHECK(last_level_cache_bytes(sixteen_cores, 121) == 256 * mib);
  CHECK(last_level_cache_bytes(h200, 0) == 128 * mib);
}

TEST_CASE("a disturbed size does not move the last-level cache", "[caches]") {
  const double steps[] = {256, 384, 512};
  for (const double size : steps) {
    INFO("at " << size << " MiB");
    auto spike = with_half_steps(h200);
    spike[size * mib] = 9000;
    CHECK(last_level_cache_bytes(spike, 4540) >= 128 * mib);
    CHECK(last_level_cache_bytes(spike, 4540) <= 192 * mib);
    auto other_spike = with_half_steps(two_cores);
    other_spike[size * mib] = 200;
    CHECK(last_level_cache_bytes(other_spike, 28.4) >= 32 * mib);
    CHECK(last_level_cache_bytes(other_spike, 28.4) <= 64 * mib);
  }
  auto dip = h200;
  dip[16 * mib] = 400;
  CHECK(last_level_cache_bytes(dip, 4540) == 128 * mib);
  // Every rate off by up to 8 %.
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    auto noisy = h200;
    for (auto& [bytes, rate] : noisy) rate *= 0.92 + 0.16 * static_cast<double>(random.below(1000)) / 1000;
    CHECK(last_level_cache_bytes(noisy, 4540) == 128 * mib);
  }
}

TEST_CASE("without a sight of memory beyond it no last-level cache is found", "[caches]") {
  auto cut = h200;
  cut.erase(cut.find(128 * mib), cut.end());
  CHECK(last_level_cache_bytes(cut, 4540) == 0);
  std::map<double, double> flat;
  for (double bytes = 64 * kib; bytes <= 512 * mib; bytes *= 2) flat[bytes] = 10;
  CHECK(last_level_cache_bytes(flat, 10) == 0);
  CHECK(last_level_cache_bytes({{1 * mib, 100}, {512 * mib, 10}}, 10) == 0);
}

TEST_CASE("cold and hot use the measured cache, or else the stated one", "[caches]") {
  DeviceInfo device;
  device.global_cache_bytes = 4'325'376;  // as a H200 states
  CHECK(displacing_bytes(device, {}) == std::uint64_t{64} << 20U);
  CHECK(displacing_bytes(device, {std::uint64_t{128} << 20U, 4540}) == std::uint64_t{256} << 20U);
  device.global_cache_bytes = std::uint64_t{300} << 20U;
  CHECK(displacing_bytes(device, {}) == std::uint64_t{600} << 20U);
  CHECK(displacing_bytes(device, {std::uint64_t{16} << 20U, 20}) == std::uint64_t{32} << 20U);
  const MeasuredCaches caches =
      caches_of({{"last_level_cache_bytes", 128 * mib}, {"read_gb_per_s", 4540}, {"launch_ns", 1}});
  CHECK(caches.last_level_bytes == std::uint64_t{128} << 20U);
  CHECK(caches.memory_gb_per_s == 4540);
  CHECK(caches_of({}).last_level_bytes == 0);
}

TEST_CASE("a run goes before a hot sample only where caches matter at the target precision", "[caches]") {
  const DeviceInfo device;
  const MeasuredCaches measured{std::uint64_t{64} << 20U, 400};
  const auto matter = [&](std::uint64_t bytes, double run_ns, double half_width) {
    return caches_matter(device, {CacheState::hot, measured, half_width / 2}, bytes, run_ns);
  };
  // 1 MB at a quarter of 400 GB/s takes 10 us: that is 1 % of 1 ms.
  CHECK_FALSE(matter(1'000'000, 1e6, 0.03));
  CHECK(matter(1'000'000, 1e6, 0.01));
  CHECK(matter(1'000'000, 0.5e6, 0.03));
  // What the caches cannot hold anyway is not read again.
  CHECK(matter(std::uint64_t{128} << 20U, 1e6, 0.03));
  CHECK_FALSE(matter((std::uint64_t{128} << 20U) + 1, 1e6, 0.03));
  // Not measured: memory may be as slow as 10 GB/s.
  CHECK(caches_matter(device, CacheState::hot, 1'000'000, 1e6));
  CHECK_FALSE(caches_matter(device, CacheState::hot, 1'000'000, 10e6));
}
