// A run as others may see it: without what names its machine, its user and their folders.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "suite/record/record.hpp"
#include "suite/sharing/bundle.hpp"

namespace dwarfsweep {

/// The arguments of a command line that name files, folders or hosts, by their places.
using PrivateArguments = std::function<std::vector<std::size_t>(const std::vector<std::string>& arguments)>;

struct SharedRuns {
  Bundle bundle;
  std::vector<std::string> stays;    ///< lines for the user: what the bundle says of the machine
  std::vector<std::string> removed;  ///< lines for the user, too
};

/// The files of the runs, each made from its log. The order of `runs` does not matter. Throws UsageError for
/// a folder without a log, and InputError.
SharedRuns share_runs(const std::vector<std::filesystem::path>& runs,
                      const PrivateArguments& private_arguments);

/// Replaces what is private in texts.
class Redaction {
 public:
  /// The words of this text are public, such as a device's name: added from now on, they stay.
  void keep(const std::string& text) { kept_ += text + "\n"; }
  /// Names of hosts become "host", "host-2", ...; each name once.
  void add_host(const std::string& name);
  void add_user(const std::string& name);
  /// Words that stand for files and folders, as the user has given them.
  void add_file(const std::string& name);

  /// Also without absolute paths and those that begin with a dot or a tilde.
  [[nodiscard]] std::string redacted(std::string text) const;
  /// The same for every text in it, keys of objects included.
  [[nodiscard]] Json redacted(const Json& json) const;

 private:
  struct Word {
    std::string name, substitute;
  };
  void add(const std::string& name, const std::string& substitute);

  std::string kept_;
  std::vector<Word> words_;  // the longest first
  std::size_t hosts_ = 0;
};

/// Files of the bundle that are made from a log: measurements.csv, samples.csv, run.json and digests.json, by
/// name.
std::map<std::string, std::string> files_of_log(const RunLog& log);

}  // namespace dwarfsweep
