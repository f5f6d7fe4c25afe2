// What can become of a point, and the errors that a person sees. Only `main` turns them into an exit status.
//
// Every message is one sentence that names what was wrong and what is allowed.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

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

/// A failure is a row with a reason, never a missing row, never a zero.
enum class Status {
  ok,
  rejected,       ///< not legal on this device or for this problem; nothing was launched
  unsupported,    ///< the device lacks something the point needs (images, fp64, ...)
  not_run,        ///< left out: the budget was spent, or its variant kept failing; says nothing of the point
  build_failed,   ///< the device's compiler refused the kernel
  launch_failed,  ///< an OpenCL call failed
  wrong_result,   ///< the output is not what the reference says; such a point is never timed
  timed_out,      ///< the limit of the point was reached; the worker was killed
  crashed,        ///< the worker died
  out_of_memory,  ///< host or device memory does not suffice
};

std::string_view to_string(Status status);
/// The status of that name; none where there is no such.
std::optional<Status> status_from_string(std::string_view name);

/// A point cannot be measured, for the reason given.
class PointFailure : public std::runtime_error {
 public:
  PointFailure(Status status, const std::string& reason) : std::runtime_error(reason), status_(status) {}
  [[nodiscard]] Status status() const { return status_; }

 private:
  Status status_;
};

}  // namespace dwarfsweep
