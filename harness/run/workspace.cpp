#include "harness/run/workspace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "harness/device/host.hpp"
#include "harness/device/opencl.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep {
namespace {

// Words that are far from any data as integers, one positive and one negative, so that either a
// maximum or a minimum shows one, and NaN as floats. Signalling NaN: arithmetic makes a quiet one of it, so
// that a kernel which computes from poison and writes outside its data does not write the same pattern.
constexpr std::array<std::uint32_t, 2> poison_words{0x7FA5A5A5, 0xFFA5A5A5};

// Word 0 or 1 comes first, depending on the bytes between the guard bands: so problems of different sizes
// have either of them at either end.
std::array<std::uint32_t, 2> poison_beside(std::size_t payload_bytes) {
  const bool swapped = payload_bytes / 8 % 2 == 1;
  return {poison_words[swapped ? 1 : 0], poison_words[swapped ? 0 : 1]};
}

}  // namespace

cl::Buffer Workspace::allocate_bytes(const std::string& name, std::size_t bytes, Role role) {
  const DeviceInfo& device = session_.device();
  // Interpreters that check bounds see only the whole allocation: guards would hide what they look for.
  const std::size_t guard =
      device.checks_bounds ? 0 : std::max<std::size_t>(256, round_up(device.base_alignment_bytes, 64));
  // No region is empty. What lies in it behind the elements is a part of the guard.
  const std::size_t region_bytes = std::max<std::size_t>(bytes, 16);
  const std::size_t whole =
      guard == 0 ? std::max<std::size_t>(bytes, 1) : round_up(region_bytes, 16) + 2 * guard;
  if (whole > device.capabilities.allocation_bytes ||
      device_bytes_ + whole > device.capabilities.global_bytes) {
    throw PointFailure(
        Status::out_of_memory,
        fmt::format("the buffer '{}' needs {} bytes in addition to {} already taken; {} allows {} in one "
                    "buffer and {} in all",
                    name, whole, device_bytes_, device.name, device.capabilities.allocation_bytes,
                    device.capabilities.global_bytes));
  }
  if (session_.dry_run()) {
    device_bytes_ += whole;
    return {};
  }
  try {
    if (!take_inherited({name, role, {}, guard, bytes, whole})) {
      allocations_.push_back(
          {name, role, cl::Buffer(session_.context(), CL_MEM_READ_WRITE, whole), guard, bytes, whole});
      // Touch every page now: the first kernel on untouched memory would pay for it.
      fill_part(allocations_.back(), 0, whole, poison_beside(bytes));
    }
    cl::Buffer buffer = allocations_.back().whole;
    device_bytes_ += whole;
    if (guard == 0) return buffer;
    const cl_buffer_region region{guard, region_bytes};
    return buffer.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
  } catch (const cl::Error& error) {
    // Some drivers allocate when a buffer is first touched, and then report only this error.
    const Status status = error.err() == CL_OUT_OF_RESOURCES ? Status::out_of_memory : status_of(error);
    throw PointFailure(status, fmt::format("allocating {} bytes for '{}' failed: {}; device {}", whole, name,
                                           describe(error), device.name));
  }
}

bool Workspace::take_inherited(const Allocation& wanted) {
  const auto found = std::ranges::find_if(inherited_, [&](const Allocation& each) {
    return each.name == wanted.name && each.role == wanted.role && each.payload_bytes == wanted.payload_bytes;
  });
  if (found == inherited_.end()) return false;
  allocations_.push_back(std::move(*found));
  inherited_.erase(found);
  return true;
}

// `offset` is a multiple of 8.
void Workspace::fill_part(const Allocation& allocation, std::size_t offset, std::size_t bytes,
                          const std::array<std::uint32_t, 2>& words) {
  const std::size_t rest = bytes % sizeof words;
  session_.fill(allocation.whole, std::bit_cast<cl_ulong>(words), offset, bytes - rest);
  if (rest == 0) return;
  session_.queue().enqueueWriteBuffer(allocation.whole, CL_TRUE, offset + bytes - rest, rest, words.data());
}

Kernel Workspace::kernel(const std::string& file, const Macros& macros, const std::string& function,
                         const std::string& name) {
  const auto program = session_.program(file, macros);
  if (std::find(programs_.begin(), programs_.end(), program) == programs_.end()) {
    programs_.push_back(program);
    build_ns_ += program->build_ns;
  }
  Kernel kernel = session_.kernel(*program, function, name);
  session_.check_lanes(kernel, macros.lanes());
  kernel_facts_.push_back(kernel.facts);
  return kernel;
}

void Workspace::transfer_up(const void* from, std::size_t bytes, const cl::Buffer& to) {
  if (bytes == 0 || session_.dry_run()) return;
  try {
    session_.queue().finish();
    const std::int64_t begin = now_ns();
    session_.queue().enqueueWriteBuffer(to, CL_TRUE, 0, bytes, from);
    upload_ns_ += now_ns() - begin;
  } catch (const cl::Error& error) {
    throw PointFailure(status_of(error), fmt::format("copying {} bytes to the device failed: {}; device {}",
                                                     bytes, describe(error), session_.device().name));
  }
}

void Workspace::transfer_down(const cl::Buffer& from, void* to, std::size_t bytes) {
  if (bytes == 0) return;
  if (session_.dry_run()) return session_.read(from, to, bytes);
  try {
    session_.queue().finish();
    const std::int64_t begin = now_ns();
    session_.read(from, to, bytes);
    download_ns_ += now_ns() - begin;
  } catch (const cl::Error& error) {
    throw PointFailure(status_of(error), fmt::format("copying {} bytes from the device failed: {}; device {}",
                                                     bytes, describe(error), session_.device().name));
  }
}

void Workspace::poison() {
  for (const Allocation& allocation : allocations_) {
    if (allocation.role == Role::input) continue;
    fill_part(allocation, allocation.guard_bytes, allocation.payload_bytes,
              poison_beside(allocation.payload_bytes));
  }
}

void Workspace::fill_outputs(const std::array<std::uint32_t, 2>& words) {
  for (const Allocation& allocation : allocations_) {
    if (allocation.role == Role::input) continue;
    fill_part(allocation, allocation.guard_bytes, allocation.payload_bytes, words);
  }
}

std::size_t Workspace::count_poison(std::span<const std::uint8_t> bytes) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + sizeof(std::uint32_t) <= bytes.size(); i += sizeof(std::uint32_t)) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + i, sizeof word);
    if (word == poison_words[0] || word == poison_words[1]) ++count;
  }
  return count;
}

bool Workspace::guard_is_whole(const Allocation& allocation, std::size_t offset, std::size_t bytes) {
  std::vector<std::uint8_t> band(bytes);
  session_.queue().enqueueReadBuffer(allocation.whole, CL_TRUE, offset, bytes, band.data());
  const auto words = poison_beside(allocation.payload_bytes);
  const auto pattern = std::bit_cast<std::array<std::uint8_t, sizeof words>>(words);
  for (std::size_t i = 0; i < bytes; ++i) {
    if (band[i] != pattern[(offset + i) % pattern.size()]) return false;
  }
  return true;
}

std::uint64_t Workspace::input_bytes() const {
  std::uint64_t bytes = 0;
  for (const Allocation& each : allocations_) bytes += each.role == Role::input ? each.payload_bytes : 0;
  return bytes;
}

std::optional<std::string> Workspace::broken_guard() {
  for (const Allocation& allocation : allocations_) {
    if (allocation.guard_bytes == 0) continue;
    if (!guard_is_whole(allocation, 0, allocation.guard_bytes)) {
      return fmt::format("a kernel wrote before the first element of '{}'", allocation.name);
    }
    const std::size_t behind = allocation.guard_bytes + allocation.payload_bytes;
    if (!guard_is_whole(allocation, behind, allocation.whole_bytes - behind)) {
      return fmt::format("a kernel wrote past the last element of '{}'", allocation.name);
    }
  }
  return std::nullopt;
}

}  // namespace dwarfsweep
