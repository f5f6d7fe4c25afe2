// The device memory and the kernels of one case.
//
// Every buffer is surrounded by guard bands of a known pattern, so that a kernel which writes past either end
// is caught on every device; outputs are poisoned before the run that is verified, so that an element that no
// kernel wrote is caught as well. A result that is computed from the pattern is wrong, which
// exposes a kernel that uses memory next to its data, or padding that nobody filled in. Reading the pattern
// and discarding it is legal.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/device/opencl.hpp"
#include "harness/run/session.hpp"

namespace dwarfsweep {

enum class Role { input, output, scratch };

/// Leaves new elements uninitialised where std::allocator would write zeros.
template <typename T>
struct DefaultInit : std::allocator<T> {
  using std::allocator<T>::allocator;
  template <typename U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
};

/// Data on its way to or from a device. New elements are uninitialised: every one must be written before it
/// is read. That saves a serial pass over large arrays, which are then filled on all cores.
template <typename T>
using Staging = std::vector<T, DefaultInit<T>>;

/// `count` elements of T in device memory.
template <typename T>
struct Buffer {
  cl::Buffer buffer;
  std::size_t count = 0;
};

class Workspace {
 public:
  /// Where `before` has a buffer of the same name, role and size, this takes its memory over, with what is
  /// in it.
  explicit Workspace(Session& session, Workspace* before = nullptr) : session_(session) {
    if (before) inherited_ = std::exchange(before->allocations_, {});
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  [[nodiscard]] Session& session() { return session_; }
  [[nodiscard]] const DeviceInfo& device() const { return session_.device(); }

  /// Throws PointFailure(out_of_memory) with the sizes where the device does not have that much. A buffer of
  /// no elements is legal and holds one element that must not be accessed.
  template <typename T>
  Buffer<T> allocate(const std::string& name, std::size_t count, Role role) {
    return {allocate_bytes(name, count * sizeof(T), role), count};
  }

  /// A kernel of `file`.cl built with `macros`; its time is reported under `name`.
  Kernel kernel(const std::string& file, const Macros& macros, const std::string& function,
                const std::string& name);

  /// Host to device, blocking; its time counts as upload.
  template <typename T>
  void upload(std::span<const T> from, const Buffer<T>& to) {
    transfer_up(from.data(), from.size_bytes(), to.buffer);
  }
  template <typename T, typename Allocator>
  void upload(const std::vector<T, Allocator>& from, const Buffer<T>& to) {
    upload(std::span<const T>(from), to);
  }
  /// Device to host, blocking; its time counts as download.
  template <typename T>
  void download(const Buffer<T>& from, std::span<T> to) {
    transfer_down(from.buffer, to.data(), to.size_bytes());
  }
  template <typename T, typename Allocator>
  void download(const Buffer<T>& from, std::vector<T, Allocator>& to) {
    to.resize(from.count);
    download(from, std::span<T>(to));
  }
  /// Device to device, for reset: not timed, not waited for.
  template <typename T>
  void copy(const Buffer<T>& from, const Buffer<T>& to) {
    if (from.count > 0 && !session_.dry_run())
      session_.queue().enqueueCopyBuffer(from.buffer, to.buffer, 0, 0, from.count * sizeof(T));
  }
  template <typename T>
  void fill(const Buffer<T>& buffer, T value) {
    session_.fill(buffer.buffer, value, 0, buffer.count * sizeof(T));
  }

  /// Writes the pattern of the guard bands over all outputs and scratch buffers.
  void poison();
  /// Writes these words over them, alternately.
  void fill_outputs(const std::array<std::uint32_t, 2>& words);
  /// Frees what was taken over and not used again.
  void forget_inherited() { inherited_.clear(); }
  /// How many of the words are those of the pattern.
  static std::size_t count_poison(std::span<const std::uint8_t> bytes);
  /// Which buffer was written out of its bounds; none where all guards are whole.
  [[nodiscard]] std::optional<std::string> broken_guard();

  [[nodiscard]] std::uint64_t device_bytes() const { return device_bytes_; }
  /// Of the elements of all inputs.
  [[nodiscard]] std::uint64_t input_bytes() const;
  /// What building all its programs took.
  [[nodiscard]] std::int64_t build_ns() const { return build_ns_; }
  [[nodiscard]] const std::vector<KernelFacts>& kernel_facts() const { return kernel_facts_; }
  /// What the kernels are from, each once.
  [[nodiscard]] const std::vector<std::shared_ptr<const Program>>& programs() const { return programs_; }
  /// Time spent in upload() and download() since the last call of this.
  std::int64_t take_upload_ns() { return std::exchange(upload_ns_, 0); }
  std::int64_t take_download_ns() { return std::exchange(download_ns_, 0); }

 private:
  struct Allocation {
    std::string name;
    Role role;
    cl::Buffer whole;
    std::size_t guard_bytes;    // before the elements; at least as many lie behind them
    std::size_t payload_bytes;  // of the elements
    std::size_t whole_bytes;
  };
  cl::Buffer allocate_bytes(const std::string& name, std::size_t bytes, Role role);
  bool take_inherited(const Allocation& wanted);
  void fill_part(const Allocation& allocation, std::size_t offset, std::size_t bytes,
                 const std::array<std::uint32_t, 2>& words);
  void transfer_up(const void* from, std::size_t bytes, const cl::Buffer& to);
  void transfer_down(const cl::Buffer& from, void* to, std::size_t bytes);
  [[nodiscard]] bool guard_is_whole(const Allocation& allocation, std::size_t offset, std::size_t bytes);

  Session& session_;
  std::vector<Allocation> allocations_;
  std::vector<Allocation> inherited_;
  std::vector<KernelFacts> kernel_facts_;
  std::vector<std::shared_ptr<const Program>> programs_;
  std::uint64_t device_bytes_ = 0;
  std::int64_t build_ns_ = 0;
  std::int64_t upload_ns_ = 0;
  std::int64_t download_ns_ = 0;
};

}  // namespace dwarfsweep
