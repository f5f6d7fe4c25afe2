// crc's variant slicing on a device.
#include <bit>

#include "dwarfs/crc/case.hpp"
#include "dwarfs/crc/gf2.hpp"

namespace dwarfsweep::crc {
namespace {

class SlicingCase final : public CrcCase {
 public:
  explicit SlicingCase(const Setup& setup)
      : CrcCase(setup, macros(setup)),
        chunk_bytes_(granularity_ * block_bytes),
        chunks_(ceil_div(input_->blocks().size(), chunk_bytes_)),
        runs_(ceil_div(chunks_, run)),
        slices_(static_cast<std::size_t>(setup.config.integer("slices"))) {
    allocate_stream(round_up(chunks_, group_) * chunk_bytes_);
    powers_ = allocate_words("powers", std::size_t{32} * 1024, Role::input);
    tables_ = allocate_words("tables", slices_ * 256, Role::input);
    residues_ = allocate_words("residues", chunks_, Role::scratch);
    compute_ = kernel("compute_slicing", "compute");
    combine_ = kernel("combine_residues", "combine");
  }

  void upload() override {
    upload_stream();
    workspace_.upload(power_tables(), powers_);
    workspace_.upload(slicing_tables(slices_), tables_);
  }

  void launch(Launcher& launcher) override {
    const std::size_t virtual_bytes = runs_ * run * chunk_bytes_;
    launcher.run(compute_, round_up(chunks_, group_), group_, stream_,
                 static_cast<cl_ulong>(input_->blocks().size() / block_bytes), tables_, residues_,
                 static_cast<cl_ulong>(chunks_));
    launcher.run(combine_, round_up(runs_, combine_group_), combine_group_, residues_,
                 static_cast<cl_ulong>(chunks_), powers_, static_cast<cl_ulong>(runs_),
                 static_cast<cl_uint>(inverse_shift(virtual_bytes - input_->stream().size())), result_);
  }

 private:
  static ExtraMacros macros(const Setup& setup) {
    const auto granularity = static_cast<std::size_t>(setup.config.integer("granularity"));
    return {1, static_cast<unsigned>(std::countr_zero(granularity * block_bytes))};
  }
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
