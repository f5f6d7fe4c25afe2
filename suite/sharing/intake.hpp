// Bundles from strangers: what can be checked of them, and a verdict. docs/sharing.md has the table of what
// is caught, and of what cannot be.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "suite/record/record.hpp"
#include "suite/sharing/bundle_summary.hpp"

namespace dwarfsweep {

enum class BundleVerdict { accepted, doubtful, refused };
const char* to_string(BundleVerdict verdict);

/// Something that was found. `level`: what it makes of the bundle; accepted: a remark.
struct BundleFinding {
  BundleVerdict level = BundleVerdict::accepted;
  std::string kind;    ///< one of the words in docs/sharing.md
  std::string detail;  ///< a sentence
};

struct BundleReport {
  std::string file;
  BundleVerdict verdict = BundleVerdict::accepted;
  std::vector<BundleFinding> findings;
  std::size_t runs = 0, rows = 0, samples = 0;
  /// Of the checks that need a device of this machine. They do not change the verdict, which is the same on
  /// every machine.
  std::string results_here;
  std::vector<BundleFinding> findings_here;
  BundleSummary summary;  ///< without points if the bundle was refused

  [[nodiscard]] bool nothing_found() const {
    return verdict == BundleVerdict::accepted && findings_here.empty();
  }
  /// Its times are believed, though its program may have been changed: later bundles are compared with it.
  [[nodiscard]] bool is_comparable() const;
};

/// What the device of this machine gives for a point, as digests. Throws std::runtime_error where it cannot.
struct ResultsHere {
  PointDigests digests;
  double tolerance = 0;  ///< of float elements, as the dwarf's check has it
};
using ComputeHere = std::function<ResultsHere(const DigestRecord& record)>;

struct IntakeOptions {
  std::string own_kernels;   ///< hash of the kernels of this program
  ComputeHere compute_here;  ///< empty: there is no device
};

/// In the order of the files: each is compared with those before it that are comparable. What goes wrong with
/// one bundle costs that bundle alone.
std::vector<BundleReport> take_in(const std::vector<std::filesystem::path>& files,
                                  const IntakeOptions& options);

Json to_json(const BundleReport& report);

}  // namespace dwarfsweep
