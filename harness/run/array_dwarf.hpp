// A dwarf whose data is random and whose results are arrays of any type: the description, the Input and the
// cases are all that has to be written.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "harness/run/array_results.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep {

/// TInput is an Input with
///   TInput(const Problem&, Random&)     its random data
/// and what ArrayHostCase asks for. `make` constructs the case of a point, which may be an ArrayCase.
template <typename TInput>
class ArrayDwarf final : public Dwarf {
 public:
  using MakeCase = std::unique_ptr<Case> (*)(const Setup&);

  ArrayDwarf(DwarfInfo info, Space space, MakeCase make, std::vector<PaperSetting> papers = {})
      : Dwarf(std::move(info), std::move(space)), make_(make), papers_(std::move(papers)) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    Random random(seed);
    return std::make_shared<TInput>(problem, random);
  }
  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return std::make_unique<ArrayHostCase<TInput>>(std::static_pointer_cast<const TInput>(loaded.input),
                                                   threads);
  }
  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override { return make_(setup); }
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override { return papers_; }

 private:
  MakeCase make_;
  std::vector<PaperSetting> papers_;
};

}  // namespace dwarfsweep
