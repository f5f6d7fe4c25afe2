// Many nodes of few kinds: a merged run seen by kind of device, with quantiles over the nodes. The rows are
// read one after the other, and of each only some bytes are kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "suite/record/rows.hpp"

namespace dwarfsweep {

class Fleet {
 public:
  /// What one node has of a setting.
  struct Value {
    std::uint32_t node = 0;
    float ns = 0;       ///< NaN where it is not ok
    float speedup = 0;  ///< NaN where there is none
    bool faster = false, confirmed = false;
  };
  /// A setting on a kind of device.
  struct Entry {
    MeasurementRow first;  ///< the first node's
    std::size_t kind = 0;
    std::vector<Value> values;
    std::map<std::string, std::size_t> failures;  ///< by status
  };
  struct Kind {
    std::string device, type, platform, driver;
    std::size_t nodes = 0;
  };
  struct Node {
    std::string host, device_id;
    std::size_t kind = 0;
  };

  /// Rows of single kernels and of the host's own cores are passed over.
  void add(const MeasurementRow& row);

  [[nodiscard]] const std::vector<Kind>& kinds() const { return kinds_; }
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  /// Whether any kind has several nodes.
  [[nodiscard]] bool has_kinds() const { return nodes_.size() > kinds_.size(); }

  /// A row for each setting and kind, as tables are made of: medians over the nodes, and in the place of
  /// intervals their quantiles at 10 % and 90 %. What only one node has keeps its own interval.
  [[nodiscard]] std::vector<MeasurementRow> rows() const;

 private:
  std::map<std::string, std::size_t> kind_index_, node_index_, entry_index_;
  std::vector<Kind> kinds_;
  std::vector<Node> nodes_;
  std::vector<Entry> entries_;
};

/// The fleet of these rows or runs; nothing where no run was merged of several hosts, or no two of its nodes
/// are of one kind.
std::optional<Fleet> fleet_of(const std::vector<MeasurementRow>& rows);
std::optional<Fleet> read_fleet(const std::vector<std::filesystem::path>& runs);

/// A sentence for each node, the largest deviations first: slower or faster than its kind in some dwarfs, or
/// points that fail where most of its kind run them.
///
/// Of each node and dwarf: the median over its points of ln(time / median time of the kind). A node deviates
/// where that lies further from the median over the nodes than sqrt(2 ln(m / 5 %)) robust standard deviations
/// (1.4826 x the median absolute deviation) and by more than 3 %, the width to which a sweep measures. m is
/// the number of judgements of the kind: P(|Z| > z) <= exp(-z^2 / 2), so that by chance one node in all would
/// be named in a run of twenty.
std::vector<std::string> find_deviations(const Fleet& fleet);

}  // namespace dwarfsweep
