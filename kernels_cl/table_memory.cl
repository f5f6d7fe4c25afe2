// The address space of look-up tables, by the axis `memory`: GIVEN_SPACE is that of the kernel's argument, TABLE_SPACE
// the one that the look-ups read. Included by kernel files with MEMORY_CONSTANT, MEMORY_LOCAL and MEMORY_GLOBAL.

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
