#include "suite/search/file_bytes.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "harness/space/error.hpp"

namespace dwarfsweep {

// zlib hands a file that is not compressed through as it is.
std::string read_unpacked(const std::filesystem::path& file) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> stream(gzopen(file.c_str(), "rb"), gzclose);
  if (!stream) throw InputError(file.string(), "", fmt::format("cannot be read: {}", std::strerror(errno)));
  std::string content;
  std::array<char, 65536> block{};
  int count = 0;
  while ((count = gzread(stream.get(), block.data(), block.size())) > 0)
    content.append(block.data(), static_cast<std::size_t>(count));
  int error = Z_OK;
  const char* const message = gzerror(stream.get(), &error);
  if (error == Z_ERRNO) throw InputError(file.string(), "", "cannot be read: is it a folder?");
  if (count < 0 || error != Z_OK) {
    throw InputError(
        file.string(), "",
        fmt::format("is not a complete gzip file: {}", error == Z_BUF_ERROR ? "it ends too early" : message));
  }
  return content;
}

}  // namespace dwarfsweep
