// Results that are arrays, of every type: what is compared, and what is said of a wrong element.
#include "harness/run/array_results.hpp"

#include <cmath>
#include <limits>

#include "tests/catch.hpp"

using namespace dwarfsweep;

namespace {

template <typename T>
Check check_with(T second, const std::function<T(std::size_t)>& expected) {
  const std::vector<T> got = {T{1}, second, T{3}};
  return Result<T>("y", {3}, expected).check(got);
}

struct TwoArrays final : Input {
  explicit TwoArrays(std::int32_t first_count) : first(first_count) {}
  [[nodiscard]] auto results() const {
    return std::tuple(Result<float>("halves", {2, 2},
                                    [](std::size_t i) {
                                      return Expected{0.5 * i, 1e-6};
                                    }),
                      Result<std::int32_t>("counts", {2}, [](std::size_t i) { return 10 + i; }));
  }
  void compute(int threads, std::vector<float>& halves, std::vector<std::int32_t>& counts) const {
    for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = 0.5F * static_cast<float>(i);
    counts = {first, 10 + threads};
  }
  std::int32_t first;
};

}  // namespace

TEST_CASE("results of every type may have to be equal, and the first wrong element is named", "[harness]") {
  const auto right = [](std::size_t i) { return i + 1; };
  CHECK(check_with<float>(2, right).ok);
  CHECK(check_with<std::int32_t>(2, right).ok);
  CHECK(check_with<std::uint32_t>(2, right).ok);
  CHECK(check_with<std::uint8_t>(2, right).ok);
  CHECK(check_with<std::int64_t>(2, right).ok);
  CHECK(check_with<float>(2.5, right).message == "y[1] is 2.5, expected 2");
  CHECK(check_with<std::int32_t>(-2, right).message == "y[1] is -2, expected 2");
  CHECK(check_with<std::uint32_t>(7, right).message == "y[1] is 0x00000007, expected 0x00000002");
  CHECK(check_with<std::uint8_t>(200, right).message == "y[1] is 200, expected 2");
  CHECK(check_with<std::int64_t>(1LL << 40, right).message == "y[1] is 1099511627776, expected 2");
  CHECK_FALSE(check_with<float>(std::nanf(""), right).ok);
}

TEST_CASE("results of every type may have a tolerance", "[harness]") {
  const auto within_one = [](std::size_t i) { return Expected{i + 1.0, 1}; };
  const Check check = Result<std::uint8_t>("y", {2}, within_one).check(std::vector<std::uint8_t>{2, 1});
  CHECK(check.ok);
  CHECK(check.max_error == 1);
  CHECK(check.tolerance == 1);
  const Result<std::int64_t> wide("y", {1}, within_one);
  CHECK(wide.check(std::vector<std::int64_t>{3}).message == "y[0] is 3, expected 1 +- 1");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK_FALSE(Result<float>("y", {1}, within_one).check(std::vector<float>{nan}).ok);
}

TEST_CASE("a host version may compute several arrays of different types", "[harness]") {
  ArrayHostCase<TwoArrays> right(std::make_shared<TwoArrays>(10), 1);
  right.run();
  CHECK(right.check().ok);
  CHECK(right.check().tolerance == 1e-6);
  ArrayHostCase<TwoArrays> wrong(std::make_shared<TwoArrays>(9), 1);
  wrong.run();
  CHECK(wrong.check().message == "counts[0] is 9, expected 10");
  CHECK(Result<float>("halves", {2, 3}, [](std::size_t) { return 0.F; }).size() == 6);
}
