// What is to be solved: the keys a dwarf's problem has, its named sizes, and a request turned into a problem.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/space/value.hpp"

namespace dwarfsweep {

/// What another value of a key means for which point is the best.
enum class KeyRole {
  by_kind,    ///< algorithm for strings, size for integers, detail for real numbers
  algorithm,  ///< much, whatever the sizes: `transposed`, `mode`, `graph`
  size,       ///< the more, the larger the ratio
  detail,     ///< nothing: `alpha`, `source`
};

/// One key of a dwarf's problem (`n`, `alpha`, `graph`) with its default and what is allowed.
struct ProblemKey {
  ProblemKey(std::string_view key_name, std::string_view key_meaning, const Literal& key_preset,
             double least = 0, double most = 0, NameList key_choices = {},
             KeyRole key_role = KeyRole::by_kind, bool only_powers_of_two = false);
  ProblemKey(const ProblemKey&);
  ProblemKey(ProblemKey&&) noexcept;
  ProblemKey& operator=(const ProblemKey&);
  ProblemKey& operator=(ProblemKey&&) noexcept;
  ~ProblemKey();

  std::string name;
  std::string meaning;  ///< with the unit
  Value preset;  ///< used where neither the size nor the request names the key; its kind is the key's kind
  double minimum = 0;                ///< for numbers
  double maximum = 0;                ///< for numbers
  std::vector<std::string> choices;  ///< for strings
  KeyRole role = KeyRole::by_kind;   ///< `role_of` resolves it
  bool power_of_two = false;         ///< of integers: nothing else is allowed
  int hexadecimal_digits = 0;        ///< for strings: 0x and at most this many digits are allowed, too
};

/// The key's role: never by_kind.
KeyRole role_of(const ProblemKey& key);

/// A named size: tiny, small, medium, large (working set: L1, L2, last-level cache, well beyond), or paper,
/// of which there may be several.
struct Size {
  Size();
  Size(std::string_view size_name, ValueMap size_values);
  Size(const Size&);
  Size(Size&&) noexcept;
  Size& operator=(const Size&);
  Size& operator=(Size&&) noexcept;
  ~Size();

  std::string name;
  ValueMap values;
};

/// A problem: every key has a value. `size` is "custom" where keys were given by hand, "file" for an input
/// file.
struct Problem {
  std::string size;
  ValueMap values;

  [[nodiscard]] std::int64_t integer(std::string_view name) const { return values.integer(name); }
  [[nodiscard]] double real(std::string_view name) const { return values.real(name); }
  [[nodiscard]] const std::string& string(std::string_view name) const { return values.string(name); }
};

/// Fills in the presets and checks every value. Throws UsageError naming the key and what is allowed.
Problem make_problem(const std::string& dwarf, const std::vector<ProblemKey>& keys, const Size& size);

/// The request with what a file says of `key`. `source` names the file, or its part. Throws UsageError where
/// the request wants another value.
ValueMap with_found(const std::string& dwarf, const ValueMap& request, const std::string& key,
                    std::int64_t found, const std::string& source);

/// Throws UsageError, which states what the dwarf takes, unless it is given `count` files.
void require_files(const std::string& dwarf, const std::string& formats,
                   const std::vector<std::string>& files, std::size_t count);

}  // namespace dwarfsweep
