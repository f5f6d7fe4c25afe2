// Dwarfs by name, by pattern, and all of them.
#include "dwarfs/registry.hpp"

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

}  // namespace

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
