#include "dwarfs/crc/case.hpp"

#include <algorithm>
#include <bit>

#include "dwarfs/crc/crc.hpp"
#include "dwarfs/crc/gf2.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::crc {

CrcCase::CrcCase(const Setup& setup)
    : ArrayCase(setup),
      group_(setup.size("work_group")),
      granularity_(setup.size("granularity")),
      // As wide as the device allows.
      combine_group_(std::min<std::size_t>(max_combine_group,
                                           std::bit_floor(setup.device().capabilities.work_group_items))),
      input_(setup.input<CrcInput>()),
      padded_(setup.integer("padding") != 0) {}

void CrcCase::reset() {
  workspace().fill<cl_uint>(result_, is_crc8() ? 0 : constant_part(bytes()));
}

std::vector<Work> CrcCase::work() const {
  const auto stream = static_cast<double>(bytes());
  const auto partial = static_cast<double>(partials());
  const double word = is_crc8() ? 1 : 4;
  return {{"compute", stream + word * partial, stream, stream},
          {"combine", word * partial + 4, partial, partial},
          {"total", stream + 4, stream, stream}};
}

void CrcCase::declare_arrays(std::size_t launched_bytes) {
  const std::size_t allocated = padded_ ? std::max(padded_bytes(), launched_bytes) : padded_bytes();
  stream_ = input("data", input_->stream(), {bytes()}, allocated);
  result_ =
      output(Result<cl_uint>("crc", {1}, [input = input_](std::size_t) { return input->reference().crc(); }));
}

Macros CrcCase::macros(const Setup& setup, std::size_t lanes, int chunk_power) const {
  // Where only the host uses the granularity, all its values share one program.
  const bool of_kernel = setup.string("variant") != "interleaved";
  return Macros(setup.space, of_kernel ? setup.config : setup.config.with("granularity", 1))
      .define("LANES", static_cast<std::int64_t>(lanes))
      .define("CHUNK_POWER", chunk_power)
      .define("RUN", run)
      .define("CODE_BITS", is_crc8() ? 8 : 32)
      .define("COMBINE_GROUP", static_cast<std::int64_t>(combine_group_));
}

std::size_t CrcCase::padded_bytes() const {
  return std::max(block_bytes, round_up(bytes(), block_bytes));
}

std::unique_ptr<Case> make_case(const Setup& setup) {
  const std::string& variant = setup.string("variant");
  if (variant == "per_byte") return make_per_byte_case(setup);
  return variant == "slicing" ? make_slicing_case(setup) : make_interleaved_case(setup);
}

}  // namespace dwarfsweep::crc
