// CRC-32 of a byte stream, as zlib computes it, or the CRC of 8 bits of the thesis: what the dwarf declares
// about itself. The method is described in kernels_cl/crc/crc.cl.
//
// Work: bytes are the stream read once and four bytes of result; operations are XORs of 32-bit words, one per
// byte of the stream. That is the number for the division by tables (one entry is added per byte, and the
// word itself) and for the division of whole words by the sparse multiple of P (4 per word). Items are bytes.
// `combine` reads its partial results and does one XOR with each.
#include "dwarfs/crc/crc.hpp"
#include "dwarfs/crc/input.hpp"

namespace dwarfsweep {
namespace {

using crc::CrcInput;

ValueMap published(int bytes) {
  return {{"bytes", bytes}, {"code", "crc8"}};
}

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "crc";
  info.title = "CRC-32 of a byte stream, as in zlib";
  info.pattern = "combinational logic";
  info.kernels = {"compute", "combine"};
  info.item = "bytes";
  info.arithmetic = Arithmetic::logic;
  info.keys = {{"bytes", "length of the stream in bytes", 200'000, 0, 0x1p40},
               {"code",
                "crc32: as in zlib; crc8: a CRC of one byte, as in the thesis, by per_byte alone",
                "crc32",
                0,
                0,
                {"crc32", "crc8"}}};
  info.sizes = {{"tiny", {{"bytes", 16'000}}},      {"small", {{"bytes", 200'000}}},
                {"medium", {{"bytes", 4'194'304}}}, {"large", {{"bytes", 134'217'728}}},
                {"paper", published(50'000'000)},   {"paper", published(100'000'000)},
                {"paper", published(200'000'000)}};
  info.input_formats = "one file of any kind, taken as bytes";
  info.first_choice = [](const Problem&, const Capabilities&) -> ValueMap {
    return {{"variant", "interleaved"}};
  };
  info.demand = [](const Problem& problem) {
    const double bytes = problem.real("bytes");
    return Demand{bytes, bytes, bytes, 2};
  };
  info.checks.odd_problems = {{{"bytes", 10007}}, {{"bytes", 0}}, {{"bytes", 1}}, {{"bytes", 3}}};
  info.checks.refused_problems = {{{"bytes", std::int64_t{900000000000}}}};
  info.checks.large_problems = {{{"bytes", 900000000}}};
  info.checks.single_item_settings = {
      {{"work_group", 1}},
      {{"variant", "slicing"}, {"work_group", 1}},
      {{"variant", "interleaved"}, {"work_group", 1}, {"vector_width", 1}, {"unroll", 1}, {"prefetch", 0}}};
  info.checks.small_local_settings = {{{"variant", "slicing"}, {"memory", "local"}, {"slices", 4}}};
  // Most draws are of the code that all variants have.
  info.checks.random_problems.fit = [](const ValueMap& drawn) {
    return drawn.integer("bytes") % 4 == 0 ? drawn : drawn.with("code", "crc32");
  };
  info.checks.results = {"crc"};
  return info;
}

class CrcDwarf final : public Dwarf {
 public:
  CrcDwarf() : Dwarf(make_info(), crc::make_space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return crc::generate(problem, seed);
  }
  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    return crc::load(info(), request, files);
  }
  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return crc::make_case(setup);
  }
  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return crc::make_host_case(std::static_pointer_cast<const CrcInput>(loaded.input), threads);
  }

  // Figures 6.29 (granularity), 6.31 (groups: the largest of the device, 1024 or 256, and fractions of it)
  // and 6.33 (unrolling). At 200,000,000 bytes only the extremes were published.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    std::vector<PaperSetting> settings;
    const auto add = [&](const char* figure, int bytes, const char* axis, const std::vector<int>& values) {
      for (const int value : values) {
        ValueMap values_of_point{{axis, value}};
        // The thesis stores the answer of every byte. With one byte per work-item that is the same code.
        if (axis == std::string("granularity") && value > 1)
          values_of_point = values_of_point.with("answers", "each");
        settings.push_back({std::string("thesis_2013 ") + figure, published(bytes), values_of_point});
      }
    };
    for (const int bytes : {50'000'000, 100'000'000}) {
      add("6.29", bytes, "granularity", {1, 2, 4, 8, 16});
      add("6.31", bytes, "work_group", {1024, 512, 256, 128, 64, 32, 16, 8});
      add("6.33", bytes, "unroll", {1, 2, 4, 8, 16, 32});
    }
    add("6.29", 200'000'000, "granularity", {1, 16});
    add("6.31", 200'000'000, "work_group", {1024, 256, 32, 8});
    add("6.33", 200'000'000, "unroll", {1, 32});
    return settings;
  }
};

}  // namespace

const Dwarf& crc_dwarf() {
  static const CrcDwarf dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
