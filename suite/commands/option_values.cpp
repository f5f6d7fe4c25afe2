#include "suite/commands/option_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "harness/space/error.hpp"
#include "suite/commands/option_table.hpp"
#include "suite/record/duration.hpp"
#include "suite/record/json.hpp"

namespace dwarfsweep {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

}  // namespace

void OptionValues::replace_by(const OptionValues& others) {
  std::map<std::string, boost::program_options::variable_value>& values = given_;
  for (const auto& [name, value] : others.given_) values[name] = value;
}

std::vector<std::string> OptionValues::operands() const {
  return repeated(std::string(dwarfsweep::operands));
}

std::vector<std::string> OptionValues::repeated(const std::string& name) const {
  return has(name) ? given_[name].as<std::vector<std::string>>() : std::vector<std::string>();
}

std::vector<std::string> OptionValues::texts(const std::string& name) const {
  if (!has(name)) return {};
  const auto* const one = boost::any_cast<std::string>(&given_[name].value());
  return one != nullptr ? std::vector{*one} : repeated(name);
}

std::vector<std::string> OptionValues::list(const std::string& name) const {
  std::vector<std::string> all;
  for (const std::string& text : repeated(name)) {
    const std::vector<std::string> parts = split(text, ',');
    if (parts.empty()) throw UsageError(fmt::format("--{} needs a value", name));
    all.insert(all.end(), parts.begin(), parts.end());
  }
  return all;
}

ValueMap OptionValues::value_map(const std::string& name) const {
  ValueMap map;
  const auto add = [&](const std::string& key, const Value& value) {
    if (const Value* const known = map.find(key))
      throw UsageError(fmt::format("'{}' is given twice, as {} and {}; give it once", key, known->to_string(),
                                   value.to_string()));
    map = map.with(key, value);
  };
  try {
    for (const std::string& part : list(name)) {
      for (const std::string& pair : split(part, ';')) {
        const ValueMap parsed = ValueMap::parse(pair);
        for (const auto& [key, value] : parsed.entries()) add(key, value);
      }
    }
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--{}: {}", name, error.what()));
  }
  return map;
}

std::vector<std::pair<std::string, std::vector<Value>>> OptionValues::axes(const std::string& name) const {
  std::vector<std::pair<std::string, std::vector<Value>>> all;
  for (const std::string& text : repeated(name)) {
    const std::size_t equals = text.find('=');
    const std::vector<std::string> parts =
        equals == std::string::npos ? std::vector<std::string>() : split(text.substr(equals + 1), ',');
    if (parts.empty() || equals == 0)
      throw UsageError(fmt::format("--{} '{}' is not of the form axis=1,2,4", name, text));
    const std::string axis = text.substr(0, equals);
    auto known = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.first == axis; });
    if (known == all.end()) known = all.insert(all.end(), {axis, {}});
    for (const std::string& part : parts) {
      const Value value = Value::parse(part);
      if (std::find(known->second.begin(), known->second.end(), value) == known->second.end())
        known->second.push_back(value);
    }
  }
  return all;
}

std::string OptionValues::text(const std::string& name) const {
  return has(name) ? given_[name].as<std::string>() : "";
}

std::int64_t OptionValues::integer(const std::string& name, std::int64_t preset, std::int64_t min,
                                   std::int64_t max) const {
  if (!has(name)) return preset;
  const Value value = Value::parse(given_[name].as<std::string>());
  if (!value.is_integer() || value.integer() < min || value.integer() > max) {
    throw UsageError(
        fmt::format("--{} is '{}', but must be an integer from {} to {}", name, value.to_string(), min, max));
  }
  return value.integer();
}

std::vector<std::size_t> OptionValues::counts(const std::string& name, std::int64_t max) const {
  std::vector<std::size_t> counts;
  for (const std::string& text : list(name)) {
    const Value value = Value::parse(text);
    if (!value.is_integer() || value.integer() < 1 || value.integer() > max) {
      throw UsageError(fmt::format("--{} is '{}', but must be integers from 1 to {}", name, text, max));
    }
    counts.push_back(static_cast<std::size_t>(value.integer()));
  }
  return counts;
}

double OptionValues::percentage(const std::string& name, double preset) const {
  if (!has(name)) return preset;
  std::string text = given_[name].as<std::string>();
  if (!text.empty() && text.back() == '%') text.pop_back();
  const Value value = Value::parse(text);
  if (value.is_string() || !(value.real() > 0 && value.real() <= 100)) {
    throw UsageError(fmt::format("--{} is '{}', but must be a percentage above 0 and up to 100", name, text));
  }
  return value.real() / 100;
}

std::chrono::milliseconds OptionValues::duration(const std::string& name,
                                                 std::chrono::milliseconds preset) const {
  return has(name) ? parse_duration(name, text(name)) : preset;
}

void OptionValues::require_value(const std::string& name) const {
  for (const std::string& text : texts(name)) {
    if (text.empty()) throw UsageError(fmt::format("--{} needs a value", name));
  }
}

void OptionValues::require_one_of(const std::string& name, std::string_view words) const {
  const std::vector<std::string> allowed = split(std::string(words), ' ');
  for (const std::string& text : texts(name)) {
    if (std::find(allowed.begin(), allowed.end(), text) == allowed.end())
      throw UsageError(
          fmt::format("--{} is '{}', but must be one of {}", name, text, fmt::join(allowed, ", ")));
  }
}

void OptionValues::require_utf8(const std::string& name) const {
  for (const std::string& text : texts(name)) {
    if (as_utf8(text) != text)
      throw UsageError(fmt::format(
          "--{} is '{}', but names must be UTF-8; choose another name, such as that of a link", name, text));
  }
}

void OptionValues::require_exclusive(const std::string& one, const std::string& other) const {
  if (has(one) && has(other)) throw UsageError(fmt::format("--{} and --{} exclude each other", one, other));
}

}  // namespace dwarfsweep
