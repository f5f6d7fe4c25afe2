// Work of a known amount, for testing timers: the kernel `spin`, whose time is linear in its work.
#pragma once

#include "harness/run/launcher.hpp"

namespace dwarfsweep {

/// What one launch of spin does: so many work-items, each so many dependent steps.
struct SpinWork {
  std::size_t items = 64;
  cl_uint loops = 100;

  [[nodiscard]] SpinWork tenfold() const { return {items, 10 * loops}; }
};

class Spinner {
 public:
  explicit Spinner(Session& session);

  /// Enqueues; does not wait.
  void launch(Launcher& launcher, const SpinWork& work);
  /// The host's time of one launch with a finish, median of five.
  double host_ns(Launcher& launcher, const SpinWork& work);
  /// Work that takes about `target_ns` of the host's time. First the loops grow, up to where tenfold work
  /// stays below llvmpipe's limit of 65,535 iterations; then, where many cores or a fast one make that too
  /// little, the work-items.
  SpinWork calibrated(Launcher& launcher, double target_ns);

 private:
  Workspace workspace_;
  Buffer<cl_uint> out_;
  Kernel spin_;
};

}  // namespace dwarfsweep
