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
  Value(const char* text);                                            // NOLINT(google-explicit-constructor)
  Value(std::string text);                                            // NOLINT(google-explicit-constructor)
  Value(const Value&);
  Value(Value&&) noexcept;
  Value& operator=(const Value&);
  Value& operator=(Value&&) noexcept;
  ~Value();

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

/// A value as code writes it: 4, 0.5 or "plain". It refers to its text and must not outlive the expression.
/// Descriptions of dwarfs have hundreds of these: trivial, they take the compiler a fraction of the time.
class Literal {
 public:
  // NOLINTBEGIN(google-explicit-constructor)
  constexpr Literal(int number) : integer_(number) {}
  constexpr Literal(std::int64_t number) : integer_(number) {}
  constexpr Literal(double number) : kind_(Kind::real), real_(number) {}
  constexpr Literal(const char* text) : kind_(Kind::string), text_(text) {}
  Literal(const std::string& text) : kind_(Kind::string), text_(text) {}
  Literal(const Value& value);
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] Value value() const;

 private:
  enum class Kind { integer, real, string };
  Kind kind_ = Kind::integer;
  std::int64_t integer_ = 0;
  double real_ = 0;
  std::string_view text_;
};

/// A setting as code writes it: {"unroll", 4}.
struct NamedLiteral {
  constexpr NamedLiteral(std::string_view setting_name, const Literal& setting_value)
      : name(setting_name), value(setting_value) {}
  NamedLiteral(const std::pair<std::string, Value>& entry)  // NOLINT(google-explicit-constructor)
      : name(entry.first), value(entry.second) {}

  std::string_view name;
  Literal value;
};

/// Values, and names, as code writes them or has them.
struct ValueList {
  ValueList(std::initializer_list<Literal> literals);  // NOLINT(google-explicit-constructor)
  ValueList(std::vector<Value> list);                  // NOLINT(google-explicit-constructor)
  ~ValueList();

  std::vector<Value> values;
};
struct NameList {
  NameList(std::initializer_list<std::string_view> texts);  // NOLINT(google-explicit-constructor)
  NameList(std::vector<std::string> list);                  // NOLINT(google-explicit-constructor)
  ~NameList();

  std::vector<std::string> names;
};

/// An ordered name -> value map. Small (a dozen entries), so look-ups are linear.
class ValueMap {
 public:
  ValueMap();
  ValueMap(std::initializer_list<NamedLiteral> settings);
  ValueMap(const ValueMap&);
  ValueMap(ValueMap&&) noexcept;
  ValueMap& operator=(const ValueMap&);
  ValueMap& operator=(ValueMap&&) noexcept;
  ~ValueMap();

  [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }
  /// The value of that name, or null.
  [[nodiscard]] const Value* find(std::string_view name) const;
  /// The value of that name; throws std::out_of_range naming what was asked for.
  [[nodiscard]] const Value& at(std::string_view name) const;
  [[nodiscard]] std::int64_t integer(std::string_view name) const { return at(name).integer(); }
  [[nodiscard]] double real(std::string_view name) const { return at(name).real(); }
  [[nodiscard]] const std::string& string(std::string_view name) const { return at(name).string(); }

  /// A copy in which `name` has that value: replaced in place, or appended.
  [[nodiscard]] ValueMap with(std::string_view name, const Literal& value) const;
  [[nodiscard]] const std::vector<std::pair<std::string, Value>>& entries() const { return entries_; }

  /// "a=1;b=x": the form used in CSV columns, and as a key.
  [[nodiscard]] std::string to_string(std::string_view separator = ";") const;
  /// Reads what `to_string` writes. Throws UsageError for a part without "=".
  static ValueMap parse(std::string_view text, char separator = ';');

  friend bool operator==(const ValueMap& a, const ValueMap& b);

 private:
  std::vector<std::pair<std::string, Value>> entries_;
};

/// A point of a dwarf's space: axis -> value, in the order in which the dwarf declares its axes.
using Config = ValueMap;

}  // namespace dwarfsweep
