// The variants queue and direction_optimising of bfs: the host side of kernels_cl/bfs/queue.cl, bfs_pull.cl,
// bfs_merge.cl, bfs_search.cl and bfs_phases.cl.
#include "dwarfs/bfs/levels_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "dwarfs/sync.hpp"
#include "harness/status.hpp"

namespace dwarfsweep::bfs {
namespace {

// Mirrors `Front` of the kernel file.
struct Front {
  cl_uint nodes = 0;
  cl_uint edges = 0;
  cl_uint pieces = 0;
  cl_int level = 0;
  cl_uint unexplored = 0;
  cl_uint pulled = 0;
  cl_uint bitmap = 0;
  cl_uint list = 0;
};

// Variants queue and direction_optimising: the frontier's state lives on the device, and the host looks at it
// after every `batch` levels.
template <typename Offset>
class FrontierCase final : public LevelsCase {
 public:
  explicit FrontierCase(const CaseRequest& request)
      : LevelsCase(request, sizeof(Offset)),
        optimising_(request.config.string("variant") == "direction_optimising"),
        merging_(merges_claims(request.config, request.workspace.device().capabilities)),
        one_launch_(is_one_launch(request, merging_)),
        lists_(padded<Offset>(input_.outgoing(), request.config.integer("padding"))) {
    if (optimising_ && !input_.symmetric()) {
      in_lists_ = padded<Offset>(input_.incoming(), request.config.integer("padding"));
    }
    shape_launches(request);
    shape_walk();
    initial_ = first_front();
    allocate();
    std::string options = request.options;
    options += fmt::format(" -D PIECE={} -D EDGE_UNIT={} -D NARROW={} -D WALK_GROUP={}", piece_, edge_unit_,
                           narrow, walk_local_);
    options += fmt::format(" -D PEEK={} -D MERGING={} -D ONE_LAUNCH={}",
                           workspace_.device().checks_bounds ? 0 : 1, merging_ ? 1 : 0, one_launch_ ? 1 : 0);
    if (merging_) {
      options += fmt::format(" -D NOTED_PIECES={} -D NOTED_APART={} -D MERGED_WORDS={}", noted_pieces,
                             noted_apart, merged_words);
      note_ = workspace_.kernel("bfs/bfs", options, "note", "expand");
      merge_ = workspace_.kernel("bfs/bfs", options, "merge", "expand");
    } else {
      push_ = workspace_.kernel("bfs/bfs", options, "push", "expand");
    }
    if (!optimising_) return;
    pull_ = workspace_.kernel("bfs/bfs", options, "pull", "expand");
    walk_ = workspace_.kernel("bfs/bfs", options, "walk", "expand");
    update_ = workspace_.kernel("bfs/bfs", options, "update", "update");
    if (one_launch_) search_ = workspace_.kernel("bfs/bfs", options, "search", "expand");
  }

  void upload() override {
    workspace_.upload(lists_.offsets, offsets_);
    workspace_.upload(lists_.neighbours, neighbours_);
    if (!in_lists_.offsets.empty()) {
      workspace_.upload(in_lists_.offsets, in_offsets_);
      workspace_.upload(in_lists_.neighbours, in_neighbours_);
    }
    workspace_.upload(first_pieces(), first_pieces_);
    workspace_.upload(std::vector<Front>{initial_, {}, {}}, first_fronts_);
    workspace_.upload(first_bitmap(), first_bitmap_);
    lists_ = {};
    in_lists_ = {};
  }

  void reset() override {
    reset_levels();
    workspace_.copy(first_fronts_, fronts_);
    workspace_.copy(first_pieces_, pieces_);
    workspace_.copy(first_bitmap_, bitmaps_);
    workspace_.fill<cl_uint>(meeting_, 0);
    workspace_.fill<cl_uint>(crew_, 0);
    workspace_.fill<cl_uint>(noted_, 0);
    workspace_.fill<cl_uint>(held_, 0);
  }

  void launch(Launcher& launcher) override {
    if (one_launch_) return merging_ ? search_by_phases(launcher) : search_in_one_launch(launcher);
    cl_uint step = 0;
    Front front = initial_;
    for (bool looked = false; front.nodes > 0; looked = true) {
      if (optimising_ && narrow_down(launcher, step, front, looked)) continue;
      // The kernels ask for the step modulo 3.
      launcher.batch(step % 3, [&] {
        for (cl_uint level = 0; level < batch_; ++level) search_level(launcher, step + level);
      });
      step += batch_;
      front = look(launcher, step);
    }
  }

 private:
  static bool is_one_launch(const CaseRequest& request, bool merging) {
    const std::string& sync = request.config.string("sync");
    return merging ? groups_wait(request.workspace.device(), sync) : sync == "barrier";
  }

  void shape_launches(const CaseRequest& request) {
    const Config& config = request.config;
    const DeviceInfo& device = workspace_.device();
    local_ = static_cast<std::size_t>(config.integer("work_group"));
    team_ = static_cast<std::size_t>(config.integer("team"));
    batch_ = static_cast<cl_uint>(config.integer("batch"));
    piece_ = static_cast<std::size_t>(max_piece(config.integer("team")));
    edge_unit_ = lists_.neighbours.size() <= std::numeric_limits<cl_uint>::max() ? 1 : 64;
    // Enough work-items to fill the device: 2048 on a core of a GPU; on a CPU a few groups, that one may take
    // longer. Groups of one are more, so that no work-item has more turns than llvmpipe can count.
    const std::size_t items_per_unit =
        device.capabilities.is_gpu ? 2048 : 8 * std::max<std::size_t>(128, local_);
    push_global_ =
        std::max<std::size_t>(1, device.capabilities.compute_units * items_per_unit / local_) * local_;
    if (one_launch_)
      search_global_ = merging_ ? device.capabilities.compute_units : groups_that_meet() * local_;
    const auto bits = static_cast<std::size_t>(config.integer("granularity"));
    words_ = round_up(ceil_div(static_cast<std::size_t>(nodes()), 32), merging_ ? merged_words : 1);
    pull_global_ = optimising_ ? round_up(ceil_div(words_ * 32, bits), local_) : 0;
    for (std::size_t node = 0; node + 1 < lists_.offsets.size(); ++node) {
      capacity_ += ceil_div(lists_.offsets[node + 1] - lists_.offsets[node], piece_);
    }
    shape_notes();
    if (capacity_ > std::numeric_limits<cl_uint>::max() / 2) {
      throw PointFailure(Status::rejected,
                         fmt::format("a frontier of {} pieces of lists is more than the {} that are counted",
                                     capacity_, std::numeric_limits<cl_uint>::max() / 2));
    }
  }

  // Groups that are likely to run at a time; a group more than that would be waited for in vain. Where they
  // wait for each other on a CPU's threads, one may wait out another program's time slice, and llvmpipe
  // leaves any loop after 65,535 turns: there one group does it all.
  [[nodiscard]] std::size_t groups_that_meet() const {
    const DeviceInfo& device = workspace_.device();
    if (!device.capabilities.is_gpu) return 1;
    if (!device.capabilities.inline_ptx) {
      throw PointFailure(
          Status::unsupported,
          "sync=barrier needs a fence among work-groups, which OpenCL 1.2 has only as inline PTX; "
          "sync=launches does without");
    }
    return device.capabilities.compute_units * std::max<std::size_t>(1, 1024 / local_);
  }

  // A bitmap for each group of `note` that runs at a time. For a race detector, which takes no notice of who
  // holds a bitmap, one for each group.
  void shape_notes() {
    const DeviceInfo& device = workspace_.device();
    const std::size_t most = ceil_div(capacity_, noted_pieces);
    note_groups_ = round_up(std::clamp<std::size_t>(most, 1, push_global_), noted_apart);
    noted_bitmaps_ = merging_ && one_launch_ ? search_global_
                     : device.checks_bounds
                         ? note_groups_
                         : std::min<std::size_t>(note_groups_, device.capabilities.compute_units);
  }

  void shape_walk() {
    walk_local_ = walk_items(local_, workspace_.device().capabilities);
    walk_pieces_ = static_cast<cl_uint>(2 * walk_local_ / team_);
  }

  void allocate() {
    const auto count = static_cast<std::size_t>(nodes());
    offsets_ = workspace_.allocate<Offset>("offsets", count + 1, Role::input);
    neighbours_ = workspace_.allocate<cl_int>("neighbours", lists_.neighbours.size(), Role::input);
    in_offsets_ = offsets_;
    in_neighbours_ = neighbours_;
    if (!in_lists_.offsets.empty()) {
      in_offsets_ = workspace_.allocate<Offset>("offsets of edges in", count + 1, Role::input);
      in_neighbours_ =
          workspace_.allocate<cl_int>("neighbours by edges in", in_lists_.neighbours.size(), Role::input);
    }
    first_pieces_ = workspace_.allocate<Offset>("the source's pieces", 2 * initial_.pieces, Role::input);
    first_fronts_ = workspace_.allocate<Front>("first fronts", 3, Role::input);
    first_bitmap_ = workspace_.allocate<cl_uint>("first bitmap", words_, Role::input);
    pieces_ = workspace_.allocate<Offset>("pieces of two lists", 2 * 2 * capacity_, Role::scratch);
    fronts_ = workspace_.allocate<Front>("fronts", 3, Role::scratch);
    meeting_ = workspace_.allocate<cl_uint>("meeting", 3, Role::scratch);
    bitmaps_ = workspace_.allocate<cl_uint>("bitmaps", 2 * words_, Role::scratch);
    held_ = workspace_.allocate<cl_uint>("bitmaps that groups hold", noted_bitmaps_, Role::scratch);
    crew_ = workspace_.allocate<cl_uint>("crew", phase_claims + crew_pieces(), Role::scratch);
    noted_ = workspace_.allocate<cl_uint>("bitmaps of groups", merging_ ? noted_bitmaps_ * words_ : 1,
                                          Role::scratch);
  }

  [[nodiscard]] Front first_front() const {
    const auto source = static_cast<std::size_t>(input_.source());
    const std::size_t degree = lists_.offsets[source + 1] - lists_.offsets[source];
    Front front;
    front.nodes = 1;
    front.edges = static_cast<cl_uint>(ceil_div(degree, edge_unit_));
    front.pieces = static_cast<cl_uint>(ceil_div(degree, piece_));
    front.unexplored = static_cast<cl_uint>(lists_.neighbours.size() / edge_unit_);
    return front;
  }

  [[nodiscard]] std::vector<Offset> first_pieces() const {
    std::vector<Offset> pieces;
    const Offset end = lists_.offsets[static_cast<std::size_t>(input_.source()) + 1];
    for (Offset start = lists_.offsets[static_cast<std::size_t>(input_.source())]; start < end;) {
      const Offset count = std::min(end - start, static_cast<Offset>(piece_));
      pieces.insert(pieces.end(), {start, count});
      start += count;
    }
    return pieces;
  }

  // Reached from the start on: the source, what is no node, and the nodes that no edge touches, which need
  // not be asked again at every level.
  [[nodiscard]] std::vector<cl_uint> first_bitmap() const {
    std::vector<cl_uint> bitmap(words_, 0);
    for (std::int64_t node = 0; node < static_cast<std::int64_t>(words_) * 32; ++node) {
      const bool lonely =
          node >= nodes() || (input_.outgoing().degree(node) == 0 && input_.incoming().degree(node) == 0);
      if (lonely || node == input_.source()) bitmap[node / 32] |= cl_uint{1} << (node % 32);
    }
    return bitmap;
  }

  // Before a batch: goes back from pulling to pushing, and walks, where the frontier is narrow. True where
  // the batch need not follow because the frontier is still narrow.
  bool narrow_down(Launcher& launcher, cl_uint step, Front& front, bool looked) {
    const auto words = static_cast<cl_uint>(words_);
    const auto capacity = static_cast<cl_uint>(capacity_);
    if (front.pulled != 0 && front.nodes <= static_cast<cl_uint>(nodes() / narrow)) {
      launcher.run(update_, round_up(words_, walk_local_), walk_local_, fronts_, step, offsets_, pieces_,
                   capacity, bitmaps_, words);
    }
    if (front.nodes > walk_pieces_) return false;
    launcher.run(walk_, walk_local_, walk_local_, fronts_, step, offsets_, neighbours_, pieces_, capacity,
                 levels_, bitmaps_, words, walk_pieces_, max_walked_levels);
    // At first the batch follows unseen: few graphs are narrow throughout.
    if (!looked) return false;
    const cl_int level = front.level;
    front = look(launcher, step);
    return front.nodes <= walk_pieces_ && front.level > level;
  }

  void search_by_phases(Launcher& launcher) {
    launcher.batch([&] {
      launcher.run(search_, search_global_, 1, fronts_, crew_, crew_pieces(), offsets_, neighbours_,
                   in_offsets_, in_neighbours_, pieces_, static_cast<cl_uint>(capacity_), levels_, bitmaps_,
                   noted_, static_cast<cl_uint>(words_), static_cast<cl_int>(nodes()));
    });
  }
  // So many that few groups wait for the last.
  [[nodiscard]] cl_uint crew_pieces() const { return static_cast<cl_uint>(16 * search_global_); }

  // The host looks only whether there are more levels than one launch goes through.
  void search_in_one_launch(Launcher& launcher) {
    for (Front front = initial_; front.nodes > 0; front = look(launcher, 0)) {
      const bool more = front.level > 0;
      launcher.batch(more ? 1 : 0, [&] {
        if (more) launcher.fill<cl_uint>(meeting_, 0);
        launcher.run(search_, search_global_, local_, fronts_, meeting_, offsets_, neighbours_, in_offsets_,
                     in_neighbours_, pieces_, static_cast<cl_uint>(capacity_), levels_, bitmaps_,
                     static_cast<cl_uint>(words_), static_cast<cl_int>(nodes()), max_searched_levels);
      });
    }
  }

  void search_level(Launcher& launcher, cl_uint step) {
    const auto words = static_cast<cl_uint>(words_);
    const auto count = static_cast<cl_int>(nodes());
    const auto capacity = static_cast<cl_uint>(capacity_);
    if (merging_) {
      const auto noted_bitmaps = static_cast<cl_uint>(noted_bitmaps_);
      launcher.run(note_, note_groups_, 1, fronts_, step, neighbours_, pieces_, capacity, noted_, held_,
                   noted_bitmaps, words, count);
      launcher.run(merge_, words_ / merged_words, 1, fronts_, step, offsets_, pieces_, capacity, levels_,
                   bitmaps_, noted_, noted_bitmaps, words, count);
    } else {
      launcher.run(push_, push_global_, local_, fronts_, step, offsets_, neighbours_, pieces_, capacity,
                   levels_, bitmaps_, words, count);
    }
    if (!optimising_) return;
    launcher.run(pull_, pull_global_, local_, fronts_, step, in_offsets_, in_neighbours_, levels_, bitmaps_,
                 words, count);
  }

  Front look(Launcher& launcher, cl_uint step) {
    std::array<Front, 3> fronts;
    launcher.read(fronts_, fronts.data(), fronts.size());
    return fronts[step % 3];
  }

  // A frontier of up to this part of all nodes is pushed whatever its edges: pulling looks at all nodes, and
  // the last of many levels of a deep graph are narrow.
  static constexpr std::int64_t narrow = 4096;
  // NOTED_PIECES, NOTED_APART and MERGED_WORDS in the kernel file.
  static constexpr std::size_t noted_pieces = 64;
  static constexpr std::size_t noted_apart = 16;
  static constexpr std::size_t merged_words = 32;
  static constexpr std::size_t phase_claims = 32;  // PHASE_CLAIMS in the kernel file
  // llvmpipe counts the turns of all loops of a work-item, and is wrong beyond 65,535 of them.
  static constexpr cl_uint max_walked_levels = 4096;
  static constexpr cl_uint max_searched_levels = 4095;

  bool optimising_;
  bool merging_;
  bool one_launch_;
  PaddedLists<Offset> lists_;     // until they are uploaded
  PaddedLists<Offset> in_lists_;  // the same; empty where edges in are the edges out, or are not needed
  std::size_t local_ = 0;
  std::size_t team_ = 0;
  cl_uint batch_ = 0;
  std::size_t piece_ = 0;
  std::size_t edge_unit_ = 0;
  std::size_t words_ = 0;
  std::size_t capacity_ = 0;  // pieces of a list
  std::size_t push_global_ = 0;
  std::size_t pull_global_ = 0;
  std::size_t search_global_ = 0;
  std::size_t note_groups_ = 0;
  std::size_t noted_bitmaps_ = 0;
  std::size_t walk_local_ = 0;
  cl_uint walk_pieces_ = 0;
  Front initial_;
  Kernel push_;
  Kernel note_;
  Kernel merge_;
  Kernel pull_;
  Kernel walk_;
  Kernel update_;
  Kernel search_;
  Buffer<Offset> offsets_;
  Buffer<cl_int> neighbours_;
  Buffer<Offset> in_offsets_;
  Buffer<cl_int> in_neighbours_;
  Buffer<Offset> first_pieces_;
  Buffer<Front> first_fronts_;
  Buffer<cl_uint> first_bitmap_;
  Buffer<Offset> pieces_;  // two lists, of start and count
  Buffer<Front> fronts_;
  Buffer<cl_uint> bitmaps_;
  Buffer<cl_uint> noted_;  // bitmaps that a group each writes
  Buffer<cl_uint> held_;
  Buffer<cl_uint> meeting_;  // where groups of one launch meet
  Buffer<cl_uint> crew_;     // or go through phases together
};

}  // namespace

std::unique_ptr<Case> frontier_case(const CaseRequest& request) {
  if (request.config.integer("offset_bits") == 32) return std::make_unique<FrontierCase<cl_uint>>(request);
  return std::make_unique<FrontierCase<cl_ulong>>(request);
}

}  // namespace dwarfsweep::bfs
