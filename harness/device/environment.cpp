#include "harness/device/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

namespace dwarfsweep {
namespace {

constexpr std::array<std::string_view, 6> secrets = {"KEY", "TOKEN", "SECRET", "PASS", "AUTH", "CRED"};

}  // namespace

std::map<std::string, std::string> environment_of(std::span<const std::string_view> prefixes,
                                                  std::span<const std::string_view> except) {
  std::map<std::string, std::string> found;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    const auto begins = [&](std::string_view prefix) { return name.starts_with(prefix); };
    const auto holds = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
    if (name.size() == text.size() || std::ranges::none_of(prefixes, begins)) continue;
    if (std::ranges::any_of(secrets, holds) || std::ranges::any_of(except, holds)) continue;
    found[std::string(name)] = text.substr(name.size() + 1);
  }
  return found;
}

}  // namespace dwarfsweep
