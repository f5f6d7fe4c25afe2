#include "dwarfs/kmeans/kmeans.hpp"

#include <omp.h>

#include <algorithm>
#include <array>

#include "dwarfs/kmeans/input.hpp"
#include "dwarfs/x86_levels.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::kmeans {

void update_on_host(const KmeansInput& input, const std::vector<std::int32_t>& assignments,
                    const std::vector<float>& previous, std::vector<float>& next) {
  const Shape& shape = input.shape();
  const auto features = static_cast<std::size_t>(shape.features);
  std::vector<double> sums(previous.size(), 0);
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(shape.clusters), 0);
  const float* point = input.points().data();
  for (const std::int32_t assignment : assignments) {
    // A value that a device left unwritten or wrote wrongly must not be used as an index; the check reports
    // it.
    if (assignment >= 0 && assignment < shape.clusters) {
      const auto cluster = static_cast<std::size_t>(assignment);
      double* sum = sums.data() + cluster * features;
      for (std::size_t f = 0; f < features; ++f) sum[f] += static_cast<double>(point[f]);
      ++numbers[cluster];
    }
    point += features;
  }
  next = previous;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (numbers[k] == 0) continue;
    for (std::size_t f = 0; f < features; ++f) {
      next[k * features + f] = static_cast<float>(sums[k * features + f] / static_cast<double>(numbers[k]));
    }
  }
}

namespace {

constexpr std::size_t host_lanes = 16;

// Sums and numbers of one thread, a vector of lanes each.
struct Sums {
  std::vector<float> values;  // clusters x features x lanes
  std::vector<std::int32_t> numbers;
};

struct Block {
  const float* points;  // features x lanes
  std::size_t features, clusters;
  std::size_t existing;  // lanes that hold a point
};

// Assigns a block's points and adds them to the sums.
FOR_EACH_X86_LEVEL
void process(const Block& block, const float* __restrict centroids, std::int32_t* __restrict assignments,
             float* __restrict sums, std::int32_t* __restrict numbers) {
  std::array<float, host_lanes> smallest;
  std::array<std::int32_t, host_lanes> nearest{};
  smallest.fill(3e38F);
  for (std::size_t k = 0; k < block.clusters; ++k) {
    std::array<float, host_lanes> distances{};
    for (std::size_t f = 0; f < block.features; ++f) {
      const float centroid = centroids[k * block.features + f];
      for (std::size_t lane = 0; lane < host_lanes; ++lane) {
        const float off = block.points[f * host_lanes + lane] - centroid;
        distances[lane] += off * off;
      }
    }
    for (std::size_t lane = 0; lane < host_lanes; ++lane) {
      const bool closer = distances[lane] < smallest[lane];
      smallest[lane] = closer ? distances[lane] : smallest[lane];
      nearest[lane] = closer ? static_cast<std::int32_t>(k) : nearest[lane];
    }
  }
  for (std::size_t lane = block.existing; lane < host_lanes; ++lane) nearest[lane] = -1;
  for (std::size_t lane = 0; lane < block.existing; ++lane) assignments[lane] = nearest[lane];
  for (std::size_t k = 0; k < block.clusters; ++k) {
    const auto cluster = static_cast<std::int32_t>(k);
    for (std::size_t f = 0; f < block.features; ++f) {
      float* sum = sums + (k * block.features + f) * host_lanes;
      for (std::size_t lane = 0; lane < host_lanes; ++lane)
        sum[lane] += nearest[lane] == cluster ? block.points[f * host_lanes + lane] : 0.0F;
    }
    for (std::size_t lane = 0; lane < host_lanes; ++lane)
      numbers[k * host_lanes + lane] += nearest[lane] == cluster ? 1 : 0;
  }
}

// Points are stored in blocks of `host_lanes`, feature by feature: the layout that a program of many steps
// would choose.
class KmeansHostCase final : public HostCase {
 public:
  KmeansHostCase(std::shared_ptr<const KmeansInput> input, int threads)
      : input_(std::move(input)), shape_(input_->shape()), threads_(threads) {
    const auto features = static_cast<std::size_t>(shape_.features);
    const auto points = static_cast<std::size_t>(shape_.points);
    blocks_ = ceil_div(points, host_lanes);
    tiled_.assign(blocks_ * host_lanes * features, 0);
    for (std::size_t p = 0; p < points; ++p) {
      for (std::size_t f = 0; f < features; ++f) {
        tiled_[(p / host_lanes * features + f) * host_lanes + p % host_lanes] =
            input_->points()[p * features + f];
      }
    }
    sums_.resize(static_cast<std::size_t>(threads));
    outcome_.assignments.assign(points, -1);
  }

  void reset() override { outcome_.centroids.clear(); }

  void run() override {
    std::vector<float> centroids = input_->centroids();
    for (int i = 0; i < shape_.iterations; ++i) {
      step(centroids);
      update(centroids);
      outcome_.centroids.push_back(centroids);
    }
  }

  [[nodiscard]] Check check() const override {
    const auto terms = static_cast<std::int64_t>(ceil_div(static_cast<std::int64_t>(blocks_), threads_));
    // Lanes and threads are added in double precision.
    return check_outcome(*input_, outcome_, {terms, terms, 0});
  }

 private:
  void step(const std::vector<float>& centroids) {
    const auto features = static_cast<std::size_t>(shape_.features);
    const auto points = static_cast<std::size_t>(shape_.points);
#pragma omp parallel num_threads(threads_)
    {
      Sums& sums = sums_[static_cast<std::size_t>(omp_get_thread_num())];
      sums.values.assign(centroids.size() * host_lanes, 0);
      sums.numbers.assign(static_cast<std::size_t>(shape_.clusters) * host_lanes, 0);
#pragma omp for schedule(static)
      for (std::size_t b = 0; b < blocks_; ++b) {
        const Block block{tiled_.data() + b * host_lanes * features, features,
                          static_cast<std::size_t>(shape_.clusters),
                          std::min(host_lanes, points - b * host_lanes)};
        process(block, centroids.data(), outcome_.assignments.data() + b * host_lanes, sums.values.data(),
                sums.numbers.data());
      }
    }
  }

  void update(std::vector<float>& centroids) const {
    const auto features = static_cast<std::size_t>(shape_.features);
    for (std::size_t k = 0; k < static_cast<std::size_t>(shape_.clusters); ++k) {
      std::int64_t number = 0;
      for (const Sums& sums : sums_) {
        for (std::size_t lane = 0; lane < host_lanes; ++lane) number += sums.numbers[k * host_lanes + lane];
      }
      if (number == 0) continue;
      for (std::size_t i = k * features; i < (k + 1) * features; ++i) {
        double total = 0;
        for (const Sums& sums : sums_) {
          for (std::size_t lane = 0; lane < host_lanes; ++lane)
            total += static_cast<double>(sums.values[i * host_lanes + lane]);
        }
        centroids[i] = static_cast<float>(total / static_cast<double>(number));
      }
    }
  }

  std::shared_ptr<const KmeansInput> input_;
  const Shape& shape_;
  int threads_;
  std::size_t blocks_ = 0;
  std::vector<float> tiled_;
  std::vector<Sums> sums_;
  Outcome outcome_;
};

}  // namespace

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const KmeansInput> input, int threads) {
  return std::make_unique<KmeansHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::kmeans
