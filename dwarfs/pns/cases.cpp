// pns on a device.
#include <bit>

#include "dwarfs/pns/pns.hpp"
#include "harness/run/array_case.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::pns {
namespace {

cl_uint reciprocal(cl_uint divisor) {
  constexpr std::uint64_t words = std::uint64_t{1} << 32U;
  return static_cast<cl_uint>(std::min(words / divisor, words - 1));
}

class PnsCase : public ArrayCase {
 public:
  void launch(Launcher& launcher) override {
    simulate(launcher);
    launcher.run(statistics_kernel_, statistics_group_ * simulation().trajectories, statistics_group_,
                 cl_uint{simulation().places()}, marks_, statistics_);
  }
  [[nodiscard]] std::vector<Work> work() const override {
    const auto marks = static_cast<double>(simulation().marks());
    const auto trajectories = static_cast<double>(simulation().trajectories);
    const double attempts = simulation().attempts();
    return {{"simulate", marks, 24 * attempts, attempts},
            {"statistics", marks + 8 * trajectories, 3 * marks, marks},
            {"total", 2 * marks + 8 * trajectories, 24 * attempts + 3 * marks, attempts}};
  }
  void dump(DumpSink& sink) const override {
    ArrayCase::dump(sink);
    sink.note("seed", static_cast<std::int64_t>(simulation().seed));
  }

 protected:
  explicit PnsCase(const Setup& setup)
      : ArrayCase(setup),
        input_(setup.input<PnsInput>()),
        group_(setup.size("work_group")),
        statistics_group_(statistics_group(setup.device())),
        marks_(output(input_->marks())),
        statistics_(output(input_->statistics())),
        kernel_(setup.kernel("simulate", "simulate", macros_of(setup))),
        statistics_kernel_(setup.kernel("statistics", "statistics", macros_of(setup))) {}

  virtual void simulate(Launcher& launcher) = 0;
  [[nodiscard]] const Simulation& simulation() const { return input_->simulation(); }
  [[nodiscard]] cl_uint trajectories() const { return static_cast<cl_uint>(simulation().trajectories); }
  [[nodiscard]] cl_uint4 sizes() const {
    const cl_uint n = simulation().n;
    return {{n, reciprocal(n), reciprocal(2 * n), reciprocal(simulation().places())}};
  }
  static Macros macros_of(const Setup& setup) {
    return setup.macros()
        .define("MERSENNE", setup.input<PnsInput>()->simulation().mersenne ? 1 : 0)
        .define("STATISTICS_GROUP", static_cast<std::int64_t>(statistics_group(setup.device())));
  }
  // A power of two, for the sums of kernel `statistics`.
  static std::size_t statistics_group(const DeviceInfo& device) {
    return std::bit_floor(std::min<std::size_t>(device.capabilities.work_group_items, 64));
  }

  std::shared_ptr<const PnsInput> input_;  // NOLINT(*-non-private-member-variables-in-classes)
  std::size_t group_, statistics_group_;   // NOLINT(*-non-private-member-variables-in-classes)
  Buffer<std::uint8_t> marks_;             // NOLINT(*-non-private-member-variables-in-classes)
  Buffer<float> statistics_;               // NOLINT(*-non-private-member-variables-in-classes)
  Kernel kernel_, statistics_kernel_;      // NOLINT(*-non-private-member-variables-in-classes)
};

class GroupCase final : public PnsCase {
 public:
  explicit GroupCase(const Setup& setup)
      : PnsCase(setup),
        is_local_(setup.string("variant") == "local"),
        mark_words_(mark_words(simulation().places())),
        flag_words_(flag_words(simulation().places(), setup.string("flags") == "bit", 2)) {
    if (is_local_) return;
    const std::size_t groups = simulation().trajectories;
    packed_marks_ = workspace().allocate<cl_uint>("packed marks", groups * mark_words_, Role::scratch);
    flags_ = workspace().allocate<cl_uint>("claims", groups * flag_words_, Role::scratch);
  }

 private:
  void simulate(Launcher& launcher) override {
    const Simulation& s = simulation();
    const auto run = [&](const auto& marks, const auto& flags) {
      launcher.run(kernel_, group_ * s.trajectories, group_, sizes(), cl_uint{s.refills}, cl_uint{s.batch},
                   cl_uint{s.seed}, trajectories(), static_cast<cl_uint>(mark_words_),
                   static_cast<cl_uint>(flag_words_), marks, flags, marks_);
    };
    if (is_local_) {
      run(cl::Local(4 * mark_words_), cl::Local(4 * flag_words_));
    } else {
      run(packed_marks_, flags_);
    }
  }

  bool is_local_;
  std::size_t mark_words_, flag_words_;
  Buffer<cl_uint> packed_marks_, flags_;
};

class ItemCase final : public PnsCase {
 public:
  explicit ItemCase(const Setup& setup)
      : PnsCase(setup),
        flag_words_(flag_words(simulation().places(), setup.string("flags") == "bit", 1)),
        words_(scratch<cl_uint>("words", refill_words)),
        tried_(scratch<cl_uint>("tried", refill_words)),
        flags_(scratch<cl_uint>("claims", flag_words_)),
        own_marks_(scratch<std::uint8_t>("own marks", simulation().places())) {}

 private:
  template <typename T>
  Buffer<T> scratch(const char* name, std::size_t count) {
    return workspace().allocate<T>(name, count * simulation().trajectories, Role::scratch);
  }
  void simulate(Launcher& launcher) override {
    const Simulation& s = simulation();
    launcher.run(kernel_, round_up(s.trajectories, group_), group_, sizes(), cl_uint{s.refills},
                 cl_uint{s.batch}, cl_uint{s.seed}, trajectories(), static_cast<cl_uint>(flag_words_), words_,
                 tried_, flags_, own_marks_, marks_);
  }

  std::size_t flag_words_;
  Buffer<cl_uint> words_, tried_, flags_;
  Buffer<std::uint8_t> own_marks_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  if (setup.string("variant") == "item") return std::make_unique<ItemCase>(setup);
  return std::make_unique<GroupCase>(setup);
}

}  // namespace dwarfsweep::pns
