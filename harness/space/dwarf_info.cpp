#include "harness/space/dwarf_info.hpp"

namespace dwarfsweep {

PaperSetting::PaperSetting(std::string_view published, ValueMap published_problem,
                           ValueMap published_settings)
    : figure(published), problem(std::move(published_problem)), settings(std::move(published_settings)) {}
PaperSetting::PaperSetting(const PaperSetting&) = default;
PaperSetting::PaperSetting(PaperSetting&&) noexcept = default;
PaperSetting& PaperSetting::operator=(const PaperSetting&) = default;
PaperSetting& PaperSetting::operator=(PaperSetting&&) noexcept = default;
PaperSetting::~PaperSetting() = default;

DwarfInfo::DwarfInfo() = default;
DwarfInfo::DwarfInfo(const DwarfInfo&) = default;
DwarfInfo::DwarfInfo(DwarfInfo&&) noexcept = default;
DwarfInfo& DwarfInfo::operator=(const DwarfInfo&) = default;
DwarfInfo& DwarfInfo::operator=(DwarfInfo&&) noexcept = default;
DwarfInfo::~DwarfInfo() = default;

std::string_view to_string(Arithmetic arithmetic) {
  switch (arithmetic) {
    case Arithmetic::integer:
      return "integer";
    case Arithmetic::logic:
      return "logic";
    default:
      return "float";
  }
}

Axis submission_axis() {
  return {"submission",
          "queue: launches one by one; command_buffer: recorded and submitted as a whole, where the device "
          "has command buffers",
          {"queue", "command_buffer"},
          "queue"};
}

}  // namespace dwarfsweep
