#include "harness/space/value.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <stdexcept>

#include "harness/space/error.hpp"

namespace dwarfsweep {

Value::Value(const char* text) : content_(std::string(text)) {}
Value::Value(std::string text) : content_(std::move(text)) {}
Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;

Literal::Literal(const Value& value) {
  if (value.is_integer()) {
    integer_ = value.integer();
  } else if (value.is_real()) {
    kind_ = Kind::real;
    real_ = value.real();
  } else {
    kind_ = Kind::string;
    text_ = value.string();
  }
}

Value Literal::value() const {
  switch (kind_) {
    case Kind::integer:
      return integer_;
    case Kind::real:
      return real_;
    default:
      return std::string(text_);
  }
}

ValueList::ValueList(std::initializer_list<Literal> literals) {
  for (const Literal& literal : literals) values.push_back(literal.value());
}
ValueList::ValueList(std::vector<Value> list) : values(std::move(list)) {}
ValueList::~ValueList() = default;

NameList::NameList(std::initializer_list<std::string_view> texts) : names(texts.begin(), texts.end()) {}
NameList::NameList(std::vector<std::string> list) : names(std::move(list)) {}
NameList::~NameList() = default;

ValueMap::ValueMap() = default;
ValueMap::ValueMap(std::initializer_list<NamedLiteral> settings) {
  for (const NamedLiteral& setting : settings) entries_.emplace_back(setting.name, setting.value.value());
}
ValueMap::ValueMap(const ValueMap&) = default;
ValueMap::ValueMap(ValueMap&&) noexcept = default;
ValueMap& ValueMap::operator=(const ValueMap&) = default;
ValueMap& ValueMap::operator=(ValueMap&&) noexcept = default;
ValueMap::~ValueMap() = default;

bool operator==(const ValueMap& a, const ValueMap& b) {
  return a.entries_ == b.entries_;
}

double Value::real() const {
  return is_integer() ? static_cast<double>(integer()) : std::get<double>(content_);
}

std::string Value::to_string() const {
  if (is_integer()) return std::to_string(integer());
  if (is_string()) return string();
  return fmt::format("{}", std::get<double>(content_));
}

bool operator==(const Value& a, const Value& b) {
  if (a.content_.index() == b.content_.index()) return a.content_ == b.content_;
  if (a.is_string() || b.is_string()) return false;
  const std::int64_t whole = a.is_integer() ? a.integer() : b.integer();
  const double real = a.is_real() ? a.real() : b.real();
  // From 2^63 on no integer is as large. Below it the conversion of a whole number is exact.
  return real == std::trunc(real) && std::abs(real) < 0x1p63 && static_cast<std::int64_t>(real) == whole;
}

Value Value::parse(std::string_view text) {
  const char* const end = text.data() + text.size();
  std::int64_t whole = 0;
  if (const auto [stop, error] = std::from_chars(text.data(), end, whole);
      error == std::errc() && stop == end) {
    return whole;
  }
  double real = 0;
  if (const auto [stop, error] = std::from_chars(text.data(), end, real);
      error == std::errc() && stop == end) {
    return real;
  }
  return std::string(text);
}

const Value* ValueMap::find(std::string_view name) const {
  for (const auto& [key, value] : entries_) {
    if (key == name) return &value;
  }
  return nullptr;
}

const Value& ValueMap::at(std::string_view name) const {
  if (const Value* value = find(name)) return *value;
  throw std::out_of_range(fmt::format("no value named '{}' in '{}'", name, to_string()));
}

ValueMap ValueMap::with(std::string_view name, const Literal& value) const {
  ValueMap copy = *this;
  for (auto& [key, old] : copy.entries_) {
    if (key == name) {
      old = value.value();
      return copy;
    }
  }
  copy.entries_.emplace_back(name, value.value());
  return copy;
}

std::string ValueMap::to_string(std::string_view separator) const {
  std::string text;
  for (const auto& [key, value] : entries_) {
    if (!text.empty()) text += separator;
    text += key + "=" + value.to_string();
  }
  return text;
}

ValueMap ValueMap::parse(std::string_view text, char separator) {
  ValueMap map;
  while (!text.empty()) {
    const std::size_t cut = std::min(text.find(separator), text.size());
    const std::string_view part = text.substr(0, cut);
    text.remove_prefix(std::min(cut + 1, text.size()));
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      throw UsageError(fmt::format("'{}' is not of the form name=value", part));
    }
    map = map.with(std::string(part.substr(0, equals)), Value::parse(part.substr(equals + 1)));
  }
  return map;
}

}  // namespace dwarfsweep
