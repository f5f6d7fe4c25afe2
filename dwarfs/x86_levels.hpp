// Loops of the host that are compiled for several x86 processors.
#pragma once

/// Before a function: it is compiled for x86-64-v4, x86-64-v3 and any x86-64, and the one that suits the
/// processor is called. What OpenMP makes of a loop's body does not inherit it: it stands at a function that
/// the body calls. Not with sanitizers, which are not ready yet when the choice is made.
#if defined(__x86_64__) && !defined(DWARFSWEEP_SANITIZED)
#define FOR_EACH_X86_LEVEL __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FOR_EACH_X86_LEVEL
#endif
