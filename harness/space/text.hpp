// Text as drivers and files give it.
#pragma once

#include <string>

namespace dwarfsweep {

/// Without white space and zero bytes at the end, nor white space at the beginning.
std::string trimmed(std::string text);
/// With A to Z as a to z.
std::string lower(std::string text);

}  // namespace dwarfsweep
