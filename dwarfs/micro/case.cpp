// micro on a device.
#include <algorithm>
#include <optional>

#include "dwarfs/micro/micro.hpp"
#include "harness/run/array_case.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::micro {
namespace {

// The kernel of the variant latency, with its chain.
class Chase {
 public:
  Chase(const Setup& setup, const Macros& macros, const Buffer<cl_uint>& result, std::uint32_t rounds)
      : workspace_(setup.workspace),
        chain_(chain_in(setup.string("memory"))),
        by_image_(setup.string("memory") == "image"),
        loads_(Chain::loads_of_round * rounds),
        words_(
            workspace_.allocate<cl_uint>("chain", std::size_t{chain_.slots} * chain_.spacing, Role::input)),
        result_(result),
        kernel_(setup.kernel("chase", "chase", macros)) {}

  static Chain chain_in(const std::string& memory) { return memory == "global" ? global_chain : Chain{}; }

  // An image needs memory of its own: not every driver makes one of a part of a buffer, which the workspace's
  // buffers are.
  void upload() {
    workspace_.upload(chain_.words(), words_);
    if (!by_image_ || workspace_.session().dry_run()) return;
    const cl::Context& context = workspace_.session().context();
    image_memory_ = cl::Buffer(context, CL_MEM_READ_WRITE, words_.count * sizeof(cl_uint));
    image_ = cl::Image1DBuffer(context, CL_MEM_READ_ONLY, cl::ImageFormat(CL_R, CL_UNSIGNED_INT32),
                               words_.count, image_memory_);
    workspace_.session().queue().enqueueCopyBuffer(words_.buffer, image_memory_, 0, 0,
                                                   words_.count * sizeof(cl_uint));
  }
  void launch(Launcher& launcher) {
    if (by_image_)
      launcher.run(kernel_, 1, 1, image_, result_, cl_ulong{loads_});
    else
      launcher.run(kernel_, 1, 1, words_, result_, cl_ulong{loads_});
  }
  [[nodiscard]] Work work() const {
    const auto loads = static_cast<double>(loads_);
    return {"chase", 4 * loads, 0, loads};
  }

 private:
  Workspace& workspace_;
  Chain chain_;
  bool by_image_;
  std::uint64_t loads_;
  Buffer<cl_uint> words_, result_;
  cl::Buffer image_memory_;
  cl::Image1DBuffer image_;
  Kernel kernel_;
};

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
    Macros macros = setup.macros().define("BITS", p_.bits);
    const bool chases = setup.string("variant") == "latency";
    const Chain chain = Chase::chain_in(setup.string("memory"));
    if (chases) macros.define("CHAIN_SLOTS", std::int64_t{chain.slots});
    traverse_ = setup.kernel("traverse", "traverse", macros);
    diverge_ = setup.kernel("diverge", "diverge", macros);
    permute_ = setup.kernel("permute", "permute", macros);
    if (!chases) return;
    const auto end = output(Result<cl_uint>(
        "chased", {1}, [input = input_, chain](std::size_t) { return input->reference().chased(chain); }));
    chase_.emplace(setup, macros, end, p_.rounds);
  }

  void upload() override {
    ArrayCase::upload();
    if (chase_) chase_->upload();
  }

  void launch(Launcher& launcher) override {
    const std::size_t items = groups_ * group_;
    launcher.run(traverse_, items, group_, seeds_, traversed_, cl_uint{p_.rounds});
    launcher.run(diverge_, items, group_, seeds_, diverged_, cl_uint{p_.rounds}, cl_uint{edge});
    launcher.run(permute_, permute_groups_ * permute_group_, permute_group_, seeds_, permuted_,
                 cl_uint{p_.rounds});
    if (chase_) chase_->launch(launcher);
  }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto items = static_cast<double>(p_.items);
    const double visits = items * edge * p_.rounds;
    std::vector<Work> work = {{"traverse", 8 * items, 4 * visits, items},
                              {"diverge", 8 * items, 4 * visits, items},
                              {"permute", 8 * items, items * p_.rounds, items},
                              {"total", 16 * items, 8 * visits + items * p_.rounds, items}};
    if (chase_) work.insert(work.end() - 1, chase_->work());
    return work;
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
  std::optional<Chase> chase_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  return std::make_unique<MicroCase>(setup);
}

}  // namespace dwarfsweep::micro
