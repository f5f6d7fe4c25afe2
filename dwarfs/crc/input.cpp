#include "dwarfs/crc/input.hpp"

#include <fmt/format.h>

#include "harness/device/host.hpp"
#include "harness/formats/file_bytes.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::crc {
namespace {

Code code_of(const Problem& problem) {
  return problem.string("code") == "crc8" ? Code::crc8 : Code::crc32;
}

}  // namespace

std::shared_ptr<const CrcInput> generate(const Problem& problem, std::uint64_t seed) {
  const auto bytes = static_cast<std::size_t>(problem.integer("bytes"));
  require_host_memory(fmt::format("crc: a stream of {} bytes", bytes), bytes);
  std::vector<std::uint8_t> stream(bytes);
  Random(seed).fill_bytes(stream);
  return std::make_shared<CrcInput>(std::move(stream), code_of(problem));
}

Loaded load(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files) {
  require_files("crc", info.input_formats, files, 1);
  auto stream = read_bytes(files.front());
  const auto bytes = static_cast<std::int64_t>(stream.size());
  Problem problem =
      make_problem("crc", info.keys, {"file", with_found("crc", request, "bytes", bytes, files.front())});
  auto input = std::make_shared<CrcInput>(std::move(stream), code_of(problem));
  return {std::move(problem), std::move(input)};
}

}  // namespace dwarfsweep::crc
