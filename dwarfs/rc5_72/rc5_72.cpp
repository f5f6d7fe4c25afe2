// rc5_72 (combinational logic): search for the key of RC5-32/12/9: what the dwarf says of itself.
//
// Work: items are keys. A key takes 542 operations, whatever a variant saves: 78 steps of 4 additions and 2
// rotations, 2 additions, and 12 rounds of 2 additions, 2 XORs and 2 rotations. Bytes are those of the pair.
#include "dwarfs/rc5_72/rc5_72.hpp"

namespace dwarfsweep {
namespace {

using rc5_72::operations_per_key;
using rc5_72::SearchInput;

ProblemKey hexadecimal(const char* name, const char* meaning, const char* preset, int digits) {
  ProblemKey key{name, meaning, preset};
  if (std::string(preset).rfind("0x", 0) != 0) key.choices = {preset};
  key.role = KeyRole::detail;
  key.hexadecimal_digits = digits;
  return key;
}

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "rc5_72";
  info.title = "RC5-32/12/9 key search";
  info.pattern = "combinational logic";
  info.kernels = {"search"};
  info.item = "keys";
  info.arithmetic = Arithmetic::integer;
  info.keys = {
      {"keys", "keys to try", 1 << 16, 1, 0x1p48},
      hexadecimal("first", "the first key, K0 K1 ... K8; K8 counts fastest", "random", 18),
      hexadecimal("plain", "the plaintext's two words", "random", 16),
      hexadecimal("iv", "what is XORed to the plaintext first", "random", 16),
      hexadecimal("cipher", "the ciphertext's two words; planted: of one of the keys", "planted", 16)};
  info.sizes = {{"tiny", {{"keys", 1 << 12}}},
                {"small", {{"keys", 1 << 16}}},
                {"medium", {{"keys", 1 << 20}}},
                {"large", {{"keys", 1 << 26}}},
                {"paper", {{"keys", 1 << 22}}}};
  info.demand = [](const Problem& problem) {
    return Demand{16, 16, operations_per_key * problem.real("keys"), 1};
  };
  info.first_choice = rc5_72::first_choice;
  info.checks.odd_problems = {{{"keys", 1}}, {{"keys", 1531}}};
  info.checks.single_item_settings = {{{"variant", "shared_prefix"}, {"work_group", 1}}};
  info.checks.small_local_settings = {{{"variant", "shared_prefix"}}};
  info.checks.results = {"matches", "half_matches"};
  return info;
}

class Rc5 final : public Dwarf {
 public:
  Rc5() : Dwarf(make_info(), rc5_72::make_space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return rc5_72::generate_search(problem, seed);
  }
  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return rc5_72::make_case(setup);
  }
  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return rc5_72::make_host_case(std::static_pointer_cast<const SearchInput>(loaded.input), threads);
  }

  // The work does not state a size or print the code. Its 42 registers for a work-item have room for 26
  // subkeys, so that they are in registers.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    return {{"optimization_principles_2008 Table 3", {{"keys", 1 << 22}}, {{"unroll", 26}}}};
  }
};

}  // namespace

const Dwarf& rc5_72_dwarf() {
  static const Rc5 dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
