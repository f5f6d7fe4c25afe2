#include "harness/formats/gmsh.hpp"

#include <fmt/format.h>

#include <limits>
#include <unordered_map>

#include "harness/formats/file_bytes.hpp"
#include "harness/formats/token_reader.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

constexpr std::int64_t largest_tag = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() / 4;
constexpr std::int64_t tetrahedron = 4;

/// Nodes of an element by its type, 1 to 31 of the file format's table.
std::int64_t nodes_of_type(std::int64_t type) {
  constexpr std::int64_t nodes[] = {2,  3,  4,  4, 8,  6,  5,  3,  6,  9, 10, 27, 18, 14, 1, 8,
                                    20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5,  6,  20, 35, 56};
  return nodes[type - 1];
}

class GmshReader {
 public:
  GmshReader(std::string_view bytes, const std::string& name) : tokens_(bytes, name) {}

  TetrahedralMesh read() {
    expect("$MeshFormat");
    const float version = tokens_.number("the version, 2.2 or 4.1");
    is_version_4_ = version == 4.1F;
    if (!is_version_4_ && version != 2.2F) tokens_.fail_expecting("the version 2.2 or 4.1");
    if (tokens_.integer("the file type, 0 for ASCII", 0, 1) != 0)
      tokens_.fail_expecting("the file type 0, ASCII");
    tokens_.integer("the size of a number", 1, 64);
    expect("$EndMeshFormat");
    bool has_nodes = false;
    bool has_elements = false;
    while (tokens_.next()) {
      if (tokens_.text() == "$Nodes" && !has_nodes) {
        is_version_4_ ? read_nodes_4() : read_nodes_2();
        expect("$EndNodes");
        has_nodes = true;
      } else if (tokens_.text() == "$Elements" && has_nodes && !has_elements) {
        is_version_4_ ? read_elements_4() : read_elements_2();
        expect("$EndElements");
        has_elements = true;
        if (mesh_.tetrahedra.empty())
          tokens_.fail("expected tetrahedra (elements of type 4) before the end of the elements, found none");
      } else {
        skip_section();
      }
    }
    if (!has_nodes) tokens_.fail_expecting("a section $Nodes");
    if (!has_elements) tokens_.fail_expecting("a section $Elements");
    return std::move(mesh_);
  }

 private:
  void expect(std::string_view word) {
    if (!tokens_.next() || tokens_.text() != word) tokens_.fail_expecting(fmt::format("'{}'", word));
  }

  void skip_section() {
    const std::string begin(tokens_.text());
    if (!begin.starts_with('$') || begin.starts_with("$End") || begin == "$Nodes" || begin == "$Elements")
      tokens_.fail_expecting("one section $Nodes, then one section $Elements");
    const std::string end = "$End" + begin.substr(1);
    while (tokens_.next())
      if (tokens_.text() == end) return;
    tokens_.fail_expecting(excerpt(end));
  }

  void read_coordinates(std::int64_t tag) {
    std::array<float, 3> node{};
    for (float& coordinate : node) coordinate = tokens_.number("a coordinate");
    if (!numbers_.emplace(tag, static_cast<std::int32_t>(file_nodes_.size())).second)
      tokens_.fail(fmt::format("node {} is there twice", tag));
    file_nodes_.push_back(node);
  }

  void read_nodes_2() {
    const std::int64_t count = tokens_.integer("the number of nodes", 4, most);
    tokens_.require_room(count, 4, "nodes");
    for (std::int64_t i = 0; i < count; ++i)
      read_coordinates(tokens_.integer("a node's number", 0, largest_tag));
  }

  /// A section of version 4.1: blocks of the nodes or elements of one entity each. `read_block(rest)` reads
  /// what follows the entity, with at most `rest` items, and returns their number.
  template <typename ReadBlock>
  void read_blocks_4(const std::string& item, std::int64_t least, std::int64_t tokens_each,
                     ReadBlock read_block) {
    const std::int64_t blocks = tokens_.integer(fmt::format("the number of blocks of {}s", item), 1, most);
    const std::int64_t count = tokens_.integer(fmt::format("the number of {}s", item), least, most);
    tokens_.integer(fmt::format("the least {} number", item), 0, largest_tag);
    tokens_.integer(fmt::format("the largest {} number", item), 0, largest_tag);
    tokens_.require_room(count, tokens_each, item + "s");
    std::int64_t found = 0;
    for (std::int64_t block = 0; block < blocks; ++block) {
      tokens_.integer("the dimension of an entity", 0, 3);
      tokens_.integer("the number of an entity", -largest_tag, largest_tag);
      found += read_block(count - found);
    }
    if (found != count)
      tokens_.fail(fmt::format("expected {} {}s in all blocks, found {}", count, item, found));
  }

  void read_nodes_4() {
    read_blocks_4("node", 4, 4, [this](std::int64_t rest) {
      if (tokens_.integer("0 or 1, whether nodes are parametric", 0, 1) != 0)
        tokens_.fail_expecting("0, nodes without parameters");
      const std::int64_t here = tokens_.integer("the number of nodes of a block", 0, rest);
      std::vector<std::int64_t> tags;
      for (std::int64_t i = 0; i < here; ++i)
        tags.push_back(tokens_.integer("a node's number", 0, largest_tag));
      for (const std::int64_t tag : tags) read_coordinates(tag);
      return here;
    });
  }

  void read_corners(std::int64_t type) {
    std::array<std::int32_t, 4> corners{};
    for (std::int64_t k = 0; k < nodes_of_type(type); ++k) {
      const std::int64_t tag = tokens_.integer("a node of an element", 0, largest_tag);
      if (type == tetrahedron) corners[static_cast<std::size_t>(k)] = used(tag);
    }
    if (type != tetrahedron) return;
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b < a; ++b)
        if (corners[a] == corners[b])
          tokens_.fail("expected a tetrahedron of four nodes, found one of them twice");
    }
    mesh_.tetrahedra.push_back(corners);
  }

  /// The number of a node among those that tetrahedra use.
  std::int32_t used(std::int64_t tag) {
    const auto found = numbers_.find(tag);
    if (found == numbers_.end()) tokens_.fail_expecting("a node of the section $Nodes");
    if (used_.empty()) used_.assign(file_nodes_.size(), -1);
    std::int32_t& number = used_[static_cast<std::size_t>(found->second)];
    if (number < 0) {
      number = static_cast<std::int32_t>(mesh_.nodes.size());
      mesh_.nodes.push_back(file_nodes_[static_cast<std::size_t>(found->second)]);
    }
    return number;
  }

  void read_elements_2() {
    const std::int64_t count = tokens_.integer("the number of elements", 1, most);
    tokens_.require_room(count, 4, "elements");
    for (std::int64_t i = 0; i < count; ++i) {
      tokens_.integer("an element's number", 0, largest_tag);
      const std::int64_t type = tokens_.integer("an element's type", 1, 31);
      const std::int64_t labels = tokens_.integer("the number of labels", 0, 1000);
      for (std::int64_t k = 0; k < labels; ++k) tokens_.integer("a label", -largest_tag, largest_tag);
      read_corners(type);
    }
  }

  void read_elements_4() {
    read_blocks_4("element", 1, 2, [this](std::int64_t rest) {
      const std::int64_t type = tokens_.integer("the type of a block's elements", 1, 31);
      const std::int64_t here = tokens_.integer("the number of elements of a block", 0, rest);
      for (std::int64_t i = 0; i < here; ++i) {
        tokens_.integer("an element's number", 0, largest_tag);
        read_corners(type);
      }
      return here;
    });
  }

  TokenReader tokens_;
  bool is_version_4_ = false;
  std::vector<std::array<float, 3>> file_nodes_;
  std::unordered_map<std::int64_t, std::int32_t> numbers_;  // of a tag, in the file's order
  std::vector<std::int32_t> used_;                          // by that, in the mesh's; -1: not yet
  TetrahedralMesh mesh_;
};

}  // namespace

TetrahedralMesh read_gmsh(std::string_view bytes, const std::string& name) {
  return GmshReader(bytes, name).read();
}

TetrahedralMesh read_gmsh(const std::filesystem::path& file) {
  return read_gmsh(read_text(file), file.string());
}

}  // namespace dwarfsweep
