#include "suite/engine/sweep_context.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "suite/record/duration.hpp"
#include "suite/record/standard_error.hpp"

namespace dwarfsweep {
namespace {

std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

}  // namespace

std::chrono::milliseconds TimeBudget::left() const {
  if (unlimited()) return milliseconds(-1);
  return std::max(milliseconds(0), total_ - spent());
}

std::chrono::milliseconds TimeBudget::left_to_share() const {
  return std::max(milliseconds(0), left() - reserve());
}

std::string progress_text(TimeBudget::milliseconds spent, TimeBudget::milliseconds budget, std::size_t done,
                          std::size_t points) {
  const std::string counted = points == 0 ? "" : fmt::format("{} of {} points", done, points);
  if (budget.count() > 0) {
    const auto left = std::max(TimeBudget::milliseconds(0), budget - spent);
    return fmt::format("{} % of the time{}{}, at most {} left", 100 * (budget - left) / budget,
                       counted.empty() ? "" : ", ", counted, human_duration(left));
  }
  const std::string gone =
      fmt::format("{}{}{} gone", counted, counted.empty() ? "" : ", ", human_duration(spent));
  if (done == 0 || done > points) return gone;
  const double share_left = static_cast<double>(points - done) / static_cast<double>(done);
  const TimeBudget::milliseconds left(
      static_cast<std::int64_t>(share_left * static_cast<double>(spent.count())));
  return fmt::format("{}, about {} left", gone, human_duration(left));
}

Progress::Progress(const TimeBudget& budget) : budget_(budget), terminal_(::isatty(STDERR_FILENO) == 1) {}

void Progress::show(const std::string& current) {
  const auto now = std::chrono::steady_clock::now();
  // A terminal is slow, and nobody reads faster.
  if (!terminal_ || (shown_ && now - last_ < std::chrono::milliseconds(100))) return;
  last_ = now;
  shown_ = true;
  const std::string line =
      progress_text(budget_.spent(), budget_.total(), done_, total_) + " · " + remark_ + current;
  print_stderr("\r\x1b[K{}", line.substr(0, terminal_width() - 1));
}

void Progress::clear() {
  if (shown_) print_stderr("\r\x1b[K");
  shown_ = false;
}

SweepContext::SweepContext(const Options& given, const std::filesystem::path& folder, RunLog&& known,
                           std::optional<std::chrono::milliseconds> total)
    : options(given),
      log(folder, std::move(known)),
      budget(total.value_or(given.budget)),
      progress(budget),
      outcomes(log, options.cache, options.give_up_after) {}

SweepContext::SweepContext(const Options& given)
    : options(given),
      budget(given.budget),
      progress(budget),
      outcomes(log, options.cache, options.give_up_after) {
  progress.silence();
}

}  // namespace dwarfsweep
