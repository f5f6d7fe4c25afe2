#include "dwarfs/pns/pns.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::pns {
namespace {

std::uint64_t places_of(const Problem& problem) {
  return 2 * static_cast<std::uint64_t>(problem.integer("n") * problem.integer("n"));
}

std::uint64_t local_bytes(const Point& point) {
  constexpr std::uint64_t statistics = 512;
  if (point.variant() == "item") return statistics;
  if (point.variant() == "group") return word_bytes;
  const std::uint64_t places = places_of(point.problem);
  const bool bits = point.config.string("flags") == "bit";
  return word_bytes + 4 * (mark_words(places) + flag_words(places, bits, 2));
}

}  // namespace

Space make_space() {
  const std::vector<std::string> grouped = {"group", "local"};
  Space space;
  space
      .axis(
          {"variant",
           "group: a work-group simulates a trajectory, marks and claims in global memory; item: a work-item "
           "does; local: a work-group, marks and claims in local memory",
           {"group", "item", "local"},
           "group"})
      .axis({"work_group", "work-items of a work-group", {1, 32, 64, 128, 256, 512}, 256})
      .axis({"granularity", "transitions of a batch that a work-item tries", {1, 2, 4, 8}, 1, grouped})
      .axis(
          {"vector_width",
           "marks that a work-item reads at a time for the final statistics; item: attempts whose places are "
           "computed at a time",
           {1, 2, 4, 8, 16},
           1})
      .axis({"flags",
             "claims of transitions: int: the number of the attempt; bit: a bit, cleared after its batch",
             {"int", "bit"},
             "int"})
      .axis({"update",
             "of marks: phases: three of them between barriers; atomic: on words of four marks, without",
             {"phases", "atomic"},
             "phases",
             grouped})
      .axis({"layout",
             "trajectory: the marks of a trajectory are neighbours; interleaved: those of a place are",
             {"trajectory", "interleaved"},
             "interleaved",
             {"item"}});
  space.constrain("work_group times granularity must be at least batch", [](const Point& p) {
    return p.variant() == "item" || p["work_group"] * p["granularity"] >= p.problem.integer("batch");
  });
  space.local_bytes(local_bytes);
  space.default_setting("local",
                        {{"work_group", 256}, {"flags", "bit"}, {"update", "atomic"}, {"vector_width", 16}});
  space.default_setting("local", {{"vector_width", 8}}, is_gpu);
  space.default_setting(
      "item", {{"work_group", 1}, {"flags", "int"}, {"layout", "trajectory"}, {"vector_width", 16}});
  space.default_setting(
      "item", {{"work_group", 64}, {"flags", "int"}, {"layout", "interleaved"}, {"vector_width", 1}}, is_gpu);
  return space;
}

// On a GPU a batch of its own for each group, as long as marks and claims fit into its local memory.
ValueMap first_choice(const Problem& problem, const Capabilities& device) {
  if (!device.is_gpu) return {{"variant", "item"}};
  static const Space space = make_space();
  const auto group = static_cast<std::int64_t>(
      std::min<std::uint64_t>(device.work_group_items == 0 ? 256 : device.work_group_items, 256));
  const std::int64_t wanted = ceil_div(problem.integer("batch"), group);
  const int granularity = wanted <= 1 ? 1 : wanted <= 2 ? 2 : wanted <= 4 ? 4 : 8;
  if (group != 256) return {{"variant", "item"}};
  const ValueMap settings{{"granularity", granularity}};
  const Config config =
      space.set(space.default_config("local", device), settings.with("variant", "local"), device);
  const bool fits = device.local_is_dedicated && local_bytes({config, problem, device}) <= device.local_bytes;
  if (fits) return settings.with("variant", "local");
  return settings.with("variant", "group").with("flags", "bit").with("update", "atomic");
}

}  // namespace dwarfsweep::pns
