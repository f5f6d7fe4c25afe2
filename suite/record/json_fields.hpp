// to_json and from_json of a structure from one list of its fields.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>

#include "suite/record/json.hpp"

namespace dwarfsweep {

/// Writes fields of a structure into a JSON object.
class FieldWriter {
 public:
  explicit FieldWriter(Json& json) : json_(json) { json_ = Json::object(); }

  template <typename T>
  void always(const char* name, const T& value) {
    json_[name] = value;
  }
  template <typename T>
  void later(const char* name, const T& value) {
    json_[name] = value;
  }
  template <typename T>
  void if_any(const char* name, const T& value) {
    if constexpr (requires { value.has_value(); }) {
      if (value) json_[name] = *value;
    } else if constexpr (requires { value.empty(); }) {
      if (!value.empty()) json_[name] = value;
    } else {
      if (value != T()) json_[name] = value;
    }
  }
  // JSON has neither NaN nor infinity: the library writes null.
  void number(const char* name, double value, double) { json_[name] = value; }

 private:
  Json& json_;
};

/// Reads fields of a structure from a JSON object. Throws Json::exception for what is missing or of another
/// type, and std::runtime_error for a number that is out of range.
class FieldReader {
 public:
  explicit FieldReader(const Json& json) : json_(json) {}

  template <typename T>
  void always(const char* name, T& value) {
    read(name, json_.at(name), value);
  }
  template <typename T>
  void later(const char* name, T& value) {
    if (const auto found = json_.find(name); found != json_.end()) read(name, *found, value);
  }
  template <typename T>
  void if_any(const char* name, T& value) {
    later(name, value);
  }
  template <typename T>
  void if_any(const char* name, std::optional<T>& value) {
    if (const auto found = json_.find(name); found != json_.end()) read(name, *found, value.emplace());
  }
  void number(const char* name, double& value, double if_null) {
    const Json& number = json_.at(name);
    value = number.is_null() ? if_null : number.get<double>();
  }

 private:
  template <typename T>
  static void read(const char* name, const Json& json, T& value) {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) require_in_range<T>(name, json);
    json.get_to(value);
  }

  // Checks integers like CheckedSerializer, but names the field. Times are bounded, too: a damaged time of
  // 1e300 ns must not decide how much memory is allocated.
  template <typename T>
  static void require_in_range(const char* name, const Json& json) {
    if (!json.is_number()) return;  // the library says what it expects
    bool fits = true;
    if constexpr (std::is_floating_point_v<T>) {
      constexpr double longest_ns = 1e20;  // 3,000 years
      const std::string_view text = name;
      const bool is_time = text == "ns" || text.ends_with("_ns");
      fits = !is_time || std::abs(json.get<double>()) <= longest_ns;
    } else {
      fits = fits_integer<T>(json);
    }
    if (!fits)
      throw std::runtime_error(fmt::format("'{}' is {}, which is out of range", name, json_text(json)));
  }

  const Json& json_;
};

// Defines to_json and from_json of a structure from one list of its fields, so that none can be forgotten in
// one of the two:
//
//   RECORD(Type) {
//     ALWAYS(a, b)          // written always, and required
//     LATER(c)              // written always; older logs lack it, and have the structure's default
//     IF_ANY(d)             // written where it is not empty
//     NUMBERS(if_null, e)   // that may be NaN or infinite, which becomes null
//   }
#define RECORD(type)                                                \
  template <typename Fields, typename Record>                       \
  static void each_field_of_##type(Fields& fields, Record& record); \
  void to_json(Json& json, const type& record) {                    \
    FieldWriter fields(json);                                       \
    each_field_of_##type(fields, record);                           \
  }                                                                 \
  void from_json(const Json& json, type& record) {                  \
    record = {};                                                    \
    FieldReader fields(json);                                       \
    each_field_of_##type(fields, record);                           \
  }                                                                 \
  template <typename Fields, typename Record>                       \
  static void each_field_of_##type([[maybe_unused]] Fields& fields, Record& record)

#define ALWAYS_FIELD(name) fields.always(#name, record.name);
#define LATER_FIELD(name) fields.later(#name, record.name);
#define IF_ANY_FIELD(name) fields.if_any(#name, record.name);
#define ALWAYS(...) NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(ALWAYS_FIELD, __VA_ARGS__))
#define LATER(...) NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(LATER_FIELD, __VA_ARGS__))
#define IF_ANY(...) NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(IF_ANY_FIELD, __VA_ARGS__))
#define NUMBER(name, if_null) fields.number(#name, record.name, if_null);

#define BOTH_WAYS(type, ...) \
  RECORD(type) {             \
    ALWAYS(__VA_ARGS__)      \
  }

}  // namespace dwarfsweep
