// Results that are plain arrays: what each element must be, and the comparison with what was computed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/run/case.hpp"

namespace dwarfsweep {

/// A correct result is `value`, give or take `tolerance`.
struct Expected {
  double value = 0;
  double tolerance = 0;
};

/// Compares `got` with what is expected; large arrays on all cores, so `expected` must be safe to call from
/// several threads. T is float, int32_t, uint32_t, uint8_t or int64_t. The first wrong
/// element ends the check; NaN is always wrong. The message names it: "y[3] is 1, expected 2 +- 1e-6".
template <typename T>
Check check_elements(const std::string& name, std::span<const T> got,
                     const std::function<Expected(std::size_t)>& expected);
/// The same for results that must be equal. The error is 1 for the first that differs.
template <typename T>
Check check_elements(const std::string& name, std::span<const T> got,
                     const std::function<std::type_identity_t<T>(std::size_t)>& expected);

/// Both checks in one: the first that failed, or the largest error and tolerance.
Check both(const Check& one, const Check& other);

/// One array of a dwarf's results: its name in `--dump`, its shape, and what is right. An Input declares it
/// once; the case on the device (ArrayCase::output) and the host version (ArrayHostCase) use it.
template <typename T>
struct Result {
  using Shape = DumpSink::Shape;

  /// `expected(index)` gives an Expected, or a T that the element must equal.
  template <typename Expect>
  Result(std::string result_name, Shape result_shape, Expect expected)
      : name(std::move(result_name)),
        shape(std::move(result_shape)),
        check([name = name, expected = std::move(expected)](std::span<const T> got) {
          return check_elements(name, got, expected);
        }) {}

  [[nodiscard]] std::size_t size() const {
    std::size_t size = 1;
    for (const std::size_t edge : shape) size *= edge;
    return size;
  }

  std::string name;
  Shape shape;
  std::function<Check(std::span<const T>)> check;
};

/// The host version of a dwarf whose results are arrays. `TInput` has
///   auto results() const                             a std::tuple of Result<T>
///   void compute(int threads, std::vector<T>&...) const     all of them, which have their sizes already
template <typename TInput>
class ArrayHostCase final : public HostCase {
 public:
  ArrayHostCase(std::shared_ptr<const TInput> input, int threads)
      : input_(std::move(input)), threads_(threads), results_(input_->results()) {
    std::apply([&](const auto&... result) { arrays_ = Arrays(result.size()...); }, results_);
  }

  void run() override {
    std::apply([&](auto&... array) { input_->compute(threads_, array...); }, arrays_);
  }
  [[nodiscard]] Check check() const override {
    return check_all(std::make_index_sequence<std::tuple_size_v<Results>>());
  }

 private:
  using Results = decltype(std::declval<const TInput&>().results());
  template <typename>
  struct ArraysOf;
  template <typename... T>
  struct ArraysOf<std::tuple<Result<T>...>> {
    using type = std::tuple<std::vector<T>...>;
  };
  using Arrays = typename ArraysOf<Results>::type;

  template <std::size_t... I>
  [[nodiscard]] Check check_all(std::index_sequence<I...> /*indices*/) const {
    Check all{true, 0, 0, ""};
    ((all = both(all, std::get<I>(results_).check(std::get<I>(arrays_)))), ...);
    return all;
  }

  std::shared_ptr<const TInput> input_;
  int threads_;
  Results results_;
  Arrays arrays_;
};

}  // namespace dwarfsweep
