#include "suite/compare/block_samples.hpp"

#include <algorithm>
#include <cmath>

#include "harness/statistics/quantile.hpp"

namespace dwarfsweep {
namespace {

// Fewer products than this estimate a correlation no better than to 0.1.
constexpr double min_products = 100;

struct SampledBlock {
  std::vector<double> logs;
  std::int64_t round = 0;
  bool fresh = false;      // a re-measurement of a best candidate...
  bool challenge = false;  // ...against another point in place of the baseline
};

struct LastPart {
  std::string run_id;
  std::map<std::int64_t, SampledBlock> blocks;
};

void add(LastPart& part, const SampleRow& sample) {
  if (part.run_id != sample.run_id) part = {sample.run_id, {}};
  SampledBlock& block = part.blocks[sample.block];
  block.round = sample.round;
  block.fresh = sample.confirmation;
  if (sample.role == "incumbent") block.challenge = true;
  if (sample.role != "variant" || !sample.fault.empty() || !sample.ns || *sample.ns <= 0) return;
  block.logs.push_back(std::log(*sample.ns));
}

PointBlocks unbiased(const LastPart& part) {
  const bool chosen = std::any_of(part.blocks.begin(), part.blocks.end(), [](const auto& entry) {
    return entry.second.fresh && !entry.second.challenge;
  });
  PointBlocks point;
  for (const auto& [number, block] : part.blocks) {
    if (block.logs.empty() || (chosen && (!block.fresh || block.challenge))) continue;
    point.logs.push_back(median(block.logs));
    point.rounds.push_back(block.round);
  }
  return point;
}

// -1, 0 or 1: below, at or above the median.
std::vector<int> signs_of(const std::vector<double>& logs) {
  const double middle = median(logs);
  std::vector<int> signs;
  for (const double value : logs) signs.push_back(value < middle ? -1 : value > middle ? 1 : 0);
  return signs;
}

struct Products {
  double sum = 0;    // of signs that many blocks apart
  double bias = 0;   // what independent blocks would give, signs about their own median summing to 0
  double count = 0;  // of products without a 0
};

}  // namespace

std::map<std::string, PointBlocks> blocks_of(const std::vector<SampleRow>& samples, const NameOf& name_of) {
  std::map<std::string, LastPart> parts;
  for (const SampleRow& sample : samples) {
    if (sample.kernel != "total" || sample.role == "baseline") continue;
    const std::string name = name_of(sample);
    if (!name.empty()) add(parts[name], sample);
  }
  std::map<std::string, PointBlocks> points;
  for (const auto& [name, part] : parts) {
    PointBlocks blocks = unbiased(part);
    if (!blocks.logs.empty()) points.emplace(name, std::move(blocks));
  }
  return points;
}

double variance_inflation(const std::vector<const std::vector<double>*>& points) {
  std::vector<Products> by_lag;
  for (const std::vector<double>* logs : points) {
    const std::size_t count = logs->size();
    if (count < 4) continue;
    const std::vector<int> signs = signs_of(*logs);
    const auto set =
        static_cast<double>(std::count_if(signs.begin(), signs.end(), [](int s) { return s != 0; }));
    if (set < 2) continue;
    by_lag.resize(std::max(by_lag.size(), count / 4));
    for (std::size_t lag = 1; lag <= count / 4; ++lag) {
      Products& products = by_lag[lag - 1];
      for (std::size_t i = 0; i + lag < count; ++i) {
        const int product = signs[i] * signs[i + lag];
        if (product == 0) continue;
        products.sum += product;
        products.bias -= 1 / (set - 1);
        products.count += 1;
      }
    }
  }
  double inflation = 1;
  for (const Products& products : by_lag) {
    if (products.count < min_products) break;
    const double correlation = (products.sum - products.bias) / products.count;
    if (correlation <= 0) break;
    inflation += 2 * correlation;
  }
  return inflation;
}

}  // namespace dwarfsweep
