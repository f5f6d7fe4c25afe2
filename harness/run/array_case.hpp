// A case whose inputs and results are plain arrays: each is declared once, and upload, reset, download, dump
// and an elementwise check follow from that.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "harness/run/setup.hpp"

namespace dwarfsweep {

/// What a correct result may be: `value` give or take `tolerance`.
struct Expected {
  double value = 0;
  double tolerance = 0;
};

/// The first element that is not as expected ends the check; NaN never is. The message names it, as
/// "y[3] is 1, expected 2 +- 1e-6".
Check check_elements(const std::string& name, std::span<const float> got,
                     const std::function<Expected(std::size_t)>& expected);

/// The same for integers, which must be equal.
Check check_elements(const std::string& name, std::span<const std::uint32_t> got,
                     const std::function<std::uint32_t(std::size_t)>& expected);

class ArrayCase : public Case {
 public:
  void upload() override {
    for (const auto& upload : uploads_) upload();
  }
  void reset() override {
    for (const auto& reset : resets_) reset();
  }
  void download() override {
    for (const auto& download : downloads_) download();
  }
  void dump(DumpSink& sink) const override {
    for (const auto& dump : dumps_) dump(sink);
  }
  /// Every result against what expect() said of it.
  [[nodiscard]] Check check() const override;

 protected:
  using Shape = DumpSink::Shape;

  explicit ArrayCase(const Setup& setup) : workspace_(setup.workspace) {}

  [[nodiscard]] Workspace& workspace() { return workspace_; }

  /// An array that the kernels only read; it is dumped under `name`. `host` must outlive the case. Where the
  /// device needs elements behind it, which no result depends on, `count` says how many there are in all.
  template <typename T>
  Buffer<T> input(const std::string& name, std::span<const T> host, const Shape& shape,
                  std::size_t count = 0) {
    const auto buffer = workspace_.allocate<T>(name, std::max(count, host.size()), Role::input);
    uploads_.push_back([this, host, buffer] {
      if (buffer.count == host.size()) return workspace_.upload(host, buffer);
      std::vector<T> padded(host.begin(), host.end());
      padded.resize(buffer.count);
      workspace_.upload(padded, buffer);
    });
    dumps_.push_back([name, host, shape](DumpSink& sink) { sink.array(name, host, shape); });
    return buffer;
  }

  /// An array that the kernels write. It is downloaded, held against `expected(index)`, and dumped under
  /// `name`.
  template <typename T, typename Expect>
  Buffer<T> output(const std::string& name, const Shape& shape, Expect expected, std::size_t count = 0) {
    const std::size_t elements = elements_of(shape);
    const auto buffer = workspace_.allocate<T>(name, std::max(count, elements), Role::output);
    add_result(name, buffer, shape, std::move(expected));
    return buffer;
  }

  /// An array that the kernels update in place: dumped as `input_name` before and as `name` after. Each
  /// launch begins with `host` again.
  template <typename T, typename Expect>
  Buffer<T> updated(const std::string& input_name, const std::string& name, std::span<const T> host,
                    const Shape& shape, Expect expected, std::size_t count = 0) {
    const auto original = input(input_name, host, shape, count);
    const auto buffer = workspace_.allocate<T>(name, original.count, Role::output);
    resets_.push_back([this, original, buffer] { workspace_.copy(original, buffer); });
    add_result(name, buffer, shape, std::move(expected));
    return buffer;
  }

 private:
  static std::size_t elements_of(const Shape& shape);

  template <typename T, typename Expect>
  void add_result(const std::string& name, const Buffer<T>& buffer, const Shape& shape, Expect expected) {
    const auto host = std::make_shared<std::vector<T>>(elements_of(shape));
    downloads_.push_back([this, host, buffer] { workspace_.download(buffer, std::span<T>(*host)); });
    checks_.push_back([name, host, expected = std::move(expected)] {
      return check_elements(name, std::span<const T>(*host), expected);
    });
    dumps_.push_back(
        [name, host, shape](DumpSink& sink) { sink.array(name, std::span<const T>(*host), shape); });
  }

  Workspace& workspace_;
  std::vector<std::function<void()>> uploads_, resets_, downloads_;
  std::vector<std::function<void(DumpSink&)>> dumps_;
  std::vector<std::function<Check()>> checks_;
};

/// What `input->expected(index)` says, for output() and updated(); keeps the input alive.
template <typename TInput>
std::function<Expected(std::size_t)> expected_by(std::shared_ptr<const TInput> input) {
  return [input = std::move(input)](std::size_t index) { return input->expected(index); };
}

/// A host version that computes one array of `count` results.
class ArrayHostCase final : public HostCase {
 public:
  using Compute = std::function<void(std::vector<float>&)>;
  using Expect = std::function<Expected(std::size_t)>;

  ArrayHostCase(std::size_t count, Compute compute, Expect expected)
      : results_(count), compute_(std::move(compute)), expected_(std::move(expected)) {}

  void run() override { compute_(results_); }
  [[nodiscard]] Check check() const override { return check_elements("result", results_, expected_); }

 private:
  std::vector<float> results_;
  Compute compute_;
  Expect expected_;
};

}  // namespace dwarfsweep
