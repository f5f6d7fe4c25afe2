// What the program and the static libraries take from glibc 2.32 to 2.36, for the program of the packages,
// which is linked against an older one (DWARFSWEEP_LIBC_ROOT).
#include <unistd.h>

#include <cstdint>

extern "C" {

// libstdc++: false only means that reference counts are atomic.
char __libc_single_threaded = 0;

// libstdc++: std::random_device.
std::uint32_t arc4random() {
  std::uint32_t number = 0;
  if (::getentropy(&number, sizeof number) != 0) ::_exit(127);
  return number;
}

const char* sigabbrev_np(int signal) {
  // The numbers of x86-64 and AArch64.
  static const char* const names[] = {nullptr,  "HUP",  "INT",    "QUIT", "ILL",   "TRAP", "ABRT", "BUS",
                                      "FPE",    "KILL", "USR1",   "SEGV", "USR2",  "PIPE", "ALRM", "TERM",
                                      "STKFLT", "CHLD", "CONT",   "STOP", "TSTP",  "TTIN", "TTOU", "URG",
                                      "XCPU",   "XFSZ", "VTALRM", "PROF", "WINCH", "POLL", "PWR",  "SYS"};
  return signal > 0 && signal < 32 ? names[signal] : nullptr;
}
}
