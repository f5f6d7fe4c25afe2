// fft_1d: every variant and axis, on devices and on the host; transforms that are known, Parseval's theorem,
// the inverse of the transform; input files; planted errors.
#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "dwarfs/fft_1d/plan.hpp"
#include "dwarfs/fft_1d/reference.hpp"
#include "dwarfs/fft_1d/signal.hpp"
#include "harness/statistics/random.hpp"
#include "tests/input_files.hpp"
#include "tests/points.hpp"
#include "tests/standard_tests.hpp"

using namespace dwarfsweep::fft_1d;

namespace {

const Dwarf& dwarf() {
  return find_dwarf("fft_1d");
}

ValueMap of(int n, int batch = 1, const char* direction = "forward") {
  return {{"n", n}, {"batch", batch}, {"direction", direction}};
}

const ValueMap alone = {{"variant", "stockham"}, {"work_group", 1},    {"granularity", 4},
                        {"vector_width", 4},     {"unroll", 2},        {"padding", 0},
                        {"radix", 16},           {"roots", "computed"}};
const ValueMap grouped = {{"variant", "stockham"}, {"work_group", 32},   {"granularity", 4},
                          {"vector_width", 1},     {"unroll", 1},        {"padding", 1},
                          {"radix", 32},           {"roots", "computed"}};
const ValueMap staged = {{"variant", "staged"}, {"work_group", 16}, {"granularity", 8}, {"vector_width", 2},
                         {"unroll", 2},         {"padding", 0},     {"layout", "rows"}};

ValueMap changed(ValueMap settings, const ValueMap& difference) {
  for (const auto& [name, value] : difference.entries()) settings = settings.with(name, value);
  return settings;
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

// The spectrum of these numbers, by the variant in groups.
std::vector<std::complex<double>> transformed(const std::vector<std::complex<double>>& numbers,
                                              const char* direction = "forward") {
  const Problem problem = generated(dwarf(), of(static_cast<int>(numbers.size()), 1, direction)).problem;
  std::vector<float> parts;
  for (const auto& number : numbers) {
    parts.push_back(static_cast<float>(number.real()));
    parts.push_back(static_cast<float>(number.imag()));
  }
  const Loaded loaded{problem, std::make_shared<Signal>(shape_of(problem), std::move(parts))};
  const Dump dump = dumped(dwarf(), loaded, dwarf().space().set(dwarf().space().baseline(), grouped));
  std::vector<std::complex<double>> spectrum;
  const std::vector<float>& found = dump.floats.at("spectrum");
  for (std::size_t i = 0; i < found.size(); i += 2) spectrum.emplace_back(found[i], found[i + 1]);
  return spectrum;
}

double norm_of(const std::vector<std::complex<double>>& numbers) {
  double sum = 0;
  for (const auto& number : numbers) sum += std::norm(number);
  return std::sqrt(sum);
}

std::vector<std::complex<double>> random_numbers(int n) {
  const Loaded loaded = generated(dwarf(), of(n), 5);
  const std::vector<float>& parts = std::static_pointer_cast<const Signal>(loaded.input)->values();
  std::vector<std::complex<double>> numbers;
  for (std::size_t i = 0; i < parts.size(); i += 2) numbers.emplace_back(parts[i], parts[i + 1]);
  return numbers;
}

}  // namespace

namespace {

const std::vector<ValueMap> every_variant = {
    {{"radix", 8}, {"unroll", 2}, {"granularity", 2}},
    staged,
    changed(staged, {{"layout", "columns"}, {"padding", 1}, {"vector_width", 1}}),
    alone,
    changed(alone, {{"roots", "table"}}),
    grouped,
    changed(grouped, {{"roots", "table"}}),
    changed(grouped, {{"exchange", "parts"}, {"vector_width", 2}, {"unroll", 4}})};

}  // namespace

// One pass: Oclgrind's check for uninitialised values takes what an earlier launch has stored for
// uninitialised.
TEST_CASE("fft_1d: every variant in one pass", "[device][fft_1d][variants]") {
  check_settings(every_variant, {of(8, 3, "inverse")});
}

TEST_CASE("fft_1d: every variant in several passes", "[device][fft_1d]") {
  check_settings(every_variant, {of(128, 3, "inverse")});
}

TEST_CASE("fft_1d: the smallest, and several passes", "[device][fft_1d][heavy]") {
  check_settings({{{"variant", "staged"}}, {{"variant", "stockham"}}}, {of(2, 3), of(1 << 12)});
}

TEST_CASE("fft_1d: every power of two from 2 to 2^20", "[device][fft_1d][heavy][long]") {
  std::vector<ValueMap> problems;
  for (int bits = 1; bits <= 20; ++bits) problems.push_back(of(1 << bits, bits < 12 ? 3 : 1));
  check_settings({{{"radix", 4}},
                  {{"variant", "staged"}},
                  {{"variant", "stockham"}},
                  changed(grouped, {{"work_group", 64}, {"granularity", 16}, {"radix", 512}})},
                 problems);
}

TEST_CASE("fft_1d: every axis varied from each variant's default", "[device][fft_1d][heavy][long]") {
  check_one_at_a_time(dwarf(), of(512, 5));
  check_one_at_a_time(dwarf(), of(8192, 1, "inverse"));
}

TEST_CASE("fft_1d: random points", "[device][fft_1d][heavy][long]") {
  check_random_points(dwarf(), of(1024, 3), 3);
}

TEST_CASE("fft_1d: the full space, at tiny and at an odd size", "[device][fft_1d][heavy][long]") {
  check_full_space(dwarf(), of(64, 37, "inverse"), 100);
}

TEST_CASE("fft_1d: on the host", "[fft_1d]") {
  for (const ValueMap& problem : {of(2), of(8, 3), of(64, 5, "inverse"), of(2048), of(1 << 15, 1, "inverse")})
    check_host(dwarf(), problem);
}

TEST_CASE("fft_1d: the kernel's parameter table", "[fft_1d]") {
  check_parameter_table(dwarf());
}

// Of a few rows of length 2^13 and less, and of several: by the definition, at some frequencies.
TEST_CASE("fft_1d: the reference is the definition", "[fft_1d]") {
  for (const int bits : {1, 5, 6, 7, 10, 13, 14, 15}) {
    const auto n = std::size_t{1} << bits;
    Random random(3);
    std::vector<Number> numbers(n);
    for (Number& number : numbers) number = {random.uniform01() - 0.5, random.uniform01() - 0.5};
    std::vector<Number> spectrum = numbers;
    ReferenceTransform(bits).run(spectrum);
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}, n / 2, n / 3, n - 1}) {
      Number sum = 0;
      for (std::size_t j = 0; j < n; ++j)
        sum += numbers[j] * std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(j * k % n) /
                                                static_cast<double>(n));
      INFO(n << " numbers, frequency " << k);
      CHECK(std::abs(spectrum[k] - sum) <= 1e-15 * static_cast<double>(n));  // n roundings of numbers below 1
    }
  }
}

// Stages of 4, 4 and 2 in a pass behind others that make up 8.
TEST_CASE("fft_1d: roots in tables are rounded once", "[fft_1d]") {
  const Config config =
      dwarf().space().set(dwarf().space().baseline(), changed(grouped, {{"roots", "table"}}));
  constexpr std::size_t radix = 32, before = 8, points = 4, points_bits = 2, items = radix / points;
  const std::vector<float> roots = roots_of(config, {5, 3, 1, true});
  REQUIRE(roots.size() == 2 * (2 * radix + (points_bits + items) * before));
  const auto error = [&](std::size_t at, std::size_t numerator, std::size_t denominator) {
    const auto turn = static_cast<long double>(numerator) / static_cast<long double>(denominator);
    const auto exact = std::polar(1.0L, -2 * std::numbers::pi_v<long double> * turn);
    return static_cast<double>(std::abs(exact - std::complex<long double>(roots[2 * at], roots[2 * at + 1])));
  };
  double largest = 0;
  for (const auto& [bits, before_bits] : {std::pair{2, 2}, std::pair{1, 4}}) {
    for (std::size_t m = 0; m < 1U << bits; ++m)
      for (std::size_t k = 0; k < 1U << before_bits; ++k)
        largest = std::max(largest, error((2U << before_bits) + (m << before_bits) + k, m * k,
                                          std::size_t{1} << (bits + before_bits)));
  }
  for (std::size_t k = 0; k < before; ++k) {
    for (std::size_t b = 0; b < points_bits; ++b)
      largest = std::max(largest, error(2 * radix + b * before + k, k << b, points * before));
    for (std::size_t t = 0; t < items; ++t)
      largest = std::max(largest, error(2 * radix + (points_bits + t) * before + k, t * k, radix * before));
  }
  CHECK(largest <= 1.0001 * std::sqrt(0.5) * 0x1p-24);
  CHECK(largest > 0);
  CHECK(roots_of(dwarf().space().set(config, {{"roots", "computed"}}), {5, 3, 1, true}).empty());
}

TEST_CASE("fft_1d: transforms that are known", "[device][fft_1d][heavy]") {
  constexpr int n = 1024;
  constexpr int at = 37;
  const double allowed = relative_tolerance(10);
  std::vector<std::complex<double>> impulse(n);
  impulse[at] = 1;
  const std::vector<std::complex<double>> constant(n, {0.5, -1});
  std::vector<std::complex<double>> wave(n);
  for (int j = 0; j < n; ++j) wave[j] = std::polar(1.0, 2 * std::numbers::pi * j * at / n);
  const auto of_impulse = transformed(impulse);
  const auto of_constant = transformed(constant);
  const auto of_wave = transformed(wave);
  for (int k = 0; k < n; ++k) {
    INFO("frequency " << k);
    CHECK(std::abs(of_impulse[k] - std::polar(1.0, -2 * std::numbers::pi * k * at / n)) <=
          allowed * std::sqrt(n));
    CHECK(std::abs(of_constant[k] - (k == 0 ? double{n} * constant[0] : 0)) <=
          allowed * n * std::abs(constant[0]));
    CHECK(std::abs(of_wave[k] - (k == at ? std::complex<double>(n) : 0)) <= 2 * allowed * n);
  }
}

TEST_CASE("fft_1d: Parseval's theorem, and the inverse gives the signal back", "[device][fft_1d][heavy]") {
  constexpr int n = 2048;
  const double allowed = relative_tolerance(11);
  const auto numbers = random_numbers(n);
  const auto spectrum = transformed(numbers);
  CHECK(norm_of(spectrum) == Approx(std::sqrt(n) * norm_of(numbers)).epsilon(allowed));
  auto back = transformed(spectrum, "inverse");
  for (int j = 0; j < n; ++j) back[j] -= numbers[j];
  CHECK(norm_of(back) <= 2.01 * allowed * norm_of(numbers));  // two transforms
}

TEST_CASE("fft_1d: what is no problem is refused", "[fft_1d]") {
  CHECK_THROWS_AS(generated(dwarf(), of(1)), UsageError);
  CHECK_THROWS_AS(generated(dwarf(), of(16, 0)), UsageError);
  CHECK(
      usage_error([] { generated(dwarf(), of(12)); }) ==
      "fft_1d: problem key 'n' is '12', but must be a power of two from 2 to 67108864 (complex numbers of a "
      "transform)");
}

TEST_CASE("fft_1d: signals from files", "[fft_1d]") {
  const ScratchDirectory scratch;
  const std::string raw(64, '\0');
  const auto npy = [](const std::string& type, const std::string& shape, const std::string& data) {
    const std::string dictionary =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, shape);
    const std::string preamble("\x93NUMPY\x01\x00\x76\x00", 10);
    return fmt::format("{}{:<117}\n{}", preamble, dictionary, data);
  };
  const auto problem_of = [&](const std::string& name, const std::string& content, const ValueMap& request) {
    const Loaded loaded = dwarf().load(request, {scratch.file(name, content).string()});
    return std::to_string(loaded.problem.integer("batch")) + " x " +
           std::to_string(loaded.problem.integer("n"));
  };
  CHECK(problem_of("a.bin", raw, {}) == "1 x 8");
  CHECK(problem_of("a.bin", raw, {{"n", 4}}) == "2 x 4");
  CHECK(problem_of("a.bin", raw, {{"batch", 4}}) == "4 x 2");
  CHECK(problem_of("a.npy", npy("<c8", "8,", raw), {}) == "1 x 8");
  CHECK(problem_of("d.npy", npy("<c16", "2, 2", raw), {}) == "2 x 2");
  CHECK(problem_of("b.npy", npy("<c8", "4, 2", raw), {{"direction", "inverse"}}) == "4 x 2");
  CHECK(problem_of("c.npy", npy("<f4", "2, 4, 2", raw), {}) == "2 x 4");
  const auto refused = [&](const std::string& name, const std::string& content, const ValueMap& request) {
    return usage_error([&] { problem_of(name, content, request); });
  };
  CHECK_THAT(refused("a.bin", raw.substr(1), {}), test::contains("a.bin"));
  CHECK_THAT(refused("a.bin", raw.substr(0, 4), {}), test::contains("pairs of 32-bit floats"));
  CHECK_THAT(refused("a.bin", raw + "abc", {}), test::contains("67 bytes are no multiple of 8"));
  CHECK_THAT(refused("a.bin", "", {}), test::contains("at least one complex number"));
  CHECK_THAT(refused("a.bin", raw, {{"batch", 3}}), test::contains("8 numbers are no 3 transforms"));
  CHECK_THAT(refused("a.bin", raw, {{"batch", 9}}), test::contains("8 numbers are no 9 transforms"));
  const std::string nan = raw.substr(0, 60) + std::string("\x00\x00\xc0\x7f", 4);
  CHECK_THAT(refused("a.bin", nan, {}), test::contains("byte 60: expected a finite number, found nan"));
  CHECK_THAT(refused("a.npy", npy("<c8", "2, 4", nan), {}),
             test::contains("value (1, 3, 1): expected a finite"));
  CHECK_THAT(refused("a.bin", raw, {{"n", 3}}), test::contains("no transforms of n = 3"));
  CHECK_THAT(refused("a.npy", npy("<f4", "16,", raw), {}), test::contains("complex numbers"));
  CHECK_THAT(refused("a.npy", npy("<c8", "9,", raw), {}), test::contains("expected"));
  CHECK_THAT(refused("a.npy", npy("<c8", "7,", raw.substr(0, 56)), {}), test::contains("power of two"));
  CHECK_THAT(refused("a.npy", npy("<c8", "8,", raw), {{"n", 16}}), test::contains("n"));
}

TEST_CASE("fft_1d: planted errors are caught", "[device][fft_1d]") {
  const auto status = [](const std::string& from, const std::string& to, const ValueMap& settings) {
    return status_with(from, to, dwarf(), of(512), settings);
  };
  CHECK(status("0.70710678f", "0.70710678f", {{"radix", 8}}) == Status::ok);  // nothing changed
  CHECK(status("0.70710678f", "0.7071f", {{"radix", 8}}) == Status::wrong_result);
  CHECK(status("fraction - (quarters << (indices)30)", "fraction", grouped) == Status::wrong_result);
  CHECK(status("r * k, log_before", "r * k + 1, log_before", {}) == Status::wrong_result);
  CHECK(status("const int w = output_value(u, m, bits)", "const int w = output_value(u, m ^ 1, bits)",
               staged) == Status::wrong_result);
  const ValueMap table = changed(grouped, {{"roots", "table"}});
  CHECK(status("of_k = roots + 2 * R + k", "of_k = roots + 2 * R", table) == Status::wrong_result);
  CHECK(status("const float2 root = product(product_from[LOWEST_BIT(w) + 1], ", "const float2 root = (",
               table) == Status::wrong_result);
  CHECK(status("(indices)(r) * k", "(indices)(r)", alone) == Status::wrong_result);
}
