// Pulls, two arrays, one array per direction: a row at a time, whose two ends wrap around.
#include <algorithm>

#include "dwarfs/lbm/lbm.hpp"
#include "dwarfs/x86_levels.hpp"

namespace dwarfsweep::lbm {
namespace {

using Index = std::int64_t;

// A row of each direction, so shifted that element x is what comes to cell x.
struct Rows {
  const float* from[directions];
  float* to[directions];
  const std::uint8_t* flags;
};

struct Pair {
  float along, against;
};

inline __attribute__((always_inline)) Pair relaxed(float along, float against, float cu, float weight,
                                                   float density, float base, float keep, bool solid) {
  const float even = weight * (base + 4.5F * density * cu * cu);
  const float odd = 3 * weight * density * cu;
  return solid ? Pair{against, along} : Pair{keep * along + (even + odd), keep * against + (even - odd)};
}

// `east` and `west` are x + 1 and x - 1, but at the ends of a row.
inline __attribute__((always_inline)) void update_cell(const Rows& rows, Index x, Index east, Index west,
                                                       float omega) {
  const float c = rows.from[0][x], n = rows.from[1][x], s = rows.from[2][x], e = rows.from[3][west],
              w = rows.from[4][east], t = rows.from[5][x], b = rows.from[6][x], ne = rows.from[7][west],
              nw = rows.from[8][east], se = rows.from[9][west], sw = rows.from[10][east],
              nt = rows.from[11][x], nb = rows.from[12][x], st = rows.from[13][x], sb = rows.from[14][x],
              et = rows.from[15][west], eb = rows.from[16][west], wt = rows.from[17][east],
              wb = rows.from[18][east];
  const bool solid = rows.flags[x] == static_cast<std::uint8_t>(Flag::obstacle);
  const bool driven = rows.flags[x] == static_cast<std::uint8_t>(Flag::accelerated);
  const float density = ((c + (n + s)) + ((e + w) + (t + b))) +
                        (((ne + sw) + (nw + se)) + (((nt + sb) + (nb + st)) + ((et + wb) + (eb + wt))));
  const float inverse = 1 / density;
  float ux = (((e - w) + ((ne - sw) + (se - nw))) + ((et - wb) + (eb - wt))) * inverse;
  float uy = (((n - s) + ((ne - sw) - (se - nw))) + ((nt - sb) + (nb - st))) * inverse;
  float uz = (((t - b) + ((nt - sb) - (nb - st))) + ((et - wb) - (eb - wt))) * inverse;
  ux = driven ? static_cast<float>(lid_velocity[0]) : ux;
  uy = driven ? static_cast<float>(lid_velocity[1]) : uy;
  uz = driven ? static_cast<float>(lid_velocity[2]) : uz;
  const float base = density - 1.5F * density * (ux * ux + uy * uy + uz * uz);
  const float keep = 1 - omega;
  const float straight = omega * (1.0F / 18);
  const float diagonal = omega * (1.0F / 36);
  rows.to[0][x] = solid ? c : keep * c + omega * (1.0F / 3) * base;
  const auto put = [&](std::size_t i, std::size_t opposite, Pair pair) {
    rows.to[i][x] = pair.along;
    rows.to[opposite][x] = pair.against;
  };
  put(1, 2, relaxed(n, s, uy, straight, density, base, keep, solid));
  put(3, 4, relaxed(e, w, ux, straight, density, base, keep, solid));
  put(5, 6, relaxed(t, b, uz, straight, density, base, keep, solid));
  put(7, 10, relaxed(ne, sw, ux + uy, diagonal, density, base, keep, solid));
  put(9, 8, relaxed(se, nw, ux - uy, diagonal, density, base, keep, solid));
  put(11, 14, relaxed(nt, sb, uy + uz, diagonal, density, base, keep, solid));
  put(12, 13, relaxed(nb, st, uy - uz, diagonal, density, base, keep, solid));
  put(15, 18, relaxed(et, wb, ux + uz, diagonal, density, base, keep, solid));
  put(16, 17, relaxed(eb, wt, ux - uz, diagonal, density, base, keep, solid));
}

FOR_EACH_X86_LEVEL void update_row(const Rows& given, Index nx, float omega) {
  const Rows rows = given;
  update_cell(rows, 0, nx == 1 ? 0 : 1, nx - 1, omega);
#pragma omp simd
  for (Index x = 1; x < nx - 1; ++x) update_cell(rows, x, x + 1, x - 1, omega);
  if (nx > 1) update_cell(rows, nx - 1, 0, nx - 2, omega);
}

class LbmHostCase final : public HostCase {
 public:
  LbmHostCase(std::shared_ptr<const LbmInput> input, int threads)
      : input_(std::move(input)),
        grid_(input_->grid()),
        threads_(threads),
        stride_(array_cells(grid_.cells())) {
    // Pulling begins with f one cell back.
    const std::size_t cells = grid_.cells();
    original_.resize(directions * stride_);
    for (std::vector<float>& result : results_) result.resize(original_.size());
#pragma omp parallel for schedule(static)
    for (std::size_t cell = 0; cell < cells; ++cell)
      for (std::size_t i = 0; i < directions; ++i)
        original_[i * stride_ + cell] =
            input_->f()[i * cells + neighbour(grid_, place_of_cell(grid_, cell), lattice[i])];
  }

  void run() override {
    for (int step = 0; step < grid_.steps; ++step)
      make_step((step == 0 ? original_ : results_[(step - 1) % 2]).data(), results_[step % 2].data());
  }

  [[nodiscard]] Check check() const override {
    const std::vector<float>& found = results_[(grid_.steps - 1) % 2];
    const std::size_t cells = grid_.cells();
    std::vector<float> f(directions * cells);
#pragma omp parallel for schedule(static)
    for (std::size_t cell = 0; cell < cells; ++cell)
      for (std::size_t i = 0; i < directions; ++i)
        f[i * cells + neighbour(grid_, place_of_cell(grid_, cell), lattice[i])] = found[i * stride_ + cell];
    return input_->check(f, Storage::plain);
  }

 private:
  void make_step(const float* from, float* to) const {
    const auto stride = static_cast<Index>(stride_);
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (Index row = 0; row < grid_.ny * grid_.nz; ++row) {
      Rows rows{};
      for (Index i = 0; i < static_cast<Index>(directions); ++i) {
        const Direction& c = lattice[static_cast<std::size_t>(i)];
        const Index y = wrapped(row % grid_.ny - c.y, grid_.ny);
        const Index z = wrapped(row / grid_.ny - c.z, grid_.nz);
        rows.from[i] = from + i * stride + (z * grid_.ny + y) * grid_.nx;
        rows.to[i] = to + i * stride + row * grid_.nx;
      }
      rows.flags = input_->flags().data() + row * grid_.nx;
      update_row(rows, grid_.nx, grid_.omega);
    }
  }

  std::shared_ptr<const LbmInput> input_;
  const Grid& grid_;
  int threads_;
  std::size_t stride_;  // from one direction to the next
  std::vector<float> original_;
  std::vector<float> results_[2];
};

}  // namespace

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const LbmInput> input, int threads) {
  return std::make_unique<LbmHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::lbm
