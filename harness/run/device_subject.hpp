// A case on an OpenCL device.
#pragma once

#include <utility>

#include "harness/device/caches.hpp"
#include "harness/run/launcher.hpp"
#include "harness/run/subject.hpp"
#include "harness/run/workspace.hpp"

namespace dwarfsweep {

class DeviceSubject final : public Subject {
 public:
  /// All references must outlive the subject, but for `config`.
  DeviceSubject(Session& session, Workspace& workspace, Case& subject, const Config& config,
                const CacheOptions& caches);

  /// Poisons the outputs first; the check includes the guard bands.
  Check verify() override;
  Check check_output() override;
  Sample sample(std::int64_t launches) override;
  void run_back_to_back(std::int64_t launches) override;
  [[nodiscard]] bool gains_from_caches(double run_ns) const override;
  [[nodiscard]] std::uint64_t device_bytes() const override { return workspace_.device_bytes(); }

 private:
  void allocate_flush();
  /// Begin and end by the host's clock; the launcher keeps the times.
  std::pair<std::int64_t, std::int64_t> run_once();

  Session& session_;
  Workspace& workspace_;
  Case& case_;
  Launcher launcher_;
  CacheOptions caches_;
  Buffer<cl_uint> flush_;  // empty unless caches are to be cold
  cl_uint flushes_ = 0;
};

}  // namespace dwarfsweep
