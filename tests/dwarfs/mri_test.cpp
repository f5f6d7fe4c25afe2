// mri: every axis over odd numbers of voxels, on devices and on the host; known images; files; planted
// errors.
#include <cmath>

#include "dwarfs/mri/scan.hpp"
#include "harness/formats/npy.hpp"
#include "tests/input_files.hpp"
#include "tests/points.hpp"
#include "tests/standard_tests.hpp"

EVERY_AXIS_TEST("mri", "[heavy][long]")
OTHER_STANDARD_TESTS("mri")

namespace {

const Dwarf& mri_of_tests() {
  return find_dwarf("mri");
}

ValueMap scan_of(int voxels, int samples, const char* kind) {
  return {{"voxels", voxels}, {"samples", samples}, {"kind", kind}};
}

// Files of a quarter turn and of three quarters, with phi = 3 + 4 i and data = 1 + 2 i.
std::vector<std::string> quarter_turns(const ScratchDirectory& folder) {
  const std::vector<std::string> files = {folder.path() / "voxels.npy", folder.path() / "samples.npy",
                                          folder.path() / "phi.npy", folder.path() / "data.npy"};
  write_npy(files[0], std::vector<float>{0.25F, 0, 0, 0, 0.5F, 0.25F}, {2, 3});
  write_npy(files[1], std::vector<float>{1, 1, 1}, {1, 3});
  write_npy(files[2], std::vector<float>{3, 4}, {1, 2});
  write_npy(files[3], std::vector<float>{1, 2}, {1, 2});
  return files;
}

}  // namespace

TEST_CASE("mri: each axis, several at a time", "[device][mri][variants]") {
  const auto tiled = [](ValueMap settings) { return settings.with("variant", "tiled"); };
  check_settings(
      mri_of_tests(),
      {{{"work_group", 96}, {"unroll", 3}, {"samples_per_launch", 32}},
       {{"work_group", 1}, {"padding", 1}, {"layout", "aos"}, {"functions", "native"}},
       tiled({{"unroll", 2}}),
       tiled({{"work_group", 32}, {"granularity", 4}, {"vector_width", 4}, {"functions", "mixed"}}),
       tiled({{"work_group", 64}, {"vector_width", 1}, {"functions", "precise"}, {"memory", "global"}}),
       tiled({{"vector_width", 2}, {"padding", 1}, {"layout", "soa"}, {"functions", "native"}})},
      mri_of_tests().info().checks.odd_problems);
}

TEST_CASE("mri: quarters of a turn by hand", "[device][mri]") {
  const ScratchDirectory folder;
  const auto result = [&](const char* kind, const char* variant) {
    auto files = quarter_turns(folder);
    if (std::string(kind) == "q") files.pop_back();
    const Loaded loaded = mri_of_tests().load({{"kind", kind}}, files);
    const Config base = mri_of_tests().space().baseline();
    const Dump dump =
        dumped(mri_of_tests(), loaded, mri_of_tests().space().set(base, {{"variant", variant}}));
    CHECK(dump.shapes.at("phi") == DumpSink::Shape{1, 2});
    CHECK(dump.shapes.at(kind) == DumpSink::Shape{2, 2});
    return dump.floats.at(kind);
  };
  const auto check = [](const std::vector<float>& found, const std::vector<float>& wanted) {
    for (std::size_t i = 0; i < 4; ++i) CHECK(found[i] == Approx(wanted[i]).margin(1e-4));
  };
  check(result("q", "direct"), {0, 25, 0, -25});
  check(result("q", "tiled"), {0, 25, 0, -25});
  // conj(phi) d = (3 - 4i) (1 + 2i) = 11 + 2i; a quarter turn is a factor of i, three quarters of -i.
  check(result("fhd", "direct"), {-2, 11, 2, -11});
  check(result("fhd", "tiled"), {-2, 11, 2, -11});
}

TEST_CASE("mri: samples of several launches", "[device][mri][heavy]") {
  for (const char* kind : {"q", "fhd"}) {
    for (const ValueMap& settings : {ValueMap{{"samples_per_launch", 32}},
                                     ValueMap{{"variant", "tiled"}, {"samples_per_launch", 128}}}) {
      const Outcome outcome = run_point(mri_of_tests(), scan_of(37, 300, kind), settings);
      INFO(outcome.reason);
      CHECK(outcome.status == Status::ok);
    }
  }
}

TEST_CASE("mri: files that do not fit each other say so", "[mri]") {
  const ScratchDirectory folder;
  auto files = quarter_turns(folder);
  CHECK(usage_error([&] { (void)mri_of_tests().load({}, files); }).find("three .npy") != std::string::npos);
  write_npy(files[3], std::vector<float>{1, 2, 3, 4}, {2, 2});
  CHECK(usage_error([&] {
          (void)mri_of_tests().load({{"kind", "fhd"}}, files);
        }) == "mri: problem key 'samples' is '1', but " + files[3] + " has 2");
  files.pop_back();
  const auto said = [&] { return usage_error([&] { (void)mri_of_tests().load({}, files); }); };
  write_npy(files[2], std::vector<float>{3, 4, 5, 6}, {2, 2});
  CHECK(said() == "mri: problem key 'samples' is '1', but " + files[2] + " has 2");
  write_npy(files[2], std::vector<float>{3, 4, 5}, {1, 3});
  CHECK(said() == files[2] + ": mri needs samples, an array of floats, samples x 2");
  write_npy(files[2], std::vector<float>{3, 4}, {1, 2});
  write_npy(files[1], std::vector<float>{1e6F, 1, 1}, {1, 3});
  CHECK(said().find("give phases of more than 100000 turns") != std::string::npos);
  write_npy(files[1], std::vector<float>{1e13F, 1, 1}, {1, 3});
  CHECK(said() == files[1] + ", row 0: numbers are up to 1e12");
}

TEST_CASE("mri: the bound is kept, and one lost sample is seen", "[mri]") {
  for (const char* kind : {"q", "fhd"}) {
    const Loaded loaded = generated(mri_of_tests(), scan_of(500, 3000, kind));
    const auto& input = static_cast<const mri::MriInput&>(*loaded.input);
    const mri::Scan& scan = input.scan();
    std::vector<float> right(1000);
    std::vector<float> without_last(1000);
    for (std::size_t v = 0; v < 500; ++v) {
      double re = 0;
      double im = 0;
      for (std::size_t i = 0; i < 3000; ++i) {
        without_last[2 * v] = static_cast<float>(re);
        without_last[2 * v + 1] = static_cast<float>(im);
        double turns = 0;
        for (std::size_t axis = 0; axis < 3; ++axis)
          turns += static_cast<double>(scan.samples[3 * i + axis]) * scan.voxels[3 * v + axis];
        const double cosine = std::cos(6.283185307179586 * turns);
        const double sine = std::sin(6.283185307179586 * turns);
        const double real = scan.phi[2 * i];
        const double imaginary = scan.phi[2 * i + 1];
        const std::vector<float>& with = scan.fhd ? scan.data : scan.phi;
        const double weight_r = real * with[2 * i] + imaginary * with[2 * i + 1];
        const double weight_i = real * with[2 * i + 1] - imaginary * with[2 * i];
        re += weight_r * cosine - weight_i * sine;
        im += weight_i * cosine + weight_r * sine;
      }
      right[2 * v] = static_cast<float>(re);
      right[2 * v + 1] = static_cast<float>(im);
    }
    constexpr double precise = 8 * 0x1p-24;
    CHECK(input.check(right, precise).ok);
    CHECK_FALSE(input.check(without_last, precise).ok);
    right[777] = std::nanf("");
    CHECK_FALSE(input.check(right, precise).ok);
  }
}

TEST_CASE("mri: planted errors are caught", "[device][mri]") {
  const auto status = [](const std::string& from, const std::string& to, const ValueMap& settings) {
    return status_with(from, to, mri_of_tests(), scan_of(131, 37, "fhd"), settings);
  };
  CHECK(status("i < count", "i < count", {}) == Status::ok);  // nothing changed
  CHECK(status("i < count", "i < count - 1", {}) == Status::wrong_result);
  CHECK(status("<< 31", "<< 30", {{"variant", "tiled"}, {"functions", "polynomial"}}) ==
        Status::wrong_result);
}
