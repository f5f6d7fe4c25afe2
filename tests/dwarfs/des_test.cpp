// des: known answers of the standards, and every variant over odd numbers of blocks.
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include "dwarfs/des/input.hpp"
#include "dwarfs/des/standard.hpp"
#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"
#include "tests/catch.hpp"
#include "tests/points.hpp"

namespace dwarfsweep {
const Dwarf& des_dwarf();

namespace {

using des::DesInput;
using des::Mode;

struct Answer {
  std::uint64_t key, plaintext, ciphertext;
};

// NIST SP 800-17 (February 1998), appendix A: table 1 (variable plaintext, first and last), table 2 (variable
// key), table 3 (permutation operation), table 4 (substitution table, which takes every entry of every
// S-box); and the example of FIPS 81, "Now is the time for all ".
const std::vector<Answer> known_answers = {{0x0101010101010101, 0x8000000000000000, 0x95F8A5E5DD31D900},
                                           {0x0101010101010101, 0x0000000000000001, 0x166B40B44ABA4BD6},
                                           {0x8001010101010101, 0x0000000000000000, 0x95A8D72813DAA94D},
                                           {0x0101010101010102, 0x0000000000000000, 0x869EFD7F9F265A09},
                                           {0x1046913489980131, 0x0000000000000000, 0x88D55E54F54C97B4},
                                           {0x7CA110454A1A6E57, 0x01A1D6D039776742, 0x690F5B0D9A26939B},
                                           {0x0131D9619DC1376E, 0x5CD54CA83DEF57DA, 0x7A389D10354BD271},
                                           {0x07A1133E4A0B2686, 0x0248D43806F67172, 0x868EBB51CAB4599A},
                                           {0x3849674C2602319E, 0x51454B582DDF440A, 0x7178876E01F19B2A},
                                           {0x04B915BA43FEB5B6, 0x42FD443059577FA2, 0xAF37FB421F8C4095},
                                           {0x0113B970FD34F2CE, 0x059B5E0851CF143A, 0x86A560F10EC6D85B},
                                           {0x0170F175468FB5E6, 0x0756D8E0774761D2, 0x0CD3DA020021DC09},
                                           {0x43297FAD38E373FE, 0x762514B829BF486A, 0xEA676B2CB7DB2B7A},
                                           {0x07A7137045DA2A16, 0x3BDD119049372802, 0xDFD64A815CAF1A0F},
                                           {0x04689104C2FD3B2F, 0x26955F6835AF609A, 0x5C513C9C4886C088},
                                           {0x37D06BB516CB7546, 0x164D5E404F275232, 0x0A2AEEAE3FF4AB77},
                                           {0x1F08260D1AC2465E, 0x6B056E18759F5CCA, 0xEF1BF03E5DFA575A},
                                           {0x584023641ABA6176, 0x004BD6EF09176062, 0x88BF0DB6D70DEE56},
                                           {0x025816164629B007, 0x480D39006EE762F2, 0xA1F9915541020B56},
                                           {0x49793EBC79B3258F, 0x437540C8698F3CFA, 0x6FBF1CAFCFFD0556},
                                           {0x4FB05E1515AB73A7, 0x072D43A077075292, 0x2F22E49BAB7CA1AC},
                                           {0x49E95D6D4CA229BF, 0x02FE55778117F12A, 0x5A6B612CC26CCE4A},
                                           {0x018310DC409B26D6, 0x1D9D5C5018F728C2, 0x5F4C038ED12B2E41},
                                           {0x1C587F1C13924FEF, 0x305532286D6F295A, 0x63FAC0D034D9F793},
                                           {0x0123456789ABCDEF, 0x4E6F772069732074, 0x3FA40E8A984D4815},
                                           {0x133457799BBCDFF1, 0x0123456789ABCDEF, 0x85E813540F0AB405}};

Loaded of_words(Mode mode, std::uint64_t key, std::vector<std::uint64_t> blocks) {
  for (std::uint64_t& block : blocks) block = des::to_memory(block);
  Problem problem{"custom",
                  {{"blocks", static_cast<std::int64_t>(blocks.size())},
                   {"mode", mode == Mode::decrypt ? "decrypt" : "encrypt"},
                   {"tail", "none"}}};
  return {problem, std::make_shared<DesInput>(mode, key, std::move(blocks))};
}

// The default configuration of each variant, and what it leaves out.
std::vector<ValueMap> variants() {
  return {{{"variant", "ifs"}},
          {{"variant", "lut"}, {"memory", "local"}, {"granularity", 2}, {"padding", 1}},
          {{"variant", "lut"}, {"memory", "constant"}},
          {{"variant", "split"}},
          {{"variant", "per_bit"}},
          {{"variant", "per_bit"}, {"permutations", "ifs"}},
          {{"variant", "per_bit"},
           {"work_group", 128},
           {"granularity", 2},
           {"memory", "local"},
           {"kernel_rounds", 16}},
          {{"variant", "bitslice"},
           {"vector_width", 1},
           {"padding", 0},
           {"gates", "three_input"},
           {"unroll", 1}}};
}

void check_known_answers(Mode mode) {
  const Space& space = des_dwarf().space();
  // Oclgrind's check for uninitialised values takes a second for each.
  const auto answers =
      std::span(known_answers).first(test::checks_uninitialised() ? 1 : std::size(known_answers));
  for (const ValueMap& settings : variants()) {
    for (const Answer& answer : answers) {
      const bool decrypt = mode == Mode::decrypt;
      const Loaded loaded = of_words(mode, answer.key, {decrypt ? answer.ciphertext : answer.plaintext});
      const auto outcome = test::run_point(des_dwarf(), loaded, space.set(space.baseline(), settings));
      INFO(settings.to_string() << ", key " << std::hex << answer.key << ": " << outcome.reason);
      CHECK(outcome.status == Status::ok);
    }
  }
}

}  // namespace

TEST_CASE("des: known answers of SP 800-17 and FIPS 81, bit by bit", "[des]") {
  for (const Answer& answer : known_answers) {
    INFO(std::hex << answer.key);
    CHECK(des::crypt_block(answer.plaintext, answer.key, false) == answer.ciphertext);
    CHECK(des::crypt_block(answer.ciphertext, answer.key, true) == answer.plaintext);
    // Complementation: all bits of key and plaintext inverted invert the ciphertext.
    CHECK(des::crypt_block(~answer.plaintext, ~answer.key, false) == ~answer.ciphertext);
  }
}

TEST_CASE("des: the verification of many blocks agrees with the cipher bit by bit", "[des]") {
  Random random(3);
  std::vector<std::uint64_t> blocks(100);
  for (std::uint64_t& block : blocks) block = random.next();
  const std::uint64_t key = random.next();
  for (const Mode mode : {Mode::encrypt, Mode::decrypt}) {
    std::vector<std::uint64_t> wanted;
    for (const std::uint64_t block : blocks) {
      wanted.push_back(des::to_memory(des::crypt_block(block, key, mode == Mode::decrypt)));
    }
    const Loaded loaded = of_words(mode, key, blocks);
    const auto& input = dynamic_cast<const DesInput&>(*loaded.input);
    CHECK(input.reference().compare(wanted).ok);
    wanted[57] ^= 1;
    const Check check = input.reference().compare(wanted);
    CHECK_FALSE(check.ok);
    CHECK(check.message.find("block 57") != std::string::npos);
  }
}

TEST_CASE("des: keys of a search differ, and keep odd parity", "[des]") {
  CHECK(des::searched_bits(0, (std::uint64_t{1} << 56U) - 1) == (std::uint64_t{1} << 56U) - 1);
  for (unsigned bit = 0; bit < 56; ++bit) {
    const std::uint64_t bits = des::searched_bits(0x123456789ABCDE, std::uint64_t{1} << bit);
    CHECK(bits != 0x123456789ABCDE);
    CHECK(des::chosen_bits(des::key_of_chosen_bits(bits)) == bits);
  }
  CHECK(des::key_of_chosen_bits(des::chosen_bits(0x133457799BBCDFF1)) == 0x133457799BBCDFF1);
}

TEST_CASE("des: what a search reports is checked against the pair", "[des]") {
  const Loaded loaded = test::generated(des_dwarf(), {{"blocks", 1000}, {"mode", "search"}});
  const auto& input = dynamic_cast<const DesInput&>(*loaded.input);
  const std::uint64_t planted = input.search().planted;
  CHECK(compare_found(input.search(), std::vector<std::uint64_t>{planted}).ok);
  CHECK_FALSE(compare_found(input.search(), {}).ok);
  CHECK_FALSE(compare_found(input.search(), std::vector<std::uint64_t>{planted, planted}).ok);
  CHECK_FALSE(compare_found(input.search(), std::vector<std::uint64_t>{planted, planted + 1}).ok);
}

TEST_CASE("des: the host's versions at odd sizes", "[des]") {
  for (const int blocks : {1, 33, 1000}) {
    for (const char* mode : {"encrypt", "decrypt", "search"}) {
      test::check_host(des_dwarf(), {{"blocks", blocks}, {"mode", mode}});
    }
  }
}

TEST_CASE("des: the kernel file names every axis", "[des]") {
  test::check_parameter_table(des_dwarf());
}

TEST_CASE("des: files are a multiple of a block, or padded on request", "[des]") {
  const auto file = std::filesystem::temp_directory_path() / "dwarfsweep_des_test.bin";
  std::ofstream(file, std::ios::binary) << "Now is the time for all";
  CHECK_THROWS_AS(des_dwarf().load({}, {file.string()}), InputError);
  const Loaded padded = des_dwarf().load({{"tail", "pkcs7"}}, {file.string()});
  CHECK(padded.problem.integer("blocks") == 3);
  CHECK(des::to_block(dynamic_cast<const DesInput&>(*padded.input).data()[2]) == 0x666F7220616C6C01);
  std::ofstream(file, std::ios::binary) << "Now is the time for all ";
  const Loaded whole = des_dwarf().load({}, {file.string()});
  CHECK(whole.problem.integer("blocks") == 3);
  // FIPS 81, table B1.
  const std::vector<std::uint64_t> wanted = {0x3FA40E8A984D4815, 0x6A271787AB8883F9, 0x893D51EC4B563B53};
  const auto& input = dynamic_cast<const DesInput&>(*whole.input);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(des::crypt_block(des::to_block(input.data()[i]), input.key(), false) == wanted[i]);
  }
  CHECK(des_dwarf().load({{"tail", "pkcs7"}}, {file.string()}).problem.integer("blocks") == 4);
  CHECK_THROWS_AS(des_dwarf().load({{"blocks", 3}}, {file.string()}), UsageError);
  CHECK_THROWS_AS(des_dwarf().load({{"mode", "search"}}, {file.string()}), UsageError);
  CHECK_THROWS_AS(des_dwarf().load({{"mode", "decrypt"}, {"tail", "pkcs7"}}, {file.string()}), UsageError);
  std::filesystem::remove(file);
  CHECK_THROWS_AS(des_dwarf().load({}, {file.string()}), InputError);
}

TEST_CASE("des: known answers on the device", "[device][des][variants]") {
  check_known_answers(Mode::encrypt);
  check_known_answers(Mode::decrypt);
}

// llvmpipe, known by having neither doubles nor local memory of its own.
bool compiles_slowly() {
  const Capabilities& capabilities = test::test_session().device().capabilities;
  return !capabilities.fp64 && !capabilities.is_gpu;
}

// Compilers take seconds for a point of bitslice, so that each point here changes all axes: point i takes
// value i of every axis, beginning again at its end.
void check_axes_together(const ValueMap& problem, const std::vector<const char*>& variants, std::size_t first,
                         std::size_t points) {
  const Space& space = des_dwarf().space();
  const Loaded loaded = test::generated(des_dwarf(), problem);
  for (const char* variant : variants) {
    for (std::size_t i = first; i < first + points; ++i) {
      Config config = space.default_config(variant);
      for (const Axis& axis : space.axes()) {
        if (axis.name == "variant" || !Space::applies(axis, variant)) continue;
        config = config.with(axis.name, axis.values[i % axis.values.size()]);
      }
      if (config.integer("vector_width") > 1) config = config.with("padding", 1);
      if (config.integer("unroll") > config.integer("kernel_rounds") && config.string("variant") == "split")
        config = config.with("unroll", 1);
      const auto outcome = test::run_point(des_dwarf(), loaded, config);
      INFO(config.to_string() << ": " << outcome.reason);
      CHECK(outcome.status == Status::ok);
    }
  }
}

TEST_CASE("des: the values of all axes, changed together", "[device][des][heavy]") {
  check_axes_together({{"blocks", 1543}}, {"ifs", "lut", "split"}, 0, 4);
  check_axes_together({{"blocks", 1543}, {"mode", "decrypt"}}, {"bitslice"}, 0, compiles_slowly() ? 1 : 3);
}

TEST_CASE("des: key search with the values of all axes, changed together", "[device][des][heavy]") {
  // PoCL in turn takes half a minute for single words, because it tries to make vectors of them.
  const ValueMap problem{{"blocks", 17'001}, {"mode", "search"}};
  check_axes_together(problem, {"lut"}, 0, 2);
  check_axes_together(problem, {"bitslice"}, compiles_slowly() ? 0 : 3, compiles_slowly() ? 1 : 2);
}

TEST_CASE("des: every value of every axis, one at a time", "[device][des][heavy][long]") {
  test::check_one_at_a_time(des_dwarf(), {{"blocks", 1543}});
  test::check_one_at_a_time(des_dwarf(), {{"blocks", 1}, {"mode", "decrypt"}});
  test::check_one_at_a_time(des_dwarf(), {{"blocks", 70'001}, {"mode", "search"}});
}

// Intel's compiler takes minutes for the search by bitslice, here and below.
TEST_CASE("des: small searches", "[device][des][variants][builds]") {
  const Space& space = des_dwarf().space();
  for (const char* variant : {"ifs", "lut", "bitslice"}) {
    const Config config = space.default_config(variant, test::test_session().device().capabilities);
    for (const int keys : {1, 40}) {
      const Loaded loaded = test::generated(des_dwarf(), {{"blocks", keys}, {"mode", "search"}});
      const auto outcome = test::run_point(des_dwarf(), loaded, config);
      INFO(variant << ", " << keys << " keys: " << outcome.reason);
      CHECK(outcome.status == Status::ok);
    }
  }
}

// Long, because PoCL and llvmpipe take minutes to compile some points of bitslice.
TEST_CASE("des: random points", "[device][des][heavy][long]") {
  test::check_random_points(des_dwarf(), {{"blocks", 5003}, {"mode", "decrypt"}}, 3);
}

TEST_CASE("des: the full space, at tiny and at an odd size", "[device][des][heavy][long]") {
  test::check_full_space(des_dwarf(), {{"blocks", 1543}, {"mode", "decrypt"}}, 20);
}

TEST_CASE("des: the widest vectors", "[device][des][heavy]") {
  if (compiles_slowly()) {
    SUCCEED("wide vectors take minutes to compile here");
    return;
  }
  // More than 2 is rejected on some GPUs.
  const int widest = test::test_session().device().capabilities.is_gpu ? 2 : 16;
  for (const char* gates : {"select", "three_input"}) {
    const auto outcome = test::run_point(
        des_dwarf(), {{"blocks", 3001}},
        {{"variant", "bitslice"}, {"vector_width", widest}, {"padding", 1}, {"gates", gates}});
    INFO(gates << ": " << outcome.reason);
    CHECK(outcome.status == Status::ok);
  }
}

TEST_CASE("des: published settings run", "[device][des][heavy]") {
  const Space& space = des_dwarf().space();
  for (const PaperSetting& setting : des_dwarf().paper_settings()) {
    CHECK(test::run_point(des_dwarf(), setting.problem, setting.settings).status == Status::ok);
    CHECK(space.set(space.baseline(), setting.settings).integer("unroll") == 1);
  }
}

TEST_CASE("des: a wrong bit in a block is caught, and a key that is not there", "[device][des][builds]") {
  const Dwarf& dwarf = des_dwarf();
  for (const char* variant : {"ifs", "lut", "split", "per_bit", "bitslice"}) {
    const Config config = dwarf.space().default_config(variant, test::test_session().device().capabilities);
    const Loaded loaded = of_words(Mode::encrypt, 0x133457799BBCDFF1, std::vector<std::uint64_t>(77, 5));
    const auto& input = dynamic_cast<const DesInput&>(*loaded.input);
    // The reference has been computed; what the device gets differs in a bit.
    CHECK_FALSE(input.reference().compare(std::vector<std::uint64_t>(77, 0)).ok);
    const_cast<std::vector<std::uint64_t>&>(input.data())[50] ^= 4;
    const auto outcome = test::run_point(dwarf, loaded, config);
    CHECK(outcome.status == Status::wrong_result);
    CHECK(outcome.reason.find("block 50") != std::string::npos);
  }
  const Config config = dwarf.space().default_config("bitslice", test::test_session().device().capabilities);
  Loaded loaded = test::generated(dwarf, {{"blocks", 100}, {"mode", "search"}});
  des::Search search = dynamic_cast<const DesInput&>(*loaded.input).search();
  search.ciphertext ^= 1;
  loaded.input = std::make_shared<DesInput>(search);
  CHECK(test::run_point(dwarf, loaded, config).status == Status::wrong_result);
}

}  // namespace dwarfsweep
