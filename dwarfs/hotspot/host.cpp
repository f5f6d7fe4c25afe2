// One pass over memory per step.
#include "dwarfs/hotspot/hotspot.hpp"

#include <algorithm>

#include "dwarfs/x86_levels.hpp"

namespace dwarfsweep::hotspot {
namespace {

struct Rows {
  const float* above;
  const float* here;
  const float* below;
  const float* power;
};

FOR_EACH_X86_LEVEL void update_row(const Rows& rows, std::size_t cols, const Weights& weights,
                                   float* result) {
  const float* above = rows.above;
  const float* here = rows.here;
  const float* below = rows.below;
  const float* power = rows.power;
  const Weights w = weights;
  const auto updated = [=](std::size_t i, float west, float east) {
    return here[i] + (w.own * here[i] + w.vertical * (above[i] + below[i]) + w.horizontal * (west + east) +
                      (w.gain * power[i] + w.offset));
  };
  const std::size_t last = cols - 1;
  result[0] = updated(0, here[0], here[std::min<std::size_t>(1, last)]);
#pragma omp simd
  for (std::size_t i = 1; i < last; ++i) result[i] = updated(i, here[i - 1], here[i + 1]);
  if (last > 0) result[last] = updated(last, here[last - 1], here[last]);
}

class Simulation {
 public:
  Simulation(const HotspotInput& input, int threads)
      : input_(input),
        p_(input.parameters()),
        weights_(weights_of(p_)),
        threads_(threads),
        next_(p_.cells()) {}

  void reset() { temperature_ = input_.temperature(); }
  [[nodiscard]] const std::vector<float>& temperature() const { return temperature_; }

  void run() {
#pragma omp parallel num_threads(threads_)
    for (int i = 0; i < p_.steps; ++i) {
      const float* from = (i % 2 == 0 ? temperature_ : next_).data();
      float* to = (i % 2 == 0 ? next_ : temperature_).data();
#pragma omp for schedule(static)
      for (std::size_t row = 0; row < p_.rows; ++row) step_row(row, from, to);
    }
    if (p_.steps % 2 == 1) temperature_.swap(next_);
  }

 private:
  void step_row(std::size_t row, const float* from, float* to) const {
    const std::size_t begin = row * p_.cols;
    const float* here = from + begin;
    update_row({row == 0 ? here : here - p_.cols, here, row + 1 == p_.rows ? here : here + p_.cols,
                input_.power().data() + begin},
               p_.cols, weights_, to + begin);
  }

  const HotspotInput& input_;
  const Parameters& p_;
  Weights weights_;
  int threads_;
  std::vector<float> temperature_, next_;
};

class HotspotHostCase final : public HostCase {
 public:
  HotspotHostCase(std::shared_ptr<const HotspotInput> input, int threads)
      : input_(std::move(input)), simulation_(*input_, threads) {}

  void reset() override { simulation_.reset(); }
  void run() override { simulation_.run(); }
  [[nodiscard]] Check check() const override { return input_->check(simulation_.temperature()); }

 private:
  std::shared_ptr<const HotspotInput> input_;
  Simulation simulation_;
};

}  // namespace

std::vector<float> simulated_on_host(const HotspotInput& input) {
  Simulation simulation(input, 1);
  simulation.reset();
  simulation.run();
  return simulation.temperature();
}

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const HotspotInput> input, int threads) {
  return std::make_unique<HotspotHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::hotspot
