#include "dwarfs/des/input.hpp"

#include <fmt/format.h>

#include <cstring>

#include "dwarfs/des/standard.hpp"
#include "harness/device/host.hpp"
#include "harness/formats/file_bytes.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::des {

const std::array<std::uint8_t, 56> search_order = {0,  1,  2,  3,  4,  5,  6,  7,  8,  18, 25, 35, 54, 22,
                                                   9,  10, 11, 12, 13, 14, 15, 16, 17, 19, 20, 21, 23, 24,
                                                   26, 27, 28, 29, 30, 31, 32, 33, 34, 36, 37, 38, 39, 40,
                                                   41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 55};

std::uint64_t searched_bits(std::uint64_t base, std::uint64_t index) {
  for (std::size_t i = 0; i < search_order.size(); ++i) base ^= (index >> i & 1U) << (55U - search_order[i]);
  return base;
}

std::uint64_t planted_key(const Search& search) {
  return key_of_chosen_bits(searched_bits(search.base, search.planted));
}

namespace {

Mode mode_of(const Problem& problem) {
  const std::string& mode = problem.string("mode");
  if (mode == "encrypt") return Mode::encrypt;
  return mode == "decrypt" ? Mode::decrypt : Mode::search;
}

// Pads, if asked to, as PKCS#7 (RFC 5652, section 6.3): as many bytes as are missing, at least one, each of
// that value.
void pad_to_blocks(std::vector<std::uint8_t>& bytes, bool pad, const std::string& file) {
  const std::size_t missing = 8 - bytes.size() % 8;
  if (pad) {
    bytes.insert(bytes.end(), missing, static_cast<std::uint8_t>(missing));
  } else if (missing != 8) {
    throw InputError(
        file, "",
        fmt::format("{} bytes are not a multiple of 8; --problem tail=pkcs7 pads them", bytes.size()));
  }
  if (bytes.empty()) throw InputError(file, "", "is empty, at least one block of 8 bytes is needed");
}

}  // namespace

DesInput::DesInput(Mode mode, std::uint64_t key, std::vector<std::uint64_t> data)
    : mode_(mode), key_(key), data_(std::move(data)), reference_(key_, mode_ == Mode::decrypt, data_) {}

DesInput::DesInput(const Search& search)
    : mode_(Mode::search), key_(planted_key(search)), search_(search), reference_(key_, false, data_) {}

std::shared_ptr<const Input> generate(const Problem& problem, std::uint64_t seed) {
  const auto blocks = static_cast<std::uint64_t>(problem.integer("blocks"));
  if (problem.string("tail") != "none") {
    throw UsageError("des: problem key 'tail' is 'pkcs7', but only a file (--input) has a tail to pad");
  }
  Random random(seed);
  const std::uint64_t key = key_of_chosen_bits(random.next() >> 8U);
  if (mode_of(problem) == Mode::search) {
    Search search{random.next(), 0, chosen_bits(key), blocks, random.below(blocks)};
    search.ciphertext = crypt_block(search.plaintext, planted_key(search), false);
    return std::make_shared<DesInput>(search);
  }
  require_host_memory(fmt::format("des: {} blocks and their results", blocks), 24 * blocks);
  std::vector<std::uint64_t> data(blocks);
  random.fill_bytes({reinterpret_cast<std::uint8_t*>(data.data()), 8 * blocks});
  return std::make_shared<DesInput>(mode_of(problem), key, std::move(data));
}

Loaded load(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files) {
  require_files("des", info.input_formats, files, 1);
  if (const Value* wanted = request.find("blocks")) {
    throw UsageError(
        fmt::format("des: problem key 'blocks' is '{}', but {} says how many there are; leave it out",
                    wanted->to_string(), files.front()));
  }
  Problem problem = make_problem("des", info.keys, {"file", request});
  const Mode mode = mode_of(problem);
  if (mode == Mode::search) throw UsageError("des: a key search takes no input file");
  const bool pad = problem.string("tail") == "pkcs7";
  if (pad && mode == Mode::decrypt) {
    throw UsageError("des: tail=pkcs7 pads what is encrypted; with mode=decrypt leave it out");
  }
  auto bytes = read_bytes(files.front());
  pad_to_blocks(bytes, pad, files.front());
  std::vector<std::uint64_t> data(bytes.size() / 8);
  std::memcpy(data.data(), bytes.data(), bytes.size());
  problem.values = problem.values.with("blocks", static_cast<std::int64_t>(data.size()));
  constexpr std::uint64_t key_for_files = 0x0123456789ABCDEF;  // the key of NIST's examples; the dump says it
  return {std::move(problem), std::make_shared<DesInput>(mode, key_for_files, std::move(data))};
}

}  // namespace dwarfsweep::des
