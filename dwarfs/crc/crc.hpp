// What the files of crc declare to each other: its space and how a point is laid out, its cases, its host
// version.
#pragma once

#include <memory>

#include "dwarfs/crc/input.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::crc {

// The axes of crc, their defaults and constraints.

constexpr std::size_t max_combine_group =
    64;  ///< work-items of a group in `combine`, where the device allows

Space make_space();

/// interleaved: do several work-items share a segment of the stream?
bool shares_segments(const Config& config, const Capabilities& device);

// CRC-32 on the host's cores.

/// Slicing by 16; the stream is divided among `threads` threads, whose remainders are then combined.
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const CrcInput> input, int threads);

/// The case of a point: chooses among the variants.
std::unique_ptr<Case> make_case(const Setup& setup);

}  // namespace dwarfsweep::crc
