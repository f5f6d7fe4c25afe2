#include "misdeeds.hpp"

#include <unistd.h>

#include <csignal>

namespace {

constexpr const char* wild_source =
    "kernel void wild(global int* p) {"
    "  for (ulong i = 0; i < 4096; ++i) p[(i + get_global_id(0)) << 24] = 0x5a5a5a5a;"
    "}";
constexpr const char* endless_source =
    "kernel void endless(global volatile int* p) { while (p[0] == 0) p[1 + get_global_id(0)] += 2; }";

void run_kernel(const cl_icd_dispatch& driver, cl_command_queue queue, const char* source, const char* name) {
  cl_context context = nullptr;
  cl_device_id device = nullptr;
  driver.clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr);
  driver.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
  const cl_program program = driver.clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
  driver.clBuildProgram(program, 1, &device, "", nullptr, nullptr);
  const cl_kernel kernel = driver.clCreateKernel(program, name, nullptr);
  const cl_mem buffer = driver.clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, nullptr, nullptr);
  const cl_int zero = 0;
  driver.clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, 4096, 0, nullptr, nullptr);
  driver.clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  const size_t items = 64;
  driver.clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr);
  driver.clFlush(queue);
}

}  // namespace

void hang_with_signals_blocked() {
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_BLOCK, &all, nullptr);
  for (;;) ::pause();
}

void answer_and_die(const char* bytes, size_t count) {
  constexpr int answers = 3;
  [[maybe_unused]] const ssize_t written = ::write(answers, bytes, count);
  ::_exit(0);
}

void run_wild_kernel(const cl_icd_dispatch& driver, cl_command_queue queue) {
  run_kernel(driver, queue, wild_source, "wild");
}

void run_endless_kernel(const cl_icd_dispatch& driver, cl_command_queue queue) {
  run_kernel(driver, queue, endless_source, "endless");
}

cl_ulong false_timestamp(const std::string& fault, cl_profiling_info name, cl_ulong true_ns) {
  static int events = 0;
  constexpr cl_ulong some_time = 1'000'000'000'000;
  const bool is_end = name == CL_PROFILING_COMMAND_END;
  if (fault == "timer_0123") return name - CL_PROFILING_COMMAND_QUEUED;
  if (fault == "timer_zero") return 0;
  if (fault == "timer_same") return some_time;
  if (fault == "timer_reversed") return is_end ? true_ns - some_time / 10 : true_ns;
  if (fault == "timer_billions") return is_end ? true_ns + 1'000'000 * some_time : true_ns;
  // Good at the self-test of some dozens of launches, later now and then not.
  if (fault == "timer_sometimes_reversed" && is_end && ++events > 100 && events % 5 == 0) {
    return true_ns - some_time / 10;
  }
  return true_ns;
}
