// sad: every axis over odd frames, on devices and on the host; a known frame; files; planted errors.
#include "dwarfs/sad/frames.hpp"
#include "harness/formats/npy.hpp"
#include "harness/formats/pgm.hpp"
#include "tests/input_files.hpp"
#include "tests/points.hpp"
#include "tests/standard_tests.hpp"

EVERY_AXIS_TEST("sad", "[heavy][long]")
OTHER_STANDARD_TESTS("sad")

namespace {

const Dwarf& sad_of_tests() {
  return find_dwarf("sad");
}

ValueMap frames_of(int rows, int cols, int search) {
  return {{"rows", rows}, {"cols", cols}, {"search", search}};
}

}  // namespace

TEST_CASE("sad: each axis, several at a time", "[device][sad][variants]") {
  const auto of = [](const char* variant, ValueMap settings) { return settings.with("variant", variant); };
  check_settings(sad_of_tests(),
                 {{{"work_group", 32}, {"unroll", 2}, {"unroll_columns", 4}, {"blocks", 4}},
                  {{"granularity", 4}, {"unroll_offsets", 4}, {"unroll", 4}, {"padding", 1}},
                  {{"work_group", 1}, {"granularity", 11}, {"unroll_offsets", 2}, {"unroll_columns", 2}},
                  of("words", {{"work_group", 32}, {"blocks", 8}}),
                  of("words", {{"granularity", 2}, {"work_group", 1}}),
                  of("vectors", {}),
                  of("vectors", {{"work_group", 32}, {"granularity", 2}, {"vector_width", 4}}),
                  of("vectors", {{"granularity", 1}, {"vector_width", 1}})},
                 sad_of_tests().info().checks.odd_problems);
}

TEST_CASE("sad: the kernel of H.264", "[device][sad][variants]") {
  const auto tiled = [](ValueMap settings) { return settings.with("register_tile", 3); };
  const auto image = [](ValueMap settings) { return settings.with("source", "image"); };
  const ValueMap local{{"results", "local"}, {"granularity", 27}};
  std::vector<ValueMap> settings{
      local.with("work_group", 41),
      tiled(local),
      tiled({{"granularity", 18}, {"work_group", 1}}),
      {{"results", "local"}, {"granularity", 4}, {"work_group", 32}, {"blocks", 4}}};
  if (test_session().device().capabilities.images)
    settings.insert(settings.end(), {image(local), tiled(image(local)), image({{"blocks", 2}})});
  check_settings(sad_of_tests(), settings, {frames_of(13, 18, 9)});
}

TEST_CASE("sad: a frame against itself, moved", "[device][sad]") {
  const ScratchDirectory folder;
  GreyImage image{8, 8, 255, {}};
  for (int i = 0; i < 64; ++i) image.pixels.push_back(static_cast<float>((i * 37) % 251));
  const std::string current = folder.path() / "current.pgm";
  const std::string reference = folder.path() / "reference.pgm";
  write_pgm(current, image);
  for (int row = 0; row < 8; ++row) {
    for (int col = 7; col > 0; --col) image.pixels[8 * row + col] = image.pixels[8 * row + col - 1];
  }
  write_pgm(reference, image);
  const Loaded loaded = sad_of_tests().load({{"search", 3}}, {current, reference});
  CHECK(loaded.problem.values.to_string() == "rows=8;cols=8;search=3");
  const Dump dump = dumped(sad_of_tests(), loaded, sad_of_tests().space().baseline());
  CHECK(dump.shapes.at("current") == DumpSink::Shape{8, 8});
  const NpyArray result = read_npy(dump.texts.at("sad.npy"), "sad.npy");
  CHECK(result.shape == std::vector<std::int64_t>{2, 2, 3, 3});
  // The left blocks find themselves one pixel to the right.
  const auto& sums = std::get<std::vector<std::uint16_t>>(result.values);
  CHECK(sums[5] == 0);
  CHECK(sums[18 + 5] == 0);
  CHECK(sums[4] > 0);
}

TEST_CASE("sad: frames that do not fit each other say so", "[sad]") {
  const ScratchDirectory folder;
  const std::string small = folder.file("small.pgm", "P2 2 1 255 1 2");
  const std::string large = folder.file("large.pgm", "P2 3 1 255 1 2 3");
  const std::string deep = folder.file("deep.pgm", "P2 2 1 1000 1 2");
  CHECK(usage_error([&] {
          (void)sad_of_tests().load({}, {small, large});
        }) == "sad: problem key 'cols' is '2', but " + large + " has 3");
  CHECK(usage_error([&] {
          (void)sad_of_tests().load({}, {deep, deep});
        }) == deep + ": sad needs pixels of one byte, and white is 1000 here");
  CHECK(usage_error([&] { (void)sad_of_tests().load({}, {small}); }).find("sad takes") == 0);
}

TEST_CASE("sad: one wrong sum is seen", "[sad]") {
  const Loaded loaded = generated(sad_of_tests(), frames_of(40, 50, 9));
  const auto& input = static_cast<const sad::SadInput&>(*loaded.input);
  const sad::Frames& f = input.frames();
  std::vector<std::uint16_t> sums(f.sums());
  for (std::size_t at = 0; at < sums.size(); ++at) {
    const auto block = static_cast<std::int64_t>(at / 81);
    for (std::int64_t i = 0; i < 16; ++i) {
      const auto inside = [](std::int64_t place, std::int64_t count) {
        return std::min(std::max<std::int64_t>(place, 0), count - 1);
      };
      const std::int64_t y = block / 13 * 4 + i / 4;
      const std::int64_t x = block % 13 * 4 + i % 4;
      const auto dy = static_cast<std::int64_t>(at / 9 % 9) - 4;
      const auto dx = static_cast<std::int64_t>(at % 9) - 4;
      const int a = f.current[static_cast<std::size_t>(inside(y, 40) * 50 + inside(x, 50))];
      const int b = f.reference[static_cast<std::size_t>(inside(y + dy, 40) * 50 + inside(x + dx, 50))];
      sums[at] = static_cast<std::uint16_t>(sums[at] + (a > b ? a - b : b - a));
    }
  }
  CHECK(input.check(sums).ok);
  ++sums[5000];
  CHECK(input.check(sums).message.find("sad[4][9][6][5] is ") == 0);
}

TEST_CASE("sad: planted errors are caught", "[device][sad]") {
  const auto status = [](const std::string& from, const std::string& to, const ValueMap& settings) {
    return status_with(from, to, sad_of_tests(), frames_of(13, 18, 5), settings);
  };
  CHECK(status("c < 4", "c < 4", {}) == Status::ok);  // nothing changed
  CHECK(status("c < 4", "c < 3", {}) == Status::wrong_result);
  CHECK(status("d.z + d.w", "d.z", {{"variant", "words"}, {"difference", "bytes"}}) == Status::wrong_result);
}
