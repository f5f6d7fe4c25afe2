// des: the circuits of the kernel file against the tables of the standard.
#include <map>
#include <regex>
#include <string>

#include "dwarfs/des/standard.hpp"
#include "harness/program/kernel_source.hpp"
#include "tests/catch.hpp"

namespace dwarfsweep {
namespace {

// The gates of a circuit, as they stand in the kernel file, evaluated for all 64 inputs at once.
class Circuit {
 public:
  explicit Circuit(const std::string& gates) {
    for (unsigned i = 0; i < 6; ++i) {
      std::uint64_t& word = words_["a" + std::to_string(i + 1)];
      for (unsigned six = 0; six < 64; ++six) word |= std::uint64_t{six >> (5 - i) & 1U} << six;
    }
    static const std::regex gate(R"((AND|OR|XOR|NOT|SEL|LUT)\(([^)]*)\))");
    for (std::sregex_iterator it(gates.begin(), gates.end(), gate), end; it != end; ++it)
      run((*it)[1], (*it)[2]);
  }
  [[nodiscard]] unsigned output(unsigned six) const {
    unsigned result = 0;
    for (const char* name : {"x1", "x2", "x3", "x4"}) {
      result = result << 1U | static_cast<unsigned>(words_.at(name) >> six & 1U);
    }
    return result;
  }
  [[nodiscard]] std::size_t gates() const { return words_.size() - 6; }

 private:
  void run(const std::string& kind, const std::string& list) {
    static const std::regex separator(", ");
    const std::vector<std::string> names(std::sregex_token_iterator(list.begin(), list.end(), separator, -1),
                                         {});
    const auto in = [&](std::size_t i) { return words_.at(names.at(i)); };
    std::uint64_t made = 0;
    if (kind == "AND") made = in(1) & in(2);
    if (kind == "OR") made = in(1) | in(2);
    if (kind == "XOR") made = in(1) ^ in(2);
    if (kind == "NOT") made = ~in(1);
    if (kind == "SEL") made = (in(1) & ~in(3)) | (in(2) & in(3));
    if (kind == "LUT") {
      const unsigned long table = std::stoul(names.at(4), nullptr, 16);
      for (unsigned i = 0; i < 8; ++i) {
        if ((table >> i & 1U) == 0) continue;
        made |= ((i & 4U) != 0 ? in(1) : ~in(1)) & ((i & 2U) != 0 ? in(2) : ~in(2)) &
                ((i & 1U) != 0 ? in(3) : ~in(3));
      }
    }
    const bool is_new = words_.emplace(names.at(0), made).second;
    CHECK(is_new);
  }

  std::map<std::string, std::uint64_t> words_;
};

}  // namespace

TEST_CASE("des: both lists of gates make the standard's S-boxes", "[des]") {
  const std::string text = kernel_text("des/des", "");
  static const std::regex circuit(R"(CIRCUIT\(box_(\d)\)([^]*?)END_CIRCUIT)");
  std::vector<std::size_t> gates;
  for (std::sregex_iterator it(text.begin(), text.end(), circuit), end; it != end; ++it) {
    const int box = std::stoi((*it)[1]);
    const Circuit made((*it)[2]);
    gates.push_back(made.gates());
    for (unsigned six = 0; six < 64; ++six) {
      INFO("box " << box << ", input " << six);
      CHECK(made.output(six) == des::substituted(box, six));
    }
  }
  CHECK(gates == std::vector<std::size_t>{23, 22, 24, 17, 23, 22, 23, 23, 36, 33, 33, 26, 35, 34, 34, 32});
}

}  // namespace dwarfsweep
