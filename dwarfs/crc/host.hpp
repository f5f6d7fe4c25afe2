// CRC-32 on the host's cores.
#pragma once

#include <memory>

#include "dwarfs/crc/input.hpp"

namespace dwarfsweep::crc {

/// Slicing by 16; the stream is divided among `threads` threads, whose remainders are then combined.
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const CrcInput> input, int threads);

}  // namespace dwarfsweep::crc
