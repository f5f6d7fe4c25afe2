// The values of the options that were given, read as what they should be.
#pragma once

#include <boost/program_options/variables_map.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/space/value.hpp"

namespace dwarfsweep {

/// Every function throws UsageError that names the option and what is allowed.
class OptionValues {
 public:
  /// What the parser of the command line has found.
  void parse(const boost::program_options::basic_parsed_options<char>& found) { store(found, given_); }
  /// The options that `others` have, in place of these.
  void replace_by(const OptionValues& others);

  [[nodiscard]] bool has(const std::string& name) const { return given_.count(name) > 0; }
  /// What stands on the command line without dashes.
  [[nodiscard]] std::vector<std::string> operands() const;
  /// "a,b" and repeated options: all parts. Empty where the option is not given.
  [[nodiscard]] std::vector<std::string> list(const std::string& name) const;
  /// Repeated options as they are; commas belong to the value.
  [[nodiscard]] std::vector<std::string> repeated(const std::string& name) const;
  /// "name=value,...", no name twice.
  [[nodiscard]] ValueMap value_map(const std::string& name) const;
  /// "axis=1,2,4", repeated: each axis once, with the values of all its options.
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<Value>>> axes(const std::string& name) const;
  /// Empty where the option is not given.
  [[nodiscard]] std::string text(const std::string& name) const;
  [[nodiscard]] std::int64_t integer(const std::string& name, std::int64_t preset, std::int64_t min,
                                     std::int64_t max) const;
  /// "100,200": integers from 1 to `max`. Empty where the option is not given.
  [[nodiscard]] std::vector<std::size_t> counts(const std::string& name, std::int64_t max) const;
  /// "3%" and "3" are 0.03.
  [[nodiscard]] double percentage(const std::string& name, double preset) const;
  [[nodiscard]] std::chrono::milliseconds duration(const std::string& name,
                                                   std::chrono::milliseconds preset) const;
  void require_value(const std::string& name) const;
  /// `words`: those that are allowed, with blanks between them.
  void require_one_of(const std::string& name, std::string_view words) const;
  void require_utf8(const std::string& name) const;
  void require_exclusive(const std::string& one, const std::string& other) const;

 private:
  /// One or several.
  [[nodiscard]] std::vector<std::string> texts(const std::string& name) const;

  boost::program_options::variables_map given_;
};

}  // namespace dwarfsweep
