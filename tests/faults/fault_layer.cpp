// An OpenCL layer that makes a good driver misbehave, so that the program can be seen to survive it. The
// loader puts it between the program and every driver (OPENCL_LAYERS=<this library>); the product knows
// nothing of it.
//
//   FAULT         what goes wrong: a name of `strike` below, or of misdeeds.cpp's timers, or "limits". With
//                 "told_times" (told_times.hpp) or "whole_writes" nothing does: all of a buffer is written,
//                 as Oclgrind's check for uninitialised memory remembers only what the host wrote of it last
//   FAULT_WHERE   only with programs whose build options hold this text (default: the program's points, not
//                 the harness's own kernels)
//   FAULT_NTH     from the n-th matching call of a process on (default 1); "read_crash" strikes when a result
//   is
//                 read after so many launches
//   FAULT_RUN     from the n-th uninterrupted row of matching launches on (default 1): the first prepares a
//   point FAULT_THEN    once FAULT_ONCE's file is there, programs with this in their options do not launch in
//   new processes FAULT_ONCE    a file: the fault makes it, and does not strike where it is there already.
//   For "vanish" the
//                 file means the opposite: the device is gone for good
//   With "memory" the device's memory ends: of the buffers made after the first matching build, FAULT_LIMITS
//   "memory=..." bytes exist at a time.
//   With "slower" kernels take FAULT_SLOWER times as long (slower_kernels.hpp).
//   FAULT_PAUSE   seconds that the first launch of the program's points takes longer in every process
//   FAULT_LIMITS  "work_group=1,local=8192,units=0,global=...,allocation=...": what the device says it
//                 has
//   FAULT_DEVICE  amd, intel or mali: the device appears as one of that kind, with its limits and its timer
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "device_memory.hpp"
#include "misdeeds.hpp"
#include "simulated_device.hpp"
#include "slower_kernels.hpp"
#include "told_times.hpp"

namespace {

const cl_icd_dispatch* driver = nullptr;
cl_icd_dispatch layer;

std::string setting(const char* name, const char* preset = "") {
  const char* const value = std::getenv(name);
  return value ? value : preset;
}

const std::string fault = setting("FAULT");
const std::string where = setting("FAULT_WHERE", "VARIANT");  // in every point's options, in no other's
const int from_call = std::atoi(setting("FAULT_NTH", "1").c_str());
const int from_run = std::atoi(setting("FAULT_RUN", "1").c_str());
const auto pause_of_first = static_cast<unsigned>(std::atoi(setting("FAULT_PAUSE", "0").c_str()));
const std::string once = setting("FAULT_ONCE");
const std::string fails_then =
    !once.empty() && ::access(once.c_str(), F_OK) == 0 ? setting("FAULT_THEN") : "";
const SimulatedDevice* const simulated = SimulatedDevice::wanted();

std::mutex state;
std::map<cl_program, std::string> options_of_program;
int matching_calls = 0;
int matching_runs = 0;  // of launches
bool last_launch_matched = false;
DeviceMemory memory;
ToldTimes told_times(fault == "told_times");
SlowerKernels slower_kernels(fault == "slower" ? std::atof(setting("FAULT_SLOWER", "1").c_str()) : 0);
std::set<cl_mem> given_to_matching;  // buffers
bool results_are_wrong = false;
std::thread stuck_thread;
bool vanished = fault == "vanish" && !once.empty() && ::access(once.c_str(), F_OK) == 0;

size_t limit(const std::string& name, size_t preset) {
  const std::string limits = "," + setting("FAULT_LIMITS");
  const size_t at = limits.find("," + name + "=");
  return at == std::string::npos ? preset : std::strtoull(limits.c_str() + at + name.size() + 2, nullptr, 10);
}

// Always, unless the fault strikes only once.
bool is_first_time() {
  if (once.empty() || fault == "vanish") return true;
  const int file = ::open(once.c_str(), O_CREAT | O_EXCL | O_WRONLY, 0644);
  if (file < 0) return false;
  ::close(file);
  return true;
}

// Whether it is time; counts this call.
bool strikes_now(const std::string& options) {
  if (options.find(where) == std::string::npos || ++matching_calls < from_call) return false;
  return is_first_time();
}

std::string options_of(cl_kernel kernel) {
  cl_program program = nullptr;
  driver->clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, nullptr);
  const std::lock_guard<std::mutex> lock(state);
  return options_of_program[program];
}

// The fault that a launch meets. CL_SUCCESS: continue with it.
cl_int strike(cl_command_queue queue) {
  if (fault == "wild_store") run_wild_kernel(*driver, queue);
  if (fault == "endless") run_endless_kernel(*driver, queue);
  if (fault == "driver_hang") hang_with_signals_blocked();
  if (fault == "thread_hang" && !stuck_thread.joinable())
    stuck_thread = std::thread(hang_with_signals_blocked);
  if (fault == "abort") {
    std::fprintf(stderr, "/opt/driver/source/driver.cc: assertion 'work < worth' failed in line 7\n");
    std::abort();
  }
  if (fault == "slow") std::this_thread::sleep_for(std::chrono::seconds(12));
  if (fault == "late_allocation") return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  if (fault == "refused_launch") return CL_INVALID_KERNEL_ARGS;
  if (fault == "half_line") answer_and_die("{\"result\": {\"stat", 17);
  if (fault == "not_json") answer_and_die("\x00\xff{]rubbish\n", 12);
  if (fault == "strange_answer") answer_and_die("{\"result\": {\"status\": 7}}\n", 26);
  if (fault == "strange_error") answer_and_die("{\"error\": [], \"status\": {}}\n", 28);
  if (fault == "silent_exit") ::_exit(0);
  if (fault == "vanish" || fault == "lost_context") {
    vanished = true;
    if (!once.empty()) ::close(::open(once.c_str(), O_CREAT | O_WRONLY, 0644));
  }
  return vanished ? CL_DEVICE_NOT_AVAILABLE : CL_SUCCESS;
}

// --- the entry points ---

cl_int CL_API_CALL build_program(cl_program program, cl_uint count, const cl_device_id* devices,
                                 const char* options, void(CL_CALLBACK* notify)(cl_program, void*),
                                 void* user) {
  if (vanished) return CL_DEVICE_NOT_AVAILABLE;
  std::string text = options ? options : "";
  bool now = false;
  {
    const std::lock_guard<std::mutex> lock(state);
    options_of_program[program] = text;
    if (fault == "memory" && text.find(where) != std::string::npos) memory.begin(limit("memory", SIZE_MAX));
    if (fault.find("build") != std::string::npos) now = strikes_now(text);
  }
  if (now && fault == "build_crash") {
    std::fprintf(stderr, "LLVM ERROR: cannot select: the pattern of a test\n");
    std::abort();
  }
  if (now && fault == "build_hang") hang_with_signals_blocked();
  if (now && fault == "build_slow") ::sleep(3);
  if (now && fault == "build_failure") text += " -Dkernel=no_such_word";
  if (simulated && count > 0) {
    const auto accepted = simulated->build_options(*driver, devices[0], text);
    if (!accepted) return CL_INVALID_BUILD_OPTIONS;
    text = *accepted;
  }
  return driver->clBuildProgram(program, count, devices, text.c_str(), notify, user);
}

cl_program CL_API_CALL create_program(cl_context context, cl_uint count, const char** texts,
                                      const size_t* lengths, cl_int* error) {
  if (!simulated) return driver->clCreateProgramWithSource(context, count, texts, lengths, error);
  std::string all = simulated->source_head(*driver, context);
  for (cl_uint i = 0; i < count; ++i)
    all += lengths && lengths[i] > 0 ? std::string(texts[i], lengths[i]) : texts[i];
  const char* text = all.c_str();
  return driver->clCreateProgramWithSource(context, 1, &text, nullptr, error);
}

cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                  const size_t* offset, const size_t* global, const size_t* local,
                                  cl_uint waits, const cl_event* wait, cl_event* event) {
  if (vanished) return CL_DEVICE_NOT_AVAILABLE;
  const std::string options = options_of(kernel);
  static std::once_flag paused;
  if (pause_of_first > 0 && options.find("VARIANT") != std::string::npos)
    std::call_once(paused, [] { ::sleep(pause_of_first); });
  if (!fails_then.empty() && options.find(fails_then) != std::string::npos) return CL_INVALID_KERNEL_ARGS;
  bool now = false;
  {
    const std::lock_guard<std::mutex> lock(state);
    const bool matches = options.find(where) != std::string::npos;
    if (matches && !last_launch_matched) ++matching_runs;
    last_launch_matched = matches;
    now = fault != "read_crash" && matching_runs >= from_run && strikes_now(options);
    if (fault == "read_crash" && matches) ++matching_calls;
    results_are_wrong |= now && fault == "wrong_result";
  }
  if (now) {
    if (const cl_int error = strike(queue); error != CL_SUCCESS) return error;
  }
  size_t items = 1;
  for (cl_uint i = 0; local && i < dimensions; ++i) items *= local[i];
  if (items > limit("work_group", items)) return CL_INVALID_WORK_GROUP_SIZE;
  if (simulated) {
    const cl_int judged = simulated->judge_launch(*driver, queue, kernel, dimensions, local);
    if (judged != CL_SUCCESS) return judged;
  }
  const cl_int error =
      driver->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits, wait, event);
  if (event && error == CL_SUCCESS && options.find(where) != std::string::npos) {
    told_times.enqueued(*event, options);
    slower_kernels.enqueued(*driver, *event);
  }
  return error;
}

cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t bytes, void* host,
                                 cl_int* error) {
  const bool fails = fault == "allocation" && [] {
    const std::lock_guard<std::mutex> lock(state);
    return strikes_now(where);
  }();
  if (fails || vanished || !memory.take(bytes)) {
    if (error) *error = vanished ? CL_DEVICE_NOT_AVAILABLE : CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return nullptr;
  }
  const cl_mem buffer = driver->clCreateBuffer(context, flags, bytes, host, error);
  memory.give_back_when_released(buffer, bytes, *driver);
  given_to_matching.erase(buffer);  // what had this address before is gone
  return buffer;
}

cl_context CL_API_CALL create_context(const cl_context_properties* properties, cl_uint count,
                                      const cl_device_id* devices,
                                      void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*),
                                      void* user, cl_int* error) {
  if (vanished) {
    if (error) *error = CL_DEVICE_NOT_AVAILABLE;
    return nullptr;
  }
  if (fault.rfind("open_", 0) == 0) std::fprintf(stderr, "layer: opening\n");
  if (fault == "open_hang") hang_with_signals_blocked();
  if (fault == "open_crash") std::abort();
  return driver->clCreateContext(properties, count, devices, notify, user, error);
}

cl_int CL_API_CALL finish(cl_command_queue queue) {
  if (stuck_thread.joinable()) stuck_thread.join();  // as a driver waits for a thread of its own
  return vanished ? CL_DEVICE_NOT_AVAILABLE : driver->clFinish(queue);
}

// Writes the whole of a buffer, some bytes of it changed.
template <typename Change>
cl_int rewrite(cl_command_queue queue, cl_mem buffer, Change change, cl_uint waits, const cl_event* wait,
               cl_event* event) {
  size_t bytes = 0;
  driver->clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr);
  std::vector<unsigned char> all(bytes);
  const cl_int error =
      driver->clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, all.data(), waits, wait, nullptr);
  if (error != CL_SUCCESS) return error;
  change(all.data());
  return driver->clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, all.data(), 0, nullptr, event);
}

cl_int CL_API_CALL fill_buffer(cl_command_queue queue, cl_mem buffer, const void* pattern,
                               size_t pattern_bytes, size_t offset, size_t bytes, cl_uint waits,
                               const cl_event* wait, cl_event* event) {
  if (vanished) return CL_DEVICE_NOT_AVAILABLE;
  if (fault == "whole_writes") {
    const auto* const first = static_cast<const unsigned char*>(pattern);
    const auto fill = [&](unsigned char* all) {
      for (size_t i = 0; i < bytes; ++i) all[offset + i] = first[i % pattern_bytes];
    };
    return rewrite(queue, buffer, fill, waits, wait, event);
  }
  return driver->clEnqueueFillBuffer(queue, buffer, pattern, pattern_bytes, offset, bytes, waits, wait,
                                     event);
}

cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                size_t bytes, const void* from, cl_uint waits, const cl_event* wait,
                                cl_event* event) {
  if (vanished) return CL_DEVICE_NOT_AVAILABLE;
  if (fault == "whole_writes") {
    const auto write = [&](unsigned char* all) { std::memcpy(all + offset, from, bytes); };
    return rewrite(queue, buffer, write, waits, wait, event);
  }
  return driver->clEnqueueWriteBuffer(queue, buffer, blocking, offset, bytes, from, waits, wait, event);
}

cl_int CL_API_CALL copy_buffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                               size_t to_offset, size_t bytes, cl_uint waits, const cl_event* wait,
                               cl_event* event) {
  if (vanished) return CL_DEVICE_NOT_AVAILABLE;
  if (fault == "whole_writes") {
    std::vector<unsigned char> piece(bytes);
    const cl_int error = driver->clEnqueueReadBuffer(queue, from, CL_TRUE, from_offset, bytes, piece.data(),
                                                     waits, wait, nullptr);
    if (error != CL_SUCCESS) return error;
    const auto copy = [&](unsigned char* all) { std::memcpy(all + to_offset, piece.data(), bytes); };
    return rewrite(queue, to, copy, 0, nullptr, event);
  }
  return driver->clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset, bytes, waits, wait, event);
}

cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                               size_t bytes, void* to, cl_uint waits, const cl_event* wait, cl_event* event) {
  if (vanished) return CL_DEVICE_NOT_AVAILABLE;
  if (fault == "read_crash" && given_to_matching.contains(buffer) && matching_calls >= from_call &&
      is_first_time())
    std::abort();
  const cl_int error =
      driver->clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset, bytes, to, waits, wait, event);
  // A bit in the middle, where a check that looks at the first or the last element alone would miss it.
  if (results_are_wrong && given_to_matching.contains(buffer) && error == CL_SUCCESS && bytes > 0) {
    static_cast<unsigned char*>(to)[bytes / 2] ^= 0x40U;
  }
  (void)blocking;
  return error;
}

cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t bytes, const void* value) {
  if (value && bytes == sizeof(cl_mem) && options_of(kernel).find(where) != std::string::npos) {
    cl_mem buffer = nullptr;
    std::memcpy(&buffer, value, sizeof buffer);
    given_to_matching.insert(buffer);
  }
  return driver->clSetKernelArg(kernel, index, bytes, value);
}

cl_mem CL_API_CALL create_sub_buffer(cl_mem whole, cl_mem_flags flags, cl_buffer_create_type type,
                                     const void* region, cl_int* error) {
  if (simulated && !simulated->is_aligned(static_cast<const cl_buffer_region*>(region)->origin)) {
    if (error) *error = CL_MISALIGNED_SUB_BUFFER_OFFSET;
    return nullptr;
  }
  const cl_mem buffer = driver->clCreateSubBuffer(whole, flags, type, region, error);
  given_to_matching.erase(buffer);
  return buffer;
}

cl_int CL_API_CALL profiling_info(cl_event event, cl_profiling_info name, size_t bytes, void* value,
                                  size_t* needed) {
  if (vanished) return CL_DEVICE_NOT_AVAILABLE;
  if (fault == "timer_refused") return CL_PROFILING_INFO_NOT_AVAILABLE;
  const cl_int error = driver->clGetEventProfilingInfo(event, name, bytes, value, needed);
  if (error == CL_SUCCESS && value) {
    auto* const time = static_cast<cl_ulong*>(value);
    *time = simulated ? simulated->timestamp(name, *time) : false_timestamp(fault, name, *time);
    *time = told_times.timestamp(event, name).value_or(*time);
    *time = slower_kernels.timestamp(event, name, *time);
  }
  return error;
}

template <typename Number>
void lower(void* value, const std::string& name) {
  auto* const number = static_cast<Number*>(value);
  *number = static_cast<Number>(std::min<size_t>(*number, limit(name, *number)));
}

cl_int CL_API_CALL device_info(cl_device_id device, cl_device_info name, size_t bytes, void* value,
                               size_t* needed) {
  const cl_int error = simulated ? simulated->device_info(*driver, device, name, bytes, value, needed)
                                 : driver->clGetDeviceInfo(device, name, bytes, value, needed);
  if (error != CL_SUCCESS || !value) return error;
  if (name == CL_DEVICE_MAX_WORK_GROUP_SIZE) lower<size_t>(value, "work_group");
  if (name == CL_DEVICE_LOCAL_MEM_SIZE) lower<cl_ulong>(value, "local");
  if (name == CL_DEVICE_MAX_COMPUTE_UNITS) lower<cl_uint>(value, "units");
  if (name == CL_DEVICE_GLOBAL_MEM_SIZE) lower<cl_ulong>(value, "global");
  if (name == CL_DEVICE_MAX_MEM_ALLOC_SIZE) lower<cl_ulong>(value, "allocation");
  if (name == CL_DEVICE_MAX_WORK_ITEM_SIZES) {
    for (size_t i = 0; i < bytes / sizeof(size_t); ++i)
      lower<size_t>(static_cast<size_t*>(value) + i, "work_group");
  }
  return error;
}

cl_int CL_API_CALL platform_info(cl_platform_id platform, cl_platform_info name, size_t bytes, void* value,
                                 size_t* needed) {
  return simulated ? simulated->platform_info(*driver, platform, name, bytes, value, needed)
                   : driver->clGetPlatformInfo(platform, name, bytes, value, needed);
}

cl_int CL_API_CALL device_ids(cl_platform_id platform, cl_device_type type, cl_uint entries,
                              cl_device_id* devices, cl_uint* count) {
  if (simulated && type == CL_DEVICE_TYPE_CPU) return CL_DEVICE_NOT_FOUND;
  return driver->clGetDeviceIDs(platform, simulated ? CL_DEVICE_TYPE_ALL : type, entries, devices, count);
}

cl_int CL_API_CALL kernel_info(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info name,
                               size_t bytes, void* value, size_t* needed) {
  const cl_int error = driver->clGetKernelWorkGroupInfo(kernel, device, name, bytes, value, needed);
  if (simulated && error == CL_SUCCESS && value) simulated->change_kernel_info(name, value);
  return error;
}

}  // namespace

extern "C" cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t bytes, void* value, size_t* needed) {
  if (name != CL_LAYER_API_VERSION) return CL_INVALID_VALUE;
  if (value && bytes < sizeof(cl_layer_api_version)) return CL_INVALID_VALUE;
  if (value) *static_cast<cl_layer_api_version*>(value) = CL_LAYER_API_VERSION_100;
  if (needed) *needed = sizeof(cl_layer_api_version);
  return CL_SUCCESS;
}

extern "C" cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch* target,
                                          cl_uint* entries_returned, const cl_icd_dispatch** returned) {
  if (!target || !returned || !entries_returned) return CL_INVALID_VALUE;
  driver = target;
  std::memcpy(&layer, target, std::min<size_t>(sizeof layer, entries * sizeof(void*)));
  layer.clBuildProgram = build_program;
  layer.clEnqueueNDRangeKernel = enqueue_kernel;
  layer.clCreateBuffer = create_buffer;
  layer.clCreateSubBuffer = create_sub_buffer;
  layer.clSetKernelArg = set_argument;
  layer.clCreateContext = create_context;
  layer.clFinish = finish;
  layer.clEnqueueFillBuffer = fill_buffer;
  layer.clEnqueueWriteBuffer = write_buffer;
  layer.clEnqueueCopyBuffer = copy_buffer;
  layer.clEnqueueReadBuffer = read_buffer;
  layer.clGetEventProfilingInfo = profiling_info;
  layer.clGetDeviceInfo = device_info;
  layer.clGetPlatformInfo = platform_info;
  layer.clGetDeviceIDs = device_ids;
  layer.clGetKernelWorkGroupInfo = kernel_info;
  layer.clCreateProgramWithSource = create_program;
  *entries_returned = sizeof layer / sizeof(void*);
  *returned = &layer;
  // A small disk is simulated by a limit on the size of files. It is meant for the sweep's own files, not for
  // what a driver's compiler writes in the worker.
  rlimit file_size{};
  if (::getrlimit(RLIMIT_FSIZE, &file_size) == 0) {
    file_size.rlim_cur = file_size.rlim_max;
    ::setrlimit(RLIMIT_FSIZE, &file_size);
  }
  return CL_SUCCESS;
}
