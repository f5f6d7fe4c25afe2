// The variants untiled and tiled of matmul: one launch, a work-item for each result or for a few of them.
#include "dwarfs/matmul/cases.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::matmul {
namespace {

// The multiples that the groups of the variant need.
Shape tile_of(const Config& config) {
  const std::int64_t edge = config.integer("work_group");
  const bool tiled = config.string("variant") == "tiled";
  return {edge, edge * config.integer("granularity"), tiled ? edge : 1};
}

class DirectCase final : public ProductCase {
 public:
  explicit DirectCase(const Setup& setup)
      : ProductCase(setup, tile_of(setup.config)),
        group_(setup.size("work_group")),
        results_(setup.size("granularity")),
        kernel_(setup.kernel("matmul", "matmul")) {}

  void launch(Launcher& launcher) override {
    const auto rows = static_cast<std::size_t>(padded().rows);
    const auto cols = static_cast<std::size_t>(padded().cols);
    launcher.run(kernel_, Range(cols / results_, rows), Range(group_, group_), a(), b(), c(),
                 static_cast<cl_int>(padded().cols), static_cast<cl_int>(padded().terms));
  }
  [[nodiscard]] std::vector<Work> work() const override {
    return {whole_work("matmul"), whole_work("total")};
  }

 private:
  std::size_t group_, results_;
  Kernel kernel_;
};

}  // namespace

std::unique_ptr<Case> direct_case(const Setup& setup) {
  return std::make_unique<DirectCase>(setup);
}

}  // namespace dwarfsweep::matmul
