// backprop (unstructured grid): one step of training a network of one hidden layer. This file describes
// the dwarf. The method is in kernels_cl/backprop/backprop.cl, the check's bounds in verification.cpp.
//
// Work: items are weights of the first layer. Each takes 2 operations forward and 4 backward; it is read
// forward, and read and written with its last change backward: 20 bytes. Each of the second layer takes 8
// operations and 16 bytes.
#include "dwarfs/backprop/backprop.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep {
namespace {

using backprop::BackpropInput;

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "backprop";
  info.title = "back propagation in a network of one hidden layer";
  info.pattern = "unstructured grid";
  info.kernels = {"forward", "finish", "update"};
  info.item = "weights";
  info.keys = {{"inputs", "units of the input layer", 65'536, 1, 0x1p24},
               {"hidden", "units of the hidden layer", 16, 1, 0x1p16},
               {"outputs", "units of the output layer", 1, 1, 0x1p16}};
  // Weights and their changes, with 16 hidden units: 32 KiB, 512 KiB, 8 MiB, 128 MiB.
  info.sizes = {{"tiny", {{"inputs", 256}}},
                {"small", {{"inputs", 4096}}},
                {"medium", {{"inputs", 65'536}}},
                {"large", {{"inputs", 1 << 20}}},
                {"paper", {{"inputs", 65'536}}}};
  info.first_choice = [](const Problem&, const Capabilities&) -> ValueMap {
    return {{"variant", "strided"}};
  };
  info.demand = [](const Problem& problem) {
    const double weights = problem.real("inputs") * problem.real("hidden");
    return Demand{8 * weights, 20 * weights, 6 * weights, 3};
  };
  info.checks.odd_problems = {{{"inputs", 333}, {"hidden", 13}, {"outputs", 3}},
                              {{"inputs", 1}, {"hidden", 1}, {"outputs", 1}}};
  info.checks.refused_problems = {{{"inputs", 1 << 24}, {"hidden", 1 << 16}}};
  info.checks.large_problems = {{{"inputs", 1 << 24}, {"hidden", 16}}};
  info.checks.single_item_settings = {{{"work_group", 1}}};
  info.checks.small_local_settings = {{{"variant", "blocks"}}};
  info.checks.results = {"weights_1", "weights_2", "hidden", "output"};
  return info;
}

class Backprop final : public Dwarf {
 public:
  Backprop() : Dwarf(make_info(), backprop::make_space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return std::make_shared<BackpropInput>(backprop::random_network(backprop::shape_of(problem), seed));
  }
  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return backprop::make_case(setup);
  }
  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return backprop::make_host_case(std::static_pointer_cast<const BackpropInput>(loaded.input), threads);
  }
  // 65,536 inputs are the one point of the figure that the text names.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    return {{"performance_study_2008 Figure 7", {{"inputs", 65'536}}, {}}};
  }
};

}  // namespace

const Dwarf& backprop_dwarf() {
  static const Backprop dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
