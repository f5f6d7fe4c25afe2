// micro on a device.
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
        group_results_(group_ * setup.size("vector_width") * setup.size("granularity")),
        groups_(ceil_div(p_.items, group_results_)),
        seeds_(input("seeds", input_->seeds(), {p_.items}, groups_ * group_results_)),
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
    launcher.run(permute_, items, group_, seeds_, permuted_, cl_uint{p_.rounds});
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
    return output(Result<cl_uint>(name, {p_.items}, std::move(expected)), groups_ * group_results_);
  }

  std::shared_ptr<const MicroInput> input_;
  Parameters p_;
  std::size_t group_, group_results_, groups_;
  Buffer<cl_uint> seeds_, traversed_, diverged_, permuted_;
  Kernel traverse_, diverge_, permute_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  return std::make_unique<MicroCase>(setup);
}

}  // namespace dwarfsweep::micro
