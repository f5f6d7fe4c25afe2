#include "dwarfs/micro/case.hpp"

#include <fmt/format.h>

namespace dwarfsweep::micro {
namespace {

class MicroCase final : public Case {
 public:
  explicit MicroCase(const Setup& setup)
      : workspace_(setup.workspace),
        input_(setup.input),
        p_(input_->parameters()),
        group_(axis(setup, "work_group")),
        assignment_{static_cast<std::uint32_t>(axis(setup, "divergent")), axis(setup, "vector_width")},
        turns_(axis(setup, "granularity")),
        groups_(ceil_div(p_.items, group_results())),
        options_(to_build_options(setup.space, setup.config) + fmt::format(" -D BITS={}", p_.bits)),
        seeds_(allocate("seeds", Role::input)),
        traversed_(allocate("traversed", Role::output)),
        diverged_(allocate("diverged", Role::output)),
        permuted_(allocate("permuted", Role::output)),
        traverse_(workspace_.kernel("micro/micro", options_, "traverse", "traverse")),
        diverge_(workspace_.kernel("micro/micro", options_, "diverge", "diverge")),
        permute_(workspace_.kernel("micro/micro", options_, "permute", "permute")) {}

  void upload() override { workspace_.upload(input_->seeds().first(groups_ * group_results()), seeds_); }
  void reset() override {}
  void launch(Launcher& launcher) override {
    const std::size_t items = groups_ * group_;
    launcher.run(traverse_, items, group_, seeds_, traversed_, static_cast<cl_uint>(p_.rounds));
    launcher.run(diverge_, items, group_, seeds_, diverged_, static_cast<cl_uint>(p_.rounds),
                 static_cast<cl_uint>(edge));
    launcher.run(permute_, items, group_, seeds_, permuted_, static_cast<cl_uint>(p_.rounds));
  }
  void download() override {
    workspace_.download(traversed_, got_.traversed);
    workspace_.download(diverged_, got_.diverged);
    workspace_.download(permuted_, got_.permuted);
  }
  [[nodiscard]] Check check() const override { return input_->reference().compare(got_, assignment_); }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto items = static_cast<double>(p_.items);
    const double visits = items * edge * p_.rounds;
    return {{"traverse", 8 * items, 4 * visits, items},
            {"diverge", 8 * items, 4 * visits, items},
            {"permute", 8 * items, items * p_.rounds, items},
            {"total", 16 * items, 8 * visits + items * p_.rounds, items}};
  }

  void dump(DumpSink& sink) const override {
    const auto array = [&](const char* name, std::span<const std::uint32_t> values) {
      sink.array(name, values.first(p_.items), {p_.items});
    };
    array("seeds", input_->seeds());
    array("traversed", got_.traversed);
    array("diverged", got_.diverged);
    array("permuted", got_.permuted);
  }

 private:
  static std::size_t axis(const Setup& setup, const char* name) {
    return static_cast<std::size_t>(setup.config.integer(name));
  }
  [[nodiscard]] std::size_t group_results() const { return group_ * assignment_.width * turns_; }
  Buffer<cl_uint> allocate(const char* name, Role role) {
    return workspace_.allocate<cl_uint>(name, groups_ * group_results(), role);
  }

  Workspace& workspace_;
  std::shared_ptr<const MicroInput> input_;
  Parameters p_;
  std::size_t group_;
  Assignment assignment_;
  std::size_t turns_, groups_;
  std::string options_;
  Buffer<cl_uint> seeds_, traversed_, diverged_, permuted_;
  Kernel traverse_, diverge_, permute_;
  Results got_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  return std::make_unique<MicroCase>(setup);
}

}  // namespace dwarfsweep::micro
