// The readers and writers of harness/formats but graphs and .npy: what good files mean, and which
// messages hostile files get.
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "harness/formats/fasta.hpp"
#include "harness/formats/file_bytes.hpp"
#include "harness/formats/graph.hpp"
#include "harness/formats/matrix.hpp"
#include "harness/formats/pgm.hpp"
#include "harness/formats/points.hpp"
#include "harness/space/error.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/raw_bytes.hpp"

using namespace dwarfsweep;
using namespace dwarfsweep::test;
using namespace std::literals;

namespace {

const auto pgm_refusal = [](std::string_view bytes) { return refusal<GreyImage>(read_pgm, bytes); };
const auto points_refusal = [](std::string_view bytes) { return refusal<Points>(read_points, bytes); };
const auto matrix_refusal = [](std::string_view bytes) { return refusal<Matrix>(read_matrix, bytes); };
const auto fasta_refusal = [](std::string_view bytes) {
  return refusal<std::vector<FastaRecord>>(read_fasta, bytes);
};

std::string grid_refusal(std::string_view bytes, std::optional<GridShape> shape = {}) {
  try {
    read_grid(bytes, "F", shape);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

using Floats = std::vector<float>;

}  // namespace

TEST_CASE("bytes: a file comes whole, whatever it holds", "[formats]") {
  const ScratchDirectory scratch;
  CHECK(read_bytes(scratch.file("empty", "")).empty());
  CHECK(read_bytes(scratch.file("some", "\x00\xff\n"sv)) == std::vector<std::uint8_t>{0x00, 0xff, 0x0a});
}

TEST_CASE("bytes: a pipe is read completely, although nothing states its size", "[formats]") {
  const ScratchDirectory scratch;
  const auto pipe = scratch.path() / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const std::string content(200'001, 'x');
  std::thread writer([&] { write_bytes(pipe, "", content); });
  const auto bytes = read_bytes(pipe);
  writer.join();
  CHECK(bytes.size() == content.size());
}

TEST_CASE("bytes: what cannot be read says why", "[formats]") {
  const ScratchDirectory scratch;
  const std::string directory = scratch.path().string();
  CHECK_THROWS_WITH(read_bytes(directory), directory + ": is a directory, expected a file");
  CHECK_THROWS_WITH(read_bytes(directory + "/none"),
                    directory + "/none: cannot be read: No such file or directory");
  CHECK_THROWS_AS(read_graph(std::filesystem::path(directory)), InputError);
  CHECK_THROWS_AS(write_bytes(scratch.path() / "none" / "file", "a", "b"), UsageError);
}

TEST_CASE("bytes: what need not end, or is too large, is refused", "[formats]") {
  const ScratchDirectory scratch;
  CHECK_THROWS_WITH(read_bytes("/dev/zero"), "/dev/zero: is a device, expected a file");
  const std::string file = scratch.file("ten", "0123456789");
  CHECK(read_text(file, 10) == "0123456789");
  CHECK_THROWS_WITH(read_text(file, 9), file + ": is larger than 9 bytes, the most that is read here");
  const auto pipe = scratch.path() / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  std::thread writer([&] { write_bytes(pipe, "", "0123456789"); });
  CHECK_THROWS_WITH(read_text(pipe, 9),
                    pipe.string() + ": is larger than 9 bytes, the most that is read here");
  writer.join();
  CHECK(read_text("/proc/self/stat").size() > 10);  // whose size is said to be 0
}

TEST_CASE("fasta: names, and letters as given", "[formats]") {
  const auto records = read_fasta(">first a description > here\nACgt\n NN*\n\n> second\r\nK\r\n", "F");
  REQUIRE(records.size() == 2);
  CHECK(records[0].name == "first");
  CHECK(records[0].letters == "ACgtNN*");
  CHECK(records[1].name == "second");
  CHECK(records[1].letters == "K");
}

TEST_CASE("fasta: a pair from one file or two", "[formats]") {
  const ScratchDirectory scratch;
  const auto two = scratch.file("two", ">a\nAC\n>b\nGT\n");
  const auto one = scratch.file("one", ">c\nT\n");
  CHECK(read_sequence_pair({two})[1].letters == "GT");
  CHECK(read_sequence_pair({one, one})[1].name == "c");
  const std::string advice = "; an alignment takes one file with two records, or two files with one each";
  CHECK_THROWS_WITH(read_sequence_pair({one}), one.string() + ": expected 2 FASTA records, found 1" + advice);
  CHECK_THROWS_WITH(read_sequence_pair({one, two}),
                    two.string() + ": expected 1 FASTA record, found 2" + advice);
  CHECK_THROWS_AS(read_sequence_pair({}), UsageError);
}

TEST_CASE("fasta: hostile files", "[formats]") {
  const std::string start = "expected '>' and the name of a FASTA record";
  CHECK(fasta_refusal("") == "F, line 1: " + start + ", but the file ends here");
  CHECK(fasta_refusal("\nACGT\n") == "F, line 2: " + start + ", found 'ACGT'");
  CHECK(fasta_refusal(">a\n>b\nA\n") == "F, line 2: expected the letters of record 'a', found '>b'");
  CHECK(fasta_refusal(">a\nA\n>b\n") ==
        "F, line 4: expected the letters of record 'b', but the file ends here");
  const std::string letters = "expected the letters of a sequence (A to Z, a to z or '*'), found ";
  CHECK(fasta_refusal(">a\nAC-GT\n") == "F, line 2: " + letters + "'-'");
  CHECK(fasta_refusal(">a\nAC >b\n") == "F, line 2: " + letters + "'>'");
  CHECK(fasta_refusal(">a\n" + rubbish) == "F, line 2: " + letters + "'\\x00'");
}

TEST_CASE("pgm: text and binary, one and two bytes, comments", "[formats]") {
  const GreyImage text =
      read_pgm("P2 # magic\n#c\n3#width\n# c\n2\n#c\n15 # white\n0 1 2 # half\n13 14 15", "F");
  CHECK(text.rows == 2);
  CHECK(text.cols == 3);
  CHECK(text.maxval == 15);
  CHECK(text.pixels == Floats{0, 1, 2, 13, 14, 15});
  CHECK(read_pgm("P2 1 1 # old Macintosh\r7 5", "F").pixels == Floats{5});
  // Raster bytes that look like white space and comments are pixels.
  CHECK(read_pgm("P5\n3 1\n255\n#\n\xff", "F").pixels == Floats{35, 10, 255});
  CHECK(read_pgm("P5 2 1 255#c\n \x01", "F").pixels == Floats{32, 1});
  CHECK(read_pgm("P5 2 1 65535\n\x01\x02\xff\xff", "F").pixels == Floats{258, 65535});
}

TEST_CASE("pgm: what is written is read back, rounded and clamped", "[formats]") {
  const ScratchDirectory scratch;
  const auto file = scratch.path() / "image";
  for (const std::int32_t maxval : {1, 255, 256, 65535}) {
    const float white = static_cast<float>(maxval);
    write_pgm(file, {2, 3, maxval, {0, 0.6f, white, -5, white + 9, 0.4f}});
    const GreyImage image = read_pgm(file);
    CHECK(image.rows == 2);
    CHECK(image.cols == 3);
    CHECK(image.maxval == maxval);
    CHECK(image.pixels == Floats{0, 1, white, 0, white, 0});
  }
  CHECK_THROWS_AS(write_pgm(file, {1, 1, 255, {std::numeric_limits<float>::quiet_NaN()}}),
                  std::invalid_argument);
  CHECK_THROWS_AS(write_pgm(file, {1, 2, 255, {0}}), std::invalid_argument);
}

TEST_CASE("pgm: hostile files", "[formats]") {
  CHECK(pgm_refusal("P6 1 1 255\nabc") == "F, line 1: expected 'P2' or 'P5', found 'P6'");
  CHECK(pgm_refusal("") == "F, line 1: expected 'P2' or 'P5', but the file ends here");
  CHECK(pgm_refusal(rubbish) == "F, line 1: expected 'P2' or 'P5', found '\\x00\\xff\\x13\\x80'");
  CHECK(pgm_refusal("P2\n0 1\n255\n") ==
        "F, line 2: expected the width, an integer from 1 to 2147483647, found '0'");
  CHECK(pgm_refusal("P2\n1 1\n70000\n0") ==
        "F, line 3: expected the maximum grey value, an integer from 1 to 65535, found '70000'");
  CHECK(pgm_refusal("P2\n100000 100000\n255\n1 2\n") ==
        "F, line 3: 10000000000 pixels announced, but only 5 bytes follow");
  CHECK(pgm_refusal("P2 2 1 9\n1\n10\n") ==
        "F, line 3: expected a pixel, an integer from 0 to 9, found '10'");
  CHECK(pgm_refusal("P2 2 1 9\n1 -1\n") == "F, line 2: expected a pixel, an integer from 0 to 9, found '-1'");
  CHECK(pgm_refusal("P2 2 1 9\n1  \n") ==
        "F, line 3: expected a pixel, an integer from 0 to 9, but the file ends here");
  CHECK(pgm_refusal("P2 1 1 9\n1 2\n") ==
        "F, line 2: expected the end of the file after the last pixel, found '2'");
  CHECK(pgm_refusal("P5 2 2 255\nabc") == "F, byte 11: expected 4 pixels of 1 byte, found 3 bytes");
  CHECK(pgm_refusal("P5 2 2 255\nabcde") == "F, byte 11: expected 4 pixels of 1 byte, found 5 bytes");
  CHECK(pgm_refusal("P5 2147483647 2147483647 65535\nabcde") ==
        "F, byte 31: expected 4611686014132420609 pixels of 2 bytes, found 5 bytes");
  CHECK(pgm_refusal("P5 1 1 255") == "F, byte 10: expected 1 pixels of 1 byte, found 0 bytes");
  CHECK(pgm_refusal("P5 2 1 9\n\x09\x0a") == "F, byte 10: expected a pixel from 0 to 9, found 10");
}

TEST_CASE("points: text splits on space, comma and tab, and drops the identifier", "[formats]") {
  const Points points = read_points("id-1 1.5,2\t-3e2\n\n2, 4 , 5\t+6\r\n", "F");
  CHECK(points.points == 2);
  CHECK(points.features == 3);
  CHECK(points.values == Floats{1.5f, 2, -300, 4, 5, 6});
}

TEST_CASE("points: binary", "[formats]") {
  const Points points = read_points(raw(2, 3, 1.0f, 2.0f, 3.0f, 4.0f, 5.0f, -6.5f), "F");
  CHECK(points.points == 2);
  CHECK(points.features == 3);
  CHECK(points.values == Floats{1, 2, 3, 4, 5, -6.5f});
}

TEST_CASE("points: hostile files", "[formats]") {
  const std::string number = "expected a feature, a finite number within the range of a float, found ";
  CHECK(points_refusal("") ==
        "F, line 1: expected a point: an identifier and its features, but the file ends here");
  CHECK(points_refusal("1 2 3\n2 4\n") == "F, line 2: expected 2 features, as in the first line, found 1");
  CHECK(points_refusal("1 2 3\n2 4 5 6") == "F, line 2: expected 2 features, as in the first line, found 3");
  CHECK(points_refusal("1\n2\n") ==
        "F, line 1: expected an identifier and at least one feature, but the line ends here");
  CHECK(points_refusal("1 2 3\n2 4 nan\n") == "F, line 2: " + number + "'nan'");
  CHECK(points_refusal("1 2 3\n2 -inf 4\n") == "F, line 2: " + number + "'-inf'");
  CHECK(points_refusal("1 2 1e39\n") == "F, line 1: " + number + "'1e39'");
  CHECK(points_refusal("1 2 3;4\n") == "F, line 1: " + number + "'3;4'");
  CHECK(points_refusal(raw(2, 3, 1.0f)) ==
        "F, byte 8: expected 24 bytes for 2 points of 3 features, found 4");
  CHECK(points_refusal(raw(2, 1, 1.0f, 2.0f) + "x") ==
        "F, byte 8: expected 8 bytes for 2 points of 1 features, found 9");
  CHECK(points_refusal(raw(2147483647, 8388608)) ==
        "F, byte 8: expected 72057594004373504 bytes for 2147483647 points of 8388608 features, found 0");
  CHECK(points_refusal(raw(-2, 3, 1.0f)) == "F, byte 0: expected at least 1 point, found -2");
  CHECK(points_refusal(raw(2, -3, 1.0f)) == "F, byte 4: expected 1 to 16777215 features, found -3");
  CHECK(points_refusal(raw(1, 0)) == "F, byte 4: expected 1 to 16777215 features, found 0");
  CHECK(points_refusal("\x02\x00"s) ==
        "F, byte 2: expected two int32, points and features, but the file ends here");
  CHECK(points_refusal(raw(1, 2, 1.0f, std::numeric_limits<float>::quiet_NaN())) ==
        "F, byte 12: expected a finite number, found nan");
  CHECK(!points_refusal(rubbish).empty());
}

TEST_CASE("matrix: .dat is row-major", "[formats]") {
  const Matrix matrix = read_matrix("2\n1 2\n3e-1 -4\n", "F");
  CHECK(matrix.rows == 2);
  CHECK(matrix.cols == 2);
  CHECK(matrix.values == Floats{1, 2, 0.3f, -4});
  // Below the smallest float is zero, not an error.
  CHECK(read_matrix("1 1e-60", "F").values == Floats{0});
}

TEST_CASE("matrix: Matrix Market arrays are column-major, rectangular or symmetric", "[formats]") {
  const Matrix general =
      read_matrix("%%MatrixMarket matrix array real general\n% c\n2 3\n1\n4\n2\n5\n3\n6\n", "F");
  CHECK(general.rows == 2);
  CHECK(general.cols == 3);
  CHECK(general.values == Floats{1, 2, 3, 4, 5, 6});
  const Matrix symmetric =
      read_matrix("%%MatrixMarket matrix array integer symmetric\n3 3\n1 2 3 4 5 6\n", "F");
  CHECK(symmetric.values == Floats{1, 2, 3, 2, 4, 5, 3, 5, 6});
}

TEST_CASE("matrix: a skew-symmetric Matrix Market array lists what is below the diagonal", "[formats]") {
  const std::string banner = "%%MatrixMarket matrix array real skew-symmetric\n";
  CHECK(read_matrix(banner + "3 3\n1 2 3\n", "F").values == Floats{0, -1, -2, 1, 0, -3, 2, 3, 0});
  CHECK(read_matrix(banner + "1 1\n", "F").values == Floats{0});
}

TEST_CASE("matrix: Matrix Market coordinates, in whatever order, with zeros between", "[formats]") {
  const std::string coordinate = "%%MatrixMarket matrix coordinate ";
  const Matrix general = read_matrix(coordinate + "real general\n% c\n2 3 3\n2 3 6\n1 1 -1.5\n2 1 4\n", "F");
  CHECK(general.rows == 2);
  CHECK(general.cols == 3);
  CHECK(general.values == Floats{-1.5f, 0, 0, 4, 0, 6});
  CHECK(read_matrix(coordinate + "integer symmetric\n2 2 2\n1 1 1\n2 1 5\n", "F").values ==
        Floats{1, 5, 5, 0});
  CHECK(read_matrix(coordinate + "real skew-symmetric\n2 2 1\n2 1 5\n", "F").values == Floats{0, -5, 5, 0});
  CHECK(read_matrix(coordinate + "pattern general\n2 2 2\n1 2\n2 1\n", "F").values == Floats{0, 1, 1, 0});
  CHECK(read_matrix(coordinate + "real general\n1 1 2\n1 1 2\n1 1 3\n", "F").values == Floats{5});
  CHECK(read_matrix(coordinate + "real general\n1 2 0\n", "F").values == Floats{0, 0});
}

TEST_CASE("matrix: hostile files", "[formats]") {
  const std::string number = "expected a matrix element, a finite number within the range of a float";
  const std::string array = "%%MatrixMarket matrix array real ";
  CHECK(matrix_refusal("3\n1 2 3\n") == "F, line 1: 9 matrix elements announced, but only 7 bytes follow");
  CHECK(matrix_refusal("2147483647\n1 2 3\n") ==
        "F, line 1: 4611686014132420609 matrix elements announced, but only 7 bytes follow");
  CHECK(matrix_refusal("-1\n1\n") ==
        "F, line 1: expected the matrix size n, an integer from 1 to 2147483647, found '-1'");
  CHECK(matrix_refusal("2\n1 2\n3 NaN\n") == "F, line 3: " + number + ", found 'NaN'");
  CHECK(matrix_refusal("2\n1 2\n3    \n") == "F, line 4: " + number + ", but the file ends here");
  CHECK(matrix_refusal("2\n1 2\n3 4 5\n") ==
        "F, line 3: expected the end of the file after the last matrix element, found '5'");
  CHECK(matrix_refusal("1\n0x10\n") == "F, line 2: " + number + ", found '0x10'");
  CHECK(matrix_refusal("1\n+-1\n") == "F, line 2: " + number + ", found '+-1'");
  CHECK(matrix_refusal("1\n--1\n") == "F, line 2: " + number + ", found '--1'");
  CHECK(matrix_refusal(array + "general\n2 2\n1 2 3\n") ==
        "F, line 2: 4 matrix elements announced, but only 7 bytes follow");
  CHECK(matrix_refusal(array + "symmetric\n2 3\n1 2 3\n") ==
        "F, line 2: expected 2 columns, as a symmetric matrix is square, found '3'");
  CHECK(matrix_refusal("%%MatrixMarket matrix array pattern general\n1 1\n1\n") ==
        "F, line 1: an array has values and is no pattern");
  CHECK(matrix_refusal(array + "hermitian\n1 1\n1\n") ==
        "F, line 1: expected 'general' or 'symmetric' or 'skew-symmetric' in the Matrix Market banner, found "
        "'hermitian'");
  const std::string coordinate = "%%MatrixMarket matrix coordinate real general\n";
  CHECK(matrix_refusal(coordinate + "2 2 3\n1 1 1\n") ==
        "F, line 2: 3 entries announced, but only 7 bytes follow");
  CHECK(matrix_refusal(coordinate + "2 3 1\n3 1 1\n") ==
        "F, line 3: expected an entry's row, an integer from 1 to 2, found '3'");
  CHECK(matrix_refusal(coordinate + "2 3 1\n1 0 1\n") ==
        "F, line 3: expected an entry's column, an integer from 1 to 3, found '0'");
  CHECK(matrix_refusal(coordinate + "2 2 1\n1 1 nan\n") == "F, line 3: " + number + ", found 'nan'");
  CHECK(matrix_refusal(coordinate + "2 2 1\n1 1 1\n2 2 1\n") ==
        "F, line 4: expected the end of the file after the last matrix element, found '2'");
  CHECK(matrix_refusal(coordinate + "1000000 1000000 1\n1 1 1\n") ==
        "F, line 2: 1000000000000 matrix elements are more than the 16777216 allowed in a file of 70 bytes");
  CHECK(!matrix_refusal(rubbish).empty());
}

TEST_CASE("matrix: compressed rows of Matrix Market coordinates", "[formats]") {
  const std::string coordinate = "%%MatrixMarket matrix coordinate ";
  const SparseMatrix general = read_sparse_matrix(
      coordinate + "real general\n% c\n3 4 5\n3 3 6\n1 4 -1.5\n1 1 2\n3 3 1\n3 1 4\n", "F");
  CHECK(general.rows == 3);
  CHECK(general.cols == 4);
  CHECK(general.offsets == std::vector<std::int64_t>{0, 2, 2, 4});
  CHECK(general.columns == std::vector<std::int32_t>{0, 3, 0, 2});
  CHECK(general.values == Floats{2, -1.5f, 4, 7});
  const SparseMatrix mirrored =
      read_sparse_matrix(coordinate + "integer symmetric\n2 2 2\n1 1 1\n2 1 5\n", "F");
  CHECK(mirrored.columns == std::vector<std::int32_t>{0, 1, 0});
  CHECK(mirrored.values == Floats{1, 5, 5});
  CHECK(read_sparse_matrix(coordinate + "real skew-symmetric\n2 2 1\n2 1 5\n", "F").values == Floats{-5, 5});
  CHECK(read_sparse_matrix(coordinate + "pattern general\n1 1 1\n1 1\n", "F").values == Floats{1});
  const auto said = [](std::string_view bytes) {
    return refusal<SparseMatrix>(static_cast<Reader<SparseMatrix>>(&read_sparse_matrix), bytes);
  };
  CHECK(said("%%MatrixMarket matrix array real general\n1 1\n1\n") ==
        "F, line 1: expected 'coordinate' in the Matrix Market banner, found 'array'");
  CHECK(said(coordinate + "real general\n2 2 1\n1 3 1\n") ==
        "F, line 3: expected an entry's column, an integer from 1 to 2, found '3'");
  CHECK(said(coordinate + "real general\n2 2 3\n1 1 1\n") ==
        "F, line 2: 3 entries announced, but only 7 bytes follow");
  CHECK(said(coordinate + "real symmetric\n2 3 1\n1 1 1\n") ==
        "F, line 2: expected 2 columns, as a symmetric matrix is square, found '3'");
  CHECK(said(coordinate + "real general\n2000000 1 0\n") ==
        "F, line 2: 2000000 rows are more than the 1048576 allowed in a file of 58 bytes");
  CHECK(!said(rubbish).empty());
}

TEST_CASE("grid: the caller's shape, or a square", "[formats]") {
  const std::string six = "80\n81.5\n82\n83\n84\n85\n";
  const Matrix grid = read_grid(six, "F", GridShape{2, 3});
  CHECK(grid.rows == 2);
  CHECK(grid.cols == 3);
  CHECK(grid.values == Floats{80, 81.5f, 82, 83, 84, 85});
  CHECK(read_grid("1\n2\n3\n4", "F").cols == 2);
}

TEST_CASE("grid: hostile files", "[formats]") {
  CHECK(grid_refusal("") == "F, line 1: expected a grid value, but the file ends here");
  CHECK(grid_refusal("1\n2\n3\n") == "F: holds 3 values, which is no square number; give rows and cols");
  CHECK(grid_refusal("1\n2\n3\n", GridShape{2, 2}) ==
        "F: expected 2 rows x 2 cols of values, found 3 values");
  CHECK(grid_refusal("1\n2\n", GridShape{1LL << 62, 4}) ==
        "F: expected 4611686018427387904 rows x 4 cols of values, found 2 values");
  CHECK(grid_refusal("1\n2\n", GridShape{0, 2}) == "F: expected 0 rows x 2 cols of values, found 2 values");
  const std::string number = "expected a grid value, a finite number within the range of a float, found ";
  CHECK(grid_refusal("1\ninf\n") == "F, line 2: " + number + "'inf'");
  CHECK(grid_refusal("1\n" + std::string(100, 'x')) ==
        "F, line 2: " + number + "'" + std::string(32, 'x') + "...'");
  CHECK(!grid_refusal(rubbish).empty());
}
