#include <fmt/format.h>

#include <algorithm>

#include "dwarfs/rc5_72/rc5_72.hpp"
#include "harness/formats/npy.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::rc5_72 {
namespace {

constexpr std::size_t max_halves = 4096;  // as in kernels_cl/rc5_72/rc5_72.cl
constexpr std::size_t max_matches = 64;

std::uint64_t items_of(const Setup& setup) {
  const Search& search = setup.input<SearchInput>()->search();
  const std::string& variant = setup.string("variant");
  if (variant == "per_key") return search.keys;
  if (variant == "pipes")
    return ceil_div(search.keys, setup.size("vector_width") * setup.size("granularity"));
  const std::uint64_t keys = setup.size("keys_per_prefix");
  return ceil_div(search.first.last % keys + search.keys, keys);
}

class SearchCase final : public Case {
 public:
  explicit SearchCase(const Setup& setup)
      : workspace_(setup.workspace),
        input_(setup.input<SearchInput>()),
        items_(items_of(setup)),
        group_(setup.size("work_group")),
        counts_(workspace_.allocate<cl_uint>("counts", 2, Role::output)),
        halves_(workspace_.allocate<cl_ulong>("halves", max_halves, Role::output)),
        matches_(workspace_.allocate<cl_ulong>("matches", max_matches, Role::output)),
        kernel_(setup.kernel("search", "search")) {}

  void upload() override {}
  void launch(Launcher& launcher) override {
    const Block plain = search().whitened();
    const cl_uint4 pair{{plain.a, plain.b, search().cipher.a, search().cipher.b}};
    launcher.fill<cl_uint>(counts_, 0);
    launcher.run(kernel_, round_up(items_, group_), group_, cl_ulong{search().first.prefix},
                 cl_uint{search().first.last}, cl_ulong{search().keys}, pair, cl_ulong{items_}, counts_,
                 halves_, matches_);
  }
  void download() override {
    std::vector<cl_ulong> halves;
    std::vector<cl_ulong> matches;
    workspace_.download(counts_, got_counts_);
    workspace_.download(halves_, halves);
    workspace_.download(matches_, matches);
    halves.resize(std::min<std::size_t>(got_counts_[0], max_halves));
    matches.resize(std::min<std::size_t>(got_counts_[1], max_matches));
    std::sort(matches.begin(), matches.end());
    found_.halves.assign(halves.begin(), halves.end());
    found_.matches.assign(matches.begin(), matches.end());
  }

  [[nodiscard]] Check check() const override {
    if (got_counts_[0] > max_halves || got_counts_[1] > max_matches) {
      return {
          false, 1, 0,
          fmt::format("{} keys whose first word matches and {} matches were reported; there is room for {} "
                      "and {}",
                      got_counts_[0], got_counts_[1], max_halves, max_matches)};
    }
    return input_->check(found_);
  }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto keys = static_cast<double>(search().keys);
    const double operations = operations_per_key * keys;
    return {{"search", 16, operations, keys}, {"total", 16, operations, keys}};
  }

  void dump(DumpSink& sink) const override {
    const auto write = [&](const char* name, const std::vector<std::uint64_t>& numbers) {
      sink.text(std::string(name) + ".npy", [&] {
        return npy_bytes(std::span<const std::uint64_t>(numbers),
                         {static_cast<std::int64_t>(numbers.size())});
      });
    };
    write("matches", found_.matches);
    write("half_matches", {found_.halves.size()});
    sink.note("first", text_of(search().first));
    sink.note("plain", text_of(search().plain));
    sink.note("iv", text_of(search().iv));
    sink.note("cipher", text_of(search().cipher));
  }

 private:
  [[nodiscard]] const Search& search() const { return input_->search(); }

  Workspace& workspace_;
  std::shared_ptr<const SearchInput> input_;
  std::size_t items_, group_;
  Buffer<cl_uint> counts_;
  Buffer<cl_ulong> halves_, matches_;
  Kernel kernel_;
  std::vector<cl_uint> got_counts_;
  Found found_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  return std::make_unique<SearchCase>(setup);
}

}  // namespace dwarfsweep::rc5_72
