#include "suite/worker/interrupt.hpp"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>

namespace dwarfsweep {
namespace {

std::atomic<std::int64_t> first_seen_ns{0};  // 0: not yet
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "a signal handler may touch nothing else");

// Calls only what POSIX allows in a signal handler.
void on_interrupt(int) {
  // timeout(1) and job schedulers send one request twice: to the process, and to its group.
  constexpr std::int64_t same_request_ns = 200'000'000;
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t now_ns = std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
  std::int64_t first_ns = 0;
  if (first_seen_ns.compare_exchange_strong(first_ns, now_ns) || now_ns - first_ns < same_request_ns) return;
  ::_exit(exit_interrupted);  // workers die with their parent
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;  // without SA_RESTART: poll() must return
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
}

bool interrupted() {
  return first_seen_ns != 0;
}

void leave_interrupts_to_main_thread() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGINT);
  ::sigaddset(&signals, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace dwarfsweep
