// What a driver can do wrong for real: hang, end its process, and run kernels that write anywhere or never
// end.
#pragma once

#include <CL/cl_icd.h>

#include <cstddef>
#include <string>

[[noreturn]] void hang_with_signals_blocked();

/// Ends the process with bytes of its own among a worker's answers.
[[noreturn]] void answer_and_die(const char* bytes, size_t count);

/// In the program's own queue.
void run_wild_kernel(const cl_icd_dispatch& driver, cl_command_queue queue);
void run_endless_kernel(const cl_icd_dispatch& driver, cl_command_queue queue);

/// What a fault "timer_..." makes of a timestamp.
cl_ulong false_timestamp(const std::string& fault, cl_profiling_info name, cl_ulong true_ns);
