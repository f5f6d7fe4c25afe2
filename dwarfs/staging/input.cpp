#include "dwarfs/staging/input.hpp"

#include <algorithm>
#include <iterator>

#include "dwarfs/staging/verification.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::staging {

std::shared_ptr<const StagingInput> generate(const Problem& problem, std::uint64_t seed) {
  const auto input = std::make_shared<StagingInput>();
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(problem.integer("n")));
  Random(seed).fill_bytes(bytes);
  input->data.resize(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i)
    input->data[i] = static_cast<float>(2 * (bytes[i] % 8) - 7) * 0x1p-3F;
  const std::int64_t most = problem.integer("multiply_adds");
  std::copy_if(all_multiply_adds.begin(), all_multiply_adds.end(), std::back_inserter(input->multiply_adds),
               [&](int count) { return count <= most; });
  return input;
}

}  // namespace dwarfsweep::staging
