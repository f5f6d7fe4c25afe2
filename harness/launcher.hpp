// Enqueues the kernels of a case and remembers an event of each. This is where kernel times come from.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <vector>

#include "harness/opencl.hpp"
#include "harness/sample.hpp"
#include "harness/session.hpp"
#include "harness/workspace.hpp"

namespace dwarfsweep {

/// One to three dimensions, in work-items. A local range of no dimensions lets the driver choose.
struct Range {
  Range() = default;
  Range(std::size_t x) : sizes{x, 1, 1}, dimensions(1) {}  // NOLINT(google-explicit-constructor)
  Range(std::size_t x, std::size_t y) : sizes{x, y, 1}, dimensions(2) {}
  Range(std::size_t x, std::size_t y, std::size_t z) : sizes{x, y, z}, dimensions(3) {}

  [[nodiscard]] std::size_t items() const { return sizes[0] * sizes[1] * sizes[2]; }

  std::array<std::size_t, 3> sizes{1, 1, 1};
  unsigned dimensions = 0;
};

class Launcher {
 public:
  explicit Launcher(Session& session) : session_(session) {}

  /// Sets the arguments (Buffer<T>, cl::LocalSpaceArg, or scalars of OpenCL's types) and enqueues. In order;
  /// does not wait. `global` need be a multiple of `local`. A range of no work-items is skipped. Throws
  /// PointFailure.
  template <typename... Arguments>
  void run(Kernel& kernel, const Range& global, const Range& local, const Arguments&... arguments) {
    cl_uint index = 0;
    try {
      (kernel.kernel.setArg(index++, unwrapped(arguments)), ...);
    } catch (const cl::Error& error) {
      fail(kernel, global, local, "setting argument " + std::to_string(index - 1), error);
    }
    enqueue(kernel, global, local);
  }

  /// Blocking read of `count` elements inside a launch (a flag, a frontier's length). Counts as wall time
  /// only.
  template <typename T>
  void read(const Buffer<T>& from, T* to, std::size_t count) {
    if (count > 0) session_.queue().enqueueReadBuffer(from.buffer, CL_TRUE, 0, count * sizeof(T), to);
  }
  /// Blocking write inside a launch. Counts as wall time only.
  template <typename T>
  void write(const T* from, const Buffer<T>& to, std::size_t count) {
    if (count > 0) session_.queue().enqueueWriteBuffer(to.buffer, CL_TRUE, 0, count * sizeof(T), from);
  }
  template <typename T>
  void fill(const Buffer<T>& buffer, T value) {
    session_.fill(buffer.buffer, value, 0, buffer.count * sizeof(T));
  }

  void finish() { session_.queue().finish(); }
  /// Forgets all events. Call before the first launch of a sample.
  void begin() { records_.clear(); }
  /// After finish(): the times per kernel name, "total" last, each divided by `launches`. `fault` of the
  /// sample is set where a timestamp cannot be true.
  void collect(Sample& sample) const;

 private:
  struct Record {
    std::size_t name;          // index into names_
    cl::Event event;           // device timer
    std::int64_t host_ns = 0;  // host timer
  };

  template <typename T>
  static const cl::Buffer& unwrapped(const Buffer<T>& buffer) {
    return buffer.buffer;
  }
  template <typename T>
  static const T& unwrapped(const T& value) {
    return value;
  }

  void enqueue(Kernel& kernel, const Range& global, const Range& local);
  [[noreturn]] void fail(const Kernel& kernel, const Range& global, const Range& local,
                         const std::string& doing, const cl::Error& error) const;
  [[nodiscard]] std::size_t name_index(const std::string& name);

  Session& session_;
  std::vector<std::string> names_;
  std::vector<Record> records_;
};

}  // namespace dwarfsweep
