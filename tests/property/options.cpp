#include "tests/property/options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <functional>
#include <map>

#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"
#include "tests/daily_seed.hpp"

namespace dwarfsweep::property {
namespace {

std::int64_t integer(const std::string& name, const std::string& text, std::int64_t least,
                     std::int64_t most) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < least || number > most) {
    throw UsageError(
        fmt::format("{} is '{}', but must be an integer from {} to {}", name, text, least, most));
  }
  return number;
}

std::vector<const Dwarf*> dwarfs_of(const std::string& text) {
  std::vector<const Dwarf*> dwarfs;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    dwarfs.push_back(&find_dwarf(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return dwarfs;
}

}  // namespace

std::string help_text() {
  return "dwarfsweep_properties [options]: random problems with random legal configurations, each verified\n"
         "  --device SEL        as dwarfsweep's (default: pocl)\n"
         "  --dwarf D,..        default: all\n"
         "  --seconds N         of all dwarfs together, which share them evenly (default: 60)\n"
         "  --seed N|daily      the n-th trials of a dwarf depend on nothing else (default: 1)\n"
         "  --processes N       that work side by side (default: 1)\n"
         "  --elements N        bound on the size of a problem (default: 4194304)\n"
         "  --problems N        with each configuration (default: 4)\n"
         "  --trial-limit N     seconds of one trial, with its build (default: 60)\n"
         "  --kernels DIR       edited .cl files instead of those in the program\n"
         "Exit status: 0 no trial failed, 1 some did, 2 usage, 3 no device.\n";
}

CampaignSettings parse_options(const std::vector<std::string>& arguments) {
  constexpr std::int64_t many = 1'000'000;
  CampaignSettings settings;
  settings.selector = "pocl";
  settings.dwarfs = built_in_dwarfs();
  using Setter = std::function<void(const std::string&, const std::string&)>;
  const std::map<std::string, Setter> options = {
      {"--device", [&](const auto&, const auto& text) { settings.selector = text; }},
      {"--dwarf", [&](const auto&, const auto& text) { settings.dwarfs = dwarfs_of(text); }},
      {"--seconds",
       [&](const auto& name, const auto& text) {
         settings.time = std::chrono::seconds(integer(name, text, 1, many));
       }},
      {"--seed",
       [&](const auto& name, const auto& text) {
         settings.seed = text == "daily" ? test::daily_seed()
                                         : static_cast<std::uint64_t>(integer(name, text, 0, INT64_MAX));
       }},
      {"--processes",
       [&](const auto& name, const auto& text) {
         settings.processes = static_cast<int>(integer(name, text, 1, 1024));
       }},
      {"--elements",
       [&](const auto& name, const auto& text) {
         settings.draw.elements = integer(name, text, 1, std::int64_t{1} << 30);
       }},
      {"--problems",
       [&](const auto& name, const auto& text) {
         settings.draw.problems = static_cast<int>(integer(name, text, 1, many));
       }},
      {"--trial-limit",
       [&](const auto& name, const auto& text) {
         settings.runner.limit = std::chrono::seconds(integer(name, text, 1, many));
       }},
      {"--kernels", [&](const auto&, const auto& text) { settings.runner.kernels = text; }}};
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    const auto found = options.find(arguments[i]);
    if (found == options.end()) {
      throw UsageError(fmt::format("there is no option '{}'; --help lists them", arguments[i]));
    }
    if (i + 1 == arguments.size()) throw UsageError(fmt::format("{} needs a value", arguments[i]));
    found->second(arguments[i], arguments[i + 1]);
  }
  return settings;
}

}  // namespace dwarfsweep::property
