#include "harness/space/value.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <stdexcept>

#include "harness/space/error.hpp"

namespace dwarfsweep {

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

ValueMap ValueMap::with(const std::string& name, Value value) const {
  ValueMap copy = *this;
  for (auto& [key, old] : copy.entries_) {
    if (key == name) {
      old = std::move(value);
      return copy;
    }
  }
  copy.entries_.emplace_back(name, std::move(value));
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
