// Blocks of neighbouring voxels, whose sums stay in vector registers during the loop over samples. Sine and
// cosine are Taylor's polynomials of at most an eighth of a turn, which vector units compute for a block at
// once.
#include "dwarfs/mri/mri.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dwarfs/x86_levels.hpp"

namespace dwarfsweep::mri {
namespace {

constexpr std::size_t block_voxels = 32;
// Taylor's next terms, (pi/4)^11 / 11! = 1.8e-9 and (pi/4)^12 / 12! = 1.2e-10, are far below rounding.
constexpr double taylor_error = 8 * 0x1p-24;

struct Block {
  float x[block_voxels], y[block_voxels], z[block_voxels];
  float re[block_voxels], im[block_voxels];
};

// The weights are those of cosine and sine in the real part and in the imaginary one.
FOR_EACH_X86_LEVEL void add_sample(const float* k, float re_cosine, float re_sine, float im_cosine,
                                   float im_sine, Block& block) {
  for (std::size_t v = 0; v < block_voxels; ++v) {
    const float quarters = 4 * (k[0] * block.x[v] + k[1] * block.y[v] + k[2] * block.z[v]);
    const float nearest = std::nearbyint(quarters);
    const int quadrant = static_cast<int>(nearest) & 3;
    const float a = (quarters - nearest) * 1.57079633F;
    const float s = a * a;
    const float small_sine =
        a * (1 + s * (-1.0F / 6 + s * (1.0F / 120 + s * (-1.0F / 5040 + s * (1.0F / 362880)))));
    const float small_cosine =
        1 + s * (-0.5F + s * (1.0F / 24 + s * (-1.0F / 720 + s * (1.0F / 40320 + s * (-1.0F / 3628800)))));
    const float along = (quadrant & 1) != 0 ? small_sine : small_cosine;
    const float across = (quadrant & 1) != 0 ? small_cosine : small_sine;
    const float cosine = quadrant == 1 || quadrant == 2 ? -along : along;
    const float sine = quadrant >= 2 ? -across : across;
    block.re[v] += re_cosine * cosine + re_sine * sine;
    block.im[v] += im_cosine * cosine + im_sine * sine;
  }
}

class MriHostCase final : public HostCase {
 public:
  MriHostCase(std::shared_ptr<const MriInput> input, int threads)
      : input_(std::move(input)), threads_(threads), result_(2 * input_->scan().voxel_count()) {
    const std::vector<float>& k = input_->scan().samples;
    for (std::size_t i = 0; i < k.size(); i += 3)
      samples_.insert(samples_.end(), {k[i], k[i + 1], k[i + 2], 0, 0});
  }

  void reset() override {
    std::fill(result_.begin(), result_.end(), std::numeric_limits<float>::quiet_NaN());
  }
  void run() override {
    weigh();
    const std::size_t voxels = input_->scan().voxel_count();
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::size_t begin = 0; begin < voxels; begin += block_voxels) {
      do_block(begin, std::min(block_voxels, voxels - begin));
    }
  }
  [[nodiscard]] Check check() const override {
    return input_->check(result_, taylor_error);
  }

 private:
  void weigh() {
    const Scan& scan = input_->scan();
    for (std::size_t i = 0; i < scan.sample_count(); ++i) {
      const float* const phi = scan.phi.data() + 2 * i;
      const float* const with = scan.fhd ? scan.data.data() + 2 * i : phi;
      samples_[5 * i + 3] = phi[0] * with[0] + phi[1] * with[1];
      samples_[5 * i + 4] = scan.fhd ? phi[0] * with[1] - phi[1] * with[0] : 0;
    }
  }

  void do_block(std::size_t begin, std::size_t count) {
    Block block = {};
    const float* voxels = input_->scan().voxels.data() + 3 * begin;
    for (std::size_t v = 0; v < count; ++v) {
      block.x[v] = voxels[3 * v];
      block.y[v] = voxels[3 * v + 1];
      block.z[v] = voxels[3 * v + 2];
    }
    for (std::size_t i = 0; i < samples_.size(); i += 5) {
      const float* k = samples_.data() + i;
      add_sample(k, k[3], -k[4], k[4], k[3], block);
    }
    for (std::size_t v = 0; v < count; ++v) {
      result_[2 * (begin + v)] = block.re[v];
      result_[2 * (begin + v) + 1] = block.im[v];
    }
  }

  std::shared_ptr<const MriInput> input_;
  int threads_;
  std::vector<float> samples_;  // kx, ky, kz and the two parts of the weight, one after the other
  std::vector<float> result_;
};

}  // namespace

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const MriInput> input, int threads) {
  return std::make_unique<MriHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::mri
