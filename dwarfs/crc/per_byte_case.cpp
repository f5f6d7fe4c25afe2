// crc's variant per_byte on a device.
#include <algorithm>

#include "dwarfs/crc/case.hpp"
#include "dwarfs/crc/gf2.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::crc {
namespace {

class PerByteCase final : public CrcCase {
 public:
  explicit PerByteCase(const Setup& setup)
      : CrcCase(setup), item_answers_(setup.string("answers") == "each" ? granularity_ : 1) {
    const std::size_t group_bytes = group_ * granularity_;
    groups_ = std::max<std::size_t>(1, ceil_div(bytes(), group_bytes));
    // The answers take four times the memory of the stream: their number is limited, and longer streams take
    // several launches.
    const std::size_t max_answers = std::min<std::size_t>(
        std::size_t{1} << 28U, setup.device().capabilities.allocation_bytes / 8 / word_bytes());
    groups_per_launch_ = std::clamp<std::size_t>(max_answers / (group_ * item_answers_), 1, groups_);
    declare_arrays(groups_ * group_bytes);
    powers_ = workspace().allocate<cl_uchar>("powers", is_crc8() ? 32 * 256 : 32 * 4096, Role::input);
    answers_ = workspace().allocate<cl_uchar>(
        "answers", groups_per_launch_ * group_ * item_answers_ * word_bytes(), Role::scratch);
    compute_ = setup.kernel("compute_per_byte", "compute", macros(setup));
    combine_ = setup.kernel("combine_answers", "combine", macros(setup));
  }

  void upload() override {
    ArrayCase::upload();
    if (is_crc8()) {
      workspace().upload(crc8_power_tables(), powers_);
      return;
    }
    const std::vector<std::uint32_t> tables = power_tables();
    workspace().upload(std::span(reinterpret_cast<const cl_uchar*>(tables.data()), powers_.count), powers_);
  }

  void launch(Launcher& launcher) override {
    for (std::size_t begin = 0; begin < groups_; begin += groups_per_launch_) {
      const std::size_t items = std::min(groups_per_launch_, groups_ - begin) * group_;
      launcher.run(compute_, items, group_, stream_, powers_, answers_,
                   static_cast<cl_ulong>(begin * group_ * granularity_), static_cast<cl_ulong>(bytes()));
      const std::size_t answers = items * item_answers_;
      launcher.run(combine_, round_up(ceil_div(answers, run), combine_group_), combine_group_, answers_,
                   static_cast<cl_ulong>(answers), result_);
    }
  }

 private:
  // The size of an answer.
  [[nodiscard]] std::size_t word_bytes() const { return is_crc8() ? 1 : sizeof(cl_uint); }
  [[nodiscard]] std::size_t partials() const override { return groups_ * group_ * item_answers_; }

  std::size_t item_answers_;  // that a work-item stores
  std::size_t groups_, groups_per_launch_;
  Buffer<cl_uchar> powers_, answers_;  // bytes, or words of four
  Kernel compute_, combine_;
};

}  // namespace

std::unique_ptr<Case> make_per_byte_case(const Setup& setup) {
  return std::make_unique<PerByteCase>(setup);
}

}  // namespace dwarfsweep::crc
