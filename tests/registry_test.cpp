// Dwarfs by name, by pattern, and all of them.
#include "dwarfs/registry.hpp"

#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/input_files.hpp"

using namespace dwarfsweep;

namespace {

std::vector<std::string> names_of(const std::vector<std::string>& asked) {
  std::vector<std::string> names;
  for (const Dwarf* dwarf : dwarfs_named(asked)) names.push_back(dwarf->info().name);
  return names;
}

/// Whether it names an axis or a key of the problem, or the device.
bool names_its_axis(const std::string& reason, const Dwarf& dwarf) {
  if (reason.find("device") != std::string::npos) return true;
  std::vector<std::string> names;
  for (const Axis& axis : dwarf.space().axes()) names.push_back(axis.name);
  for (const ProblemKey& key : dwarf.info().keys) names.push_back(key.name);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return std::regex_search(reason, std::regex("\\b" + name + "\\b"));
  });
}

/// Whether it names a value or how values compare: "memory=local", "at most 16", "must divide".
bool names_a_value(const std::string& reason) {
  return std::regex_search(reason,
                           std::regex("\\w=\\w|\\d|at most|at least|less than|divide|multiple|device|too "));
}

}  // namespace

TEST_CASE("every reason of a constraint names axis and value, or the device", "[unit]") {
  for (const Dwarf* dwarf : built_in_dwarfs()) {
    for (const std::string& reason : dwarf->space().constraint_reasons()) {
      INFO(dwarf->info().name << ": " << reason);
      CHECK(names_its_axis(reason, *dwarf));
      CHECK(names_a_value(reason));
    }
  }
  CHECK_FALSE(names_its_axis("only stages are buffered", *dwarfs_named({"matmul"})[0]));
  CHECK_FALSE(names_a_value("a ring is in local memory"));
}

TEST_CASE("the axis variant describes each variant by name", "[unit]") {
  for (const Dwarf* dwarf : built_in_dwarfs()) {
    const Axis& variants = dwarf->space().find("variant");
    for (const Value& value : variants.values) {
      INFO(dwarf->info().name << ": " << value.to_string() << " in: " << variants.meaning);
      // "tiled: ...; blocked, packed: ..."
      const std::regex described("(^|; )(\\w+, )*" + value.to_string() + "(, \\w+)*: ");
      CHECK(std::regex_search(variants.meaning, described));
    }
  }
}

TEST_CASE("dwarfs are chosen by name, by the first word of their pattern, or all", "[unit]") {
  using Names = std::vector<std::string>;
  CHECK(dwarfs_named({}) == all_dwarfs());
  CHECK(dwarfs_named({"all"}) == built_in_dwarfs());
  CHECK(names_of({"bfs"}) == Names{"bfs"});
  CHECK(names_of({"micro"}) == Names{"micro"});
  const Names dense = names_of({"dense"});
  CHECK(dense[0] == "lud");
  CHECK(dense.size() >= 4);
  for (const Dwarf* dwarf : dwarfs_named({"dense"})) CHECK(dwarf->info().pattern == "dense linear algebra");
  for (const Dwarf* dwarf : dwarfs_named({"spectral"})) CHECK(dwarf->info().pattern == "spectral");
  const Names structured = names_of({"hotspot", "structured", "srad"});
  CHECK(structured[0] == "hotspot");
  CHECK(structured[1] == "srad");
  CHECK(std::set<std::string>(structured.begin(), structured.end()).size() == structured.size());
  for (const Dwarf* dwarf : dwarfs_named({"structured"})) CHECK(dwarf->info().pattern == "structured grid");
  CHECK(dwarfs_named({"lud", "all"}).size() == built_in_dwarfs().size());
  const std::string refused = test::usage_error([] { (void)dwarfs_named({"dens"}); });
  CHECK(refused.find("there is no dwarf 'dens'; there are lud, crc, ") == 0);
  CHECK(refused.find("; and in groups all, dense, combinational, ") != std::string::npos);
}
