// DES over a buffer in ECB, and key search: what the dwarf tells of itself. The method is in
// kernels_cl/des/des.cl; what runs on a device is in des_block_cases and des_search_cases, the cipher by the
// letter and the host's versions in des_reference, tables in des_tables.
//
// Work: bytes are 16 per block, read and written once (in a search the pair alone); operations are those of
// the usual program with tables, per round eight look-ups, the key's addition and the addition to the other
// half: 160 per block or key, whatever a variant really does; items are blocks, in a search keys.
#include <fmt/format.h>

#include <cstring>

#include "dwarfs/des/cases.hpp"
#include "dwarfs/des/standard.hpp"
#include "harness/dwarf.hpp"
#include "harness/error.hpp"
#include "harness/formats/file_bytes.hpp"
#include "harness/host_memory.hpp"
#include "harness/random.hpp"
#include "harness/status.hpp"

namespace dwarfsweep {
namespace {

using des::DesInput;
using des::Mode;

bool searches(const Point& point) {
  return point.problem.string("mode") == "search";
}

Space make_space() {
  Space space;
  space
      .axis({"variant",
             "ifs: bit by bit with conditions; lut: tables; split: several kernels; bitslice: circuits of "
             "whole words",
             {"ifs", "lut", "split", "bitslice"},
             "ifs"})
      .axis({"work_group", "work-items of a group", {1, 4, 16, 32, 64, 128, 256, 512}, 64})
      .axis({"granularity",
             "blocks (keys) per work-item; bitslice: times 32 * vector_width",
             {1, 2, 4, 8, 16, 32},
             1})
      .axis({"vector_width",
             "32-bit words in a vector, for as many times 32 blocks",
             {1, 2, 4, 8, 16},
             1,
             {"bitslice"}})
      .axis({"unroll", "rounds per iteration of the loop over rounds", {1, 2, 4, 8, 16}, 1})
      .axis({"padding", "1: buffers are padded to whole work-groups, and no access is guarded", {0, 1}, 0})
      .axis({"memory", "where the tables are", {"global", "constant", "local"}, "global", {"lut", "split"}})
      .axis({"kernel_rounds", "rounds per kernel", {1, 2, 4, 8, 16}, 4, {"split"}})
      .axis({"gates",
             "what circuits are made of; auto: three_input where the device has an instruction, else select",
             {"auto", "select", "three_input"},
             "auto",
             {"bitslice"}})
      .default_setting("lut", {{"unroll", 2}})
      .default_setting("split", {{"unroll", 1}})
      .default_setting("bitslice", {{"work_group", 1}, {"vector_width", 16}, {"unroll", 2}, {"padding", 1}})
      .default_setting("bitslice", {{"work_group", 128}, {"vector_width", 1}, {"unroll", 4}, {"padding", 1}},
                       is_gpu);
  // llvmpipe has neither doubles nor local memory of its own; its compiler takes minutes for wide vectors.
  space.default_setting("bitslice", {{"work_group", 16}, {"vector_width", 1}, {"unroll", 1}},
                        [](const Capabilities& capabilities) {
                          return capabilities.work_group_items > 0 && !capabilities.fp64 &&
                                 !capabilities.is_gpu;
                        });
  space.constrain("split passes blocks from kernel to kernel, and a key search has none",
                  [](const Point& p) { return !searches(p) || p.variant() != "split"; });
  space.constrain("a kernel cannot unroll more rounds than it has",
                  [](const Point& p) { return p.variant() != "split" || p["unroll"] <= p["kernel_rounds"]; });
  space.constrain("vectors read beyond the last block, which has to be padded",
                  [](const Point& p) { return searches(p) || p["vector_width"] == 1 || p["padding"] == 1; });
  space.constrain("tables of 7936 bytes need more constant memory than the device has", [](const Point& p) {
    return p.config.string("memory") != "constant" || p.device.constant_bytes >= 7936;
  });
  space.group_items([](const Point& p) { return static_cast<std::uint64_t>(p["work_group"]); });
  space.local_bytes(
      [](const Point& p) { return std::uint64_t{p.config.string("memory") == "local" ? 7936U : 0U}; });
  return space;
}

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "des";
  info.title = "Data Encryption Standard: ECB over a buffer, and key search";
  info.pattern = "combinational logic";
  info.kernels = {"encrypt", "decrypt", "search"};
  info.item = "blocks";
  info.keys = {{"blocks", "blocks of 8 bytes; in a search, keys", 4096, 1, 0x1p48},
               {"mode", "what is done with them", "encrypt", 0, 0, {"encrypt", "decrypt", "search"}},
               {"tail",
                "of a file that is no whole number of blocks: none is an error, pkcs7 pads (always)",
                "none",
                0,
                0,
                {"none", "pkcs7"}}};
  info.sizes = {{"tiny", {{"blocks", 512}}},
                {"small", {{"blocks", 4096}}},
                {"medium", {{"blocks", 262'144}}},
                {"large", {{"blocks", 8'388'608}}},
                {"paper", {{"blocks", 4096}}}};
  info.input_formats = "one file of any kind, taken as bytes";
  return info;
}

Mode mode_of(const Problem& problem) {
  const std::string& word = problem.string("mode");
  if (word == "encrypt") return Mode::encrypt;
  return word == "decrypt" ? Mode::decrypt : Mode::search;
}

// Pads as PKCS#7 (RFC 5652, section 6.3): as many bytes as are missing, at least one, each of that value.
void complete(std::vector<std::uint8_t>& bytes, bool pad, const std::string& file) {
  const std::size_t missing = 8 - bytes.size() % 8;
  if (pad) {
    bytes.insert(bytes.end(), missing, static_cast<std::uint8_t>(missing));
  } else if (missing != 8) {
    throw InputError(
        file, "",
        fmt::format("{} bytes are no whole number of blocks of 8; --problem tail=pkcs7 pads them",
                    bytes.size()));
  }
  if (bytes.empty()) throw InputError(file, "", "is empty, at least one block of 8 bytes is needed");
}

class DesDwarf final : public Dwarf {
 public:
  [[nodiscard]] const DwarfInfo& info() const override { return info_; }
  [[nodiscard]] const Space& space() const override { return space_; }

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    const auto blocks = static_cast<std::uint64_t>(problem.integer("blocks"));
    if (problem.string("tail") != "none") {
      throw UsageError("des: problem key 'tail' is 'pkcs7', but only a file (--input) has a tail to pad");
    }
    Random random(seed);
    const std::uint64_t key = des::key_of_chosen_bits(random.next() >> 8U);
    if (mode_of(problem) == Mode::search) {
      des::Search search{random.next(), 0, des::chosen_bits(key), blocks, random.below(blocks)};
      const auto planted = des::key_of_chosen_bits(des::searched_bits(search.base, search.planted));
      search.ciphertext = des::crypt_by_the_letter(search.plaintext, planted, false);
      return std::make_shared<DesInput>(search);
    }
    require_host_memory(fmt::format("des: {} blocks and their results", blocks), 24 * blocks);
    std::vector<std::uint64_t> data(blocks);
    random.fill_bytes({reinterpret_cast<std::uint8_t*>(data.data()), 8 * blocks});
    return std::make_shared<DesInput>(mode_of(problem), key, std::move(data));
  }

  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    require_files("des", info_.input_formats, files, 1);
    if (const Value* wanted = request.find("blocks")) {
      throw UsageError(
          fmt::format("des: problem key 'blocks' is '{}', but {} says how many there are; leave it out",
                      wanted->to_string(), files.front()));
    }
    Problem problem = make_problem("des", info_.keys, {"file", request});
    const Mode mode = mode_of(problem);
    if (mode == Mode::search) throw UsageError("des: a key search takes no input file");
    const bool pad = problem.string("tail") == "pkcs7";
    if (pad && mode == Mode::decrypt) {
      throw UsageError("des: tail=pkcs7 pads what is encrypted; with mode=decrypt leave it out");
    }
    auto bytes = read_bytes(files.front());
    complete(bytes, pad, files.front());
    std::vector<std::uint64_t> data(bytes.size() / 8);
    std::memcpy(data.data(), bytes.data(), bytes.size());
    problem.values = problem.values.with("blocks", static_cast<std::int64_t>(data.size()));
    constexpr std::uint64_t key_for_files =
        0x0123456789ABCDEF;  // the key of NIST's examples; the dump says it
    return {std::move(problem), std::make_shared<DesInput>(mode, key_for_files, std::move(data))};
  }

  [[nodiscard]] std::unique_ptr<Case> prepare(Workspace& workspace, const Loaded& loaded,
                                              const Config& config) const override {
    const des::Setup setup{workspace, space_, config, std::static_pointer_cast<const DesInput>(loaded.input)};
    return setup.input->mode() == Mode::search ? des::make_search_case(setup) : des::make_block_case(setup);
  }

  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return des::make_host_case(std::static_pointer_cast<const DesInput>(loaded.input), threads);
  }

  // Figure 8 compares tables with conditions, figure 9 the several kernels with CPU threads, at 2^18 bits.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    const ValueMap size{{"blocks", 4096}};
    return {{"performance_study_2008 Figure 8", size, {{"variant", "ifs"}}},
            {"performance_study_2008 Figure 8", size, {{"variant", "lut"}, {"unroll", 1}}},
            {"performance_study_2008 Figure 9", size, {{"variant", "split"}}}};
  }

 private:
  DwarfInfo info_ = make_info();
  Space space_ = make_space();
};

}  // namespace

const Dwarf& des_dwarf() {
  static const DesDwarf dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
