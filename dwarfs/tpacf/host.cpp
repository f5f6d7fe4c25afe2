// SkyPoint by point against tiles of partners: products in vectors, and for each edge the partners beyond it.
#include "dwarfs/tpacf/tpacf.hpp"

#include <algorithm>

#include "dwarfs/x86_levels.hpp"

namespace dwarfsweep::tpacf {
namespace {

constexpr std::int64_t tile = 1024;

struct Tile {
  std::int64_t count = 0;
  float x[tile], y[tile], z[tile];
};

// beyond[k] += partners from `from` on that are beyond edge k.
FOR_EACH_X86_LEVEL void add_point(const SkyPoint& a, const Tile& partners, std::int64_t from,
                                  const float* distances, std::size_t edges, std::int64_t* beyond) {
  float distance[tile];
  for (std::int64_t j = from; j < partners.count; ++j)
    distance[j] = 1 - a.x * partners.x[j] - a.y * partners.y[j] - a.z * partners.z[j];
  for (std::size_t k = 0; k < edges; ++k) {
    std::int32_t count = 0;
    for (std::int64_t j = from; j < partners.count; ++j) count += distance[j] > distances[k] ? 1 : 0;
    beyond[k] += count;
  }
}

class TpacfHostCase final : public HostCase {
 public:
  TpacfHostCase(std::shared_ptr<const SkyInput> input, int threads)
      : input_(std::move(input)), threads_(threads) {}

  void reset() override { counts_.assign(kinds * sky().slots(), -1); }
  void run() override {
    const std::size_t edges = sky().edges.distances.size();
    const std::int64_t tiles = (sky().points + tile - 1) / tile;
    std::vector<std::int64_t> beyond(kinds * edges, 0);
#pragma omp parallel num_threads(threads_)
    {
      std::vector<std::int64_t> own(kinds * edges, 0);
      Tile partners;
#pragma omp for schedule(dynamic) nowait
      for (std::int64_t work = 0; work < (2 * sky().sets + 1) * tiles; ++work) {
        const SetPair pair = set_pair(sky(), work / tiles);
        const std::int64_t begin = work % tiles * tile;
        partners.count = std::min(tile, sky().points - begin);
        for (std::int64_t j = 0; j < partners.count; ++j) {
          const SkyPoint& point = sky().set(pair.other)[begin + j];
          partners.x[j] = point.x;
          partners.y[j] = point.y;
          partners.z[j] = point.z;
        }
        const std::int64_t end = pair.self() ? begin + partners.count : sky().points;
        for (std::int64_t i = 0; i < end; ++i) {
          const std::int64_t from = pair.self() ? std::max<std::int64_t>(0, i + 1 - begin) : 0;
          add_point(sky().set(pair.one)[i], partners, from, sky().edges.distances.data(), edges,
                    own.data() + pair.kind * edges);
        }
      }
#pragma omp critical
      for (std::size_t i = 0; i < own.size(); ++i) beyond[i] += own[i];
    }
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      std::int64_t nearer = sky().pairs(kind);
      for (std::size_t slot = 0; slot < sky().slots(); ++slot) {
        const std::int64_t further = slot < edges ? beyond[kind * edges + slot] : 0;
        counts_[kind * sky().slots() + slot] = nearer - further;
        nearer = further;
      }
    }
  }
  [[nodiscard]] Check check() const override {
    return input_->check(counts_);
  }

 private:
  [[nodiscard]] const Sky& sky() const {
    return input_->sky();
  }

  std::shared_ptr<const SkyInput> input_;
  int threads_;
  Counts counts_;
};

}  // namespace

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const SkyInput> input, int threads) {
  return std::make_unique<TpacfHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::tpacf
