// Known regressions, which count no more until a date: a text file with a line for each,
//
//   # until      points                    reason
//   2027-03-31   ^lud.*variant=blocked     compiler bug 1234, fixed in the next release
//
// the last day on which it holds (UTC), a regular expression without blanks (ECMAScript, searched in the name
// of the point; \s stands for a blank), and the reason, which goes on to the end of the line. Lines that
// begin with # and empty lines are skipped.
#pragma once

#include <string>
#include <vector>

namespace dwarfsweep {

struct AllowedPoint {
  int line = 0;
  std::string until;   ///< "2027-03-31"
  std::string points;  ///< the regular expression
  std::string reason;
};

struct AllowList {
  std::string file;
  std::vector<AllowedPoint> entries;
  std::string today;  ///< "2026-11-22"; entries until before have expired

  /// The entries that match the point, those that hold first.
  [[nodiscard]] std::vector<const AllowedPoint*> matches(const std::string& point) const;
  [[nodiscard]] bool has_expired(const AllowedPoint& entry) const { return entry.until < today; }
};

/// Throws InputError naming file and line.
AllowList read_allow_list(const std::string& file, const std::string& today);
/// The same for a text; `file` is its name in messages.
AllowList parse_allow_list(const std::string& file, const std::string& text, const std::string& today);

}  // namespace dwarfsweep
