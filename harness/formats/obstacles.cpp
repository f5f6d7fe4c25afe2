#include "harness/formats/obstacles.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/formats/file_bytes.hpp"
#include "harness/formats/token_reader.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep {

Obstacles read_obstacles(std::string_view bytes, const std::string& name) {
  Obstacles result;
  std::int64_t line = 0;
  std::int64_t rows = 0;  // of the current plane
  const auto fail = [&](const std::string& message) {
    throw InputError(name, fmt::format("line {}", line), message);
  };
  const auto end_plane = [&] {
    if (rows == 0) return;
    if (result.nz == 0) result.ny = rows;
    if (rows != result.ny)
      fail(fmt::format("expected {} rows in the plane before, as in the first plane, found {}", result.ny,
                       rows));
    ++result.nz;
    rows = 0;
  };
  while (!bytes.empty()) {
    ++line;
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    std::string_view row = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    if (row.ends_with('\r')) row.remove_suffix(1);
    if (row.empty()) {
      end_plane();
      continue;
    }
    const auto length = static_cast<std::int64_t>(row.size());
    if (result.nx == 0) result.nx = length;
    if (length != result.nx)
      fail(fmt::format("expected {} cells, as in the first row, found {}", result.nx, length));
    const auto odd = std::find_if(row.begin(), row.end(), [](char c) { return c < ' ' || c > '~'; });
    if (odd != row.end())
      fail(fmt::format("expected a cell, '.' or another printable character, found {}",
                       excerpt(std::string_view(&*odd, 1))));
    ++rows;
    for (const char cell : row) result.solid.push_back(cell == '.' ? 0 : 1);
  }
  ++line;
  end_plane();
  if (result.nz == 0) fail("expected a row of cells, but the file ends here");
  return result;
}

Obstacles read_obstacles(const std::filesystem::path& file) {
  return read_obstacles(read_text(file), file.string());
}

}  // namespace dwarfsweep
