// A trajectory after the other for each thread. Claims are the numbers of attempts, so that they need no
// clearing; whether a transition fires is added to the marks as 0 or 1, since branches could not be
// predicted.
#include <algorithm>
#include <array>

#include "dwarfs/pns/net.hpp"

namespace dwarfsweep::pns {
namespace {

class Words {
 public:
  Words(const Simulation& simulation, std::size_t trajectory)
      : mersenne_(simulation.mersenne), key_{simulation.seed, static_cast<std::uint32_t>(trajectory)} {
    words_[0] = simulation.seed + static_cast<std::uint32_t>(trajectory);
    for (std::uint32_t k = 1; k < refill_words; ++k)
      words_[k] = 1812433253U * (words_[k - 1] ^ words_[k - 1] >> 30U) + k;
  }
  const std::array<std::uint32_t, refill_words>& next() {
    mersenne_ ? twist() : draw();
    return words_;
  }

 private:
  void twist() {
    for (std::size_t k = 0; k < refill_words; ++k) {
      const std::uint32_t low = words_[k + 1 == refill_words ? 0 : k + 1];
      const std::uint32_t mixed = (words_[k] & 0x80000000U) | (low & 0x7FFFFFFFU);
      const std::uint32_t far = words_[k < 227 ? k + 397 : k - 227];
      words_[k] = far ^ mixed >> 1U ^ (low % 2 != 0 ? 0x9908B0DFU : 0U);
    }
  }
  void draw() {
    for (std::size_t k = 0; k < refill_words; k += 4) {
      std::uint32_t a = counter_++;
      std::uint32_t b = 0;
      std::uint32_t c = 0;
      std::uint32_t d = 0;
      std::array<std::uint32_t, 2> key = key_;
      for (int round = 0; round < 10; ++round) {
        const std::uint64_t p = std::uint64_t{0xD2511F53} * a;
        const std::uint64_t q = std::uint64_t{0xCD9E8D57} * c;
        a = static_cast<std::uint32_t>(q >> 32U) ^ b ^ key[0];
        b = static_cast<std::uint32_t>(q);
        c = static_cast<std::uint32_t>(p >> 32U) ^ d ^ key[1];
        d = static_cast<std::uint32_t>(p);
        key[0] += 0x9E3779B9;
        key[1] += 0xBB67AE85;
      }
      words_[k] = a;
      words_[k + 1] = b;
      words_[k + 2] = c;
      words_[k + 3] = d;
    }
  }

  bool mersenne_;
  std::array<std::uint32_t, 2> key_;
  std::uint32_t counter_ = 0;
  std::array<std::uint32_t, refill_words> words_{};
};

struct Attempt {
  std::uint32_t transition, up, down, right, rival;
  bool odd, claims;
};

Attempt attempt_at(std::uint32_t transition, std::uint32_t n, std::uint32_t places) {
  const std::uint32_t row = transition / n;
  const std::uint32_t column = transition - row * n;
  const std::uint32_t start = row * n;
  const bool odd = row % 2 != 0;
  const std::uint32_t after = column + 1 == n ? 0 : column + 1;
  const std::uint32_t before = column == 0 ? n - 1 : column - 1;
  const std::uint32_t above = row == 0 ? places - n : start - n;
  const std::uint32_t below = start + n == places ? 0 : start + n;
  const std::uint32_t shifted = odd ? after : column;
  return {transition, above + shifted, below + shifted, start + after, below + (odd ? column : before), odd,
          false};
}

void simulate(const Simulation& s, std::size_t trajectory, std::uint8_t* marks,
              std::vector<std::uint32_t>& claimed) {
  const std::uint32_t places = s.places();
  std::fill_n(marks, places, std::uint8_t{1});
  claimed.assign(places, 0);
  Words words(s, trajectory);
  std::array<Attempt, refill_words> attempts;
  std::uint32_t number = 0;  // of attempts so far
  std::uint32_t batches = 0;
  for (std::uint32_t refill = 0; refill < s.refills; ++refill) {
    const auto& drawn = words.next();
    for (std::size_t first = 0; first < refill_words; first += s.batch, ++batches) {
      const std::size_t count = std::min<std::size_t>(s.batch, refill_words - first);
      for (std::size_t k = 0; k < count; ++k) {
        Attempt& a = attempts[k];
        a = attempt_at(drawn[first + k] % places, s.n, places);
        std::uint32_t& claim = claimed[a.transition];
        a.claims = (marks[a.up] != 0) & (marks[a.transition] != 0) & (claim <= number);
        claim = a.claims ? number + 1 : claim;
      }
      for (std::size_t k = 0; k < count; ++k) {
        const Attempt& a = attempts[k];
        const bool rivals = std::max(claimed[a.up], claimed[a.rival]) > number;
        const auto fires = static_cast<std::uint8_t>(a.claims & ((a.odd == (batches % 2 != 0)) | !rivals));
        marks[a.up] = static_cast<std::uint8_t>(marks[a.up] - fires);
        marks[a.transition] = static_cast<std::uint8_t>(marks[a.transition] - fires);
        marks[a.down] = static_cast<std::uint8_t>(marks[a.down] + fires);
        marks[a.right] = static_cast<std::uint8_t>(marks[a.right] + fires);
      }
      number += static_cast<std::uint32_t>(count);
    }
  }
}

}  // namespace

void PnsInput::compute(int threads, std::vector<std::uint8_t>& marks, std::vector<float>& statistics) const {
  const std::size_t places = simulation_.places();
#pragma omp parallel num_threads(threads)
  {
    std::vector<std::uint32_t> claimed;
#pragma omp for schedule(dynamic)
    for (std::size_t t = 0; t < simulation_.trajectories; ++t) {
      std::uint8_t* const own = marks.data() + t * places;
      simulate(simulation_, t, own, claimed);
      std::uint64_t squares = 0;
      unsigned largest = 0;
      for (std::size_t i = 0; i < places; ++i) {
        squares += std::uint64_t{own[i]} * own[i];
        largest = std::max<unsigned>(largest, own[i]);
      }
      const auto mean = static_cast<double>(squares) / static_cast<double>(places);
      statistics[2 * t] = static_cast<float>(mean - 1);
      statistics[2 * t + 1] = static_cast<float>(largest);
    }
  }
}

}  // namespace dwarfsweep::pns
