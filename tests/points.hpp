// Running points of a dwarf on the test device (DWARFSWEEP_TEST_DEVICE), with everything checked.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "harness/run/dwarf.hpp"
#include "harness/run/measure.hpp"
#include "harness/run/session.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep::test {

/// The session on the test device, opened once per process.
Session& test_session();

/// Is it Oclgrind, checking for uninitialised values?
bool checks_uninitialised();

/// On Oclgrind, which interprets kernels, these problems with no key above its limit; elsewhere as they are.
std::vector<ValueMap> small_on_oclgrind(std::vector<ValueMap> problems, const ValueMap& limits);

struct Outcome {
  Status status = Status::ok;
  std::string reason;
  Check check;
};

/// Generates (seed 1), or takes `loaded`; prepares, runs once on poisoned outputs, checks result and guard
/// bands. Settings that the space rejects give Status::rejected with the reason.
Outcome run_point(const Dwarf& dwarf, const Loaded& loaded, const Config& config);
Outcome run_point(const Dwarf& dwarf, const ValueMap& problem, const ValueMap& settings);

/// What a point dumps, each array under its name.
class Dump final : public DumpSink {
 public:
  void array(const std::string& name, std::span<const std::uint8_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const std::int32_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const std::uint32_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const std::int64_t> data, const Shape& shape) override;
  void array(const std::string& name, std::span<const float> data, const Shape& shape) override;
  void text(const std::string& file_name, const std::function<std::string()>& content) override;
  void note(const std::string& key, const Value& value) override;

  std::map<std::string, std::string> bytes, texts, notes;
  std::map<std::string, std::vector<std::int32_t>> integers;
  std::map<std::string, std::vector<std::uint32_t>> words;
  std::map<std::string, std::vector<std::int64_t>> long_integers;
  std::map<std::string, std::vector<float>> floats;
  std::map<std::string, Shape> shapes;

 private:
  template <typename Kept, typename T>
  void keep(Kept& kept, const std::string& name, std::span<const T> data, const Shape& shape);
};

/// Runs a point that must verify, and dumps it.
Dump dumped(const Dwarf& dwarf, const Loaded& loaded, const Config& config);

/// What becomes of a point in whose kernel file, with all its parts, the first `from` stands as `to`.
Status status_with(const std::string& from, const std::string& to, const Dwarf& dwarf,
                   const ValueMap& problem, const ValueMap& settings);
Status status_with(const std::string& from, const std::string& to, const Dwarf& dwarf, const Loaded& loaded,
                   const ValueMap& settings);

/// The problem of these keys with generated data.
Loaded generated(const Dwarf& dwarf, const ValueMap& problem, std::uint64_t seed = 1);

/// Every variant at its start, and every value of every axis of that variant varied from there. All legal
/// ones must verify; at least one point must be legal. Used by every dwarf's test over odd sizes.
void check_one_at_a_time(const Dwarf& dwarf, const ValueMap& problem);

/// `count` random legal points of the full product, those of `--plan stratified:count`. The seed is
/// printed; DWARFSWEEP_TEST_SEED sets another.
void check_random_points(const Dwarf& dwarf, const ValueMap& problem, std::size_t count);

/// The full space at the size `tiny` and at the problem `odd`, on PoCL: every legal point where there are at
/// most `count`, else so many of them as by check_random_points.
void check_full_space(const Dwarf& dwarf, const ValueMap& odd, std::size_t count);

/// Serial and on two threads.
void check_host(const Dwarf& dwarf, const ValueMap& problem);

/// The head comment of kernels_cl/<dwarf>/<dwarf>.cl names every axis by its macro.
void check_parameter_table(const Dwarf& dwarf);

}  // namespace dwarfsweep::test
