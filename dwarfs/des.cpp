// DES over a buffer in ECB, and key search: the cases on a device, and what the dwarf tells of itself. The
// method is in kernels_cl/des.cl, the cipher by the letter and the host's versions in des_reference, tables
// in des_tables.
//
// Work: bytes are 16 per block, read and written once (in a search the pair alone); operations are those of
// the usual program with tables, per round eight look-ups, the key's addition and the addition to the other
// half: 160 per block or key, whatever a variant really does; items are blocks, in a search keys.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "dwarfs/des_reference.hpp"
#include "dwarfs/des_tables.hpp"
#include "harness/dwarf.hpp"
#include "harness/error.hpp"
#include "harness/formats/file_bytes.hpp"
#include "harness/random.hpp"
#include "harness/status.hpp"

namespace dwarfsweep {
namespace {

using des::DesInput;
using des::Mode;

constexpr std::size_t most_candidates = 65536;  // as in des.cl
constexpr std::size_t most_found = 64;

struct Setup {
  Workspace& workspace;
  const Space& space;
  const Config& config;
  std::shared_ptr<const DesInput> input;

  [[nodiscard]] std::size_t axis(const char* name) const {
    return static_cast<std::size_t>(config.integer(name));
  }
  [[nodiscard]] Kernel kernel(const std::string& function, const char* reported) const {
    const int search = input->mode() == Mode::search ? 1 : 0;
    return workspace.kernel("des", to_build_options(space, config) + fmt::format(" -D SEARCH={}", search),
                            function, reported);
  }
  template <typename T>
  Buffer<T> uploadable(const std::string& name, const std::vector<T>& content) const {
    return workspace.allocate<T>(name, content.size(), Role::input);
  }
};

std::size_t divided_up(std::size_t value, std::size_t by) {
  return value / by + (value % by != 0 ? 1 : 0);
}

// --- blocks
// ------------------------------------------------------------------------------------------------------

class EcbCase : public Case {
 public:
  // `group_blocks` is what a whole work-group takes.
  EcbCase(const Setup& setup, std::size_t group_blocks)
      : workspace_(setup.workspace),
        input_(setup.input),
        reported_(input_->mode() == Mode::decrypt ? "decrypt" : "encrypt"),
        group_(setup.axis("work_group")),
        padded_(setup.axis("padding") != 0),
        groups_(divided_up(input_->data().size(), group_blocks)),
        round_keys_(des::round_keys(input_->key())) {
    if (input_->mode() == Mode::decrypt) std::reverse(round_keys_.begin(), round_keys_.end());
    const std::size_t launched = padded_ ? groups_ * group_blocks : blocks();
    given_ = workspace_.allocate<cl_ulong>("given", launched, Role::input);
    result_ = workspace_.allocate<cl_ulong>("result", launched, Role::output);
  }

  void upload() override {
    if (padded_) workspace_.fill<cl_ulong>(given_, 0);
    workspace_.upload(input_->data(), given_);
    upload_keys();
  }
  void reset() override {}
  void download() override {
    got_.resize(blocks());
    workspace_.download(result_, std::span<cl_ulong>(got_));
  }
  [[nodiscard]] Check check() const override { return input_->compare(got_); }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto items = static_cast<double>(blocks());
    return {{reported_, 16 * items, 160 * items, items}, {"total", 16 * items, 160 * items, items}};
  }

  void dump(DumpSink& sink) const override {
    const auto bytes_of = [](const std::vector<std::uint64_t>& words) {
      return std::span<const std::uint8_t>(reinterpret_cast<const std::uint8_t*>(words.data()),
                                           words.size() * 8);
    };
    const bool decrypt = input_->mode() == Mode::decrypt;
    const std::uint64_t key = des::to_memory(input_->key());
    sink.array("plaintext", bytes_of(decrypt ? got_ : input_->data()), {8 * blocks()});
    sink.array("key", bytes_of({key}), {8});
    sink.array("ciphertext", bytes_of(decrypt ? input_->data() : got_), {8 * blocks()});
  }

 protected:
  virtual void upload_keys() = 0;
  [[nodiscard]] std::size_t blocks() const { return input_->data().size(); }
  [[nodiscard]] cl_ulong block_count() const { return blocks(); }
  [[nodiscard]] Range global() const { return groups_ * group_; }

  Workspace& workspace_;  // NOLINT(*-non-private-member-variables-in-classes)
  std::shared_ptr<const DesInput> input_;
  const char* reported_;
  std::size_t group_;
  bool padded_;
  std::size_t groups_;
  des::RoundKeys round_keys_;
  Buffer<cl_ulong> given_, result_;
  std::vector<std::uint64_t> got_;
};

class IfsCase final : public EcbCase {
 public:
  explicit IfsCase(const Setup& setup)
      : EcbCase(setup, setup.axis("work_group") * setup.axis("granularity")),
        keys_(workspace_.allocate<cl_ulong>("round keys", 16, Role::input)),
        kernel_(setup.kernel("crypt_ifs", reported_)) {}

  void launch(Launcher& launcher) override {
    launcher.run(kernel_, global(), group_, given_, keys_, result_, block_count());
  }

 private:
  void upload_keys() override { workspace_.upload(std::span<const cl_ulong>(round_keys_), keys_); }

  Buffer<cl_ulong> keys_;
  Kernel kernel_;
};

class LutCase final : public EcbCase {
 public:
  explicit LutCase(const Setup& setup)
      : EcbCase(setup, setup.axis("work_group") * setup.axis("granularity")),
        keys_(workspace_.allocate<cl_ulong>("round keys", 16, Role::input)),
        given_tables_(des::device_tables()),
        tables_(setup.uploadable("tables", given_tables_)),
        kernel_(setup.kernel("crypt_lut", reported_)) {}

  void launch(Launcher& launcher) override {
    launcher.run(kernel_, global(), group_, given_, tables_, keys_, result_, block_count());
  }

 private:
  void upload_keys() override {
    workspace_.upload(std::span<const cl_ulong>(round_keys_), keys_);
    workspace_.upload(given_tables_, tables_);
  }

  Buffer<cl_ulong> keys_;
  std::vector<cl_ulong> given_tables_;
  Buffer<cl_ulong> tables_;
  Kernel kernel_;
};

class SplitCase final : public EcbCase {
 public:
  explicit SplitCase(const Setup& setup)
      : EcbCase(setup, setup.axis("work_group") * setup.axis("granularity")),
        rounds_(setup.axis("kernel_rounds")),
        keys_(workspace_.allocate<cl_ulong>("round keys", 16, Role::input)),
        given_tables_(des::device_tables()),
        tables_(setup.uploadable("tables", given_tables_)),
        state_(workspace_.allocate<cl_ulong>("state", given_.count, Role::scratch)),
        first_(setup.kernel("split_first", reported_)),
        middle_(setup.kernel("split_rounds", reported_)),
        last_(setup.kernel("split_last", reported_)) {}

  void launch(Launcher& launcher) override {
    launcher.run(first_, global(), group_, given_, tables_, state_, block_count());
    for (std::size_t round = 0; round < 16; round += rounds_) {
      launcher.run(middle_, global(), group_, state_, tables_, keys_, static_cast<cl_uint>(round),
                   block_count());
    }
    launcher.run(last_, global(), group_, state_, tables_, result_, block_count());
  }

 private:
  void upload_keys() override {
    workspace_.upload(std::span<const cl_ulong>(round_keys_), keys_);
    workspace_.upload(given_tables_, tables_);
  }

  std::size_t rounds_;
  Buffer<cl_ulong> keys_;
  std::vector<cl_ulong> given_tables_;
  Buffer<cl_ulong> tables_, state_;
  Kernel first_, middle_, last_;
};

class BitsliceCase final : public EcbCase {
 public:
  explicit BitsliceCase(const Setup& setup)
      : EcbCase(setup,
                32 * setup.axis("vector_width") * setup.axis("work_group") * setup.axis("granularity")),
        given_keys_(des::bitslice_keys(round_keys_)),
        keys_(setup.uploadable("key words", given_keys_)),
        kernel_(setup.kernel("crypt_bitslice", reported_)) {}

  void launch(Launcher& launcher) override {
    launcher.run(kernel_, global(), group_, given_, keys_, result_, block_count());
  }

 private:
  void upload_keys() override { workspace_.upload(given_keys_, keys_); }

  std::vector<cl_uint> given_keys_;
  Buffer<cl_uint> keys_;
  Kernel kernel_;
};

// --- key search
// --------------------------------------------------------------------------------------------------

class SearchCase : public Case {
 public:
  explicit SearchCase(const Setup& setup)
      : workspace_(setup.workspace),
        input_(setup.input),
        group_(setup.axis("work_group")),
        counts_(workspace_.allocate<cl_uint>("counts", 2, Role::output)),
        found_(workspace_.allocate<cl_ulong>("found", most_found, Role::output)) {}

  void upload() override {}
  void reset() override {}
  void download() override {
    workspace_.download(counts_, got_counts_);
    workspace_.download(found_, got_found_);
  }

  [[nodiscard]] Check check() const override {
    if (got_counts_[0] > most_candidates || got_counts_[1] > most_found) {
      return {false, 1, 0,
              fmt::format("{} candidates and {} keys were reported; there is room for {} and {}",
                          got_counts_[0], got_counts_[1], most_candidates, most_found)};
    }
    return input_->compare_found(std::span(got_found_).first(got_counts_[1]));
  }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto keys = static_cast<double>(search().keys);
    return {{"search", 16, 160 * keys, keys}, {"total", 16, 160 * keys, keys}};
  }

  void dump(DumpSink& sink) const override {
    const auto write = [&](const char* name, std::uint64_t block) {
      const std::uint64_t memory = des::to_memory(block);
      sink.array(name, std::span(reinterpret_cast<const std::uint8_t*>(&memory), 8), {8});
    };
    write("plaintext", search().plaintext);
    write("key", des::key_of_chosen_bits(des::searched_bits(search().base, got_found_[0])));
    write("ciphertext", search().ciphertext);
  }

 protected:
  [[nodiscard]] const des::Search& search() const { return input_->search(); }
  [[nodiscard]] cl_ulong plain_halves() const { return des::permuted_block(search().plaintext); }
  [[nodiscard]] cl_ulong cipher_halves() const { return des::permuted_block(search().ciphertext); }

  Workspace& workspace_;  // NOLINT(*-non-private-member-variables-in-classes)
  std::shared_ptr<const DesInput> input_;
  std::size_t group_;
  Buffer<cl_uint> counts_;
  Buffer<cl_ulong> found_;
  std::vector<cl_uint> got_counts_;
  std::vector<cl_ulong> got_found_;
};

class ScalarSearchCase final : public SearchCase {
 public:
  explicit ScalarSearchCase(const Setup& setup)
      : SearchCase(setup),
        with_tables_(setup.config.word("variant") == "lut"),
        groups_(divided_up(search().keys, group_ * setup.axis("granularity"))),
        given_tables_(des::device_tables()),
        tables_(setup.uploadable("tables", given_tables_)),
        kernel_(setup.kernel(with_tables_ ? "search_lut" : "search_ifs", "search")) {}

  void upload() override { workspace_.upload(given_tables_, tables_); }

  void launch(Launcher& launcher) override {
    launcher.fill<cl_uint>(counts_, 0);
    const Range global(groups_ * group_);
    const auto base = static_cast<cl_ulong>(search().base);
    const auto keys = static_cast<cl_ulong>(search().keys);
    if (with_tables_) {
      launcher.run(kernel_, global, group_, tables_, plain_halves(), cipher_halves(), base, keys, counts_,
                   found_);
    } else {
      launcher.run(kernel_, global, group_, plain_halves(), cipher_halves(), base, keys, counts_, found_);
    }
  }

 private:
  bool with_tables_;
  std::size_t groups_;
  std::vector<cl_ulong> given_tables_;
  Buffer<cl_ulong> tables_;
  Kernel kernel_;
};

class BitsliceSearchCase final : public SearchCase {
 public:
  // Keys come in sixteen thousands: bits 0 to 13 of their numbers are in words, in vectors, in the loop of a
  // work-item, or in the lowest bits of a work-item's number.
  static constexpr std::size_t unit_keys = 1U << 14U;
  static constexpr std::size_t confirm_group = 64;

  explicit BitsliceSearchCase(const Setup& setup)
      : SearchCase(setup),
        items_(divided_up(search().keys, unit_keys) * unit_keys /
               (32 * setup.axis("vector_width") * setup.axis("granularity"))),
        pair_(workspace_.allocate<cl_uint>("pair", 128, Role::input)),
        candidates_(workspace_.allocate<cl_ulong>("candidates", most_candidates, Role::scratch)),
        kernel_(setup.kernel("search_bitslice", "search")),
        confirm_(setup.kernel("confirm", "search")) {}

  void upload() override {
    std::vector<cl_uint> words;
    // L0 and R0; then R16 and L16, which the final permutation takes in this order.
    for (const std::uint64_t halves : {plain_halves(), cipher_halves()}) {
      for (unsigned bit = 0; bit < 64; ++bit) words.push_back((halves >> (63 - bit) & 1U) != 0 ? ~0U : 0U);
    }
    workspace_.upload(words, pair_);
  }

  void launch(Launcher& launcher) override {
    const auto base = static_cast<cl_ulong>(search().base);
    const auto keys = static_cast<cl_ulong>(search().keys);
    launcher.fill<cl_uint>(counts_, 0);
    launcher.run(kernel_, round_up(items_, group_), group_, pair_, base, static_cast<cl_ulong>(items_),
                 counts_, candidates_);
    launcher.run(confirm_, confirm_group * 16, confirm_group, plain_halves(), cipher_halves(), base, keys,
                 counts_, candidates_, found_);
  }

 private:
  std::size_t items_;
  Buffer<cl_uint> pair_;
  Buffer<cl_ulong> candidates_;
  Kernel kernel_, confirm_;
};

// --- the dwarf
// ---------------------------------------------------------------------------------------------------

bool searches(const Point& point) {
  return point.problem.word("mode") == "search";
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
      .start("lut", {{"unroll", 2}})
      .start("split", {{"unroll", 1}})
      .start("bitslice", {{"work_group", 1}, {"vector_width", 16}, {"unroll", 2}, {"padding", 1}})
      .start("bitslice", {{"work_group", 128}, {"vector_width", 1}, {"unroll", 4}, {"padding", 1}},
             has_dedicated_local);
  // llvmpipe has neither doubles nor local memory of its own; its compiler takes minutes for wide vectors.
  space.start("bitslice", {{"work_group", 16}, {"vector_width", 1}, {"unroll", 1}}, [](const Limits& limits) {
    return limits.work_group_items > 0 && !limits.fp64 && !limits.local_is_dedicated;
  });
  space.constrain("split passes blocks from kernel to kernel, and a key search has none",
                  [](const Point& p) { return !searches(p) || p.variant() != "split"; });
  space.constrain("a kernel cannot unroll more rounds than it has",
                  [](const Point& p) { return p.variant() != "split" || p["unroll"] <= p["kernel_rounds"]; });
  space.constrain("vectors read beyond the last block, which has to be padded",
                  [](const Point& p) { return searches(p) || p["vector_width"] == 1 || p["padding"] == 1; });
  space.constrain("tables of 7936 bytes need more constant memory than the device has", [](const Point& p) {
    return p.config.word("memory") != "constant" || p.limits.constant_bytes >= 7936;
  });
  space.group_items([](const Point& p) { return static_cast<std::uint64_t>(p["work_group"]); });
  space.local_bytes(
      [](const Point& p) { return std::uint64_t{p.config.word("memory") == "local" ? 7936U : 0U}; });
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

void require_host_memory(std::uint64_t bytes) {
  const auto available = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                         static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
  if (bytes <= available) return;
  throw PointFailure(
      Status::out_of_memory,
      fmt::format("des: blocks and results of {} bytes are more than the host's memory of {} bytes", bytes,
                  available));
}

Mode mode_of(const Problem& problem) {
  const std::string& word = problem.word("mode");
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
    if (problem.word("tail") != "none") {
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
    require_host_memory(24 * blocks);
    std::vector<std::uint64_t> data(blocks);
    random.fill_bytes({reinterpret_cast<std::uint8_t*>(data.data()), 8 * blocks});
    return std::make_shared<DesInput>(mode_of(problem), key, std::move(data));
  }

  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    if (files.size() != 1) throw UsageError(fmt::format("des takes one input file, not {}", files.size()));
    if (const Value* wanted = request.find("blocks")) {
      throw UsageError(
          fmt::format("des: problem key 'blocks' is '{}', but {} says how many there are; leave it out",
                      wanted->to_string(), files.front()));
    }
    Problem problem = make_problem("des", info_.keys, {"file", request});
    const Mode mode = mode_of(problem);
    if (mode == Mode::search) throw UsageError("des: a key search takes no input file");
    const bool pad = problem.word("tail") == "pkcs7";
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
    const Setup setup{workspace, space_, config, std::static_pointer_cast<const DesInput>(loaded.input)};
    const std::string& variant = config.word("variant");
    if (setup.input->mode() == Mode::search) {
      if (variant == "bitslice") return std::make_unique<BitsliceSearchCase>(setup);
      return std::make_unique<ScalarSearchCase>(setup);
    }
    if (variant == "ifs") return std::make_unique<IfsCase>(setup);
    if (variant == "lut") return std::make_unique<LutCase>(setup);
    if (variant == "split") return std::make_unique<SplitCase>(setup);
    return std::make_unique<BitsliceCase>(setup);
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
