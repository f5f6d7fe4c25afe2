// Linked with fmt_once.cpp at configuration, to see whether the installed version of fmt can be used that
// way: every kind of formatting that the project uses.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <ctime>
#include <iterator>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  const double value = 1.5 * argc;
  std::string text = fmt::format("{} {:>5} {:.3g} {} {:#x} {}", argc, argv[0], value, 2.5F, argc, true);
  text +=
      fmt::format("{:.3f} {:e} {:L} {}", value, value, argc, fmt::join(std::vector<double>(2, value), ", "));
  fmt::format_to(std::back_inserter(text), "{} {:%Y-%m-%d}", text, fmt::gmtime(std::time(nullptr)));
  fmt::print("{}\n", text);
  fmt::print(stderr, "{}\n", std::vector<int>(2, argc));
}
