#include "suite/engine/variant_failures.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dwarfsweep {
namespace {

std::string device_and_dwarf(const PointKey& key) {
  return key.device_id + "|" + key.dwarf + "|";
}

std::string variant_key(const SweepPoint& point) {
  return device_and_dwarf(point.key) + point.request.config.string("variant");
}

// The first sentence or so: the whole is in the row of the point that failed.
std::string shortened(const std::string& reason) {
  constexpr std::size_t max_length = 120;
  return reason.size() <= max_length ? reason : reason.substr(0, reason.rfind(' ', max_length)) + " ...";
}

}  // namespace

bool is_failure(Status status) {
  return status != Status::ok && status != Status::rejected && status != Status::unsupported &&
         status != Status::not_run;
}

void VariantFailures::count_success(const SweepPoint& point) {
  failures_[variant_key(point)].in_row = 0;
}

void VariantFailures::count_failure(const SweepPoint& point, Status status, const std::string& reason) {
  if (!is_failure(status)) return;
  Failures& failures = failures_[variant_key(point)];
  ++failures.in_row;
  failures.last = fmt::format("{}: {}", to_string(status), shortened(reason));
}

bool VariantFailures::given_up(const SweepPoint& point) const {
  const auto failures = failures_.find(variant_key(point));
  return give_up_after_ > 0 && failures != failures_.end() && failures->second.in_row >= give_up_after_;
}

std::string VariantFailures::reason(const SweepPoint& point) const {
  const auto found = failures_.find(variant_key(point));
  const Failures failures = found == failures_.end() ? Failures{} : found->second;
  return fmt::format("variant '{}' failed {} times in a row on this device; the last: {}",
                     point.request.config.string("variant"), failures.in_row, failures.last);
}

void VariantFailures::give_another_chance(const SweepGroup& group) {
  const std::string prefix = device_and_dwarf(group.points.front().key);
  for (auto& [variant, failures] : failures_) {
    if (variant.rfind(prefix, 0) == 0)
      failures.in_row = std::min(failures.in_row, std::max(0, give_up_after_ - 1));
  }
}

}  // namespace dwarfsweep
