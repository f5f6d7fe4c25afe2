#include "harness/formats/file_bytes.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

struct CloseFile {
  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): the unique_ptr that calls this is the owner
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, CloseFile>;

/// Why the last call failed; unlike strerror, on any thread.
std::string reason() {
  return std::generic_category().message(errno);
}

/// Reads to the end instead of trusting the size the file system tells: pipes and /proc tell zero.
/// Of more than `max_bytes`, at least one more than that.
std::vector<std::uint8_t> read_to_end(std::FILE* stream, std::uintmax_t expected_size,
                                      std::size_t max_bytes) {
  constexpr std::size_t smallest_step = 65536;
  std::vector<std::uint8_t> bytes;
  std::size_t used = 0;
  std::size_t wanted = static_cast<std::size_t>(expected_size) + 1;  // one more, so that the end is seen
  if (expected_size >= max_bytes) wanted = max_bytes + 1;
  while (used <= max_bytes) {
    bytes.resize(wanted);
    used += std::fread(bytes.data() + used, 1, bytes.size() - used, stream);
    if (used < bytes.size()) break;
    wanted = used + std::max(smallest_step, used / 2);
  }
  bytes.resize(used);
  return bytes;
}

/// An empty piece may be a null pointer, which fwrite does not allow.
bool write_all(std::FILE* stream, std::string_view bytes) {
  return bytes.empty() || std::fwrite(bytes.data(), 1, bytes.size(), stream) == bytes.size();
}

}  // namespace

std::vector<std::uint8_t> read_bytes(const std::filesystem::path& file, std::size_t max_bytes) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    throw InputError(file.string(), "", "is a directory, expected a file");
  }
  const OpenFile stream(std::fopen(file.c_str(), "rb"));
  if (!stream) throw InputError(file.string(), "", "cannot be read: " + reason());
  const std::uintmax_t size = std::filesystem::file_size(file, ignored);
  try {
    auto bytes = read_to_end(stream.get(), ignored ? 0 : size, max_bytes);
    if (bytes.size() > max_bytes) {
      throw InputError(file.string(), "",
                       "is larger than " + std::to_string(max_bytes) + " bytes, the most that is read here");
    }
    if (std::ferror(stream.get())) {
      throw InputError(file.string(), "byte " + std::to_string(bytes.size()),
                       "cannot be read further: " + reason());
    }
    return bytes;
  } catch (const std::bad_alloc&) {
    throw InputError(file.string(), "", "does not fit into memory");
  } catch (const std::length_error&) {
    throw InputError(file.string(), "", "does not fit into memory");
  }
}

void write_bytes(const std::filesystem::path& file, std::string_view header, std::string_view payload) {
  OpenFile stream(std::fopen(file.c_str(), "wb"));
  if (!stream) throw UsageError(file.string() + ": cannot be written: " + reason());
  const bool complete = write_all(stream.get(), header) && write_all(stream.get(), payload);
  // Closing flushes, and a full disk may show only there.
  if (std::fclose(stream.release()) != 0 || !complete) {
    throw UsageError(file.string() + ": cannot be written in full: " + reason());
  }
}

}  // namespace dwarfsweep
