// A case whose inputs and results are plain arrays: each is declared once, and upload, reset, download, dump
// and check follow from that.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/run/array_results.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep {

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
  /// Every result against its declaration.
  [[nodiscard]] Check check() const override {
    Check all{true, 0, 0, ""};
    for (const auto& check : checks_) all = both(all, check());
    return all;
  }

 protected:
  using Shape = DumpSink::Shape;

  explicit ArrayCase(const Setup& setup) : workspace_(setup.workspace), data_(setup.loaded.input) {}

  [[nodiscard]] Workspace& workspace() { return workspace_; }

  /// An array that the kernels only read. It is dumped under `name`. `host` must live as long as the
  /// problem's Input. If the kernels access elements beyond `host`, on which no result depends, `count` is
  /// the number of elements in all.
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

  /// An array that the kernels write. It is downloaded, checked, and dumped under the result's name.
  template <typename T>
  Buffer<T> output(Result<T> result, std::size_t count = 0) {
    const auto buffer = workspace_.allocate<T>(result.name, std::max(count, result.size()), Role::output);
    add_result(std::move(result), buffer);
    return buffer;
  }

  /// An array that the kernels update in place: dumped as `input_name` before, and under the result's name
  /// after. Each launch begins with `host` again.
  template <typename T>
  Buffer<T> updated(const std::string& input_name, std::span<const T> host, Result<T> result,
                    std::size_t count = 0) {
    const auto original = input(input_name, host, result.shape, count);
    const auto buffer = workspace_.allocate<T>(result.name, original.count, Role::output);
    resets_.push_back([this, original, buffer] { workspace_.copy(original, buffer); });
    add_result(std::move(result), buffer);
    return buffer;
  }

 private:
  template <typename T>
  void add_result(Result<T> declared, const Buffer<T>& buffer) {
    const auto result = std::make_shared<const Result<T>>(std::move(declared));
    const auto host = std::make_shared<std::vector<T>>(result->size());
    downloads_.push_back([this, host, buffer] { workspace_.download(buffer, std::span<T>(*host)); });
    checks_.push_back([result, host] { return result->check(*host); });
    dumps_.push_back([result, host](DumpSink& sink) {
      sink.array(result->name, std::span<const T>(*host), result->shape);
    });
  }

  Workspace& workspace_;
  std::shared_ptr<const Input> data_;  ///< what arrays and expectations refer to
  std::vector<std::function<void()>> uploads_, resets_, downloads_;
  std::vector<std::function<void(DumpSink&)>> dumps_;
  std::vector<std::function<Check()>> checks_;
};

}  // namespace dwarfsweep
