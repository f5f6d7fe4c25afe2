// The frame of a page: one file with its style and its script, which nothing else may run in or load into.
#pragma once

#include <string>
#include <string_view>

namespace dwarfsweep {

struct PageScript {
  std::string_view text;
  std::string_view sha256;  ///< hexadecimal, of the text
};

/// `body` is HTML.
std::string html_page(const std::string& title, const std::string& body, const PageScript& script);

}  // namespace dwarfsweep
