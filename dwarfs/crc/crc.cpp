// CRC-32 of a byte stream, as zlib computes it: what the dwarf tells of itself. The method is in
// kernels_cl/crc/crc.cl, its host side in crc_cases, the arithmetic and the reference in crc_reference.
//
// Work: bytes are the stream read once and four bytes of result; operations are 8 per byte, one for each bit
// of the message that a division consumes (no variant does it that way, all answer for it); items are bytes.
// `combine` reads its partial results and does one XOR with each.
#include <fmt/format.h>

#include <algorithm>

#include "dwarfs/crc/case.hpp"
#include "harness/dwarf.hpp"
#include "harness/error.hpp"
#include "harness/formats/file_bytes.hpp"
#include "harness/host_memory.hpp"
#include "harness/random.hpp"

namespace dwarfsweep {
namespace {

using crc::CrcInput;

Space make_space() {
  Space space;
  space
      .axis({"variant",
             "per_byte: one byte at its distance; slicing: chunks by tables; interleaved: no tables",
             {"per_byte", "slicing", "interleaved"},
             "per_byte"})
      .axis({"work_group", "work-items of a group in compute", {1, 8, 16, 32, 64, 128, 256, 512, 1024}, 256})
      .axis({"granularity",
             "per_byte: bytes per work-item; slicing: blocks of 64 bytes per work-item; interleaved: times "
             "the rows per work-item of a launch that just fills the device",
             {1, 2, 4, 8, 16, 64, 256},
             1})
      .axis({"vector_width",
             "slicing: words per load; interleaved: neighbouring streams per work-item",
             {1, 2, 4, 8, 16},
             1,
             {"slicing", "interleaved"}})
      .axis({"unroll",
             "per_byte: of the loop over powers; slicing: over blocks; interleaved: rows per iteration",
             {1, 2, 4, 8, 16, 32},
             1})
      .axis({"padding",
             "1: zeros follow the stream up to a whole number of work-items, and no load is guarded",
             {0, 1},
             0})
      .axis({"memory",
             "where the tables of slicing are",
             {"global", "constant", "local"},
             "global",
             {"slicing"}})
      .axis({"slices", "bytes per step of slicing, a table for each", {4, 8, 16}, 4, {"slicing"}})
      .axis({"streams",
             "item: a segment of the stream per work-item; shared: up to 32 work-items read its rows "
             "together; auto: item on a CPU, else shared",
             {"auto", "item", "shared"},
             "auto",
             {"interleaved"}})
      .axis(
          {"prefetch", "rows loaded ahead of the one that is divided", {0, 4, 8, 16, 32}, 0, {"interleaved"}})
      .axis({"divisor",
             "plain: rows are divided by the CRC's polynomial; sparse: first by a multiple of it with few "
             "terms",
             {"plain", "sparse"},
             "plain",
             {"interleaved"}})
      .default_setting("slicing", {{"work_group", 64},
                                   {"granularity", 16},
                                   {"vector_width", 4},
                                   {"unroll", 1},
                                   {"padding", 1},
                                   {"memory", "global"},
                                   {"slices", 16}})
      // On CPUs divisor=sparse is the faster one for a stream in the cache. From memory its ring costs more
      // than the XORs it saves, and plain comes near to what only reading takes.
      .default_setting("interleaved", {{"work_group", 1},
                                       {"granularity", 4},
                                       {"vector_width", 8},
                                       {"unroll", 32},
                                       {"padding", 1},
                                       {"streams", "auto"}})
      .default_setting(
          "interleaved",
          {{"work_group", 64}, {"granularity", 1}, {"vector_width", 4}, {"unroll", 16}, {"prefetch", 8}},
          is_gpu);
  space.constrain("the loop over blocks cannot be unrolled further than it runs", [](const Point& point) {
    return point.variant() != "slicing" || point["unroll"] <= point["granularity"];
  });
  space.constrain("the tables need more constant memory than the device has", [](const Point& point) {
    return point.variant() != "slicing" || point.config.string("memory") != "constant" ||
           static_cast<std::uint64_t>(point["slices"]) * 1024 <= point.device.constant_bytes;
  });
  // Per work-item the rows of `left`, `q`, `ahead` and `moved`. PoCL's threads have the usual stacks of 8
  // MiB.
  space.constrain("what the work-items of a group keep would overflow the stack of a CPU's thread",
                  [](const Point& point) {
                    if (point.variant() != "interleaved" || point.device.is_gpu) return true;
                    const std::int64_t rows = (point.config.string("divisor") == "sparse" ? 320 : 0) + 3 * 32;
                    return point["work_group"] * rows * point["vector_width"] * 4 < 6 << 20;
                  });
  space.group_items([](const Point& point) { return static_cast<std::uint64_t>(point["work_group"]); });
  space.local_bytes([](const Point& point) -> std::uint64_t {
    const auto group = static_cast<std::uint64_t>(point["work_group"]);
    std::uint64_t bytes = crc::max_combine_group * 4;
    if (point.variant() == "slicing" && point.config.string("memory") == "local") {
      bytes = std::max<std::uint64_t>(bytes, static_cast<std::uint64_t>(point["slices"]) * 1024);
    }
    // A space does not see the device's type: "auto" must be possible as "shared".
    if (point.variant() == "interleaved" && point.config.string("streams") != "item" && group > 1) {
      bytes = std::max<std::uint64_t>(bytes, group * 32 * 4);
    }
    return bytes;
  });
  return space;
}

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "crc";
  info.title = "CRC-32 of a byte stream, as in zlib";
  info.pattern = "combinational logic";
  info.kernels = {"compute", "combine"};
  info.item = "bytes";
  info.keys = {{"bytes", "length of the stream in bytes", 200'000, 0, 0x1p40}};
  info.sizes = {{"tiny", {{"bytes", 16'000}}},      {"small", {{"bytes", 200'000}}},
                {"medium", {{"bytes", 4'194'304}}}, {"large", {{"bytes", 134'217'728}}},
                {"paper", {{"bytes", 50'000'000}}}, {"paper", {{"bytes", 100'000'000}}},
                {"paper", {{"bytes", 200'000'000}}}};
  info.input_formats = "one file of any kind, taken as bytes";
  return info;
}

class CrcDwarf final : public Dwarf {
 public:
  [[nodiscard]] const DwarfInfo& info() const override { return info_; }
  [[nodiscard]] const Space& space() const override { return space_; }

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    const auto bytes = static_cast<std::size_t>(problem.integer("bytes"));
    require_host_memory(fmt::format("crc: a stream of {} bytes", bytes), bytes);
    std::vector<std::uint8_t> stream;
    stream.reserve(round_up(bytes, CrcInput::block_bytes));
    stream.resize(bytes);
    Random(seed).fill_bytes(stream);
    return std::make_shared<CrcInput>(std::move(stream));
  }

  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    require_files("crc", info_.input_formats, files, 1);
    auto stream = read_bytes(files.front());
    const auto bytes = static_cast<std::int64_t>(stream.size());
    Problem problem =
        make_problem("crc", info_.keys, {"file", with_found("crc", request, "bytes", bytes, files.front())});
    return {std::move(problem), std::make_shared<CrcInput>(std::move(stream))};
  }

  [[nodiscard]] std::unique_ptr<Case> prepare(Workspace& workspace, const Loaded& loaded,
                                              const Config& config) const override {
    return crc::make_case(
        {workspace, space_, config, std::static_pointer_cast<const CrcInput>(loaded.input)});
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
        settings.push_back({std::string("thesis_2013 ") + figure, {{"bytes", bytes}}, {{axis, value}}});
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

 private:
  DwarfInfo info_ = make_info();
  Space space_ = make_space();
};

}  // namespace

const Dwarf& crc_dwarf() {
  static const CrcDwarf dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
