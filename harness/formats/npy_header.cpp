#include "harness/formats/npy_header.hpp"

#include <fmt/format.h>

#include <limits>

#include "harness/formats/little_endian.hpp"
#include "harness/formats/token_reader.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

using namespace std::literals;

constexpr std::string_view magic = "\x93NUMPY"sv;
constexpr std::size_t version_bytes = 2;
constexpr std::size_t most_dimensions = 8;

/// The Python dictionary of a header, as far as .npy uses Python: the value behind a key, up to its end.
class HeaderDictionary {
 public:
  HeaderDictionary(std::string_view text, const std::string& name, std::size_t at)
      : text_(text), name_(name), at_(at) {}

  std::string_view value(std::string_view key, std::string_view opening, std::string_view closing) const {
    const std::string start = fmt::format("'{}': {}", key, opening);
    const std::size_t found = text_.find(start);
    if (found == std::string_view::npos) fail(fmt::format("expected {} in the header", start));
    const std::size_t begin = found + start.size();
    const std::size_t end = text_.find(closing, begin);
    if (end == std::string_view::npos)
      fail(fmt::format("expected {} behind {} in the header", closing, start));
    return text_.substr(begin, end - begin);
  }

  bool truth(std::string_view key) const {
    const std::string_view found = value(key, "", ",");
    if (found != "True" && found != "False") fail(fmt::format("expected '{}': True or False", key));
    return found == "True";
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(name_, fmt::format("byte {}", at_), message);
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_;
};

std::vector<std::int64_t> read_shape(std::string_view tuple, const std::string& name) {
  TokenReader tokens(tuple, name + ", shape");
  tokens.also_separates(',');
  std::vector<std::int64_t> shape;
  while (tokens.next()) {
    if (shape.size() == most_dimensions)
      tokens.fail_expecting(fmt::format("at most {} dimensions", most_dimensions));
    shape.push_back(tokens.as_integer("a length", 0, std::numeric_limits<std::int64_t>::max()));
  }
  return shape;
}

/// Bytes of the number that tells the dictionary's length; 0 for no version that there is.
std::size_t length_bytes(std::string_view bytes) {
  if (!bytes.starts_with(magic) || bytes.size() < magic.size() + version_bytes) return 0;
  const std::string_view version = bytes.substr(magic.size(), version_bytes);
  if (version == "\x01\x00"sv) return sizeof(std::uint16_t);
  return version == "\x02\x00"sv || version == "\x03\x00"sv ? sizeof(std::uint32_t) : 0;
}

}  // namespace

NpyHeader read_npy_header(std::string_view bytes, const std::string& name) {
  NpyHeader header;
  const std::size_t length = length_bytes(bytes);
  const std::size_t length_at = magic.size() + version_bytes;
  header.header_at = length_at + length;
  if (length == 0 || bytes.size() < header.header_at) {
    throw InputError(name, "byte 0", "expected the magic number of .npy, version 1.0 to 3.0");
  }
  const std::size_t dictionary_bytes = length == sizeof(std::uint16_t)
                                           ? from_little_endian<std::uint16_t>(bytes, length_at)
                                           : from_little_endian<std::uint32_t>(bytes, length_at);
  if (bytes.size() - header.header_at < dictionary_bytes) {
    throw InputError(name, fmt::format("byte {}", bytes.size()),
                     fmt::format("expected a header of {} bytes, but the file ends here", dictionary_bytes));
  }
  header.data_at = header.header_at + dictionary_bytes;
  const HeaderDictionary dictionary(bytes.substr(header.header_at, dictionary_bytes), name, header.header_at);
  header.type = dictionary.value("descr", "'", "'");
  header.fortran = dictionary.truth("fortran_order");
  header.shape = read_shape(dictionary.value("shape", "(", ")"), name);
  return header;
}

std::string npy_header(std::string_view type, const std::vector<std::int64_t>& shape) {
  // A tuple of one needs its comma in Python.
  const std::string tuple = fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, tuple);
  std::string header = std::string(magic) + "\x01\x00"s;
  constexpr std::size_t alignment = 64;
  const std::size_t unpadded = header.size() + sizeof(std::uint16_t) + text.size() + 1;
  text.append((alignment - unpadded % alignment) % alignment, ' ');
  text += '\n';
  header += static_cast<char>(text.size() % 256);
  header += static_cast<char>(text.size() / 256);
  return header + text;
}

}  // namespace dwarfsweep
