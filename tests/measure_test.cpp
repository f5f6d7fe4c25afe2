// What goes before a sample.
#include "harness/run/measure.hpp"

#include <chrono>
#include <stdexcept>
#include <thread>

#include "tests/catch.hpp"

using namespace dwarfsweep;

namespace {

// A dwarf that counts its runs on the host, and knows nothing else.
class CountedDwarf final : public Dwarf {
 public:
  explicit CountedDwarf(std::chrono::milliseconds run) : Dwarf({}, {}), run_(run) {}

  [[nodiscard]] int runs() const { return runs_; }

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem&, std::uint64_t) const override {
    return nullptr;
  }
  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup&) const override {
    throw std::logic_error("only on the host");
  }
  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded&, int) const override {
    return std::make_unique<CountedCase>(runs_, run_);
  }

 private:
  class CountedCase final : public HostCase {
   public:
    CountedCase(int& runs, std::chrono::milliseconds run) : runs_(runs), run_(run) {}
    void reset() override {}
    void run() override {
      ++runs_;
      std::this_thread::sleep_for(run_);
    }
    [[nodiscard]] Check check() const override {
      Check right;
      right.ok = true;
      return right;
    }

   private:
    int& runs_;
    std::chrono::milliseconds run_;
  };

  mutable int runs_ = 0;
  std::chrono::milliseconds run_;
};

int runs_for_a_sample(CacheState cache, std::chrono::milliseconds run, bool ran_last = false) {
  const CountedDwarf dwarf(run);
  MeasureOptions options;
  options.cache = cache;
  MeasuredPoint point(dwarf, {}, 1, options);
  point.make_ready();
  const int before = dwarf.runs();
  CHECK(point.take_sample(ran_last).launches == 1);
  return dwarf.runs() - before;
}

}  // namespace

// Point and baseline take turns: without a run before it a sample would find the other's data in the caches.
TEST_CASE("a hot sample has a run of the same point before it", "[measure]") {
  constexpr std::chrono::milliseconds soon(1);
  constexpr std::chrono::milliseconds long_enough(150);  // no cache would save much of that
  CHECK(runs_for_a_sample(CacheState::hot, soon) == 2);
  CHECK(runs_for_a_sample(CacheState::hot, soon, true) == 1);
  CHECK(runs_for_a_sample(CacheState::cold, soon) == 1);
  CHECK(runs_for_a_sample(CacheState::hot, long_enough) == 1);
}
