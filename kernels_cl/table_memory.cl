// Where look-up tables lie, by the axis `memory`: the address space that a kernel is given them in, and the one that it
// looks them up in. Part of kernels with MEMORY_CONSTANT, MEMORY_LOCAL and MEMORY_GLOBAL.

#if MEMORY == MEMORY_CONSTANT
#define GIVEN_SPACE constant
#define TABLE_SPACE constant
#elif MEMORY == MEMORY_LOCAL
#define GIVEN_SPACE global
#define TABLE_SPACE local
#else
#define GIVEN_SPACE global
#define TABLE_SPACE global
#endif
