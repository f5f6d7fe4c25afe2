#include "harness/formats/file_bytes.hpp"

#include <fmt/format.h>
#include <unistd.h>

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

/// Reads to the end instead of trusting the size that the file system reports, which is zero for pipes and
/// /proc. Stops after `max_bytes`.
template <typename Bytes>
void read_to_end(std::FILE* stream, std::uintmax_t expected_bytes, std::uintmax_t max_bytes, Bytes& bytes) {
  constexpr std::uintmax_t smallest_step = 65536;
  std::uintmax_t used = 0;
  std::uintmax_t wanted = expected_bytes;
  while (true) {
    bytes.resize(
        static_cast<std::size_t>(std::min(wanted, max_bytes) + 1));  // one more, so that the end is seen
    used += std::fread(bytes.data() + used, 1, bytes.size() - used, stream);
    if (used < bytes.size() || used > max_bytes) break;
    wanted = used + std::max(smallest_step, used / 2);
  }
  bytes.resize(static_cast<std::size_t>(used));
}

template <typename Bytes>
Bytes read_whole(const std::filesystem::path& file, std::uintmax_t max_bytes) {
  namespace fs = std::filesystem;
  const auto fail = [&](const std::string& what) { throw InputError(file.string(), "", what); };
  std::error_code ignored;
  const std::string too_large = fmt::format("is larger than {} bytes, the most that is read here", max_bytes);
  const fs::file_type type = fs::status(file, ignored).type();
  if (type == fs::file_type::directory) fail("is a directory, expected a file");
  // Other files may have no end: /dev/zero.
  if (type == fs::file_type::character || type == fs::file_type::block) fail("is a device, expected a file");
  const OpenFile stream(std::fopen(file.c_str(), "rb"));
  if (!stream) fail("cannot be read: " + reason());
  const std::uintmax_t size = type == fs::file_type::regular ? fs::file_size(file, ignored) : 0;
  Bytes bytes;
  try {
    if (!ignored && size > max_bytes) fail(too_large);
    read_to_end(stream.get(), ignored ? 0 : size, max_bytes, bytes);
  } catch (const std::bad_alloc&) {
    fail("does not fit into memory");
  } catch (const std::length_error&) {
    fail("does not fit into memory");
  }
  if (bytes.size() > max_bytes) fail(too_large);
  if (std::ferror(stream.get())) {
    throw InputError(file.string(), fmt::format("byte {}", bytes.size()),
                     "cannot be read further: " + reason());
  }
  return bytes;
}

/// An empty piece may be a null pointer, which fwrite does not allow.
bool write_all(std::FILE* stream, std::string_view bytes) {
  return bytes.empty() || std::fwrite(bytes.data(), 1, bytes.size(), stream) == bytes.size();
}

}  // namespace

std::uintmax_t memory_bytes() {
  return static_cast<std::uintmax_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uintmax_t>(::sysconf(_SC_PAGESIZE));
}

std::vector<std::uint8_t> read_bytes(const std::filesystem::path& file, std::uintmax_t max_bytes) {
  return read_whole<std::vector<std::uint8_t>>(file, max_bytes);
}

std::string read_text(const std::filesystem::path& file, std::uintmax_t max_bytes) {
  return read_whole<std::string>(file, max_bytes);
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
