// What the marks must be: the rule as kernels_cl/pns/pns.cl states it, on a grid of rows and columns. It
// shares no code with the host version and the kernels; the words of MT19937 are the standard library's.
#include <algorithm>
#include <random>
#include <thread>

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

// The torus by row and column. Rows and columns are at most one outside.
struct Torus {
  std::int32_t n;

  [[nodiscard]] std::int32_t number(std::int32_t row, std::int32_t column) const {
    const std::int32_t rows = 2 * n;
    row = row < 0 ? row + rows : row >= rows ? row - rows : row;
    column = column < 0 ? column + n : column >= n ? column - n : column;
    return row * n + column;
  }
};

// A transition, and the places and rivals around it: it takes from `up` and from its own place; a transition
// above has the number of `up`, and one below wants the same place.
struct Drawn {
  std::int32_t row, own, up, down, right, below;
};

Drawn drawn_of(const Torus& torus, std::int32_t transition) {
  const std::int32_t row = transition / torus.n;
  const std::int32_t column = transition % torus.n;
  const std::int32_t odd = row % 2;
  return {row,
          transition,
          torus.number(row - 1, column + odd),
          torus.number(row + 1, column + odd),
          torus.number(row, column + 1),
          torus.number(row + 1, column - (1 - odd))};
}

// `claims` has for each transition the last batch in which it claimed itself. Batches count from 1.
void do_batch(std::vector<std::uint32_t>& marks, std::vector<std::uint32_t>& claims,
              std::vector<Drawn>& batch, std::uint32_t number) {
  std::size_t claimed = 0;
  for (const Drawn& t : batch) {
    if (marks[t.up] == 0 || marks[t.own] == 0 || claims[t.own] == number) continue;
    claims[t.own] = number;
    batch[claimed++] = t;
  }
  std::size_t firing = 0;
  for (std::size_t i = 0; i < claimed; ++i) {
    const Drawn t = batch[i];
    const bool rivals = claims[t.up] == number || claims[t.below] == number;
    if (static_cast<std::uint32_t>(t.row % 2) == (number - 1) % 2 || !rivals) batch[firing++] = t;
  }
  batch.resize(firing);
  for (const Drawn& t : batch) {
    --marks[t.up];
    --marks[t.own];
  }
  for (const Drawn& t : batch) {
    ++marks[t.down];
    ++marks[t.right];
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
  const Torus torus{static_cast<std::int32_t>(simulation.n)};
  std::vector<std::uint32_t> marks(simulation.places(), 1);
  std::vector<std::uint32_t> claims(simulation.places());
  std::vector<Drawn> drawn;
  std::uint32_t batches = 0;
  for (std::size_t refill = 0; refill < words.size(); refill += refill_words) {
    for (std::size_t first = 0; first < refill_words; first += simulation.batch) {
      const std::size_t end = std::min<std::size_t>(first + simulation.batch, refill_words);
      drawn.clear();
      for (std::size_t k = refill + first; k < refill + end; ++k)
        drawn.push_back(drawn_of(torus, static_cast<std::int32_t>(words[k] % simulation.places())));
      do_batch(marks, claims, drawn, ++batches);
    }
  }
  return marks;
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
