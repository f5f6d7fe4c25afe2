#include "harness/formats/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <stdexcept>

#include "harness/error.hpp"
#include "harness/formats/file_bytes.hpp"
#include "harness/formats/little_endian.hpp"
#include "harness/formats/token_reader.hpp"

namespace dwarfsweep {
namespace {

using namespace std::literals;

constexpr std::string_view magic = "\x93NUMPY\x01\x00"sv;
constexpr std::size_t preamble_bytes = magic.size() + 2;  // and the header's length
// In the order of the types in NpyValues and in NpyArray::values.
constexpr std::array<std::string_view, 6> descriptions = {"|u1", "<u2", "<i4", "<u4", "<i8", "<f4"};

/// The number of values of a shape; none where it does not fit into 64 bits or a length is negative.
std::optional<std::int64_t> product(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (const std::int64_t length : shape) {
    if (length < 0) return {};
    if (length > 0 && count > std::numeric_limits<std::int64_t>::max() / length) return {};
    count *= length;
  }
  return count;
}

std::string header_text(std::string_view description, const std::vector<std::int64_t>& shape) {
  // A tuple of one needs its comma in Python.
  const std::string tuple = fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", description, tuple);
  constexpr std::size_t alignment = 64;  // of the data, so that it can be mapped
  const std::size_t unpadded = preamble_bytes + text.size() + 1;
  text.append((alignment - unpadded % alignment) % alignment, ' ');
  return text + '\n';
}

/// The Python dictionary of a header, as far as .npy uses Python: the value behind a key, up to its end.
class HeaderDictionary {
 public:
  HeaderDictionary(std::string_view text, const std::string& name) : text_(text), name_(name) {}

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

  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(name_, fmt::format("byte {}", preamble_bytes), message);
  }

 private:
  std::string_view text_;
  const std::string& name_;
};

std::vector<std::int64_t> read_shape(std::string_view tuple, const std::string& name) {
  TokenReader tokens(tuple, name + ", shape");
  tokens.also_separates(',');
  std::vector<std::int64_t> shape;
  while (tokens.next()) {
    shape.push_back(tokens.as_integer("a length", 0, std::numeric_limits<std::int64_t>::max()));
  }
  return shape;
}

/// Fills `values` with the alternative that stands at `index` in the variant.
template <std::size_t Index = 0>
void take_values(std::size_t index, std::string_view data, decltype(NpyArray::values)& values) {
  if constexpr (Index < std::variant_size_v<decltype(NpyArray::values)>) {
    if (index != Index) return take_values<Index + 1>(index, data, values);
    using Vector = std::variant_alternative_t<Index, decltype(NpyArray::values)>;
    values.emplace<Index>(vector_from_little_endian<typename Vector::value_type>(data));
  }
}

}  // namespace

namespace {

std::string_view payload_of(const NpyValues& values) {
  return std::visit(
      [](auto span) {
        return std::string_view(reinterpret_cast<const char*>(span.data()), span.size_bytes());
      },
      values);
}

std::string header_of(const NpyValues& values, const std::vector<std::int64_t>& shape) {
  const auto count = std::visit([](auto span) { return static_cast<std::int64_t>(span.size()); }, values);
  if (product(shape) != count) throw std::invalid_argument("write_npy: the shape does not match the values");
  const std::string text = header_text(descriptions[values.index()], shape);
  std::string header(magic);
  header += static_cast<char>(text.size() % 256);
  header += static_cast<char>(text.size() / 256);
  return header + text;
}

}  // namespace

void write_npy(const std::filesystem::path& file, NpyValues values, const std::vector<std::int64_t>& shape) {
  write_bytes(file, header_of(values, shape), payload_of(values));
}

std::string npy_bytes(NpyValues values, const std::vector<std::int64_t>& shape) {
  return header_of(values, shape).append(payload_of(values));
}

namespace {

// A complex number is two floats, in one dimension more.
constexpr std::string_view complex_description = "<c8";

NpyArray read_array(std::string_view bytes, const std::string& name, bool takes_complex) {
  if (!bytes.starts_with(magic) || bytes.size() < preamble_bytes) {
    throw InputError(name, "byte 0", "expected the magic number of .npy version 1.0");
  }
  const std::size_t header_bytes = from_little_endian<std::uint16_t>(bytes, magic.size());
  if (bytes.size() - preamble_bytes < header_bytes) {
    throw InputError(name, fmt::format("byte {}", bytes.size()),
                     fmt::format("expected a header of {} bytes, but the file ends here", header_bytes));
  }
  const HeaderDictionary header(bytes.substr(preamble_bytes, header_bytes), name);
  const std::string_view found = header.value("descr", "'", "'");
  const bool is_complex = takes_complex && found == complex_description;
  const std::string_view description = is_complex ? "<f4" : found;
  const auto type = static_cast<std::size_t>(
      std::find(descriptions.begin(), descriptions.end(), description) - descriptions.begin());
  if (type == descriptions.size()) {
    header.fail(
        fmt::format("expected type {}, found {}", fmt::join(descriptions, " or "), excerpt(description)));
  }
  if (header.value("fortran_order", "", ",") != "False") header.fail("expected 'fortran_order': False");

  NpyArray array;
  array.shape = read_shape(header.value("shape", "(", ")"), name);
  if (is_complex) array.shape.push_back(2);
  const std::string_view data = bytes.substr(preamble_bytes + header_bytes);
  const std::size_t element_bytes = description.back() - '0';
  if (data.size() % element_bytes != 0 ||
      product(array.shape) != static_cast<std::int64_t>(data.size() / element_bytes)) {
    throw InputError(name, fmt::format("byte {}", preamble_bytes + header_bytes),
                     fmt::format("expected ({}) values of {} bytes, found {} bytes",
                                 fmt::join(array.shape, ", "), element_bytes, data.size()));
  }
  take_values(type, data, array.values);
  return array;
}

}  // namespace

NpyArray read_npy(std::string_view bytes, const std::string& name) {
  return read_array(bytes, name, false);
}

NpyArray read_npy_complex(const std::filesystem::path& file) {
  NpyArray array = read_array(FileText(file).view(), file.string(), true);
  const bool is_pairs = !array.shape.empty() && array.shape.back() == 2;
  if (!is_pairs || !std::holds_alternative<std::vector<float>>(array.values)) {
    throw InputError(
        file.string(), "",
        "expected complex64, or 32-bit floats whose last dimension is 2, real and imaginary part");
  }
  return array;
}

NpyArray read_npy(const std::filesystem::path& file) {
  return read_npy(FileText(file).view(), file.string());
}

}  // namespace dwarfsweep
