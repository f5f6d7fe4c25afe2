// The reader of graphs: classic, Matrix Market, edge lists.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/formats/graph.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"

using namespace dwarfsweep;
using namespace dwarfsweep::test;

namespace {

const auto graph_refusal = [](std::string_view bytes, const std::string& name = "F") {
  return refusal<Graph>(read_graph, bytes, name);
};
using Offsets = std::vector<std::int64_t>;
using Neighbours = std::vector<std::int32_t>;

}  // namespace

TEST_CASE("graph, classic: offsets, neighbours and the file's source", "[formats]") {
  const Graph graph = read_graph("3\n0 2\n2 0\n2 1\n\n2\n\n3\n1 7\n2 1\n0 -4\n", "F");
  CHECK(graph.offsets == Offsets{0, 2, 2, 3});
  CHECK(graph.neighbours == Neighbours{1, 2, 0});
  CHECK(graph.source == 2);
  CHECK(graph.nodes() == 3);
  // Nodes may list their edges in any order, and lines mean nothing.
  const Graph shuffled = read_graph("2 1 1 0 1 0 2 1 1 0 1", "F");
  CHECK(shuffled.offsets == Offsets{0, 1, 2});
  CHECK(shuffled.neighbours == Neighbours{0, 1});
}

TEST_CASE("graph, classic: hostile files", "[formats]") {
  CHECK(graph_refusal("") ==
        "F, line 1: expected the number of nodes, an integer from 1 to 2147483647, but the file ends here");
  CHECK(graph_refusal("2000000000\n0 1\n") ==
        "F, line 1: 2000000000 nodes announced, but only 5 bytes follow");
  CHECK(graph_refusal("1\n0 -1\n0\n0\n") ==
        "F, line 2: expected the degree of a node, an integer from 0 to 2147483647, found '-1'");
  CHECK(graph_refusal("1\n0 1\n1\n1\n0 1\n") ==
        "F, line 3: expected the source node, an integer from 0 to 0, found '1'");
  CHECK(graph_refusal("1\n0 1\n0\n2\n0 1\n0 1\n") ==
        "F, line 4: expected 1 edges, the sum of the degrees, found '2'");
  CHECK(graph_refusal("2\n0 1\n7 1\n0\n2\n0 1\n1 1\n") ==
        "F, line 3: node 1 starts at edge 7 and has 1, but there are 2 edges in all");
  CHECK(graph_refusal("1\n0 1\n0\n1\n1 1\n") ==
        "F, line 5: expected an edge's destination, an integer from 0 to 0, found '1'");
  CHECK(graph_refusal("1\n0 1\n0\n1\n-1 1\n") ==
        "F, line 5: expected an edge's destination, an integer from 0 to 0, found '-1'");
  CHECK(graph_refusal("1\n0 1\n0\n1\n0 x\n") ==
        "F, line 5: expected an edge's weight, a finite number within the range of a float, found 'x'");
  CHECK(graph_refusal("1\n0 2\n0\n2\n0 1\n") == "F, line 4: 2 edges announced, but only 5 bytes follow");
  CHECK(graph_refusal("1\n0 2\n0\n2\n0 1\n0   \n") ==
        "F, line 7: expected an edge's weight, a finite number within the range of a float, but the file "
        "ends here");
  CHECK(graph_refusal("1\n0 1\n0\n1\n0 1\n9\n") ==
        "F, line 6: expected the end of the file after the last edge, found '9'");
  CHECK(graph_refusal("99999999999999999999\n0 1\n") ==
        "F, line 1: expected the number of nodes, an integer from 1 to 2147483647, found "
        "'99999999999999999999'");
  CHECK(graph_refusal(rubbish) ==
        "F, line 1: expected an edge's first node, an integer from 0 to 2147483646, found "
        "'\\x00\\xff\\x13\\x80'");
}

TEST_CASE("graph, Matrix Market: general is directed, symmetric both ways", "[formats]") {
  const std::string entries = "% a comment\n\n3 3 4\n1 2 1.5\n3 1 -2\n% another\n3 3 1e3\n3 1 0\n";
  const Graph general = read_graph("%%MatrixMarket matrix coordinate real general\n" + entries, "F");
  CHECK(general.offsets == Offsets{0, 1, 1, 4});
  CHECK(general.neighbours == Neighbours{1, 0, 2, 0});
  CHECK(!general.source);
  const Graph symmetric = read_graph("%%MatrixMarket MATRIX Coordinate Integer Symmetric\n" + entries, "F");
  CHECK(symmetric.offsets == Offsets{0, 3, 4, 7});
  CHECK(symmetric.neighbours == Neighbours{1, 2, 2, 0, 0, 2, 0});
  const Graph pattern =
      read_graph("%%MatrixMarket matrix coordinate pattern general\r\n2 2 1\r\n2 1\r\n", "F");
  CHECK(pattern.offsets == Offsets{0, 0, 1});
}

TEST_CASE("graph, Matrix Market: hostile files", "[formats]") {
  const std::string pattern = "%%MatrixMarket matrix coordinate pattern general\n";
  CHECK(graph_refusal("3 3 1\n1 2\n", "F.mtx") == "F.mtx, line 1: expected '%%MatrixMarket', found '3'");
  CHECK(graph_refusal("%%MatrixMarket matrix array real general\n1 1\n1\n") ==
        "F, line 1: expected 'coordinate' in the Matrix Market banner, found 'array'");
  CHECK(graph_refusal("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n") ==
        "F, line 1: expected 'pattern' or 'real' or 'integer' in the Matrix Market banner, found 'complex'");
  CHECK(graph_refusal("%%MatrixMarket matrix coordinate pattern\n1 1 1\n1 1\n") ==
        "F, line 1: expected 'general' or 'symmetric' in the Matrix Market banner, but the line ends here");
  CHECK(graph_refusal(pattern + "2000000000 2000000000 1\n1 1\n") ==
        "F, line 2: 2000000000 nodes are more than the 1048576 allowed in a file of 77 bytes");
  CHECK(graph_refusal(pattern + "3 4 1\n1 1\n") ==
        "F, line 2: expected 3 columns, as many as rows, found '4'");
  CHECK(graph_refusal(pattern + "3 3 4000000000000000000\n1 1\n") ==
        "F, line 2: 4000000000000000000 entries announced, but only 5 bytes follow");
  CHECK(graph_refusal(pattern + "3 3 1\n0 1\n") ==
        "F, line 3: expected an entry's row, an integer from 1 to 3, found '0'");
  CHECK(graph_refusal(pattern + "3 3 1\n1 4\n") ==
        "F, line 3: expected an entry's column, an integer from 1 to 3, found '4'");
  CHECK(graph_refusal(pattern + "3 3 2\n1 1\n3    \n") ==
        "F, line 5: expected an entry's column, an integer from 1 to 3, but the file ends here");
  CHECK(graph_refusal(pattern + "3 3 1\n1 1\n2 2\n") ==
        "F, line 4: expected the end of the file after the last entry, found '2'");
}

TEST_CASE("graph, edge list: directed as listed, comments anywhere", "[formats]") {
  const Graph graph = read_graph("# nodes\n% more\n\n0\t3\n3 0 2.5 # weighted\n 1 1\n0 1", "F");
  CHECK(graph.offsets == Offsets{0, 2, 3, 3, 4});
  CHECK(graph.neighbours == Neighbours{3, 1, 1, 0});
  CHECK(!graph.source);
}

TEST_CASE("graph, edge list: hostile files", "[formats]") {
  CHECK(graph_refusal("0 1\n-1 2\n") ==
        "F, line 2: expected an edge's first node, an integer from 0 to 2147483646, found '-1'");
  CHECK(graph_refusal("0 1\n2\n3 4\n") ==
        "F, line 2: expected an edge's second node, an integer from 0 to 2147483646, but the line ends here");
  CHECK(graph_refusal("0 1\n1 2147483646\n") ==
        "F, line 2: 2147483647 nodes are more than the 1048576 allowed in a file of 17 bytes");
  CHECK(graph_refusal("0 1 nan\n") ==
        "F, line 1: expected an edge's weight, a finite number within the range of a float, found 'nan'");
  CHECK(graph_refusal("0 1\n1 2 3 4\n") ==
        "F, line 2: expected the end of the line after an edge, found '4'");
}
