// Blocks in ECB, encrypted or decrypted.
#include <algorithm>
#include <utility>

#include "dwarfs/des/des.hpp"
#include "dwarfs/des/standard.hpp"
#include "dwarfs/des/tables.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::des {
namespace {

class EcbCase : public Case {
 public:
  // `group_blocks` is what a whole work-group takes.
  EcbCase(const Setup& setup, std::size_t group_blocks)
      : workspace_(setup.workspace),
        input_(setup.input<DesInput>()),
        reported_(input_->mode() == Mode::decrypt ? "decrypt" : "encrypt"),
        group_(setup.size("work_group")),
        padded_(setup.size("padding") != 0),
        groups_(ceil_div(input_->data().size(), group_blocks)),
        round_keys_(round_keys_in_use(input_->key(), input_->mode() == Mode::decrypt)) {
    const std::size_t launched = padded_ ? groups_ * group_blocks : blocks();
    given_ = workspace_.allocate<cl_ulong>("given", launched, Role::input);
    result_ = workspace_.allocate<cl_ulong>("result", launched, Role::output);
  }

  void upload() override {
    if (padded_) workspace_.fill<cl_ulong>(given_, 0);
    workspace_.upload(input_->data(), given_);
    upload_keys();
  }
  void download() override {
    got_.resize(blocks());
    workspace_.download(result_, std::span<cl_ulong>(got_));
  }
  [[nodiscard]] Check check() const override { return input_->reference().compare(got_); }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto items = static_cast<double>(blocks());
    const double gates = gates_per_block * items;
    return {{reported_, 16 * items, gates, items}, {"total", 16 * items, gates, items}};
  }

  void dump(DumpSink& sink) const override {
    const auto bytes_of = [](const std::vector<std::uint64_t>& words) {
      return std::span<const std::uint8_t>(reinterpret_cast<const std::uint8_t*>(words.data()),
                                           words.size() * 8);
    };
    const bool decrypt = input_->mode() == Mode::decrypt;
    const std::uint64_t key = to_memory(input_->key());
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
  RoundKeys round_keys_;
  Buffer<cl_ulong> given_, result_;
  std::vector<std::uint64_t> got_;
};

class IfsCase final : public EcbCase {
 public:
  explicit IfsCase(const Setup& setup)
      : EcbCase(setup, setup.size("work_group") * setup.size("granularity")),
        keys_(workspace_.allocate<cl_ulong>("round keys", 16, Role::input)),
        kernel_(setup.kernel("crypt_ifs", reported_, macros_of(setup))) {}

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
      : EcbCase(setup, setup.size("work_group") * setup.size("granularity")),
        keys_(workspace_.allocate<cl_ulong>("round keys", 16, Role::input)),
        given_tables_(device_tables()),
        tables_(workspace_.allocate<cl_ulong>("tables", given_tables_.size(), Role::input)),
        kernel_(setup.kernel("crypt_lut", reported_, macros_of(setup))) {}

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

// A launch for each permutation and for every `kernel_rounds` rounds; between them a block's state,
// `state_words` numbers of type Word, is in global memory. Tables are of that type too.
template <typename Word>
class RoundsCase final : public EcbCase {
 public:
  RoundsCase(const Setup& setup, std::size_t group_blocks, std::size_t state_words, std::vector<Word> tables,
             const std::string& kernels)
      : EcbCase(setup, group_blocks),
        rounds_(setup.size("kernel_rounds")),
        keys_(workspace_.allocate<cl_ulong>("round keys", 16, Role::input)),
        given_tables_(std::move(tables)),
        tables_(workspace_.allocate<Word>("tables", given_tables_.size(), Role::input)),
        state_(workspace_.allocate<Word>("state", state_words * given_.count, Role::scratch)),
        first_(setup.kernel(kernels + "_first", reported_, macros_of(setup))),
        middle_(setup.kernel(kernels + "_rounds", reported_, macros_of(setup))),
        last_(setup.kernel(kernels + "_last", reported_, macros_of(setup))) {}

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
  std::vector<Word> given_tables_;
  Buffer<Word> tables_, state_;
  Kernel first_, middle_, last_;
};

class BitsliceCase final : public EcbCase {
 public:
  explicit BitsliceCase(const Setup& setup)
      : EcbCase(setup,
                32 * setup.size("vector_width") * setup.size("work_group") * setup.size("granularity")),
        given_keys_(bitslice_keys(round_keys_)),
        keys_(workspace_.allocate<cl_uint>("key words", given_keys_.size(), Role::input)),
        kernel_(setup.kernel("crypt_bitslice", reported_, macros_of(setup))) {}

  void launch(Launcher& launcher) override {
    launcher.run(kernel_, global(), group_, given_, keys_, result_, block_count());
  }

 private:
  void upload_keys() override { workspace_.upload(given_keys_, keys_); }

  std::vector<cl_uint> given_keys_;
  Buffer<cl_uint> keys_;
  Kernel kernel_;
};

}  // namespace

Macros macros_of(const Setup& setup) {
  return setup.macros().define("SEARCH", setup.input<DesInput>()->mode() == Mode::search ? 1 : 0);
}

std::unique_ptr<Case> make_case(const Setup& setup) {
  if (setup.input<DesInput>()->mode() == Mode::search) return make_search_case(setup);
  const std::string& variant = setup.string("variant");
  if (variant == "ifs") return std::make_unique<IfsCase>(setup);
  if (variant == "lut") return std::make_unique<LutCase>(setup);
  const std::size_t group_blocks = setup.size("work_group") * setup.size("granularity");
  if (variant == "split")
    return std::make_unique<RoundsCase<cl_ulong>>(setup, group_blocks, 1, device_tables(), "split");
  if (variant == "per_bit")
    return std::make_unique<RoundsCase<cl_uchar>>(setup, group_blocks / 64, 64, bit_tables(), "bits");
  return std::make_unique<BitsliceCase>(setup);
}

}  // namespace dwarfsweep::des
