// The errors that a person sees. Only `main` turns them into an exit status.
//
// Every message is one sentence that names what was wrong and what is allowed.
#pragma once

#include <stdexcept>
#include <string>

namespace dwarfsweep {

/// A wrong option, axis, value, problem or input file: the user can correct it. Exit status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An input file that does not hold what its format promises. The message names file, place and expectation.
class InputError : public UsageError {
 public:
  /// `place` is for example "line 7" or "byte 12"; empty where the file as a whole is meant.
  InputError(const std::string& file, const std::string& place, const std::string& what)
      : UsageError(file + (place.empty() ? "" : ", " + place) + ": " + what) {}
};

/// No device matches, or there is none at all. Exit status 3.
class NoDeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace dwarfsweep
