// h264: every axis over odd videos, on devices and on the host; known motion; codes of the standard; files;
// planted errors.
#include <algorithm>

#include "dwarfs/h264/cavlc.hpp"
#include "dwarfs/h264/h264.hpp"
#include "harness/formats/npy.hpp"
#include "harness/formats/y4m.hpp"
#include "tests/input_files.hpp"
#include "tests/points.hpp"
#include "tests/standard_tests.hpp"

EVERY_AXIS_TEST("h264", "[heavy][long]")
OTHER_STANDARD_TESTS("h264")

namespace {

const Dwarf& h264_of_tests() {
  return find_dwarf("h264");
}

ValueMap video_of(int rows, int cols, int frames, int search) {
  return {{"rows", rows}, {"cols", cols}, {"frames", frames}, {"search", search}};
}

const h264::Frames& frames_of(const Loaded& loaded) {
  return static_cast<const h264::VideoInput&>(*loaded.input).frames();
}

std::size_t stream_bytes(const ValueMap& problem) {
  const Loaded loaded = generated(h264_of_tests(), problem);
  return h264::encode(frames_of(loaded), h264::search_again(frames_of(loaded))).stream.size();
}

// The bits that a call writes, as text.
template <typename Write>
std::string bits_of(const Write& write) {
  h264::BitWriter stream;
  write(stream);
  stream.end();  // a one, and zeros to the next byte
  std::string bits;
  for (const char byte : stream.nal_unit(0, 0).substr(5))
    for (int i = 7; i >= 0; --i) bits += (byte >> i & 1) != 0 ? '1' : '0';
  return bits.substr(0, bits.rfind('1'));
}

}  // namespace

TEST_CASE("h264: each axis, several at a time", "[device][h264][variants]") {
  const ValueMap limits = {{"rows", 18}, {"cols", 34}, {"frames", 4}, {"search", 3}};
  const auto of = [](const char* variant, ValueMap settings) { return settings.with("variant", variant); };
  check_settings(h264_of_tests(),
                 {{{"work_group", 32}, {"granularity", 3}, {"unroll", 2}},
                  {{"work_group", 1}, {"granularity", 27}, {"unroll", 4}},
                  of("fused", {}),
                  of("fused", {{"work_group", 64}, {"granularity", 3}}),
                  of("vectors", {}),
                  of("vectors", {{"work_group", 32}, {"vector_width", 4}}),
                  of("vectors", {{"vector_width", 1}})},
                 small_on_oclgrind(h264_of_tests().info().checks.odd_problems, limits));
  check_settings(h264_of_tests(),
                 {{{"frames_per_launch", 2}},
                  of("fused", {{"granularity", 2}, {"frames_per_launch", 4}}),
                  of("vectors", {{"frames_per_launch", 2}})},
                 small_on_oclgrind({video_of(20, 34, 4, 5)}, limits));
}

TEST_CASE("h264: known motion is found", "[device][h264]") {
  const Loaded loaded = generated(h264_of_tests(), video_of(96, 128, 3, 9));
  const Dump dump = dumped(h264_of_tests(), loaded, h264_of_tests().space().default_config("vectors"));
  CHECK(dump.shapes.at("frames") == DumpSink::Shape{3, 96, 128});
  CHECK(dump.shapes.at("costs") == DumpSink::Shape{2, 48, 41});
  const NpyArray vectors = read_npy(dump.texts.at("vectors.npy"), "vectors.npy");
  CHECK(vectors.shape == std::vector<std::int64_t>{2, 48, 41, 2});
  const auto& values = std::get<std::vector<std::int16_t>>(vectors.values);
  for (std::size_t macroblock = 48; macroblock < 96; ++macroblock) {
    const std::size_t row = macroblock % 48 / 8;
    const std::size_t col = macroblock % 8;
    // What comes in at an edge, or where the halves meet, has not been there before.
    if (row == 0 || row == 5 || col == 0 || col == 3 || col == 4 || col == 7) continue;
    INFO(macroblock);
    const std::size_t whole = 2 * (41 * macroblock + 40);
    CHECK(values[whole] == (col < 4 ? 1 : -2));
    CHECK(values[whole + 1] == (col < 4 ? 2 : 3));
  }
}

TEST_CASE("h264: fewer bits at a coarser quantiser, and with a larger lambda", "[h264]") {
  const ValueMap video = video_of(48, 64, 4, 9);
  const std::size_t usual = stream_bytes(video);
  CHECK(stream_bytes(video.with("qp", 16)) > usual);
  CHECK(stream_bytes(video.with("qp", 40)) < usual);
  CHECK(stream_bytes(video.with("lambda", 0)) > usual);
}

TEST_CASE("h264: codes as the standard prints them", "[h264]") {
  using h264::BitWriter;
  const auto ue = [](std::uint32_t value) {
    return bits_of([&](BitWriter& s) { s.unsigned_golomb(value); });
  };
  const auto se = [](std::int32_t value) { return bits_of([&](BitWriter& s) { s.signed_golomb(value); }); };
  CHECK(ue(0) == "1");
  CHECK(ue(1) == "010");
  CHECK(ue(9) == "0001010");
  CHECK(se(1) == "010");
  CHECK(se(-1) == "011");
  CHECK(se(3) == "00110");
  for (const int pixels : {-16, -3, 0, 1, 15})
    CHECK(h264::bits_of(pixels) == static_cast<int>(se(4 * pixels).size()));
  const auto levels = [](std::vector<std::int32_t> values, int context) {
    return bits_of([&](BitWriter& s) { h264::write_coefficients(s, values, context); });
  };
  // I. E. G. Richardson, "The H.264 Advanced Video Compression Standard", 2nd ed., section 7.4: his examples.
  CHECK(levels({0, 3, 0, 1, -1, -1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0}, 0) == "000010001110010111101101");
  CHECK(levels({-2, 4, 3, -3, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 0) ==
        "000000011010001001000010111001100");
  CHECK(levels(std::vector<std::int32_t>(16, 0), 0) == "1");
  CHECK(levels(std::vector<std::int32_t>(16, 0), 9) == "000011");
}

TEST_CASE("h264: bytes that look like a start code are kept apart", "[h264]") {
  h264::BitWriter stream;
  for (const int byte : {0, 0, 1, 0, 0, 0, 0, 0, 3}) stream.bits(static_cast<std::uint32_t>(byte), 8);
  const std::string unit = stream.nal_unit(3, 5);
  CHECK(unit == std::string("\0\0\0\1\x65\0\0\3\1\0\0\3\0\0\3\0\3", 17));
}

TEST_CASE("h264: a wrong vector, cost or picture is seen", "[h264]") {
  const Loaded loaded = generated(h264_of_tests(), video_of(32, 48, 3, 5));
  const auto& input = static_cast<const h264::VideoInput&>(*loaded.input);
  h264::Motion motion = h264::search_again(input.frames());
  h264::Encoded encoded = h264::encode(input.frames(), motion);
  CHECK(input.check(motion, encoded).ok);
  ++motion.costs[300];
  CHECK(input.check(motion, encoded).message.find("partition 13 of macroblock 1 of frame 2 has the vector") ==
        0);
  --motion.costs[300];
  ++encoded.planes[0][5];
  CHECK(input.check(motion, encoded).message.find("picture 0 is off by") == 0);
  --encoded.planes[0][5];
  std::fill(encoded.planes[0].begin() + 2 * 32 * 48, encoded.planes[0].end(), std::uint8_t{0});
  CHECK(input.check(motion, encoded).message.find("picture 2 is off by") == 0);
}

TEST_CASE("h264: video from a file", "[h264]") {
  const ScratchDirectory folder;
  std::string bytes = "YUV4MPEG2 W4 H2 F25:1 Ip A1:1 C420jpeg XYSCSS=420JPEG\n";
  for (int f = 0; f < 2; ++f) bytes += "FRAME\n" + std::string("abcdefgh") + std::string("uUvV");
  const std::string file = folder.file("two.y4m", bytes);
  const Loaded loaded = h264_of_tests().load({{"search", 3}}, {file});
  const h264::Frames& frames = frames_of(loaded);
  CHECK(frames.count() == 2);
  CHECK(frames.pictures[1].planes[0][17] == 'f');
  CHECK(frames.pictures[1].planes[0][255] == 'h');
  CHECK(frames.pictures[1].planes[1][1] == 'U');
  CHECK(frames.pictures[1].planes[2][0] == 'v');
  const auto error = [&](const ValueMap& request, const std::string& from) {
    return usage_error([&] { (void)h264_of_tests().load(request, {from}); });
  };
  CHECK(error({{"rows", 4}}, file) == "h264: problem key 'rows' is '4', but " + file + " has 2");
  const std::string odd = folder.file("odd.y4m", "YUV4MPEG2 W3 H2\nFRAME\nabcdefuuvvFRAME\nabcdefuuvv");
  CHECK(error({}, odd) == "h264: problem key 'cols' is 3, but must be even");
}

TEST_CASE("h264: frames from PGM images", "[h264]") {
  const ScratchDirectory folder;
  const std::string first = folder.file("1.pgm", "P5 4 2 255\nabcdefgh").string();
  const std::string second = folder.file("2.pgm", "P2 4 2 255\n1 2 3 4 5 6 7 8\n").string();
  const Loaded loaded = h264_of_tests().load({{"search", 3}}, {first, second});
  CHECK(loaded.problem.integer("frames") == 2);
  CHECK(frames_of(loaded).pictures[0].planes[0][17] == 'f');
  CHECK(frames_of(loaded).pictures[1].planes[0][255] == 8);
  CHECK(frames_of(loaded).pictures[1].planes[2][0] == 128);
  const auto error = [&](const std::string& content) {
    const std::string file = folder.file("bad.pgm", content).string();
    return usage_error([&] { (void)h264_of_tests().load({}, {first, file}); });
  };
  CHECK(error("P5 2 2 255\nabcd").find("problem key 'cols' is '4', but") != std::string::npos);
  CHECK(error("P2 4 2 500\n1 2 3 4 5 6 7 8\n").find("white is 500 here") != std::string::npos);
  CHECK(error("P5 4 2 255\nabc").find("byte 11: expected 8 pixels") != std::string::npos);
}

TEST_CASE("formats: y4m that is none", "[formats]") {
  const auto refused = [](std::string_view bytes) { return refusal<Video>(read_y4m, bytes); };
  CHECK(refused("YUV4MPEG2 W2 H2\nFRAME Ip\nabcduv") == "");
  CHECK(refused("") == "F, byte 0: expected YUV4MPEG2, found ''");
  CHECK(refused("YUV4MPEG2 W2 H2").find("F, byte 0: expected the end of the YUV4MPEG2 line") == 0);
  CHECK(refused("YUV4MPEG2 W2\n") == "F, byte 0: expected the width W and the height H in the first line");
  CHECK(refused("YUV4MPEG2 W0 H2\n") == "F, byte 10: expected W and an integer from 1 to 65536, found 'W0'");
  CHECK(refused("YUV4MPEG2 W2 H9999999999999999999\n").find("F, byte 13: expected H and an integer") == 0);
  CHECK(refused("YUV4MPEG2 W2 H2 C444\n") == "F, byte 0: expected C420 with 8 bits per sample, found 'C444'");
  CHECK(refused("YUV4MPEG2 W2 H2 C420p10\n").find("found 'C420p10'") != std::string::npos);
  CHECK(refused("YUV4MPEG2 W2 H2\n") == "F, byte 16: expected a frame, but the file ends here");
  CHECK(refused("YUV4MPEG2 W2 H2\nFRAME\nabc") == "F, byte 22: expected 6 bytes of frame 0, found 3");
  CHECK(refused("YUV4MPEG2 W2 H2\nFRAME\nabcduvX") == "F, byte 28: expected FRAME, found 'X'");
  CHECK(
      refused("YUV4MPEG2 W65536 H65536\nFRAME\n").find("F, byte 30: expected 6442450944 bytes of frame 0") ==
      0);
  CHECK(refused(rubbish).find("F, byte 0: expected YUV4MPEG2") == 0);
}

TEST_CASE("h264: planted errors are caught", "[device][h264]") {
  const auto status = [](const std::string& from, const std::string& to, const ValueMap& settings) {
    return status_with(from, to, h264_of_tests(), video_of(32, 34, 3, 5), settings);
  };
  CHECK(status("s[38] = s[32] + s[34]", "s[38] = s[32] + s[34]", {{"variant", "vectors"}}) ==
        Status::ok);  // nothing changed
  CHECK(status("s[38] = s[32] + s[34]", "s[38] = s[32] + s[35]", {{"variant", "vectors"}}) ==
        Status::wrong_result);
  CHECK(status("two >> 8 * k", "two >> 8", {{"variant", "fused"}}) == Status::wrong_result);
}
