// crc's variant slicing on a device.
#include <bit>

#include "dwarfs/crc/case.hpp"
#include "dwarfs/crc/gf2.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::crc {
namespace {

class SlicingCase final : public CrcCase {
 public:
  explicit SlicingCase(const Setup& setup)
      : CrcCase(setup),
        chunk_bytes_(granularity_ * block_bytes),
        chunks_(ceil_div(padded_bytes(), chunk_bytes_)),
        runs_(ceil_div(chunks_, run)),
        slices_(setup.size("slices")) {
    declare_arrays(round_up(chunks_, group_) * chunk_bytes_);
    powers_ = allocate_words("powers", std::size_t{32} * 1024, Role::input);
    tables_ = allocate_words("tables", slices_ * 256, Role::input);
    residues_ = allocate_words("residues", chunks_, Role::scratch);
    const Macros all = macros(setup, 1, std::countr_zero(chunk_bytes_));
    compute_ = setup.kernel("compute_slicing", "compute", all);
    combine_ = setup.kernel("combine_residues", "combine", all);
  }

  void upload() override {
    ArrayCase::upload();
    workspace().upload(power_tables(), powers_);
    workspace().upload(slicing_tables(slices_), tables_);
  }

  void launch(Launcher& launcher) override {
    const std::size_t virtual_bytes = runs_ * run * chunk_bytes_;
    launcher.run(compute_, round_up(chunks_, group_), group_, stream_,
                 static_cast<cl_ulong>(padded_bytes() / block_bytes), tables_, residues_,
                 static_cast<cl_ulong>(chunks_));
    launcher.run(combine_, round_up(runs_, combine_group_), combine_group_, residues_,
                 static_cast<cl_ulong>(chunks_), powers_, static_cast<cl_ulong>(runs_),
                 static_cast<cl_uint>(inverse_shift(virtual_bytes - bytes())), result_);
  }

 private:
  [[nodiscard]] std::size_t partials() const override { return chunks_; }

  std::size_t chunk_bytes_, chunks_, runs_, slices_;
  Buffer<cl_uint> powers_, tables_, residues_;
  Kernel compute_, combine_;
};

}  // namespace

std::unique_ptr<Case> make_slicing_case(const Setup& setup) {
  return std::make_unique<SlicingCase>(setup);
}

}  // namespace dwarfsweep::crc
