// The host side of kernels_cl/crc/crc.cl: how the stream is cut, launches, transfers.
#include "dwarfs/crc/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

namespace dwarfsweep::crc {
namespace {

constexpr std::size_t block_bytes = CrcInput::block_bytes;
constexpr std::size_t run = 16;

// Extra macros of the kernels.
struct Chosen {
  std::size_t lanes = 1;
  unsigned chunk_power = 6;
};

// As wide as the device allows.
std::size_t combine_group_of(const DeviceInfo& device) {
  return std::min<std::size_t>(max_combine_group, std::bit_floor(device.capabilities.work_group_items));
}

std::string build_options(const Setup& setup, const Chosen& chosen) {
  // Where only the host uses the granularity, all its values share one program.
  const bool of_kernel = setup.config.string("variant") != "interleaved";
  return to_build_options(setup.space, of_kernel ? setup.config : setup.config.with("granularity", 1)) +
         fmt::format(" -D LANES={} -D CHUNK_POWER={} -D RUN={} -D COMBINE_GROUP={}", chosen.lanes,
                     chosen.chunk_power, run, combine_group_of(setup.workspace.device()));
}

class CrcCase : public Case {
 public:
  explicit CrcCase(const Setup& setup, const Chosen& chosen)
      : workspace_(setup.workspace),
        input_(setup.input),
        padded_(setup.config.integer("padding") != 0),
        group_(static_cast<std::size_t>(setup.config.integer("work_group"))),
        granularity_(static_cast<std::size_t>(setup.config.integer("granularity"))),
        combine_group_(combine_group_of(workspace_.device())),
        options_(build_options(setup, chosen)),
        result_(workspace_.allocate<cl_uint>("result", 1, Role::output)) {}

  void reset() override { workspace_.fill<cl_uint>(result_, constant_part(input_->stream().size())); }
  void download() override { workspace_.download(result_, got_); }
  [[nodiscard]] Check check() const override { return input_->compare(got_.at(0)); }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto bytes = static_cast<double>(input_->stream().size());
    const auto partial = static_cast<double>(partials());
    return {{"compute", bytes + 4 * partial, 8 * bytes, bytes},
            {"combine", 4 * partial + 4, partial, partial},
            {"total", bytes + 4, 8 * bytes, bytes}};
  }

  void dump(DumpSink& sink) const override {
    sink.array("data", input_->stream(), {input_->stream().size()});
    sink.array("crc", std::span<const std::uint32_t>(got_), {1});
  }

 protected:
  /// How many words `compute` leaves to `combine`.
  [[nodiscard]] virtual std::size_t partials() const = 0;

  /// `launched_bytes` is what all launched work-items would read, were nothing guarded.
  void allocate_stream(std::size_t launched_bytes) {
    const std::size_t least = input_->blocks().size();
    stream_ = workspace_.allocate<cl_uchar>("stream", padded_ ? std::max(least, launched_bytes) : least,
                                            Role::input);
  }
  void upload_stream() {
    if (padded_) workspace_.fill<cl_uchar>(stream_, 0);
    workspace_.upload(input_->blocks(), stream_);
  }
  Buffer<cl_uint> allocate_words(const std::string& name, std::size_t count, Role role) {
    return workspace_.allocate<cl_uint>(name, count, role);
  }
  Kernel kernel(const std::string& function, const std::string& name) {
    return workspace_.kernel("crc/crc", options_, function, name);
  }

  Workspace& workspace_;  // NOLINT(*-non-private-member-variables-in-classes)
  std::shared_ptr<const CrcInput> input_;
  bool padded_;
  std::size_t group_;
  std::size_t granularity_;
  std::size_t combine_group_;
  std::string options_;
  Buffer<cl_uint> result_;
  Buffer<cl_uchar> stream_;
  std::vector<std::uint32_t> got_;
};

class PerByteCase final : public CrcCase {
 public:
  explicit PerByteCase(const Setup& setup) : CrcCase(setup, {}) {
    const std::size_t group_bytes = group_ * granularity_;
    groups_ = std::max<std::size_t>(1, ceil_div(input_->stream().size(), group_bytes));
    // Answers are four times the stream: they are bounded, and longer streams take several launches.
    const std::size_t most = std::min<std::size_t>(
        std::size_t{1} << 28U, workspace_.device().capabilities.allocation_bytes / 8 / sizeof(cl_uint));
    groups_at_once_ = std::clamp<std::size_t>(most / group_, 1, groups_);
    allocate_stream(groups_ * group_bytes);
    powers_ = allocate_words("powers", std::size_t{32} * 1024, Role::input);
    answers_ = allocate_words("answers", groups_at_once_ * group_, Role::scratch);
    compute_ = kernel("compute_per_byte", "compute");
    combine_ = kernel("combine_answers", "combine");
  }

  void upload() override {
    upload_stream();
    workspace_.upload(power_tables(), powers_);
  }

  void launch(Launcher& launcher) override {
    for (std::size_t begin = 0; begin < groups_; begin += groups_at_once_) {
      const std::size_t items = std::min(groups_at_once_, groups_ - begin) * group_;
      launcher.run(compute_, items, group_, stream_, powers_, answers_,
                   static_cast<cl_ulong>(begin * group_ * granularity_),
                   static_cast<cl_ulong>(input_->stream().size()));
      launcher.run(combine_, round_up(ceil_div(items, run), combine_group_), combine_group_, answers_,
                   static_cast<cl_ulong>(items), result_);
    }
  }

 private:
  [[nodiscard]] std::size_t partials() const override { return groups_ * group_; }

  std::size_t groups_, groups_at_once_;
  Buffer<cl_uint> powers_, answers_;
  Kernel compute_, combine_;
};

class SlicingCase final : public CrcCase {
 public:
  explicit SlicingCase(const Setup& setup)
      : CrcCase(setup, chosen(setup)),
        chunk_bytes_(granularity_ * block_bytes),
        chunks_(ceil_div(input_->blocks().size(), chunk_bytes_)),
        runs_(ceil_div(chunks_, run)),
        slices_(static_cast<std::size_t>(setup.config.integer("slices"))) {
    allocate_stream(round_up(chunks_, group_) * chunk_bytes_);
    powers_ = allocate_words("powers", std::size_t{32} * 1024, Role::input);
    tables_ = allocate_words("tables", slices_ * 256, Role::input);
    residues_ = allocate_words("residues", chunks_, Role::scratch);
    compute_ = kernel("compute_slicing", "compute");
    combine_ = kernel("combine_residues", "combine");
  }

  void upload() override {
    upload_stream();
    workspace_.upload(power_tables(), powers_);
    workspace_.upload(slicing_tables(slices_), tables_);
  }

  void launch(Launcher& launcher) override {
    const std::size_t virtual_bytes = runs_ * run * chunk_bytes_;
    launcher.run(compute_, round_up(chunks_, group_), group_, stream_,
                 static_cast<cl_ulong>(input_->blocks().size() / block_bytes), tables_, residues_,
                 static_cast<cl_ulong>(chunks_));
    launcher.run(combine_, round_up(runs_, combine_group_), combine_group_, residues_,
                 static_cast<cl_ulong>(chunks_), powers_, static_cast<cl_ulong>(runs_),
                 static_cast<cl_uint>(inverse_shift(virtual_bytes - input_->stream().size())), result_);
  }

 private:
  static Chosen chosen(const Setup& setup) {
    const auto granularity = static_cast<std::size_t>(setup.config.integer("granularity"));
    return {1, static_cast<unsigned>(std::countr_zero(granularity * block_bytes))};
  }
  [[nodiscard]] std::size_t partials() const override { return chunks_; }

  std::size_t chunk_bytes_, chunks_, runs_, slices_;
  Buffer<cl_uint> powers_, tables_, residues_;
  Kernel compute_, combine_;
};

// --- interleaved: how the stream is cut into segments of rows ---

bool is_cpu(const DeviceInfo& device) {
  return device.type == "cpu";
}

// Work-items that read a row together where a segment is shared: 32 of them read at least 128 bytes in one
// go, which is what memory systems of GPUs move.
std::size_t lanes_of(const DeviceInfo& device, const Config& config) {
  const std::string& streams = config.string("streams");
  const bool shared = streams == "shared" || (streams == "auto" && !is_cpu(device));
  return shared ? std::min<std::size_t>(32, static_cast<std::size_t>(config.integer("work_group"))) : 1;
}

struct Cut {
  std::size_t rows = 32;     ///< per segment, a multiple of the unit
  std::size_t segments = 1;  ///< a multiple of the segments of a work-group
};

struct CutRequest {
  std::size_t total_rows, segments_per_group, wanted_segments, compute_units;
  std::size_t unit;  ///< the rows that the first division leaves
};

Cut cut(const CutRequest& request) {
  // Below four times the rows that a division leaves, dealing with these costs as much as the others. 32768:
  // a loop over rows must stay below the 65,535 iterations that llvmpipe can do.
  const std::size_t unit = request.unit;
  const std::size_t least = std::min(4 * unit, round_up(request.total_rows, unit));
  const std::size_t wanted =
      round_up(std::max(request.wanted_segments, request.compute_units * request.segments_per_group),
               request.segments_per_group);
  const std::size_t rows = round_up(ceil_div(request.total_rows, wanted), unit);
  Cut result;
  result.rows = std::clamp<std::size_t>(rows, least, 32768 / unit * unit);
  result.segments = round_up(ceil_div(request.total_rows, result.rows), request.segments_per_group);
  return result;
}

class InterleavedCase final : public CrcCase {
 public:
  explicit InterleavedCase(const Setup& setup)
      : CrcCase(setup, {lanes_of(setup.workspace.device(), setup.config), 6}),
        lanes_(lanes_of(setup.workspace.device(), setup.config)),
        width_(static_cast<std::size_t>(setup.config.integer("vector_width"))) {
    const DeviceInfo& device = workspace_.device();
    // Granularity 1 fills the device: the work-items a compute unit of a GPU can hold, some per core to
    // balance a CPU.
    const std::size_t items =
        device.capabilities.compute_units * std::size_t{is_cpu(device) ? 16U : 2048U} / granularity_;
    cut_ = cut({ceil_div(input_->blocks().size(), row_bytes()), group_ / lanes_,
                std::max<std::size_t>(1, items / lanes_), device.capabilities.compute_units,
                setup.config.string("divisor") == "sparse" ? std::size_t{300} : std::size_t{32}});
    allocate_stream(cut_.segments * cut_.rows * row_bytes());
    states_ = allocate_words("states", partials(), Role::scratch);
    word_weights_ = allocate_words("word weights", 32, Role::input);
    segment_weights_ = allocate_words("segment weights", cut_.segments, Role::input);
    compute_ = kernel("compute_interleaved", "compute");
    combine_ = kernel("combine_states", "combine");
  }

  void upload() override {
    upload_stream();
    std::vector<std::uint32_t> words(32);
    for (std::size_t i = 0; i < 32; ++i) words[i] = shift_by(4 * (32 - i));
    workspace_.upload(words, word_weights_);

    const std::size_t segment_bytes = cut_.rows * row_bytes();
    const std::uint32_t per_segment = shift_by(segment_bytes);
    std::vector<std::uint32_t> segments(cut_.segments);
    std::uint32_t weight = shift_by(inverse_shift(cut_.segments * segment_bytes - input_->stream().size()));
    for (std::size_t i = cut_.segments; i-- > 0; weight = product(weight, per_segment)) segments[i] = weight;
    workspace_.upload(segments, segment_weights_);
  }

  void launch(Launcher& launcher) override {
    launcher.run(compute_, cut_.segments * lanes_, group_, stream_,
                 static_cast<cl_ulong>(input_->blocks().size() / (4 * width_)),
                 static_cast<cl_uint>(cut_.rows), states_);
    launcher.run(combine_, round_up(partials() / width_, combine_group_), combine_group_, states_,
                 static_cast<cl_ulong>(partials() / width_), word_weights_, segment_weights_, result_);
  }

 private:
  [[nodiscard]] std::size_t row_bytes() const { return 4 * width_ * lanes_; }
  [[nodiscard]] std::size_t partials() const override { return cut_.segments * 32; }

  std::size_t lanes_, width_;
  Cut cut_;
  Buffer<cl_uint> states_, word_weights_, segment_weights_;
  Kernel compute_, combine_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  const std::string& variant = setup.config.string("variant");
  if (variant == "per_byte") return std::make_unique<PerByteCase>(setup);
  if (variant == "slicing") return std::make_unique<SlicingCase>(setup);
  return std::make_unique<InterleavedCase>(setup);
}

}  // namespace dwarfsweep::crc
