#include "dwarfs/crc/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "dwarfs/crc/gf2.hpp"
#include "dwarfs/crc/space.hpp"

namespace dwarfsweep::crc {
namespace {

// As wide as the device allows.
std::size_t combine_group_of(const DeviceInfo& device) {
  return std::min<std::size_t>(max_combine_group, std::bit_floor(device.capabilities.work_group_items));
}

std::string build_options(const Setup& setup, const ExtraMacros& macros) {
  // Where only the host uses the granularity, all its values share one program.
  const bool of_kernel = setup.config.string("variant") != "interleaved";
  return to_build_options(setup.space, of_kernel ? setup.config : setup.config.with("granularity", 1)) +
         fmt::format(" -D LANES={} -D CHUNK_POWER={} -D RUN={} -D COMBINE_GROUP={}", macros.lanes,
                     macros.chunk_power, run, combine_group_of(setup.workspace.device()));
}

}  // namespace

CrcCase::CrcCase(const Setup& setup, const ExtraMacros& macros)
    : workspace_(setup.workspace),
      input_(setup.input),
      padded_(setup.config.integer("padding") != 0),
      group_(static_cast<std::size_t>(setup.config.integer("work_group"))),
      granularity_(static_cast<std::size_t>(setup.config.integer("granularity"))),
      combine_group_(combine_group_of(workspace_.device())),
      options_(build_options(setup, macros)),
      result_(workspace_.allocate<cl_uint>("result", 1, Role::output)) {}

void CrcCase::reset() {
  workspace_.fill<cl_uint>(result_, constant_part(input_->stream().size()));
}

std::vector<Work> CrcCase::work() const {
  const auto bytes = static_cast<double>(input_->stream().size());
  const auto partial = static_cast<double>(partials());
  return {{"compute", bytes + 4 * partial, 8 * bytes, bytes},
          {"combine", 4 * partial + 4, partial, partial},
          {"total", bytes + 4, 8 * bytes, bytes}};
}

void CrcCase::dump(DumpSink& sink) const {
  sink.array("data", input_->stream(), {input_->stream().size()});
  sink.array("crc", std::span<const std::uint32_t>(got_), {1});
}

void CrcCase::allocate_stream(std::size_t launched_bytes) {
  const std::size_t min_bytes = input_->blocks().size();
  stream_ = workspace_.allocate<cl_uchar>("stream", padded_ ? std::max(min_bytes, launched_bytes) : min_bytes,
                                          Role::input);
}

void CrcCase::upload_stream() {
  if (padded_) workspace_.fill<cl_uchar>(stream_, 0);
  workspace_.upload(input_->blocks(), stream_);
}

std::unique_ptr<Case> make_case(const Setup& setup) {
  const std::string& variant = setup.config.string("variant");
  if (variant == "per_byte") return make_per_byte_case(setup);
  if (variant == "slicing") return make_slicing_case(setup);
  return make_interleaved_case(setup);
}

}  // namespace dwarfsweep::crc
