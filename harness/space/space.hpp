// The parameter space of a dwarf: named axes, constraints that carry their reason, legal and rejected points.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/space/problem.hpp"
#include "harness/space/value.hpp"

namespace dwarfsweep {

/// What a device is and allows, independent of its vendor: what decides which points are legal, and the
/// default configuration of a variant.
struct Capabilities {
  std::uint64_t work_group_items = 0;            ///< largest work-group
  std::uint64_t work_item_sizes[3] = {0, 0, 0};  ///< largest work-group per dimension
  std::uint64_t local_bytes = 0;                 ///< local memory of one work-group
  std::uint64_t constant_bytes = 0;              ///< one constant buffer
  std::uint64_t global_bytes = 0;
  std::uint64_t allocation_bytes = 0;  ///< largest single buffer
  bool local_is_dedicated = false;     ///< CL_LOCAL: on chip; else ordinary memory
  bool images = false;
  bool fp64 = false;
  bool is_gpu = false;          ///< of type GPU or accelerator: neighbouring work-items run in lockstep
  bool unified_memory = false;  ///< shares its memory with the host
  bool fma = false;             ///< single-precision fma is native (CL_FP_FMA)
  bool inline_ptx = false;      ///< kernels may hold PTX in asm(); passed to them as HAS_INLINE_PTX
  /// PTX's cp.async, from compute capability 8.0 on; passed to kernels as HAS_ASYNC_COPIES.
  bool async_copies = false;
  /// NVIDIA's, ten times the major number plus the minor one: 90 for 9.0; 0: another vendor, or not reported.
  std::uint32_t compute_capability = 0;
  bool sub_group_shuffles = false;  ///< cl_khr_subgroup_shuffle, with OpenCL C 2.0 or 3.0
  /// cl_intel_required_subgroup_size: a kernel says how large its sub-groups are.
  bool requires_sub_group_size = false;
  /// Atomics of OpenCL C 2.0 or 3.0 acquire and release at the scope of the device.
  bool ordered_atomics = false;
  std::uint32_t compute_units = 0;
  /// CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT: of a CPU the floats of a vector register; 0: not known.
  std::uint32_t float_lanes = 0;
  std::vector<std::uint32_t> sub_group_sizes = {};  ///< empty if the driver does not report them

  /// Can kernels order what one work-group writes before a flag, and another reads behind it?
  [[nodiscard]] bool orders_groups() const { return ordered_atomics || inline_ptx; }
};

/// The axes that all dwarfs share. Every program has their macros, and the CSV files a column for each.
inline constexpr std::array<std::string_view, 6> shared_axes = {"variant",      "work_group", "granularity",
                                                                "vector_width", "unroll",     "padding"};

/// One axis: its name is also the name on the command line, the CSV column and (in capitals) macro of the
/// kernels.
struct Axis {
  Axis(std::string_view axis_name, std::string_view axis_meaning, ValueList axis_values,
       const Literal& axis_baseline, NameList axis_variants = {}, ValueList values_by_name = {});
  Axis(const Axis&);
  Axis(Axis&&) noexcept;
  Axis& operator=(const Axis&);
  Axis& operator=(Axis&&) noexcept;
  ~Axis();

  std::string name;
  std::string meaning;        ///< what it does in this dwarf, for `list` and the kernel's parameter table
  std::vector<Value> values;  ///< all integers, or all strings
  Value baseline;             ///< the paper's "initial code"
  /// The variants in which the axis has a meaning; empty: all. Elsewhere it stays at its baseline.
  std::vector<std::string> variants;
  /// Values that only the plan `paper`, --axis and --set reach: published code that would make every other
  /// plan longer without making its best point faster.
  std::vector<Value> by_name;
};

/// All that a constraint may look at.
struct Point {
  const Config& config;
  const Problem& problem;
  const Capabilities& device;

  [[nodiscard]] std::int64_t operator[](std::string_view axis) const { return config.integer(axis); }
  [[nodiscard]] const std::string& variant() const { return config.string("variant"); }
};

class Space {
 public:
  Space();
  Space(const Space&);
  Space(Space&&) noexcept;
  Space& operator=(const Space&);
  Space& operator=(Space&&) noexcept;
  ~Space();
  /// The first axis must be "variant".
  Space& axis(Axis axis);
  /// The default configuration of a variant other than the baseline, the best known plain setting: these over
  /// the baseline's values. With `where`, on the devices that satisfy it alone; of several that fit, later
  /// values win.
  Space& default_setting(std::string_view variant, ValueMap values,
                         std::function<bool(const Capabilities&)> where = {});
  /// A point is legal only if `allows` is true. The reason names axis and value, or the limit of the device:
  /// "ring above 0 requires memory=local".
  Space& constrain(std::string_view reason, std::function<bool(const Point&)> allows);
  /// Bytes of local memory the largest kernel of a point declares; checked against the device before a build.
  Space& local_bytes(std::function<std::uint64_t(const Point&)> bytes);
  /// Work-items of the largest work-group of a point; checked against the device before a build. Where this
  /// is not said they are the axis `work_group`.
  Space& group_items(std::function<std::uint64_t(const Point&)> items);

  [[nodiscard]] const std::vector<Axis>& axes() const { return axes_; }
  /// The reasons of all constraints, in the order in which they are checked.
  [[nodiscard]] std::vector<std::string> constraint_reasons() const;
  /// Throws UsageError listing the axes where there is none of that name.
  [[nodiscard]] const Axis& find(std::string_view name) const;
  /// Does this axis have a meaning in this variant?
  [[nodiscard]] static bool applies(const Axis& axis, const std::string& variant);

  [[nodiscard]] Config baseline() const;
  /// The default configuration of a variant on such a device; the baseline for the baseline's variant.
  [[nodiscard]] Config default_config(const std::string& variant,
                                      const Capabilities& capabilities = {}) const;
  /// `base` with those settings: axes the (new) variant does not have fall back to their baseline, and a
  /// changed variant begins at its default configuration there. Throws UsageError for an unknown axis or
  /// value, and for an axis without meaning in the variant.
  [[nodiscard]] Config set(const Config& base, const ValueMap& settings,
                           const Capabilities& capabilities = {}) const;
  /// Why this point cannot run; none where it can.
  [[nodiscard]] std::optional<std::string> why_rejected(const Point& point) const;
  /// Work-items of the largest work-group of a point; 0: not known.
  [[nodiscard]] std::uint64_t group_items_of(const Point& point) const;

 private:
  struct Constraint {
    std::string reason;
    std::function<bool(const Point&)> allows;
  };
  struct DefaultSetting {
    std::string variant;
    ValueMap values;
    std::function<bool(const Capabilities&)> where;
  };
  std::vector<Axis> axes_;
  std::vector<DefaultSetting> default_settings_;
  std::vector<Constraint> constraints_;
  std::function<std::uint64_t(const Point&)> local_bytes_;
  std::function<std::uint64_t(const Point&)> group_items_;
};

/// For Space::default_setting: on GPUs.
inline bool is_gpu(const Capabilities& device) {
  return device.is_gpu;
}

}  // namespace dwarfsweep
