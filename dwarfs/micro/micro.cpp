// Micro-benchmarks: bank conflicts, divergence, and control flow against tables. What is computed is said in
// kernels_cl/micro/micro.cl. Not one of the dwarfs: it runs only when it is asked for by name.
//
// Work: items are results. Bytes are a result's seed and itself. Operations per result: `traverse` does 4 for
// each of 32 words in each round, `diverge` 4 for each of 32 steps in each round, `permute` 1 (a word moved)
// in each round.
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "harness/dwarf.hpp"
#include "harness/error.hpp"
#include "harness/random.hpp"

namespace dwarfsweep {
namespace {

constexpr std::size_t edge = 32;   // lanes that share a tile, and words of a line
constexpr std::size_t block = 64;  // words of a block that is permuted

// --- the reference: shares no code with the kernels ---

struct Parameters {
  std::size_t items = 0;
  std::uint32_t rounds = 0;
  std::uint32_t bits = 0;
};

std::uint32_t traversed(std::uint32_t seed, std::uint32_t rounds) {
  std::array<std::uint32_t, edge> line{};
  for (std::uint32_t k = 0; k < edge; ++k) line[k] = seed + k * 0x9E3779B9U;
  std::uint32_t sum = seed;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t& word : line) {
      sum = (sum ^ word) * 0x01000193U;
      word = 5 * word + 1;
    }
  }
  return sum;
}

std::uint32_t iterated(std::uint32_t x, std::uint32_t path, std::uint32_t rounds) {
  const std::uint32_t factor = 1664525 + 8 * path;
  const std::uint32_t addend = 1013904223 + 2 * path;
  for (std::uint32_t step = 0; step < rounds * edge; ++step) {
    x = x * factor + addend;
    x ^= x >> 9U;
  }
  return x;
}

// Where position i of a permuted block comes from: FIPS 46-3 counts from 1, rows of eight from 58, 60, 62,
// 64, 57, 59, 61 and 63 downwards.
std::size_t source_of(std::size_t position, std::size_t bits) {
  if (position >= bits) return position;
  const std::size_t row = position / 8;
  const std::size_t first = row < 4 ? 58 + 2 * row : 57 + 2 * (row - 4);
  return first - 8 * (position % 8) - 1;
}

// `width` neighbours are the same word of so many blocks.
void permute_blocks(std::span<std::uint32_t> words, const Parameters& p, std::size_t width) {
  std::array<std::size_t, block> source{};
  for (std::size_t i = 0; i < block; ++i) source[i] = i;
  for (std::uint32_t round = 0; round < p.rounds; ++round) {
    std::array<std::size_t, block> next{};
    for (std::size_t i = 0; i < block; ++i) next[i] = source[source_of(i, p.bits)];
    source = next;
  }
  std::vector<std::uint32_t> before(block * width);
  for (std::size_t begin = 0; begin < words.size(); begin += before.size()) {
    std::copy_n(words.data() + begin, before.size(), before.data());
    for (std::size_t i = 0; i < before.size(); ++i)
      words[begin + i] = before[source[i / width] * width + i % width];
  }
}

// Seeds up to a whole number of the largest groups, so that whatever a launch reads is there.
class MicroInput final : public Input {
 public:
  MicroInput(const Parameters& parameters, std::uint64_t seed) : p_(parameters) {
    seeds_.resize(round_up(p_.items, largest_chunk));
    Random random(seed);
    for (std::uint32_t& value : seeds_) value = static_cast<std::uint32_t>(random.next() >> 32U);
  }

  /// Results of the largest group: its work-items, vector width and granularity multiplied.
  static constexpr std::size_t largest_chunk = std::size_t{1024} * 16 * 8;

  [[nodiscard]] const Parameters& parameters() const { return p_; }
  [[nodiscard]] std::span<const std::uint32_t> seeds() const { return seeds_; }

  struct Results {
    std::vector<std::uint32_t> traversed, diverged, permuted;
  };
  /// How a setting assigns work: `divergent` of 32 work-items, of `width` results each.
  struct Assignment {
    std::uint32_t divergent = 0;
    std::size_t width = 1;
  };

  [[nodiscard]] Check check(const Results& got, const Assignment& assignment) const {
    std::call_once(once_, [this] { compute_reference(); });
    Check check{true, 0, 0, ""};
    compare(check, "traversed", got.traversed, [&](std::size_t i) { return traversed_[i]; });
    compare(check, "diverged", got.diverged, [&](std::size_t i) {
      const std::size_t lane = i / assignment.width % edge;
      return lane < assignment.divergent
                 ? iterated(seeds_[i], static_cast<std::uint32_t>(lane) + 1, p_.rounds)
                 : one_path_[i];
    });
    std::vector<std::uint32_t> permuted(seeds_.begin(), seeds_.end());
    permute_blocks(permuted, p_, assignment.width);
    compare(check, "permuted", got.permuted, [&](std::size_t i) { return permuted[i]; });
    return check;
  }

 private:
  void compute_reference() const {
    for (std::size_t i = 0; i < p_.items; ++i) {
      traversed_.push_back(traversed(seeds_[i], p_.rounds));
      one_path_.push_back(iterated(seeds_[i], 0, p_.rounds));
    }
  }

  template <typename Wanted>
  void compare(Check& check, const char* name, const std::vector<std::uint32_t>& got, Wanted wanted) const {
    for (std::size_t i = 0; check.ok && i < p_.items; ++i) {
      if (got[i] == wanted(i)) continue;
      check = {false, 1, 0, fmt::format("{}[{}] is {:#010x}, wanted {:#010x}", name, i, got[i], wanted(i))};
    }
  }

  Parameters p_;
  std::vector<std::uint32_t> seeds_;
  mutable std::once_flag once_;
  mutable std::vector<std::uint32_t> traversed_, one_path_;
};

// --- the case on a device ---

struct Setup {
  Workspace& workspace;
  const Space& space;
  const Config& config;
  std::shared_ptr<const MicroInput> input;
};

class MicroCase final : public Case {
 public:
  explicit MicroCase(const Setup& setup)
      : workspace_(setup.workspace),
        input_(setup.input),
        p_(input_->parameters()),
        group_(axis(setup, "work_group")),
        assignment_{static_cast<std::uint32_t>(axis(setup, "divergent")), axis(setup, "vector_width")},
        turns_(axis(setup, "granularity")),
        groups_(ceil_div(p_.items, group_results())),
        options_(to_build_options(setup.space, setup.config) + fmt::format(" -D BITS={}", p_.bits)),
        seeds_(allocate("seeds", Role::input)),
        traversed_(allocate("traversed", Role::output)),
        diverged_(allocate("diverged", Role::output)),
        permuted_(allocate("permuted", Role::output)),
        traverse_(workspace_.kernel("micro/micro", options_, "traverse", "traverse")),
        diverge_(workspace_.kernel("micro/micro", options_, "diverge", "diverge")),
        permute_(workspace_.kernel("micro/micro", options_, "permute", "permute")) {}

  void upload() override { workspace_.upload(input_->seeds().first(groups_ * group_results()), seeds_); }
  void reset() override {}
  void launch(Launcher& launcher) override {
    const std::size_t items = groups_ * group_;
    launcher.run(traverse_, items, group_, seeds_, traversed_, static_cast<cl_uint>(p_.rounds));
    launcher.run(diverge_, items, group_, seeds_, diverged_, static_cast<cl_uint>(p_.rounds),
                 static_cast<cl_uint>(edge));
    launcher.run(permute_, items, group_, seeds_, permuted_, static_cast<cl_uint>(p_.rounds));
  }
  void download() override {
    workspace_.download(traversed_, got_.traversed);
    workspace_.download(diverged_, got_.diverged);
    workspace_.download(permuted_, got_.permuted);
  }
  [[nodiscard]] Check check() const override { return input_->check(got_, assignment_); }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto items = static_cast<double>(p_.items);
    const double visits = items * edge * p_.rounds;
    return {{"traverse", 8 * items, 4 * visits, items},
            {"diverge", 8 * items, 4 * visits, items},
            {"permute", 8 * items, items * p_.rounds, items},
            {"total", 16 * items, 8 * visits + items * p_.rounds, items}};
  }

  void dump(DumpSink& sink) const override {
    const auto array = [&](const char* name, std::span<const std::uint32_t> values) {
      sink.array(name, values.first(p_.items), {p_.items});
    };
    array("seeds", input_->seeds());
    array("traversed", got_.traversed);
    array("diverged", got_.diverged);
    array("permuted", got_.permuted);
  }

 private:
  static std::size_t axis(const Setup& setup, const char* name) {
    return static_cast<std::size_t>(setup.config.integer(name));
  }
  [[nodiscard]] std::size_t group_results() const { return group_ * assignment_.width * turns_; }
  Buffer<cl_uint> allocate(const char* name, Role role) {
    return workspace_.allocate<cl_uint>(name, groups_ * group_results(), role);
  }

  Workspace& workspace_;
  std::shared_ptr<const MicroInput> input_;
  Parameters p_;
  std::size_t group_;
  MicroInput::Assignment assignment_;
  std::size_t turns_, groups_;
  std::string options_;
  Buffer<cl_uint> seeds_, traversed_, diverged_, permuted_;
  Kernel traverse_, diverge_, permute_;
  MicroInput::Results got_;
};

// --- the host's own version ---

class MicroHostCase final : public HostCase {
 public:
  MicroHostCase(std::shared_ptr<const MicroInput> input, int threads)
      : input_(std::move(input)), threads_(threads) {}

  void reset() override {}
  void run() override {
    const Parameters& p = input_->parameters();
    const auto seeds = input_->seeds();
    got_.traversed.resize(p.items);
    got_.diverged.resize(p.items);
    got_.permuted.assign(seeds.begin(),
                         seeds.begin() + static_cast<std::ptrdiff_t>(round_up(p.items, block)));
    const auto blocks = static_cast<std::ptrdiff_t>(got_.permuted.size() / block);
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::ptrdiff_t b = 0; b < blocks; ++b) {
      const std::size_t begin = static_cast<std::size_t>(b) * block;
      for (std::size_t i = begin; i < std::min(begin + block, p.items); ++i) {
        got_.traversed[i] = traversed(seeds[i], p.rounds);
        got_.diverged[i] = iterated(seeds[i], 0, p.rounds);
      }
      permute_blocks(std::span(got_.permuted).subspan(begin, block), p, 1);
    }
  }
  [[nodiscard]] Check check() const override {
    return input_->check(got_, {});
  }

 private:
  std::shared_ptr<const MicroInput> input_;
  int threads_;
  MicroInput::Results got_;
};

// --- the dwarf ---

Space make_space() {
  Space space;
  space
      .axis(
          {"variant",
           "initial: rows of the tile, one path, ifs; columns: columns of the tile; divergence: `divergent` "
           "work-items of 32 on paths of their own; tables: a table instead of ifs",
           {"initial", "columns", "divergence", "tables"},
           "initial"})
      .axis({"work_group", "work-items of a group", {64, 128, 256, 512, 1024}, 64})
      .axis({"granularity", "results per work-item, one after the other", {1, 2, 4, 8}, 1})
      .axis({"vector_width", "results per work-item at once", {1, 2, 4, 8, 16}, 1})
      .axis({"unroll", "of the loops over a line and over steps", {1, 2, 4, 8}, 1})
      .axis({"padding", "unused columns of the tile", {0, 1}, 0, {"columns"}})
      .axis({"divergent",
             "work-items of 32 that have a path of their own",
             {0, 1, 2, 4, 8, 12, 16, 20, 24, 28, 32},
             0,
             {"divergence"}})
      .default_setting("columns", {})
      .default_setting("divergence", {{"divergent", 1}})
      .default_setting("tables", {});
  space.group_items([](const Point& p) { return static_cast<std::uint64_t>(p["work_group"]); });
  space.local_bytes([](const Point& p) {
    const auto vectors =
        static_cast<std::uint64_t>(p["work_group"]) * 4 * static_cast<std::uint64_t>(p["vector_width"]);
    return vectors * (edge + static_cast<std::uint64_t>(p["padding"]));
  });
  return space;
}

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "micro";
  info.title = "micro-benchmarks of bank conflicts, divergence and control flow";
  info.pattern = "micro-benchmarks";
  info.kernels = {"traverse", "diverge", "permute"};
  info.item = "results";
  info.keys = {{"items", "results of each kernel", 4096, 1, 0x1p28},
               {"rounds", "repetitions: visits of each word, a 32nd of the steps, permutations", 8, 0, 1e6},
               {"bits", "positions of 64 that are permuted", 64, 0, 64}};
  info.sizes = {{"tiny", {{"items", 512}}},
                {"small", {{"items", 4096}}},
                {"medium", {{"items", 65'536}}},
                {"large", {{"items", 1'048'576}}},
                // What DES permutes: 32 bits (P), 48 (E and PC-2), 56 (PC-1), 64 (the initial permutation).
                {"paper", {{"items", 16'384}, {"rounds", 64}, {"bits", 32}}},
                {"paper", {{"items", 16'384}, {"rounds", 64}, {"bits", 48}}},
                {"paper", {{"items", 16'384}, {"rounds", 64}, {"bits", 56}}},
                {"paper", {{"items", 16'384}, {"rounds", 64}, {"bits", 64}}}};
  return info;
}

class MicroDwarf final : public Dwarf {
 public:
  [[nodiscard]] const DwarfInfo& info() const override { return info_; }
  [[nodiscard]] const Space& space() const override { return space_; }

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    const Parameters parameters{static_cast<std::size_t>(problem.integer("items")),
                                static_cast<std::uint32_t>(problem.integer("rounds")),
                                static_cast<std::uint32_t>(problem.integer("bits"))};
    return std::make_shared<MicroInput>(parameters, seed);
  }

  [[nodiscard]] Loaded load(const ValueMap& /*request*/,
                            const std::vector<std::string>& /*files*/) const override {
    throw UsageError("micro takes no --input");
  }

  [[nodiscard]] std::unique_ptr<Case> prepare(Workspace& workspace, const Loaded& loaded,
                                              const Config& config) const override {
    return std::make_unique<MicroCase>(
        Setup{workspace, space_, config, std::static_pointer_cast<const MicroInput>(loaded.input)});
  }

  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return std::make_unique<MicroHostCase>(std::static_pointer_cast<const MicroInput>(loaded.input), threads);
  }

  // Figure 2 (banks), 3 (work-items that diverge) and 8 (ifs and tables, over the bits permuted).
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    const std::string source = "performance_study_2008 ";
    std::vector<PaperSetting> settings;
    const auto add = [&](const char* figure, int bits, const ValueMap& values) {
      settings.push_back({source + figure, {{"items", 16'384}, {"rounds", 64}, {"bits", bits}}, values});
    };
    add("Figure 2", 64, {});
    add("Figure 2", 64, {{"variant", "columns"}});
    for (const Value& divergent : space_.find("divergent").values)
      add("Figure 3", 64, {{"variant", "divergence"}, {"divergent", divergent}});
    for (const int bits : {32, 48, 56, 64}) {
      add("Figure 8", bits, {});
      add("Figure 8", bits, {{"variant", "tables"}});
    }
    return settings;
  }

 private:
  DwarfInfo info_ = make_info();
  Space space_ = make_space();
};

}  // namespace

const Dwarf& micro_dwarf() {
  static const MicroDwarf dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
