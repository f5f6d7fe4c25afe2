// What the marks must be: the rule as kernels_cl/pns/pns.cl states it, on a grid of rows and columns. It
// shares no code with the host version and the kernels; the words of MT19937 are the standard library's.
#include <algorithm>
#include <random>
#include <thread>
#include <utility>

#include "dwarfs/pns/net.hpp"

namespace dwarfsweep::pns {
namespace {

// The word that std::mt19937 has tempered.
std::uint32_t untempered(std::uint32_t word) {
  word ^= word >> 18U;
  word ^= word << 15U & 0xEFC60000U;
  std::uint32_t whole = word;
  for (int i = 0; i < 5; ++i) whole = word ^ (whole << 7U & 0x9D2C5680U);
  word = whole;
  for (int i = 0; i < 3; ++i) whole = word ^ whole >> 11U;
  return whole;
}

std::array<std::uint32_t, 4> philox_of(std::uint32_t counter, std::uint64_t key) {
  std::array<std::uint64_t, 4> state{counter, 0, 0, 0};
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = state[0] * 0xD2511F53;
    const std::uint64_t second = state[2] * 0xCD9E8D57;
    state = {(second >> 32U) ^ state[1] ^ (key & 0xFFFFFFFF), second & 0xFFFFFFFF,
             (first >> 32U) ^ state[3] ^ (key >> 32U), first & 0xFFFFFFFF};
    const std::uint64_t low = (key + 0x9E3779B9) & 0xFFFFFFFF;
    key = (((key >> 32U) + 0xBB67AE85) << 32U) | low;
  }
  std::array<std::uint32_t, 4> words{};
  for (std::size_t i = 0; i < 4; ++i) words[i] = static_cast<std::uint32_t>(state[i]);
  return words;
}

// Places and transitions by row and column.
class Torus {
 public:
  using Spot = std::pair<std::int64_t, std::int64_t>;

  explicit Torus(std::int64_t n) : n_(n), marks_(static_cast<std::size_t>(2 * n * n), 1) {}

  std::uint32_t& mark(Spot spot) { return marks_[static_cast<std::size_t>(number(spot))]; }
  [[nodiscard]] std::int64_t number(Spot spot) const {
    const auto [row, column] = wrapped(spot);
    return row * n_ + column;
  }
  [[nodiscard]] Spot wrapped(Spot spot) const {
    return {(spot.first + 2 * n_) % (2 * n_), (spot.second + n_) % n_};
  }
  [[nodiscard]] const std::vector<std::uint32_t>& marks() const { return marks_; }

 private:
  std::int64_t n_;
  std::vector<std::uint32_t> marks_;
};

// `claims` has for each transition the last batch in which it claimed itself. Batches count from 1.
void do_batch(Torus& net, std::vector<std::uint32_t>& claims, const std::vector<Torus::Spot>& drawn,
              std::uint32_t batch) {
  const auto claim = [&](Torus::Spot spot) -> std::uint32_t& {
    return claims[static_cast<std::size_t>(net.number(spot))];
  };
  std::vector<Torus::Spot> claimed;
  for (const Torus::Spot& spot : drawn) {
    const auto [row, column] = spot;
    if (net.mark({row - 1, column + row % 2}) == 0 || net.mark(spot) == 0 || claim(spot) == batch) continue;
    claim(spot) = batch;
    claimed.push_back(spot);
  }
  std::vector<Torus::Spot> firing;
  for (const auto& [row, column] : claimed) {
    const bool above = claim({row - 1, column + row % 2}) == batch;
    const bool below = claim({row + 1, column - (row + 1) % 2}) == batch;
    if (row % 2 == (batch - 1) % 2 || !(above || below)) firing.emplace_back(row, column);
  }
  for (const auto& [row, column] : firing) {
    --net.mark({row - 1, column + row % 2});
    --net.mark({row, column});
  }
  for (const auto& [row, column] : firing) {
    ++net.mark({row + 1, column + row % 2});
    ++net.mark({row, column + 1});
  }
}

}  // namespace

std::vector<std::uint32_t> reference_words(const Simulation& simulation, std::size_t trajectory) {
  std::vector<std::uint32_t> words;
  const std::size_t count = refill_words * simulation.refills;
  words.reserve(count);
  if (simulation.mersenne) {
    std::mt19937 generator(simulation.seed + static_cast<std::uint32_t>(trajectory));
    while (words.size() < count) words.push_back(untempered(static_cast<std::uint32_t>(generator())));
    return words;
  }
  const std::uint64_t key = std::uint64_t{trajectory} << 32U | simulation.seed;
  for (std::uint32_t counter = 0; words.size() < count; ++counter) {
    const auto four = philox_of(counter, key);
    words.insert(words.end(), four.begin(), four.end());
  }
  return words;
}

std::vector<std::uint32_t> reference_marks(const Simulation& simulation, std::size_t trajectory) {
  const std::vector<std::uint32_t> words = reference_words(simulation, trajectory);
  Torus net(simulation.n);
  std::vector<std::uint32_t> claims(simulation.places());
  std::uint32_t batches = 0;
  for (std::size_t refill = 0; refill < words.size(); refill += refill_words) {
    for (std::size_t first = 0; first < refill_words; first += simulation.batch) {
      const std::size_t end = std::min<std::size_t>(first + simulation.batch, refill_words);
      std::vector<Torus::Spot> drawn;
      for (std::size_t k = refill + first; k < refill + end; ++k) {
        const std::uint32_t transition = words[k] % simulation.places();
        drawn.emplace_back(transition / simulation.n, transition % simulation.n);
      }
      do_batch(net, claims, drawn, ++batches);
    }
  }
  return net.marks();
}

const PnsInput::Wanted& PnsInput::wanted() const {
  std::call_once(once_, [this] {
    const std::size_t trajectories = simulation_.trajectories;
    const std::size_t places = simulation_.places();
    wanted_.marks.resize(simulation_.marks());
    wanted_.squares.resize(trajectories);
    wanted_.largest.resize(trajectories);
    const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (std::size_t t = 0; t < trajectories; ++t) {
      const std::vector<std::uint32_t> marks = reference_marks(simulation_, t);
      for (std::size_t i = 0; i < places; ++i) {
        wanted_.marks[t * places + i] = static_cast<std::uint8_t>(marks[i]);
        wanted_.squares[t] += static_cast<double>(marks[i]) * marks[i];
        wanted_.largest[t] = std::max<double>(wanted_.largest[t], marks[i]);
      }
    }
  });
  return wanted_;
}

}  // namespace dwarfsweep::pns
