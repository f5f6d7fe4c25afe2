// What the files of needle declare to each other: its space and how a point is laid out, its cases, its host
// version.
#pragma once

#include <memory>
#include <string>

#include "dwarfs/needle/input.hpp"
#include "harness/program/macros.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::needle {

// The axes, defaults and constraints of needle.

bool is_strip(const std::string& variant);   ///< the variants of strip.cpp
bool is_stored(const std::string& variant);  ///< whether it writes the matrix

Space make_space();

// wavefront.cpp
std::uint64_t wavefront_local_bytes(const Point& point);
std::uint64_t wavefront_group_items(const Point& point);

// strip.cpp
/// Those of a strip that shuffle: all or none. handover=auto lets them do so on a GPU that certainly has so
/// many.
Lanes strip_lanes(const Config& config, const Capabilities& device);
std::uint64_t strip_local_bytes(const Point& point);
std::uint64_t strip_group_items(const Point& point);

// scan.cpp
std::uint64_t scan_local_bytes();

/// The case of a point: chooses among the variants.
std::unique_ptr<Case> make_case(const Setup& setup);

}  // namespace dwarfsweep::needle

namespace dwarfsweep {

// Needleman-Wunsch on the host's own cores: the CPU reference.

/// Fills all (m + 1) x (n + 1) cells on `threads` threads (1: serial).
std::unique_ptr<HostCase> needle_host_case(std::shared_ptr<const NeedleInput> input, int threads);

}  // namespace dwarfsweep
