// The standard streams of the program.
#pragma once

namespace dwarfsweep {

/// Opens /dev/null for each of standard input, output and error that the program was started without: else
/// the next file or pipe would get its number, and what is printed would go there.
void open_missing_streams();

}  // namespace dwarfsweep
