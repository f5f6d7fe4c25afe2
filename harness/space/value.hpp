// Named values in a fixed order: what a point of the space, and a problem, is made of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace dwarfsweep {

/// An integer, a real number or a string.
class Value {
 public:
  Value(int number) : content_(static_cast<std::int64_t>(number)) {}  // NOLINT(google-explicit-constructor)
  Value(std::int64_t number) : content_(number) {}                    // NOLINT(google-explicit-constructor)
  Value(double number) : content_(number) {}                          // NOLINT(google-explicit-constructor)
  Value(const char* text) : content_(std::string(text)) {}            // NOLINT(google-explicit-constructor)
  Value(std::string text) : content_(std::move(text)) {}              // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool is_integer() const { return std::holds_alternative<std::int64_t>(content_); }
  [[nodiscard]] bool is_real() const { return std::holds_alternative<double>(content_); }
  [[nodiscard]] bool is_string() const { return std::holds_alternative<std::string>(content_); }
  /// Throws std::bad_variant_access where the value is of another kind; an integer is also a real number.
  [[nodiscard]] std::int64_t integer() const { return std::get<std::int64_t>(content_); }
  [[nodiscard]] double real() const;
  [[nodiscard]] const std::string& string() const { return std::get<std::string>(content_); }

  /// The text that `parse` reads back to an equal value.
  [[nodiscard]] std::string to_string() const;
  /// An integer where the text is one, else a real number where it is one, else a string.
  static Value parse(std::string_view text);

  /// A real number that is whole equals the integer, as their texts do.
  friend bool operator==(const Value& a, const Value& b);

 private:
  std::variant<std::int64_t, double, std::string> content_;
};

/// An ordered name -> value map. Small (a dozen entries), so look-ups are linear.
class ValueMap {
 public:
  ValueMap() = default;
  ValueMap(std::initializer_list<std::pair<std::string, Value>> entries) : entries_(entries) {}

  [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }
  /// The value of that name, or null.
  [[nodiscard]] const Value* find(std::string_view name) const;
  /// The value of that name; throws std::out_of_range naming what was asked for.
  [[nodiscard]] const Value& at(std::string_view name) const;
  [[nodiscard]] std::int64_t integer(std::string_view name) const { return at(name).integer(); }
  [[nodiscard]] double real(std::string_view name) const { return at(name).real(); }
  [[nodiscard]] const std::string& string(std::string_view name) const { return at(name).string(); }

  /// A copy in which `name` has that value: replaced in place, or appended.
  [[nodiscard]] ValueMap with(const std::string& name, Value value) const;
  [[nodiscard]] const std::vector<std::pair<std::string, Value>>& entries() const { return entries_; }

  /// "a=1;b=x": the form used in CSV columns, and as a key.
  [[nodiscard]] std::string to_string(std::string_view separator = ";") const;
  /// Reads what `to_string` writes. Throws UsageError for a part without "=".
  static ValueMap parse(std::string_view text, char separator = ';');

  friend bool operator==(const ValueMap&, const ValueMap&) = default;

 private:
  std::vector<std::pair<std::string, Value>> entries_;
};

/// A point of a dwarf's space: axis -> value, in the order in which the dwarf declares its axes.
using Config = ValueMap;

}  // namespace dwarfsweep
