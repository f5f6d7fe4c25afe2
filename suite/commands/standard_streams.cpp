#include "suite/commands/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace dwarfsweep {

void open_missing_streams() {
  int file = STDIN_FILENO;
  // Each open() takes the lowest free number.
  while (file >= 0 && file <= STDERR_FILENO) file = ::open("/dev/null", O_RDWR);
  if (file > STDERR_FILENO) ::close(file);
}

}  // namespace dwarfsweep
