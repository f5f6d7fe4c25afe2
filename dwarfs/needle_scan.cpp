// The variants scan and score_only_scan of needle: the host side of kernels_cl/needle_scan.cl.
#include <fmt/format.h>

#include <algorithm>

#include "dwarfs/needle_cases.hpp"

namespace dwarfsweep::needle {
namespace {

// Columns of a chunk: a row stays in the first-level cache.
constexpr std::size_t widest_chunk = 512;

// Bands of rows, cut into chunks of columns.
struct BandPlan {
  explicit BandPlan(const Setup& setup)
      : height(16 * static_cast<std::size_t>(setup.config.integer("granularity"))) {
    const std::size_t n = std::max<std::size_t>(1, setup.input->columns());
    chunks = divided_up(n, widest_chunk);
    chunk = rounded_up(divided_up(n, chunks), 16);
    extent = {std::max<std::size_t>(1, setup.input->rows()), chunks * chunk};
    bands = divided_up(extent.rows, height);
  }

  std::size_t height, chunks, chunk, bands;
  Extent extent;
};

class BandCase final : public NeedleCase {
 public:
  BandCase(const Setup& setup, const BandPlan& plan)
      : NeedleCase(setup, plan.extent, fmt::format(" -D CHUNK={}", plan.chunk)),
        bands_(plan.bands),
        chunks_(plan.chunks),
        edge_(workspace().allocate<cl_int>("edge", plan.extent.columns, Role::scratch)),
        west_(workspace().allocate<cl_int>("west", plan.extent.rows, Role::scratch)),
        corners_(workspace().allocate<cl_int>("corners", plan.bands, Role::scratch)),
        fill_(kernel("fill_bands", "fill")) {}

  void launch(Launcher& launcher) override {
    for (std::size_t index = 0; index + 1 < bands_ + chunks_; ++index) {
      const Diagonal diagonal = diagonal_of(index, bands_, chunks_);
      launcher.run(fill_, diagonal.tiles, 1, device_matrix(), device_score(), first(), profile(), edge_,
                   west_, corners_, diagonal.top, diagonal.right, rows(), last(), columns(), gap());
    }
  }

 private:
  std::size_t bands_, chunks_;
  Buffer<cl_int> edge_, west_, corners_;
  Kernel fill_;
};

}  // namespace

std::uint64_t scan_local_bytes() {
  return widest_chunk * sizeof(cl_int);
}

std::unique_ptr<Case> scan_case(const Setup& setup) {
  return std::make_unique<BandCase>(setup, BandPlan(setup));
}

}  // namespace dwarfsweep::needle
