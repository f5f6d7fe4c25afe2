#include "suite/engine/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "suite/record/duration.hpp"

namespace dwarfsweep {
namespace {

std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

}  // namespace

Progress::Progress(const TimeBudget& budget) : budget_(budget), terminal_(::isatty(STDERR_FILENO) == 1) {}

void Progress::show(const std::string& current) {
  const auto now = std::chrono::steady_clock::now();
  // A terminal is slow, and nobody reads faster.
  if (!terminal_ || (shown_ && now - last_ < std::chrono::milliseconds(100))) return;
  last_ = now;
  shown_ = true;
  std::string line = fmt::format("[{}/{}] ", done_, total_);
  if (!budget_.unlimited()) line += fmt::format("about {} left · ", human_duration(budget_.left()));
  line += remark_ + current;
  fmt::print(stderr, "\r\x1b[K{}", line.substr(0, terminal_width() - 1));
  std::fflush(stderr);
}

void Progress::clear() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
  shown_ = false;
}

}  // namespace dwarfsweep
