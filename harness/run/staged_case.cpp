#include "harness/run/staged_case.hpp"

#include <array>
#include <bit>
#include <utility>

#include "harness/device/host.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep {
namespace {

// Read as floats they are from 0.5 to 2, read as integers large.
std::array<std::uint32_t, 2> words_of_noise(std::uint64_t seed) {
  Random random(seed);
  const auto word = [&] {
    return std::bit_cast<std::uint32_t>(static_cast<float>(0.5 + 1.5 * random.uniform01()));
  };
  const std::uint32_t first = word();
  return {first, word()};
}

}  // namespace

StagedCase::StagedCase(Session& session, const Dwarf& dwarf, const Loaded& loaded, const Config& config,
                       std::unique_ptr<StagedCase> before)
    : session_(session),
      workspace_(std::make_unique<Workspace>(session, before ? before->workspace_.get() : nullptr)),
      launcher_(session, Launcher::submission_of(config)) {
  before.reset();
  case_ = dwarf.prepare(*workspace_, loaded, config);
  workspace_->forget_inherited();
}

StagedCase::~StagedCase() = default;

void StagedCase::stage(Leftovers leftovers, std::uint64_t seed) {
  case_->upload();
  if (leftovers == Leftovers::poison) workspace_->poison();
  if (leftovers == Leftovers::noise) workspace_->fill_outputs(words_of_noise(seed));
  case_->reset();
  launcher_.finish();
}

Sample StagedCase::launch() {
  Sample sample;
  readings_ = {};
  session_.use_readings(&readings_);
  launcher_.begin();
  launcher_.keep_times(session_.timing().timer == Timer::device);
  launcher_.begin_run();
  sample.host_begin_ns = now_ns();
  case_->launch(launcher_);
  launcher_.finish();
  sample.host_end_ns = now_ns();
  session_.use_readings(nullptr);
  sample.wall_ns = static_cast<double>(sample.host_end_ns - sample.host_begin_ns);
  launcher_.collect(sample);
  return sample;
}

std::optional<std::string> StagedCase::collect() {
  session_.use_readings(&readings_);
  case_->download();
  session_.use_readings(nullptr);
  return workspace_->broken_guard();
}

Check check_readings(const DeviceInfo& device, const Dwarf& dwarf, const Loaded& loaded, const Config& config,
                     Readings readings) {
  SessionOptions options;
  options.dry_run = true;
  Session session(device, options);
  Workspace workspace(session);
  const auto checked = dwarf.prepare(workspace, loaded, config);
  Launcher launcher(session);
  checked->upload();
  checked->reset();
  session.use_readings(&readings);
  checked->launch(launcher);
  checked->download();
  return checked->check();
}

}  // namespace dwarfsweep
