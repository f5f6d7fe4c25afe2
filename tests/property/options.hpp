// The command line of the property tests.
#pragma once

#include <string>
#include <vector>

#include "tests/property/campaign.hpp"

namespace dwarfsweep::property {

std::string help_text();

/// `arguments` without the program's name. Throws UsageError that names the option and what is allowed.
CampaignSettings parse_options(const std::vector<std::string>& arguments);

}  // namespace dwarfsweep::property
