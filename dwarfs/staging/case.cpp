#include "dwarfs/staging/staging.hpp"

#include <fmt/format.h>

#include <mutex>

#include "harness/run/array_case.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::staging {
namespace {

// What is expected of all kernels, made when the first result is checked.
class Expectations {
 public:
  Expectations(std::shared_ptr<const StagingInput> input, const Geometry& geometry)
      : input_(std::move(input)), geometry_(geometry) {}

  [[nodiscard]] Expected of(std::size_t index, int count) const {
    std::call_once(once_, [this] { sums_ = sums_of(input_->data, geometry_); });
    return expected_sum(sums_[index], count);
  }

 private:
  std::shared_ptr<const StagingInput> input_;
  Geometry geometry_;
  mutable std::once_flag once_;
  mutable std::vector<Sum> sums_;
};

Geometry geometry_of(const Setup& setup, std::size_t elements) {
  const auto units = static_cast<std::size_t>(setup.device().capabilities.compute_units);
  Geometry geometry{setup.size("work_group"),
                    setup.size("granularity"),
                    setup.size("vector_width"),
                    setup.size("element"),
                    setup.size("groups") * std::max<std::size_t>(1, units),
                    0,
                    0};
  geometry.all_tiles = ceil_div(elements, geometry.tile());
  geometry.tiles = ceil_div(geometry.all_tiles, geometry.groups);
  return geometry;
}

class StagingCase final : public ArrayCase {
 public:
  explicit StagingCase(const Setup& setup)
      : ArrayCase(setup),
        input_(setup.input<StagingInput>()),
        geometry_(geometry_of(setup, input_->data.size())),
        group_(static_cast<std::size_t>(group_items(setup.config))),
        data_(input<float>("data", input_->data, {input_->data.size()},
                           geometry_.all_tiles * geometry_.tile())) {
    const Macros macros = setup.macros().define("GROUP_ITEMS", static_cast<std::int64_t>(group_));
    const auto expectations = std::make_shared<const Expectations>(input_, geometry_);
    for (const int count : input_->multiply_adds) {
      kernels_.push_back(setup.kernel("staging", fmt::format("m{}", count), macros));
      sums_.push_back(output(Result<float>(
          fmt::format("sums_{}", count), {geometry_.groups * geometry_.work_group},
          [expectations, count](std::size_t index) { return expectations->of(index, count); })));
    }
  }

  void launch(Launcher& launcher) override {
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
      launcher.run(kernels_[i], geometry_.groups * group_, group_, data_, sums_[i],
                   static_cast<cl_uint>(geometry_.tiles), static_cast<cl_uint>(geometry_.all_tiles),
                   static_cast<cl_uint>(input_->multiply_adds[i]), cl_float{1});
    }
  }

  // Each loop is a benchmark of its own: the total is the sum of all.
  [[nodiscard]] std::vector<Work> work() const override {
    const auto n = static_cast<double>(input_->data.size());
    std::vector<Work> work;
    Work total{"total", 0, 0, 0};
    for (const int count : input_->multiply_adds) {
      work.push_back({fmt::format("m{}", count), 4 * n, (2 * count + 1) * n, n});
      total.bytes += work.back().bytes;
      total.operations += work.back().operations;
      total.items += n;
    }
    work.push_back(total);
    return work;
  }

 private:
  std::shared_ptr<const StagingInput> input_;
  Geometry geometry_;
  std::size_t group_;
  Buffer<float> data_;
  std::vector<Buffer<float>> sums_;
  std::vector<Kernel> kernels_;
};

}  // namespace

std::int64_t group_items(const Config& config) {
  const bool split = config.string("variant") == "split";
  return config.integer("work_group") + (split ? config.integer("loaders") : 0);
}

std::unique_ptr<Case> make_case(const Setup& setup) {
  return std::make_unique<StagingCase>(setup);
}

}  // namespace dwarfsweep::staging
