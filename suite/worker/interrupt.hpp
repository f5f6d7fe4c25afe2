// Ctrl-C: it ends what is under way cleanly instead of ending the program.
#pragma once

#include <stdexcept>

namespace dwarfsweep {

/// The user pressed Ctrl-C, or the program was asked to terminate.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

/// The exit status of a program that was interrupted.
inline constexpr int exit_interrupted = 130;

/// From now on SIGINT and SIGTERM end a request to a worker with Interrupted instead of ending the program. A
/// second one ends the program at once, whatever it waits for; --resume completes what is left.
void catch_interrupts();
[[nodiscard]] bool interrupted();
/// In the thread that calls it: Ctrl-C is for the main thread, which waits for it.
void leave_interrupts_to_main_thread();

}  // namespace dwarfsweep
