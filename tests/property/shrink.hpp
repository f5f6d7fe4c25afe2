// From a failing trial to the smallest that fails: RapidCheck's search, with candidates that stay legal.
#pragma once

#include <rapidcheck/Seq.h>

#include <functional>
#include <string>

#include "harness/space/error.hpp"
#include "tests/property/trial.hpp"

namespace dwarfsweep::property {

struct Outcome {
  Status status = Status::ok;
  std::string reason;

  /// The kernels or the host are wrong, or the driver is. A trial that was declined for want of memory, or
  /// that a driver needed too long for, is none.
  [[nodiscard]] bool is_failure() const;
};

/// Legal trials that are smaller, the smallest first: axes at or nearer to the default of the variant, keys
/// at or nearer to the preset (strings, real numbers) or the least value (integers).
rc::Seq<Trial> smaller(const Trial& trial, const Capabilities& capabilities);

struct Shrunk {
  Trial trial;
  Outcome outcome;
};

/// Follows failing candidates until none is left that fails, or `goes_on` says no.
Shrunk shrink(const Trial& failing, const Outcome& outcome, const Capabilities& capabilities,
              const std::function<Outcome(const Trial&)>& run, const std::function<bool()>& goes_on);

}  // namespace dwarfsweep::property
