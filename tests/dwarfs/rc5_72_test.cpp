// rc5_72: every axis, on devices and on the host; published vectors of the cipher and of key searches; keys
// on either side of a carry; requests that are refused; planted errors.
#include <algorithm>

#include "dwarfs/rc5_72/search.hpp"
#include "harness/formats/npy.hpp"
#include "tests/input_files.hpp"
#include "tests/points.hpp"
#include "tests/standard_tests.hpp"

EVERY_AXIS_TEST("rc5_72", "[heavy][long]")
OTHER_STANDARD_TESTS("rc5_72")

using rc5_72::Block;
using rc5_72::Key;
using rc5_72::reference_encrypted;
using rc5_72::SearchInput;

namespace {

using Numbers = std::vector<std::uint64_t>;

const Dwarf& rc5_of_tests() {
  return find_dwarf("rc5_72");
}

std::vector<std::uint8_t> bytes_of_hex(const std::string& digits) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2)
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(digits.substr(i, 2), nullptr, 16)));
  return bytes;
}

enum class Answer { none, half, match };

struct Vector {
  const char* key;
  const char* iv;
  const char* plain;
  const char* cipher;
  Answer answer;
};

// Of the first, RSA Laboratories' pseudo-contest, the plaintext begins "The unkn". All are in the self-test
// of distributed.net's clients: keys in whose search bytes carry, and others whose first word alone
// matches.
const std::vector<Vector> vectors = {
    {"0xC90C0353C0D4E1FE85", "0x1F59CE07419A1486", "0x206568546E6B6E75", "0x562D285A2FB7852A", Answer::match},
    {"0xDEEE0C6279BF66F898", "0x8F0FC4D45C7BE413", "0x1850EA580E02AEE8", "0x9D745D16B796FAAB", Answer::match},
    {"0x0F556979E76C009260", "0xE72C642E0E04E4B2", "0x6ABACC4B1D8EDBC6", "0x9C0C50A72D44E127", Answer::match},
    {"0x9ED8B648C600003A3C", "0x776E94A7C5DB4564", "0x128A1B8102571D50", "0x313F939B55CD7EC3", Answer::match},
    {"0xC8B36311000000EAF0", "0x47CCD4B96269DF39", "0x58EDDE486F32CEBB", "0x2C35BB514B79164F", Answer::match},
    {"0xFE4008000000006F64", "0xC8CDE36EE1B8EF64", "0x95B4A79E4605BD3C", "0xE72B087080EB3E89", Answer::match},
    {"0x28690000000000204D", "0x45214BFCD9B533E2", "0xDF213C23A6CA9EA4", "0x47BA33D7DFFE0F22", Answer::match},
    {"0x6E000000000000172F", "0x6D61CA353094B27F", "0x29A70EB2472B3E2B", "0xF069F77B50DBB2D9", Answer::match},
    {"0xC6E9386A44C0F9D107", "0x580D9BFA545B2D79", "0xDAB8806EBAC12504", "0x11D572B75DA4EDC8", Answer::match},
    {"0x2BE01C5B9DD65CCAD7", "0xFA04DE755C690280", "0x42E9EF80FDCE3666", "0x50E44FCA9474751F", Answer::match},
    {"0x972C0F244DEFC54E4F", "0x61782CEA8EBEEAA2", "0xA997FC19637EFE8D", "0x6D8BA543829162D6", Answer::match},
    {"0xA88960B40B1F46AD1F", "0x635AAE064D71F94C", "0xE31C9102A3710F1D", "0xBBC7380B3A2B26DE", Answer::match},
    {"0xB1FFE95917B38E4396", "0xB6A38DAB755E1769", "0x50285023ECA5E230", "0xF9C698592D6E65C1", Answer::match},
    {"0xC646E7E19D9CD65C85", "0x75A3F6CBBA18E29B", "0x1F77477CD9FA84CE", "0x87BA709D2FAC8DF9", Answer::match},
    {"0xE3D686400B7EFB2180", "0x3EE49CA522781BD2", "0x7B4B47B4825948D2", "0x40A720CD30FA3E5A", Answer::match},
    {"0x85EA3678CF91DB0D2C", "0x2B173813FE0C0890", "0x16C8602A57338BBC", "0xC4E2069CEB8C5AA6", Answer::match},
    {"0xD6BE71026E348165EE", "0x3B57B5DF1168DBA0", "0x0BF18EC7F0C32238", "0xDA6CC9F0904CC0CF", Answer::match},
    {"0x5F71AD1E3782BC4D50", "0xB2A8ED8C1BEB8449", "0x33FCDDD0848CC2FB", "0x6E9F4B5533EFD7A4", Answer::match},
    {"0x114134BDB0175A077F", "0xBB5EE18B1687C746", "0x264376C7C55B353C", "0x46C85DBA81B6AAF7", Answer::match},
    {"0x94888FF8CB282E6E5F", "0x1D37F4642D6B2681", "0x30AC587E528B2B55", "0xD7DED9777D292AE3", Answer::match},
    {"0xD948A2E6E4CD610000", "0xE466611AC522F847", "0xAFD164AB7C43EA96", "0x5E4811771C4626AF", Answer::match},
    {"0xE571448E83D0860001", "0xDBFDCC1780745FC0", "0x0AF2DA0B504E9D69", "0x1B0C9E16F41C12F6", Answer::match},
    {"0x3EED6D9F85A6D70002", "0x7E6B93CBD52234A4", "0x266DDBB263F8CE52", "0x118A3136F0CBA60D", Answer::match},
    {"0x25D04F6B0E16AD0003", "0x5013A02FB7D951BE", "0x5D4ED559A4982A6C", "0xD54760832555C40E", Answer::match},
    {"0x0545C2E10D273D0100", "0x757CE4AC1E2F7BB4", "0xB314FB6C11741D33", "0x10508EF21A601C7D", Answer::half},
    {"0x5630E19DF48C460101", "0xBA5C933FE650DD4F", "0xA1B7D74E1C4A2BE4", "0x5C7888BE36590A07", Answer::half},
    {"0x853B37FFD39F14B33B", "0x30B66C243568B777", "0x30E07B261033274C", "0x79FA87162C68E3F4", Answer::half},
    {"0x80B75263C541668D03", "0xF6702E3D27D05850", "0x0AACF2F49B6A396C", "0x77562F1D933563A8", Answer::half},
    {"0x0352A1DF42D8A36271", "0x4482012B3261CB99", "0xA748FFBA68131ED1", "0x9AA6F0DB28E4E78A", Answer::half},
    {"0x8723A58F8FD59495C1", "0x45074B81C0B65A2B", "0x834653C08696CB62", "0x91DDCD8F723F8B84", Answer::half},
    {"0xCC9661BA347604002A", "0x502B749000860AC2", "0x5C388FF27EB10509", "0x4DA0AE1CD1C60CFB", Answer::match},
    {"0x21E765D2F6C61170A7", "0x279E2821E318702E", "0x25FE913238D5F0DF", "0xE9BE8686E29AD459", Answer::none},
};

const SearchInput& search_of(const Loaded& loaded) {
  return static_cast<const SearchInput&>(*loaded.input);
}

/// A search of `keys` keys; number `place` is `key`.
Loaded search_around(const Key& key, std::uint64_t place, int keys, const Vector& vector) {
  const bool borrows = key.last < place;
  const Key first{key.prefix - (borrows ? 1 : 0), static_cast<std::uint8_t>(key.last - place)};
  return generated(rc5_of_tests(), {{"keys", keys},
                                    {"first", text_of(first)},
                                    {"iv", vector.iv},
                                    {"plain", vector.plain},
                                    {"cipher", vector.cipher}});
}

Key key_of(const Vector& vector) {
  return search_of(generated(rc5_of_tests(), {{"keys", 1}, {"first", vector.key}})).search().first;
}

Numbers numbers_in(const Dump& dump, const std::string& name) {
  return std::get<Numbers>(read_npy(dump.texts.at(name + ".npy"), name).values);
}

void check_vector(const Vector& vector, const Config& config) {
  const Loaded loaded = search_around(key_of(vector), 3, 9, vector);
  const Dump dump = dumped(rc5_of_tests(), loaded, config);
  INFO(vector.key << " " << config.to_string());
  CHECK(numbers_in(dump, "matches") == (vector.answer == Answer::match ? Numbers{3} : Numbers{}));
  CHECK(numbers_in(dump, "half_matches") == Numbers{vector.answer == Answer::none ? 0U : 1U});
}

Config start_of(const char* variant) {
  return rc5_of_tests().space().default_config(variant, test_session().device().capabilities);
}

}  // namespace

TEST_CASE("rc5_72: each axis, several at a time", "[device][rc5_72][variants]") {
  const auto of = [](const char* variant, ValueMap settings) { return settings.with("variant", variant); };
  check_settings(
      rc5_of_tests(),
      {{{"work_group", 32}, {"unroll", 26}, {"rotation", "builtin"}},
       {{"unroll", 2}, {"rotation", "multiply"}},
       of("pipes", {{"granularity", 4}, {"vector_width", 1}, {"unroll", 13}, {"rotation", "shifts"}}),
       of("pipes", {{"granularity", 2}, {"vector_width", 4}, {"unroll", 2}, {"work_group", 32}}),
       of("shared_prefix",
          {{"granularity", 1}, {"vector_width", 1}, {"unroll", 26}, {"keys_per_prefix", 32}}),
       of("shared_prefix", {{"granularity", 2}, {"vector_width", 2}, {"unroll", 1}, {"keys_per_prefix", 16}}),
       of("shared_prefix",
          {{"granularity", 1}, {"vector_width", 8}, {"unroll", 2}, {"rotation", "multiply"}})},
      rc5_of_tests().info().checks.odd_problems);
}

TEST_CASE("rc5_72: the cipher alone, RC5-32/12/16 and other rounds", "[rc5_72]") {
  const auto encrypted = [](const char* key, unsigned rounds, Block plain) {
    return reference_encrypted(bytes_of_hex(key), rounds, plain);
  };
  // Rivest's paper, each plaintext the ciphertext before it.
  Block block = encrypted("00000000000000000000000000000000", 12, {0, 0});
  CHECK(block == Block{0xEEDBA521, 0x6D8F4B15});
  block = encrypted("915F4619BE41B2516355A50110A9CE91", 12, block);
  CHECK(block == Block{0xAC13C0F7, 0x52892B5B});
  block = encrypted("783348E75AEB0F2FD7B169BB8DC16787", 12, block);
  CHECK(block == Block{0xB7B3422F, 0x92FC6903});
  block = encrypted("DC49DB1375A5584F6485B413B5F12BAF", 12, block);
  CHECK(block == Block{0xB278C165, 0xCC97D184});
  // T. Krovetz, "Test vectors for RC6 and RC5", Internet-Draft.
  const char* const counting = "000102030405060708090A0B0C0D0E0F";
  CHECK(encrypted(counting, 12, {0x03020100, 0x07060504}) == Block{0xC4B3D3C8, 0xFA0C7086});
  CHECK(encrypted(counting, 16, {0x03020100, 0x07060504}) == Block{0x35952E3E, 0x96D82770});
}

TEST_CASE("rc5_72: the vectors of key searches on the host", "[rc5_72]") {
  for (const Vector& vector : vectors) {
    INFO(vector.key);
    const Loaded loaded = search_around(key_of(vector), 100, 201, vector);
    const auto host = rc5_of_tests().prepare_host(loaded, 2);
    host->run();
    CHECK(host->check().ok);
    const Numbers key = {100};
    const bool half = vector.answer != Answer::none;
    const bool whole = vector.answer == Answer::match;
    const SearchInput& input = search_of(loaded);
    CHECK(input.check({whole ? key : Numbers{}, half ? key : Numbers{}}).ok);
    CHECK_FALSE(input.check({whole ? Numbers{} : key, half ? key : Numbers{}}).ok);
    CHECK_FALSE(input.check({whole ? key : Numbers{}, half ? Numbers{} : key}).ok);
  }
}

TEST_CASE("rc5_72: the vectors of key searches on the device", "[device][rc5_72]") {
  for (const Vector& vector : vectors) check_vector(vector, start_of("shared_prefix"));
}

TEST_CASE("rc5_72: the vectors by the other variants", "[device][rc5_72][variants]") {
  for (const Vector& vector : vectors) {
    check_vector(vector, start_of("per_key"));
    check_vector(vector, start_of("pipes"));
  }
}

TEST_CASE("rc5_72: keys on either side of a carry", "[device][rc5_72]") {
  // The byte that changes is K7, K6, ..., K0.
  for (int byte = 1; byte <= 8; ++byte) {
    const Key carried{std::uint64_t{0x5A} << (8 * (byte - 1)), 0};
    for (const std::uint64_t place : {20, 22}) {  // the first key behind the carry, the last one before it
      const Key key = place == 20 ? carried : Key{carried.prefix - 1, 254};
      const Block cipher = reference_encrypted(bytes_of(key), 12, {1, 2});
      const std::string text = text_of(cipher);
      const Vector vector{"", "0x0", "0x100000002", text.c_str(), Answer::match};
      for (const char* variant : {"per_key", "pipes", "shared_prefix"}) {
        const Dump dump = dumped(rc5_of_tests(), search_around(key, place, 41, vector), start_of(variant));
        INFO(byte << " " << place << " " << variant);
        CHECK(numbers_in(dump, "matches") == Numbers{place});
      }
    }
  }
}

TEST_CASE("rc5_72: a dump says what was searched", "[device][rc5_72]") {
  const Dump dump = dumped(rc5_of_tests(), search_around(key_of(vectors[0]), 0, 1, vectors[0]),
                           rc5_of_tests().space().baseline());
  CHECK(dump.notes.at("first") == "0xc90c0353c0d4e1fe85");
  CHECK(dump.notes.at("plain") == "0x206568546e6b6e75");
  CHECK(dump.notes.at("iv") == "0x1f59ce07419a1486");
  CHECK(dump.notes.at("cipher") == "0x562d285a2fb7852a");
}

TEST_CASE("rc5_72: requests that are refused", "[rc5_72]") {
  const auto said = [](const ValueMap& problem) {
    return usage_error([&] { (void)generated(rc5_of_tests(), problem); });
  };
  CHECK(said({{"first", "0xC90C0353C0D4E1FE855"}}) ==
        "rc5_72: problem key 'first' is '0xC90C0353C0D4E1FE855', but must be one of random, 0x and 1 to 18 "
        "hexadecimal digits");
  for (const char* text : {"0x", "12", "0x12g", "x1", "planted", ""})
    CHECK(said({{"plain", text}}) != "no error");
  CHECK_NOTHROW(generated(rc5_of_tests(), {{"cipher", "0xffffffffffffffff"}}));
  CHECK_NOTHROW(generated(rc5_of_tests(), {{"keys", 256}, {"first", "0xffffffffffffffff00"}}));
  CHECK(said({{"keys", 257}, {"first", "0xffffffffffffffff00"}}) ==
        "rc5_72: 257 keys from 0xffffffffffffffff00 on go beyond the last key of 72 bits; lower 'keys' or "
        "'first'");
}

TEST_CASE("rc5_72: of a search too large to repeat, what is reported is checked", "[rc5_72]") {
  const Loaded loaded = generated(rc5_of_tests(), {{"keys", std::int64_t{1} << 40}});
  const SearchInput& input = search_of(loaded);
  const std::uint64_t planted = input.search().planted.value();
  CHECK(input.check({{planted}, {planted}}).ok);
  CHECK_FALSE(input.check({{}, {}}).ok);
  CHECK_FALSE(input.check({{}, {planted}}).ok);
  CHECK_FALSE(input.check({{planted}, {}}).ok);
  CHECK_FALSE(input.check({{planted, planted}, {planted}}).ok);
  CHECK_FALSE(input.check({{planted}, {planted, planted + 1}}).ok);
  CHECK_FALSE(input.check({{planted, planted + 1}, {planted, planted + 1}}).ok);
}

TEST_CASE("rc5_72: planted errors are caught", "[device][rc5_72]") {
  const auto status = [](const std::string& from, const std::string& to, const ValueMap& settings) {
    return status_with(from, to, rc5_of_tests(), {{"keys", 1531}}, settings);
  };
  const ValueMap shared{{"variant", "shared_prefix"}};
  CHECK(status("l0 + (a + b), a + b", "l0 + (a + b), a + b", {}) == Status::ok);  // nothing changed
  CHECK(status("l0 + (a + b), a + b", "l0 + (a + b), b", {}) == Status::wrong_result);
  CHECK(status("2 * NEXT_SUBKEY", "NEXT_SUBKEY", shared) == Status::wrong_result);
  CHECK(status("found.y == pair.w", "true", {}) == Status::ok);  // no key matches in its first word alone
}
