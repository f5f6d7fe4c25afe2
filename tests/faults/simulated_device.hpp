// A device of another kind than the driver's: what it says of itself, what it refuses, how its timer
// misbehaves. Kernels still run where the driver runs them.
#pragma once

#include <CL/cl_icd.h>

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

class SimulatedDevice {
 public:
  /// What the device reports; the kinds are in simulated_kinds.cpp, and state what differs from the figures
  /// here.
  struct Traits {
    std::string platform, platform_version;
    std::string name, vendor, driver_version, version, c_version;
    std::set<std::string> extensions;    ///< of these, the driver's own
    std::set<std::string> queries = {};  ///< extensions whose queries are answered here
    cl_uint compute_units = 1;
    cl_uint clock_mhz = 1000;
    size_t work_group = 256;
    cl_ulong local_bytes = 64 << 10;
    cl_device_local_mem_type local_type = CL_LOCAL;
    cl_ulong constant_bytes = 64 << 10;
    cl_uint align_bits = 1024;
    size_t tick_ns = 1;
    bool fp64 = false;
    bool images = true;
    bool unified_memory = true;
    std::vector<size_t> sub_group_sizes = {};
    size_t only_sub_group_size = 0;  ///< of all kernels, if a kernel can require it; 0: the driver chooses
  };
  /// How its timestamps differ from the true ones, in addition to their ticks.
  enum class Timer { coarse, other_clock_until_start, now_and_then_for_ages };

  /// The one that FAULT_DEVICE names; null where it names none. Ends the process where there is no such.
  static const SimulatedDevice* wanted();

  SimulatedDevice(Traits traits, Timer timer) : traits_(std::move(traits)), timer_(timer) {}

  cl_int platform_info(const cl_icd_dispatch& driver, cl_platform_id platform, cl_platform_info name,
                       size_t bytes, void* value, size_t* needed) const;
  cl_int device_info(const cl_icd_dispatch& driver, cl_device_id device, cl_device_info name, size_t bytes,
                     void* value, size_t* needed) const;
  /// After the driver has answered.
  void change_kernel_info(cl_kernel_work_group_info name, void* value) const;
  /// What stands before the source: what the device lacks does not compile.
  [[nodiscard]] std::string source_head(const cl_icd_dispatch& driver, cl_context context) const;
  /// The options for the driver; none where the device's compiler refuses them.
  [[nodiscard]] std::optional<std::string> build_options(const cl_icd_dispatch& driver, cl_device_id device,
                                                         std::string options) const;
  /// CL_SUCCESS where the device launches such a group of the kernel.
  [[nodiscard]] cl_int judge_launch(const cl_icd_dispatch& driver, cl_command_queue queue, cl_kernel kernel,
                                    cl_uint dimensions, const size_t* local) const;
  [[nodiscard]] bool is_aligned(size_t origin) const { return origin % (traits_.align_bits / 8) == 0; }
  [[nodiscard]] cl_ulong timestamp(cl_profiling_info name, cl_ulong true_ns) const;

 private:
  [[nodiscard]] std::optional<std::string> text_answer(const cl_icd_dispatch& driver, cl_device_id device,
                                                       cl_device_info name) const;
  [[nodiscard]] std::optional<std::vector<unsigned char>> number_answer(cl_device_info name) const;
  [[nodiscard]] bool refuses(cl_device_info name) const;
  [[nodiscard]] bool is_opencl_3() const { return traits_.version.rfind("OpenCL 3", 0) == 0; }

  Traits traits_;
  Timer timer_;
};
