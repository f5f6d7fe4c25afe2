#include "harness/space/problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "harness/space/error.hpp"

namespace dwarfsweep {

ProblemKey::ProblemKey(std::string_view key_name, std::string_view key_meaning, const Literal& key_preset,
                       double least, double most, NameList key_choices, KeyRole key_role,
                       bool only_powers_of_two)
    : name(key_name),
      meaning(key_meaning),
      preset(key_preset.value()),
      minimum(least),
      maximum(most),
      choices(std::move(key_choices.names)),
      role(key_role),
      power_of_two(only_powers_of_two) {}
ProblemKey::ProblemKey(const ProblemKey&) = default;
ProblemKey::ProblemKey(ProblemKey&&) noexcept = default;
ProblemKey& ProblemKey::operator=(const ProblemKey&) = default;
ProblemKey& ProblemKey::operator=(ProblemKey&&) noexcept = default;
ProblemKey::~ProblemKey() = default;

Size::Size() = default;
Size::Size(std::string_view size_name, ValueMap size_values)
    : name(size_name), values(std::move(size_values)) {}
Size::Size(const Size&) = default;
Size::Size(Size&&) noexcept = default;
Size& Size::operator=(const Size&) = default;
Size& Size::operator=(Size&&) noexcept = default;
Size::~Size() = default;
namespace {

bool is_hexadecimal(std::string_view text, int most_digits) {
  constexpr std::string_view digits = "0123456789abcdefABCDEF";
  return text.size() > 2 && text.size() <= static_cast<std::size_t>(most_digits) + 2 &&
         text.starts_with("0x") && text.find_first_not_of(digits, 2) == std::string_view::npos;
}

Value checked(const std::string& dwarf, const ProblemKey& key, const Value& value) {
  if (key.preset.is_string()) {
    const std::string text = value.to_string();
    if (std::find(key.choices.begin(), key.choices.end(), text) != key.choices.end()) return text;
    if (is_hexadecimal(text, key.hexadecimal_digits)) return text;
    const std::string digits = key.hexadecimal_digits > 0 ? fmt::format(", 0x and 1 to {} hexadecimal digits",
                                                                        key.hexadecimal_digits)
                                                          : "";
    throw UsageError(fmt::format("{}: problem key '{}' is '{}', but must be one of {}{}", dwarf, key.name,
                                 text, fmt::join(key.choices, ", "), digits));
  }
  const bool right_kind = key.preset.is_integer() ? value.is_integer() : !value.is_string();
  const bool in_range = right_kind && value.real() >= key.minimum && value.real() <= key.maximum;
  if (!in_range || (key.power_of_two && !std::has_single_bit(static_cast<std::uint64_t>(value.integer())))) {
    throw UsageError(fmt::format("{}: problem key '{}' is '{}', but must be {} from {} to {} ({})", dwarf,
                                 key.name, value.to_string(),
                                 key.power_of_two          ? "a power of two"
                                 : key.preset.is_integer() ? "an integer"
                                                           : "a number",
                                 key.minimum, key.maximum, key.meaning));
  }
  return key.preset.is_integer() ? value : Value(value.real());
}

}  // namespace

KeyRole role_of(const ProblemKey& key) {
  if (key.role != KeyRole::by_kind) return key.role;
  return key.preset.is_string()    ? KeyRole::algorithm
         : key.preset.is_integer() ? KeyRole::size
                                   : KeyRole::detail;
}

Problem make_problem(const std::string& dwarf, const std::vector<ProblemKey>& keys, const Size& size) {
  for (const auto& [name, value] : size.values.entries()) {
    if (std::none_of(keys.begin(), keys.end(),
                     [&wanted = name](const ProblemKey& key) { return key.name == wanted; })) {
      std::vector<std::string> known;
      for (const ProblemKey& key : keys) known.push_back(key.name);
      throw UsageError(
          fmt::format("{} has no problem key '{}'; it has {}", dwarf, name, fmt::join(known, ", ")));
    }
  }
  Problem problem{size.name, {}};
  for (const ProblemKey& key : keys) {
    const Value* given = size.values.find(key.name);
    problem.values = problem.values.with(key.name, checked(dwarf, key, given ? *given : key.preset));
  }
  return problem;
}

ValueMap with_found(const std::string& dwarf, const ValueMap& request, const std::string& key,
                    std::int64_t found, const std::string& source) {
  if (const Value* wanted = request.find(key); wanted && *wanted != Value(found)) {
    throw UsageError(fmt::format("{}: problem key '{}' is '{}', but {} has {}", dwarf, key,
                                 wanted->to_string(), source, found));
  }
  return request.with(key, found);
}

void require_files(const std::string& dwarf, const std::string& formats,
                   const std::vector<std::string>& files, std::size_t count) {
  if (files.size() == count) return;
  throw UsageError(
      fmt::format("{} takes {}; {} given", dwarf, formats,
                  files.size() == 1 ? "1 file was" : fmt::format("{} files were", files.size())));
}

}  // namespace dwarfsweep
