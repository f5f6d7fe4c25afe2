#include "harness/formats/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "harness/formats/file_bytes.hpp"
#include "harness/formats/token_reader.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

using namespace std::literals;

constexpr std::string_view magic = "\x93NUMPY"sv;
constexpr std::size_t version_bytes = 2;
constexpr std::size_t most_dimensions = 8;

/// The head of a .npy file: the type of its elements, their order and the shape.
/// Format: numpy.lib.format in NumPy's documentation (NEP 1).
struct NpyHeader {
  std::string type;      // as NumPy writes it: "<f4"
  bool fortran = false;  // the first index is the one that runs fastest
  std::vector<std::int64_t> shape;
  std::size_t header_at = 0;  // where the dictionary stands in the file
  std::size_t data_at = 0;
};

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

/// Bytes of the number that holds the dictionary's length; 0 for an unknown version.
std::size_t length_bytes(std::string_view bytes) {
  if (!bytes.starts_with(magic) || bytes.size() < magic.size() + version_bytes) return 0;
  const std::string_view version = bytes.substr(magic.size(), version_bytes);
  if (version == "\x01\x00"sv) return sizeof(std::uint16_t);
  return version == "\x02\x00"sv || version == "\x03\x00"sv ? sizeof(std::uint32_t) : 0;
}

/// Versions 1.0 to 3.0. Throws InputError.
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

/// Version 1.0, C order, with the magic number, padded so that the data can be mapped.
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

using Shape = std::vector<std::int64_t>;

// In the order of the types in NpyValues and in NpyArray::values.
constexpr std::array<std::string_view, 9> descriptions = {"|u1", "<u2", "<i4", "<u4", "<i8",
                                                          "<f4", "<f8", "<u8", "<i2"};
// A complex number is two floats, in one dimension more.
constexpr std::string_view complex_of_floats = "<c8";
constexpr std::string_view complex_of_doubles = "<c16";

/// The number of values of a shape; none where it does not fit into 64 bits or a length is negative.
std::optional<std::int64_t> product(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t length : shape) {
    if (length < 0) return {};
    if (length > 0 && count > std::numeric_limits<std::int64_t>::max() / length) return {};
    count *= length;
  }
  return count;
}

std::string_view payload_of(const NpyValues& values) {
  return std::visit(
      [](auto span) {
        return std::string_view(reinterpret_cast<const char*>(span.data()), span.size_bytes());
      },
      values);
}

std::string header_of(const NpyValues& values, const Shape& shape) {
  const auto count = std::visit([](auto span) { return static_cast<std::int64_t>(span.size()); }, values);
  if (product(shape) != count) throw std::invalid_argument("write_npy: the shape does not match the values");
  return npy_header(descriptions[values.index()], shape);
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

/// The indices of the value that stands at `number` in C order.
Shape indices_of(std::size_t number, const Shape& shape) {
  Shape indices(shape.size());
  auto left = static_cast<std::int64_t>(number);
  for (std::size_t i = shape.size(); i-- > 0; left /= shape[i]) indices[i] = left % shape[i];
  return indices;
}

/// Elements whose first index runs fastest, reordered so that the last one does.
std::string in_c_order(std::string_view data, const Shape& shape, std::size_t element_bytes) {
  std::string ordered;
  ordered.reserve(data.size());
  Shape indices(shape.size());
  while (ordered.size() < data.size()) {
    std::int64_t from = 0;
    for (std::size_t i = shape.size(); i-- > 0;) from = from * shape[i] + indices[i];
    ordered += data.substr(static_cast<std::size_t>(from) * element_bytes, element_bytes);
    for (std::size_t i = shape.size(); i-- > 0 && ++indices[i] == shape[i];) indices[i] = 0;
  }
  return ordered;
}

NpyArray read_array(std::string_view bytes, const std::string& name, bool takes_complex) {
  const NpyHeader header = read_npy_header(bytes, name);
  const bool is_complex =
      takes_complex && (header.type == complex_of_floats || header.type == complex_of_doubles);
  const std::string_view description = !is_complex                        ? std::string_view(header.type)
                                       : header.type == complex_of_floats ? "<f4"
                                                                          : "<f8";
  const auto type = static_cast<std::size_t>(
      std::find(descriptions.begin(), descriptions.end(), description) - descriptions.begin());
  if (type == descriptions.size()) {
    throw InputError(
        name, fmt::format("byte {}", header.header_at),
        fmt::format("expected type {}, found {}", fmt::join(descriptions, " or "), excerpt(description)));
  }
  const std::string_view data = bytes.substr(header.data_at);
  const std::size_t element_bytes = static_cast<std::size_t>(description.back() - '0') * (is_complex ? 2 : 1);
  if (data.size() % element_bytes != 0 ||
      product(header.shape) != static_cast<std::int64_t>(data.size() / element_bytes)) {
    throw InputError(name, fmt::format("byte {}", header.data_at),
                     fmt::format("expected ({}) values of {} bytes, found {} bytes",
                                 fmt::join(header.shape, ", "), element_bytes, data.size()));
  }
  NpyArray array;
  array.shape = header.shape;
  if (is_complex) array.shape.push_back(2);
  const bool turns = header.fortran && header.shape.size() > 1;
  take_values(type, turns ? in_c_order(data, header.shape, element_bytes) : data, array.values);
  return array;
}

template <typename Number>
std::vector<float> finite_floats(const std::vector<Number>& values, const Shape& shape,
                                 const std::string& name) {
  std::vector<float> floats(values.begin(), values.end());
  for (std::size_t i = 0; i < floats.size(); ++i) {
    if (std::isfinite(floats[i])) continue;
    throw InputError(
        name, fmt::format("value ({})", fmt::join(indices_of(i, shape), ", ")),
        fmt::format("expected a finite number within the range of a float, found {}", values[i]));
  }
  return floats;
}

}  // namespace

void write_npy(const std::filesystem::path& file, NpyValues values, const Shape& shape) {
  write_bytes(file, header_of(values, shape), payload_of(values));
}

std::string npy_bytes(NpyValues values, const Shape& shape) {
  return header_of(values, shape).append(payload_of(values));
}

NpyArray read_npy(std::string_view bytes, const std::string& name) {
  return read_array(bytes, name, false);
}

NpyArray read_npy(const std::filesystem::path& file) {
  return read_npy(read_text(file), file.string());
}

NpyFloats read_npy_floats(std::string_view bytes, const std::string& name, NpyNumbers numbers) {
  const bool is_complex = numbers == NpyNumbers::complex;
  NpyArray array = read_array(bytes, name, is_complex);
  NpyFloats result;
  if (const auto* floats = std::get_if<std::vector<float>>(&array.values)) {
    result.values = finite_floats(*floats, array.shape, name);
  } else if (const auto* doubles = std::get_if<std::vector<double>>(&array.values)) {
    result.values = finite_floats(*doubles, array.shape, name);
  }
  const bool is_pairs = !array.shape.empty() && array.shape.back() == 2;
  if ((result.values.empty() && product(array.shape) != 0) || (is_complex && !is_pairs)) {
    throw InputError(name, "",
                     is_complex ? "expected complex numbers, or floats whose last dimension is 2, real and "
                                  "imaginary part; of 32 or 64 bits"
                                : "expected floats of 32 or 64 bits");
  }
  result.shape = std::move(array.shape);
  return result;
}

NpyFloats read_npy_floats(const std::filesystem::path& file, NpyNumbers numbers) {
  return read_npy_floats(read_text(file), file.string(), numbers);
}

}  // namespace dwarfsweep
