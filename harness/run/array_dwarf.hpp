// The smallest dwarf: one array of floats as result, computed from random data, and one class of cases.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "harness/run/array_case.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep {

/// TInput is an Input with
///   TInput(const Problem&, Random&)                     its random data
///   std::size_t results() const                         how many results there are
///   Expected expected(std::size_t index) const          each of them in double precision, with its tolerance
///   void compute(std::vector<float>& results, int threads) const    all of them on the host's cores
/// TCase is a Case with TCase(const Setup&); an ArrayCase may take `expected_by(input)` as what to expect.
template <typename TInput, typename TCase>
class ArrayDwarf final : public Dwarf {
 public:
  ArrayDwarf(DwarfInfo info, Space space, std::vector<PaperSetting> papers = {})
      : Dwarf(std::move(info), std::move(space)), papers_(std::move(papers)) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    Random random(seed);
    return std::make_shared<TInput>(problem, random);
  }
  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    const auto input = std::static_pointer_cast<const TInput>(loaded.input);
    return std::make_unique<ArrayHostCase>(
        input->results(), [input, threads](std::vector<float>& results) { input->compute(results, threads); },
        expected_by(input));
  }
  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return std::make_unique<TCase>(setup);
  }
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override { return papers_; }

 private:
  std::vector<PaperSetting> papers_;
};

}  // namespace dwarfsweep
