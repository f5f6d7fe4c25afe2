// Fuzz target of read_fasta.
#include "harness/formats/fasta.hpp"

#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::string_view bytes) {
    const auto records = read_fasta(bytes, "input");
    fuzz::require(!records.empty());
    for (const FastaRecord& record : records) {
      fuzz::require(!record.letters.empty());
      for (const char letter : record.letters)
        fuzz::require(letter == '*' || (letter >= 'A' && letter <= 'z'));
    }
  });
}
