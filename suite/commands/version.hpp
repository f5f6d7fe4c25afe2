// Which version of the program this is.
#pragma once

#include <string>

namespace dwarfsweep {

std::string program_version();

/// The git revision; with a hash of the kernels where they are edited: those of the folder `kernels`, or
/// those of a working tree that differed from its revision.
std::string program_revision(const std::string& kernels);

/// A hash of the kernel files used: those of the folder `kernels`, or the embedded ones where it is empty.
/// Throws UsageError where the folder lacks one.
std::string kernels_hash(const std::string& kernels);

/// Version and revision, as --version prints them.
std::string version_text();

}  // namespace dwarfsweep
