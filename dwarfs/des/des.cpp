// DES over a buffer in ECB, and key search: what the dwarf declares about itself. The method is described in
// kernels_cl/des/des.cl.
//
// Work: bytes are 16 per block, read and written once (in a search the pair alone); items are blocks, in a
// search keys. Operations are the gates of two inputs of the smallest circuits known, on words of 32 blocks:
// in each of 16 rounds 48 for the key, 44.125 on average for each of eight S-boxes (R. Rusakov's, of 2011, in
// John the Ripper) and 32 for the other half, 433 in all, which is 216.5 per block or key, whatever a variant
// really does.
#include "dwarfs/des/des.hpp"

namespace dwarfsweep {
namespace {

using des::DesInput;
using des::Mode;

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "des";
  info.title = "Data Encryption Standard: ECB over a buffer, and key search";
  info.pattern = "combinational logic";
  info.kernels = {"encrypt", "decrypt", "search"};
  info.item = "blocks";
  info.arithmetic = Arithmetic::logic;
  info.keys = {
      {"blocks", "blocks of 8 bytes; in a search, keys", 4096, 1, 0x1p48},
      {"mode",
       "encrypt or decrypt the blocks, or search for the key of a pair",
       "encrypt",
       0,
       0,
       {"encrypt", "decrypt", "search"}},
      {"tail",
       "of a file: none: its length must be a multiple of 8 bytes; pkcs7: pads it, whatever its length",
       "none",
       0,
       0,
       {"none", "pkcs7"},
       KeyRole::detail}};
  info.sizes = {{"tiny", {{"blocks", 512}}},
                {"small", {{"blocks", 4096}}},
                {"medium", {{"blocks", 262'144}}},
                {"large", {{"blocks", 8'388'608}}},
                {"paper", {{"blocks", 4096}}}};
  info.input_formats = "one file of any kind, taken as bytes";
  info.demand = [](const Problem& problem) {
    const double blocks = problem.real("blocks");
    return Demand{16 * blocks, 16 * blocks, des::gates_per_block * blocks, 1};
  };
  info.first_choice = des::first_choice;
  info.checks.odd_problems = {
      {{"blocks", 77}}, {{"blocks", 33}, {"mode", "decrypt"}}, {{"blocks", 3001}, {"mode", "search"}}};
  info.checks.refused_problems = {{{"blocks", std::int64_t{90000000000}}}};
  info.checks.large_problems = {{{"blocks", 100000000}}};
  info.checks.single_item_settings = {{{"variant", "lut"}, {"work_group", 1}}};
  info.checks.small_local_settings = {{{"variant", "lut"}, {"memory", "local"}}};
  info.checks.random_problems.fit = [](const ValueMap& drawn) { return drawn.with("tail", "none"); };
  info.checks.results = {"ciphertext"};
  return info;
}

class DesDwarf final : public Dwarf {
 public:
  DesDwarf() : Dwarf(make_info(), des::make_space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return des::generate(problem, seed);
  }
  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    return des::load(info(), request, files);
  }
  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return des::make_case(setup);
  }
  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return des::make_host_case(std::static_pointer_cast<const DesInput>(loaded.input), threads);
  }

  // Figure 8 compares tables with conditions, figure 9 the several kernels with CPU threads, at 2^18 bits.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    const ValueMap size{{"blocks", 4096}};
    return {{"performance_study_2008 Figure 8", size, {{"variant", "per_bit"}, {"permutations", "ifs"}}},
            {"performance_study_2008 Figure 8", size, {{"variant", "per_bit"}}},
            {"performance_study_2008 Figure 9", size, {{"variant", "per_bit"}}}};
  }
};

}  // namespace

const Dwarf& des_dwarf() {
  static const DesDwarf dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
