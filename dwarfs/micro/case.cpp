// micro on a device.
#include <algorithm>

#include "dwarfs/micro/micro.hpp"
#include "harness/run/array_case.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::micro {
namespace {

class MicroCase final : public ArrayCase {
 public:
  explicit MicroCase(const Setup& setup)
      : ArrayCase(setup),
        input_(setup.input<MicroInput>()),
        p_(input_->parameters()),
        group_(setup.size("work_group")),
        permute_group_(std::max(group_, block_words)),
        item_results_(setup.size("vector_width") * setup.size("granularity")),
        groups_(ceil_div(p_.items, group_ * item_results_)),
        permute_groups_(ceil_div(p_.items, permute_group_ * item_results_)),
        seeds_(input("seeds", input_->seeds(), {p_.items}, launched_results())),
        traversed_(
            result("traversed", [input = input_](std::size_t i) { return input->reference().traversed(i); })),
        diverged_(
            result("diverged",
                   [input = input_, divergent = setup.size("divergent"), width = setup.size("vector_width")](
                       std::size_t i) { return input->reference().diverged(i, divergent, width); })),
        permuted_(result("permuted", [input = input_, width = setup.size("vector_width")](std::size_t i) {
          return input->reference().permuted(i, width);
        })) {
    const Macros macros = setup.macros().define("BITS", p_.bits);
    traverse_ = setup.kernel("traverse", "traverse", macros);
    diverge_ = setup.kernel("diverge", "diverge", macros);
    permute_ = setup.kernel("permute", "permute", macros);
  }

  void launch(Launcher& launcher) override {
    const std::size_t items = groups_ * group_;
    launcher.run(traverse_, items, group_, seeds_, traversed_, cl_uint{p_.rounds});
    launcher.run(diverge_, items, group_, seeds_, diverged_, cl_uint{p_.rounds}, cl_uint{edge});
    launcher.run(permute_, permute_groups_ * permute_group_, permute_group_, seeds_, permuted_,
                 cl_uint{p_.rounds});
  }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto items = static_cast<double>(p_.items);
    const double visits = items * edge * p_.rounds;
    return {{"traverse", 8 * items, 4 * visits, items},
            {"diverge", 8 * items, 4 * visits, items},
            {"permute", 8 * items, items * p_.rounds, items},
            {"total", 16 * items, 8 * visits + items * p_.rounds, items}};
  }

 private:
  template <typename Expect>
  Buffer<cl_uint> result(const char* name, Expect expected) {
    return output(Result<cl_uint>(name, {p_.items}, std::move(expected)), launched_results());
  }
  // Of the kernel that launches most.
  [[nodiscard]] std::size_t launched_results() const {
    return std::max(groups_ * group_, permute_groups_ * permute_group_) * item_results_;
  }

  std::shared_ptr<const MicroInput> input_;
  Parameters p_;
  std::size_t group_, permute_group_, item_results_, groups_, permute_groups_;
  Buffer<cl_uint> seeds_, traversed_, diverged_, permuted_;
  Kernel traverse_, diverge_, permute_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  return std::make_unique<MicroCase>(setup);
}

}  // namespace dwarfsweep::micro
