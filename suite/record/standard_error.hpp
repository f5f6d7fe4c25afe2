// Messages for people, on standard error.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

namespace dwarfsweep {

/// A standard error that is full or closed must not end a run, as fmt::print does by an exception.
void write_stderr(const std::string& text);

template <typename... Values>
void print_stderr(fmt::format_string<Values...> text, Values&&... values) {
  write_stderr(fmt::format(text, std::forward<Values>(values)...));
}

}  // namespace dwarfsweep
