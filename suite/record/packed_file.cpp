#include "suite/record/packed_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <new>
#include <stdexcept>

#include "harness/formats/file_bytes.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b");
}

class Inflater {
 public:
  Inflater(const std::string& file, std::string_view packed, std::size_t max_bytes)
      : file_(file), max_bytes_(max_bytes) {
    constexpr int gzip_window = 15 + 16;
    if (inflateInit2(&stream_, gzip_window) != Z_OK) throw InputError(file, "", "does not fit into memory");
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Of all members of the file: gzip files may be put one after the other.
  std::string unpack() {
    std::string text;
    do {
      unpack_member(text);
    } while (stream_.avail_in > 2 && is_gzip({reinterpret_cast<const char*>(stream_.next_in), 2}) &&
             inflateReset(&stream_) == Z_OK);
    return text;
  }

 private:
  void unpack_member(std::string& text) {
    std::string block(65536, '\0');
    for (int state = Z_OK; state != Z_STREAM_END;) {
      stream_.next_out = reinterpret_cast<Bytef*>(block.data());
      stream_.avail_out = static_cast<uInt>(block.size());
      state = inflate(&stream_, Z_NO_FLUSH);
      if (state == Z_BUF_ERROR) throw InputError(file_, "", "is not a complete gzip file: it ends too early");
      if (state != Z_OK && state != Z_STREAM_END)
        throw InputError(file_, "", "is not a complete gzip file: its content is damaged");
      text.append(block, 0, block.size() - stream_.avail_out);
      if (text.size() > max_bytes_) {
        throw InputError(
            file_, "",
            fmt::format("unpacks to more than {} MiB, the most that is read here", max_bytes_ >> 20));
      }
    }
  }

  std::string file_;
  std::size_t max_bytes_;
  z_stream stream_{};
};

}  // namespace

std::string packed(std::string_view bytes) {
  z_stream stream{};
  constexpr int gzip_window = 15 + 16, memory_level = 8;
  // The header that zlib writes by itself has no time and no name.
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_window, memory_level, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw std::bad_alloc();
  std::string text(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  const bool done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  text.resize(stream.total_out);
  deflateEnd(&stream);
  if (!done) throw std::runtime_error("the file cannot be compressed");
  return text;
}

std::string unpacked(const std::string& name, std::string_view content, std::size_t max_bytes) {
  return is_gzip(content) ? Inflater(name, content, max_bytes).unpack() : std::string(content);
}

std::string read_unpacked(const fs::path& file, std::size_t max_bytes) {
  std::string content = read_text(file, max_bytes);
  return is_gzip(content) ? unpacked(file.string(), content, max_bytes) : content;
}

std::optional<fs::path> find_in_run(const fs::path& folder, const std::string& name) {
  for (const fs::path& file : {folder / name, folder / (name + ".gz")}) {
    if (fs::exists(file)) return file;
  }
  return std::nullopt;
}

}  // namespace dwarfsweep
