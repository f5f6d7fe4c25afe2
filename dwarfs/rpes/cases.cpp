// rpes on a device.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "dwarfs/rpes/rpes.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::rpes {
namespace {

// F0 at n / 16 and its first derivatives over 1, 1, 2, 6: sums of (-1)^k x^k / (k! (2 k + 2 m + 1)) would
// cancel; F_m follows from F_(m+1) downwards without loss: F_m = (2 x F_(m+1) + exp(-x)) / (2 m + 1).
std::vector<cl_float4> boys_table() {
  std::vector<cl_float4> table(257);
  for (std::size_t n = 0; n < table.size(); ++n) {
    const double x = static_cast<double>(n) / 16;
    double value = 0;  // of F_100, which is below 0.005 and loses a factor of x / 100 in each step
    double f[4] = {};
    for (int m = 99; m >= 0; --m) {
      value = (2 * x * value + std::exp(-x)) / (2 * m + 1);
      if (m < 4) f[m] = value;
    }
    table[n] = {{static_cast<float>(f[0]), static_cast<float>(-f[1]), static_cast<float>(f[2] / 2),
                 static_cast<float>(-f[3] / 6)}};
  }
  return table;
}

class RpesCase : public Case {
 public:
  explicit RpesCase(const Setup& setup)
      : workspace_(setup.workspace),
        input_(setup.input<RpesInput>()),
        method_(method_of(setup.config)),
        group_(setup.size("work_group")),
        count_(input_->quartets().count()),
        centres_(workspace_.allocate<cl_float4>("centres", input_->centres().size() / 3, Role::input)),
        primitives_(workspace_.allocate<cl_float2>("primitives", input_->exponents().size(), Role::input)),
        table_(workspace_.allocate<cl_float4>("table", boys_table().size(), Role::input)),
        integrals_(workspace_.allocate<float>("integrals", count_, Role::output)) {}

  void upload() override {
    std::vector<cl_float4> centres;
    for (std::size_t i = 0; i < input_->centres().size(); i += 3)
      centres.push_back({{input_->centres()[i], input_->centres()[i + 1], input_->centres()[i + 2], 0}});
    workspace_.upload(centres, centres_);
    std::vector<cl_float2> primitives;
    for (std::size_t s = 0; s < input_->exponents().size(); ++s)
      primitives.push_back({{input_->exponents()[s], input_->coefficients()[s]}});
    workspace_.upload(primitives, primitives_);
    workspace_.upload(boys_table(), table_);
  }

  void download() override { workspace_.download(integrals_, found_); }
  [[nodiscard]] Check check() const override { return input_->check(found_, method_); }

  void dump(DumpSink& sink) const override {
    const std::size_t atoms = input_->centres().size() / 3;
    const std::size_t primitives = input_->exponents().size();
    sink.array("centres", std::span<const float>(input_->centres()), {atoms, 3});
    sink.array("exponents", std::span<const float>(input_->exponents()), {primitives});
    sink.array("coefficients", std::span<const float>(input_->coefficients()), {primitives});
    sink.array("quartets", std::span<const std::int32_t>(input_->quartets().list()), {count_, 4});
    sink.array("integrals", std::span<const float>(found_), {count_});
  }

 protected:
  [[nodiscard]] static Macros macros_of(const Setup& setup) {
    return setup.macros().define("PRIMITIVES",
                                 static_cast<std::int64_t>(setup.input<RpesInput>()->exponents().size()));
  }
  [[nodiscard]] double terms() const {
    return static_cast<double>(count_) * static_cast<double>(input_->terms());
  }
  /// The work of a whole execution: atoms are read and integrals written once.
  [[nodiscard]] Work total() const {
    const double bytes = 12.0 * static_cast<double>(centres_.count) + 4.0 * static_cast<double>(count_);
    return {"total", bytes, operations_per_term * terms(), terms()};
  }

  Workspace& workspace_;
  std::shared_ptr<const RpesInput> input_;
  Method method_;
  std::size_t group_, count_;
  Buffer<cl_float4> centres_;
  Buffer<cl_float2> primitives_;
  Buffer<cl_float4> table_;
  Buffer<float> integrals_;
  std::vector<float> found_;
};

// The variants that read the atoms of each integral from a list.
class ListCase : public RpesCase {
 public:
  explicit ListCase(const Setup& setup)
      : RpesCase(setup), quartets_(workspace_.allocate<cl_int4>("quartets", count_, Role::input)) {}

  void upload() override {
    RpesCase::upload();
    const std::vector<std::int32_t> list = input_->quartets().list();
    std::vector<cl_int4> quartets(count_);
    for (std::size_t i = 0; i < count_; ++i)
      quartets[i] = {{list[4 * i], list[4 * i + 1], list[4 * i + 2], list[4 * i + 3]}};
    workspace_.upload(quartets, quartets_);
  }

 protected:
  Buffer<cl_int4> quartets_;
};

class PrimitiveCase final : public ListCase {
 public:
  explicit PrimitiveCase(const Setup& setup)
      : ListCase(setup),
        groups_(count_ * ceil_div(input_->terms(), group_)),
        sums_(workspace_.allocate<float>("sums", groups_, Role::scratch)),
        terms_(setup.kernel("terms", "terms", macros_of(setup))),
        add_(setup.kernel("add_groups", "add", macros_of(setup))) {}

  void launch(Launcher& launcher) override {
    launcher.run(terms_, groups_ * group_, group_, centres_, primitives_, quartets_, table_, sums_);
    launcher.run(add_, round_up(count_, group_), group_, static_cast<cl_ulong>(count_), sums_, integrals_);
  }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto groups = static_cast<double>(groups_);
    const auto count = static_cast<double>(count_);
    return {{"terms", 4 * groups + 16 * count, operations_per_term * terms(), terms()},
            {"add", 4 * groups + 4 * count, groups, count},
            total()};
  }

 private:
  std::size_t groups_;
  Buffer<float> sums_;
  Kernel terms_, add_;
};

class ContractedCase final : public ListCase {
 public:
  explicit ContractedCase(const Setup& setup)
      : ListCase(setup),
        items_(ceil_div(count_, group_ * setup.size("granularity")) * group_),
        kernel_(setup.kernel("contract", "integrals", macros_of(setup))) {}

  void launch(Launcher& launcher) override {
    launcher.run(kernel_, items_, group_, static_cast<cl_ulong>(count_), centres_, primitives_, quartets_,
                 table_, integrals_);
  }
  [[nodiscard]] std::vector<Work> work() const override {
    return {{"integrals", 20.0 * static_cast<double>(count_), operations_per_term * terms(), terms()},
            total()};
  }

 private:
  std::size_t items_;
  Kernel kernel_;
};

class PairsCase final : public RpesCase {
 public:
  explicit PairsCase(const Setup& setup)
      : RpesCase(setup),
        primitive_pairs_(input_->exponents().size() * input_->exponents().size()),
        rows_(input_->quartets().pairs()),
        pitch_(round_up(rows_, 32)),
        columns_(setup.size("vector_width") * group_),
        tile_rows_(setup.size("granularity")),
        atoms_(workspace_.allocate<cl_int2>("atoms of pairs", rows_, Role::input)),
        starts_(workspace_.allocate<cl_uint>("starts", rows_ + 1, Role::input)),
        scales_(workspace_.allocate<cl_float2>("scales", primitive_pairs_ * primitive_pairs_, Role::input)),
        pairs_(workspace_.allocate<float>("pairs", 4 * primitive_pairs_ * pitch_, Role::scratch)),
        make_(setup.kernel("make_pairs", "pairs", macros_of(setup))),
        multiply_(setup.kernel("multiply_pairs", "integrals", macros_of(setup))) {}

  void upload() override {
    RpesCase::upload();
    std::vector<cl_int2> atoms;
    for (const auto& [i, j] : input_->quartets().atoms_of()) atoms.push_back({{i, j}});
    workspace_.upload(atoms, atoms_);
    workspace_.upload(std::vector<cl_uint>(input_->quartets().starts()), starts_);
    workspace_.upload(scales(), scales_);
  }

  void launch(Launcher& launcher) override {
    const auto rows = static_cast<cl_uint>(rows_);
    const auto pitch = static_cast<cl_uint>(pitch_);
    launcher.run(make_, round_up(primitive_pairs_ * pitch_, group_), group_, rows, pitch, centres_,
                 primitives_, atoms_, pairs_);
    const Range global(ceil_div(rows_, columns_) * group_, ceil_div(rows_, tile_rows_));
    launcher.run(multiply_, global, Range(group_, 1), rows, pitch, pairs_, scales_, starts_, table_,
                 integrals_);
  }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto pairs = static_cast<double>(primitive_pairs_ * rows_);
    return {
        {"pairs", 16 * pairs, 40 * pairs, pairs},
        {"integrals", 16 * pairs + 4.0 * static_cast<double>(count_), operations_per_term * terms(), terms()},
        total()};
  }

 private:
  [[nodiscard]] std::vector<cl_float2> scales() const {
    const std::vector<float>& a = input_->exponents();
    const auto sum_of = [&](std::size_t pair) {
      return static_cast<double>(a[pair / a.size()]) + static_cast<double>(a[pair % a.size()]);
    };
    std::vector<cl_float2> scales;
    for (std::size_t i = 0; i < primitive_pairs_ * primitive_pairs_; ++i) {
      const double p = sum_of(i / primitive_pairs_);
      const double q = sum_of(i % primitive_pairs_);
      scales.push_back({{static_cast<float>(p * q / (p + q)), static_cast<float>(1 / std::sqrt(p + q))}});
    }
    return scales;
  }

  std::size_t primitive_pairs_, rows_, pitch_, columns_, tile_rows_;
  Buffer<cl_int2> atoms_;
  Buffer<cl_uint> starts_;
  Buffer<cl_float2> scales_;
  Buffer<float> pairs_;
  Kernel make_, multiply_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  const std::string& variant = setup.string("variant");
  if (variant == "primitive") return std::make_unique<PrimitiveCase>(setup);
  if (variant == "contracted") return std::make_unique<ContractedCase>(setup);
  return std::make_unique<PairsCase>(setup);
}

}  // namespace dwarfsweep::rpes
