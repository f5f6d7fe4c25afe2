// The variants scan and score_only_scan of needle: the host side of kernels_cl/needle/scan.cl.
#include <algorithm>

#include "dwarfs/needle/cases.hpp"
#include "dwarfs/needle/needle.hpp"
#include "dwarfs/sync.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::needle {
namespace {

// Columns of a chunk: a row stays in the first-level cache, and is long enough to outweigh the fixed cost of
// a tile.
constexpr std::size_t widest_chunk = 512;
constexpr std::size_t narrowest_chunk = 128;
constexpr std::size_t flag_step = 16;  // FLAG_STEP of the kernel

bool uses_flags(const Setup& setup) {
  return groups_wait(setup.device(), setup.string("sync"));
}

// Bands of rows, cut into chunks of columns.
struct BandPlan {
  explicit BandPlan(const Setup& setup) : height(16 * setup.size("granularity")) {
    const auto input = setup.input<NeedleInput>();
    const std::size_t n = std::max<std::size_t>(1, input->columns());
    // As many bands are at work as there are chunks at most: by flags twice the cores, so that few are short
    // of work. Launches cost more than idle cores.
    const std::size_t wanted =
        uses_flags(setup) ? 2 * std::size_t{setup.device().capabilities.compute_units} : 0;
    chunks = std::clamp(wanted, ceil_div(n, widest_chunk), ceil_div(n, narrowest_chunk));
    chunk = round_up(ceil_div(n, chunks), 16);
    extent = {std::max<std::size_t>(1, input->rows()), chunks * chunk};
    bands = ceil_div(extent.rows, height);
  }

  std::size_t height, chunks, chunk, bands;
  Extent extent;
};

class BandCase final : public NeedleCase {
 public:
  BandCase(const Setup& setup, const BandPlan& plan)
      : NeedleCase(setup, plan.extent),
        uses_flags_(uses_flags(setup)),
        bands_(plan.bands),
        chunks_(plan.chunks),
        edge_(workspace().allocate<cl_int>("edge", plan.extent.columns, Role::scratch)),
        west_(workspace().allocate<cl_int>("west", plan.extent.rows, Role::scratch)),
        corners_(workspace().allocate<cl_int>("corners", plan.bands, Role::scratch)),
        flags_(workspace().allocate<cl_uint>("flags", (plan.bands + 1) * flag_step, Role::scratch)),
        fill_(setup.kernel("fill_bands", "fill", macros(setup, plan))) {}

  void enqueue(Launcher& launcher) override {
    if (uses_flags_) {
      launcher.fill<cl_uint>(flags_, 0);
      return fill(launcher, bands_, 0, 0);
    }
    for (std::size_t index = 0; index + 1 < bands_ + chunks_; ++index) {
      const Diagonal diagonal = diagonal_of(index, bands_, chunks_);
      fill(launcher, diagonal.tiles, diagonal.top, diagonal.right);
    }
  }

 private:
  static Macros macros(const Setup& setup, const BandPlan& plan) {
    return macros_of(setup)
        .define("CHUNK", static_cast<std::int64_t>(plan.chunk))
        .allow_inter_group_sync(uses_flags(setup));
  }
  void fill(Launcher& launcher, std::size_t groups, cl_uint top, cl_uint right) {
    launcher.run(fill_, groups, 1, device_matrix(), device_score(), first(), profile(), edge_, west_,
                 corners_, flags_, top, right, rows(), last(), columns(), gap());
  }

  bool uses_flags_;
  std::size_t bands_, chunks_;
  Buffer<cl_int> edge_, west_, corners_;
  Buffer<cl_uint> flags_;
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
