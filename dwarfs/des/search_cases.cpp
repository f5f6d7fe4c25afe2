// The search for the key of a known pair.
#include <fmt/format.h>

#include "dwarfs/des/des.hpp"
#include "dwarfs/des/standard.hpp"
#include "dwarfs/des/tables.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::des {
namespace {

constexpr std::size_t max_candidates = 65536;  // as in kernels_cl/des/keys.cl
constexpr std::size_t max_found = 64;

class SearchCase : public Case {
 public:
  explicit SearchCase(const Setup& setup)
      : workspace_(setup.workspace),
        input_(setup.input<DesInput>()),
        group_(setup.size("work_group")),
        counts_(workspace_.allocate<cl_uint>("counts", 2, Role::output)),
        found_(workspace_.allocate<cl_ulong>("found", max_found, Role::output)) {}

  void upload() override {}
  void download() override {
    workspace_.download(counts_, got_counts_);
    workspace_.download(found_, got_found_);
  }

  [[nodiscard]] Check check() const override {
    if (got_counts_[0] > max_candidates || got_counts_[1] > max_found) {
      return {false, 1, 0,
              fmt::format("{} candidates and {} keys were reported; there is room for {} and {}",
                          got_counts_[0], got_counts_[1], max_candidates, max_found)};
    }
    return compare_found(input_->search(), std::span(got_found_).first(got_counts_[1]));
  }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto keys = static_cast<double>(search().keys);
    const double gates = gates_per_block * keys;
    return {{"search", 16, gates, keys}, {"total", 16, gates, keys}};
  }

  void dump(DumpSink& sink) const override {
    const auto write = [&](const char* name, std::uint64_t block) {
      const std::uint64_t memory = to_memory(block);
      sink.array(name, std::span(reinterpret_cast<const std::uint8_t*>(&memory), 8), {8});
    };
    write("plaintext", search().plaintext);
    write("key", key_of_chosen_bits(searched_bits(search().base, got_found_[0])));
    write("ciphertext", search().ciphertext);
  }

 protected:
  [[nodiscard]] const Search& search() const { return input_->search(); }
  [[nodiscard]] cl_ulong plain_halves() const { return permuted_block(search().plaintext); }
  [[nodiscard]] cl_ulong cipher_halves() const { return permuted_block(search().ciphertext); }

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
        with_tables_(setup.string("variant") == "lut"),
        groups_(ceil_div(search().keys, group_ * setup.size("granularity"))),
        given_tables_(device_tables()),
        tables_(workspace_.allocate<cl_ulong>("tables", given_tables_.size(), Role::input)),
        kernel_(setup.kernel(with_tables_ ? "search_lut" : "search_ifs", "search", macros_of(setup))) {}

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
  // The number of keys is rounded up to a multiple of 2^14: bits 0 to 13 of a key's number are places in
  // words and vectors, iterations of a work-item's loop, or the lowest bits of a work-item's number.
  static constexpr std::size_t unit_keys = 1U << 14U;
  static constexpr std::size_t confirm_group = 64;

  explicit BitsliceSearchCase(const Setup& setup)
      : SearchCase(setup),
        items_(ceil_div(search().keys, unit_keys) * unit_keys /
               (32 * setup.size("vector_width") * setup.size("granularity"))),
        pair_(workspace_.allocate<cl_uint>("pair", 128, Role::input)),
        candidates_(workspace_.allocate<cl_ulong>("candidates", max_candidates, Role::scratch)),
        kernel_(setup.kernel("search_bitslice", "search", macros_of(setup))),
        confirm_(setup.kernel("confirm", "search", macros_of(setup))) {}

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

}  // namespace

std::unique_ptr<Case> make_search_case(const Setup& setup) {
  if (setup.string("variant") == "bitslice") return std::make_unique<BitsliceSearchCase>(setup);
  return std::make_unique<ScalarSearchCase>(setup);
}

}  // namespace dwarfsweep::des
