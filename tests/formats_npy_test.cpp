// The reader and the writer of .npy: what good files mean, and which messages hostile files get.
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/formats/file_bytes.hpp"
#include "harness/formats/npy.hpp"
#include "harness/space/error.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/raw_bytes.hpp"

using namespace dwarfsweep;
using namespace dwarfsweep::test;
using namespace std::literals;

namespace {

const auto npy_refusal = [](std::string_view bytes) { return refusal<NpyArray>(read_npy, bytes); };

using Offsets = std::vector<std::int64_t>;
using Floats = std::vector<float>;

}  // namespace

TEMPLATE_TEST_CASE("npy: every type and shape is read back", "[formats]", std::uint8_t, std::uint16_t,
                   std::int32_t, std::uint32_t, std::int64_t, float) {
  using Capabilities = std::numeric_limits<TestType>;
  const std::vector<TestType> values = {0, 1, Capabilities::lowest(), Capabilities::max(), 4, 5};
  const ScratchDirectory scratch;
  const auto file = scratch.path() / "array.npy";
  for (const std::vector<std::int64_t>& shape : {Offsets{6}, Offsets{2, 3}, Offsets{1, 6, 1}}) {
    write_npy(file, values, shape);
    const NpyArray array = read_npy(file);
    CHECK(array.shape == shape);
    CHECK(std::get<std::vector<TestType>>(array.values) == values);
  }
  write_npy(file, std::vector<TestType>{7}, {});
  CHECK(read_npy(file).shape.empty());
  write_npy(file, std::vector<TestType>{}, {3, 0});
  CHECK(std::get<std::vector<TestType>>(read_npy(file).values).empty());
  CHECK_THROWS_AS(write_npy(file, values, {7}), std::invalid_argument);
  CHECK_THROWS_AS(write_npy(file, values, {-2, -3}), std::invalid_argument);
}

TEST_CASE("npy: the bytes are those that NumPy writes", "[formats]") {
  const ScratchDirectory scratch;
  const auto file = scratch.path() / "array.npy";
  write_npy(file, Floats{1, 2}, {2});
  // From numpy.save of numpy.array([1, 2], '<f4'), NumPy 1.24.
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
  const std::string expected = "\x93NUMPY\x01\x00\x76\x00"s + header +
                               std::string(118 - header.size() - 1, ' ') + "\n" + raw(1.0f, 2.0f);
  CHECK(read_text(file) == expected);
}

TEST_CASE("npy: hostile files", "[formats]") {
  const auto file = [](const std::string& header, const std::string& data = "") {
    return "\x93NUMPY\x01\x00"s + raw(static_cast<std::uint16_t>(header.size())) + header + data;
  };
  const std::string magic = "F, byte 0: expected the magic number of .npy, version 1.0 to 3.0";
  CHECK(npy_refusal("") == magic);
  CHECK(npy_refusal(rubbish) == magic);
  CHECK(npy_refusal("\x93NUMPY\x01\x00"s) == magic);
  CHECK(npy_refusal("\x93NUMPY\x02\x00\x00\x00"s) == magic);
  CHECK(npy_refusal("\x93NUMPY\x04\x00\x00\x00\x00\x00"s) == magic);
  CHECK(npy_refusal("\x93NUMPY\x02\x00\xff\xff\xff\xff{}"s) ==
        "F, byte 14: expected a header of 4294967295 bytes, but the file ends here");
  CHECK(npy_refusal("\x93NUMPY\x01\x00\x50\x00{'descr'"s) ==
        "F, byte 18: expected a header of 80 bytes, but the file ends here");
  CHECK(npy_refusal(file("{}")) == "F, byte 10: expected 'descr': ' in the header");
  CHECK(npy_refusal(file("{'descr': '<f2', 'fortran_order': False, 'shape': (1,), }", "ab")) ==
        "F, byte 10: expected type |u1 or <u2 or <i4 or <u4 or <i8 or <f4 or <f8 or <u8 or <i2, found '<f2'");
  CHECK(npy_refusal(file("{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,), }", raw(1.0f))) ==
        "F, byte 10: expected 'fortran_order': True or False");
  CHECK(npy_refusal(file("{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1), }")) ==
        "F, shape, line 1: expected at most 8 dimensions, found '1'");
  CHECK(npy_refusal(file("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }")) ==
        "F, shape, line 1: expected a length, an integer from 0 to 9223372036854775807, found '-1'");
  const std::string huge = "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }";
  CHECK(npy_refusal(file(huge)) ==
        "F, byte 87: expected (4294967296, 4294967296) values of 4 bytes, found 0 bytes");
  CHECK(npy_refusal(file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", raw(1.0f))) ==
        "F, byte 67: expected (2) values of 4 bytes, found 4 bytes");
}

TEST_CASE("npy: floats and complex numbers of either precision and order, as NumPy writes them",
          "[formats]") {
  const auto file = [](const std::string& type, const std::string& order, const std::string& shape,
                       const std::string& data) {
    const std::string header =
        "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': (" + shape + "), }\n";
    return "\x93NUMPY\x02\x00"s + raw(static_cast<std::uint32_t>(header.size())) + header + data;
  };
  const std::string floats = raw(1.0f, 2.0f, 3.0f, 4.0f) + raw(5.0f, 6.0f);
  const auto values = [](const std::string& bytes, NpyNumbers numbers = NpyNumbers::real) {
    return read_npy_floats(bytes, "F", numbers).values;
  };
  CHECK(values(file("<f4", "False", "2, 3", floats)) == Floats{1, 2, 3, 4, 5, 6});
  CHECK(values(file("<f4", "True", "2, 3", floats)) == Floats{1, 3, 5, 2, 4, 6});
  CHECK(values(file("<f4", "True", "1, 2, 3", floats)) == Floats{1, 3, 5, 2, 4, 6});
  CHECK(values(file("<f8", "True", "2, 1", raw(0.1, -2.0))) == Floats{0.1f, -2});
  const std::string pairs = file("<c8", "True", "1, 3", floats);
  CHECK(values(pairs, NpyNumbers::complex) == Floats{1, 2, 3, 4, 5, 6});
  CHECK(read_npy_floats(pairs, "F", NpyNumbers::complex).shape == std::vector<std::int64_t>{1, 3, 2});
  CHECK(values(file("<c8", "True", "3, 1", floats), NpyNumbers::complex) == Floats{1, 2, 3, 4, 5, 6});
  CHECK(values(file("<c16", "False", "1,", raw(0.1, -2.0)), NpyNumbers::complex) == Floats{0.1f, -2});
  CHECK(values(file("<f8", "False", "1, 2", raw(0.1, -2.0)), NpyNumbers::complex) == Floats{0.1f, -2});
  const auto refused = [&](const std::string& bytes, NpyNumbers numbers = NpyNumbers::real) -> std::string {
    try {
      (void)values(bytes, numbers);
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  const std::string finite = "expected a finite number within the range of a float, found ";
  CHECK(refused(file("<f4", "False", "1, 2", raw(1.0f, std::nanf("")))) ==
        "F, value (0, 1): " + finite + "nan");
  CHECK(refused(file("<f8", "False", "2,", raw(1.0, 1e300))) == "F, value (1): " + finite + "1e+300");
  CHECK(refused(file("<c8", "True", "2, 2", floats + raw(0.0f, HUGE_VALF)), NpyNumbers::complex) ==
        "F, value (1, 1, 1): " + finite + "inf");
  CHECK(refused(file("<i4", "False", "1,", raw(1))) == "F: expected floats of 32 or 64 bits");
  CHECK(refused(file("<f4", "False", "6,", floats), NpyNumbers::complex) ==
        "F: expected complex numbers, or floats whose last dimension is 2, real and imaginary part; of 32 or "
        "64 bits");
}
