#include "suite/commands/command_line.hpp"

#include <algorithm>
#include <regex>
#include <set>

#include "suite/commands/help.hpp"
#include "suite/commands/option_table.hpp"
#include "suite/record/duration.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"

using namespace dwarfsweep;

namespace {

Options parse_options(const std::vector<std::string>& arguments) {
  return measuring_options(parse_command_line(arguments));
}

// Every "--option" of a text.
std::set<std::string> options_in(const std::string& text) {
  static const std::regex option("--([a-z][a-z0-9-]*)");
  std::set<std::string> names;
  for (std::sregex_iterator each(text.begin(), text.end(), option), end; each != end; ++each)
    names.insert((*each)[1]);
  return names;
}

std::string complaint(const std::vector<std::string>& arguments) {
  return test::usage_error([&] { (void)parse_options(arguments); });
}

}  // namespace

TEST_CASE("a sweep's options are read", "[unit]") {
  const Options options = parse_options({"sweep",
                                         "--dwarf",
                                         "lud,crc",
                                         "--size=tiny,small",
                                         "--set",
                                         "granularity=4,unroll=2",
                                         "--axis",
                                         "work_group=8,16",
                                         "--axis=variant=tiled",
                                         "--plan",
                                         "random:7",
                                         "--budget",
                                         "10m",
                                         "--seed",
                                         "9",
                                         "--pairs",
                                         "3",
                                         "--precision",
                                         "2%",
                                         "--cpu-reference"});
  CHECK(options.dwarfs == std::vector<std::string>{"lud", "crc"});
  CHECK(options.sizes == std::vector<std::string>{"tiny", "small"});
  CHECK(options.settings.to_string() == "granularity=4;unroll=2");
  REQUIRE(options.axes.size() == 2);
  CHECK(options.axes[0].first == "work_group");
  CHECK(options.axes[0].second == std::vector<Value>{8, 16});
  CHECK(options.plan == "random:7");
  CHECK(options.budget == std::chrono::minutes(10));
  CHECK(options.seed == 9);
  CHECK(options.quality.pairs == 3);
  CHECK(options.quality.half_width == Approx(0.02));
  CHECK(options.cpu_reference);
}

TEST_CASE("publishing asks for narrow intervals and has no budget", "[unit]") {
  const Options options = parse_options({"sweep", "--publish"});
  CHECK(options.quality.half_width == Approx(0.01));
  CHECK(options.quality.blocks == 20);
  CHECK(options.budget.count() == 0);
  CHECK(options.quality.blocks_per_process == 4);
}

TEST_CASE("durations", "[unit]") {
  using std::chrono::milliseconds;
  CHECK(parse_duration("budget", "500ms") == milliseconds(500));
  CHECK(parse_duration("budget", "90") == milliseconds(90'000));
  CHECK(parse_duration("budget", "1.5m") == milliseconds(90'000));
  CHECK(parse_duration("budget", "2h") == milliseconds(7'200'000));
  CHECK(parse_duration("budget", "0") == milliseconds(0));
  for (const char* wrong : {"", "m", "ten", "5 m", "-3s", "1d", "99999h"}) {
    INFO(wrong);
    CHECK_THROWS_AS(parse_duration("budget", wrong), UsageError);
  }
}

TEST_CASE("a time above zero is never the zero that means no limit", "[unit]") {
  using std::chrono::milliseconds;
  CHECK(parse_duration("budget", "0.4ms") == milliseconds(1));
  CHECK(parse_duration("budget", "0.0001") == milliseconds(1));
  CHECK(parse_duration("budget", "1.4ms") == milliseconds(1));
  CHECK(parse_duration("budget", "0ms") == milliseconds(0));
}

TEST_CASE("no value is dropped in silence", "[unit]") {
  const auto axes =
      parse_options({"sweep", "--axis", "granularity=1,2", "--axis", "unroll=1", "--axis", "granularity=2,4"})
          .axes;
  REQUIRE(axes.size() == 2);
  CHECK(axes[0].first == "granularity");
  CHECK(axes[0].second == std::vector<Value>{1, 2, 4});
  CHECK(complaint({"sweep", "--problem", "n=100,n=200"}) ==
        "--problem: 'n' is given twice, as 100 and 200; give it once");
  CHECK(complaint({"sweep", "--set", "unroll=1", "--set", "unroll=1"}).find("given twice") !=
        std::string::npos);
  CHECK(complaint({"sweep", "--set", "granularity=1", "--axis", "granularity=2,4"}) ==
        "--set fixes the axis 'granularity' and --axis varies it; give one of them");
}

TEST_CASE("wrong names and values are reported together with what is allowed", "[unit]") {
  CHECK(complaint({"swep"}) == "there is no command 'swep'; did you mean 'sweep'?");
  CHECK(complaint({"lists"}) == "there is no command 'lists'; did you mean 'list'?");
  CHECK(complaint({"measure"}) ==
        "there is no command 'measure'; there are devices, list, run, sweep, tune, table, report, compare, "
        "judge, merge, "
        "share, intake, atlas, selftest, "
        "peaks");
  CHECK(complaint({"sweep", "--budget", "soon"}) ==
        "--budget is 'soon', but must be a time such as 500ms, 90s, 10m or 2h");
  CHECK(complaint({"sweep", "--pairs", "0"}) == "--pairs is '0', but must be an integer from 1 to 1000");
  CHECK(complaint({"sweep", "--precision", "none"}) ==
        "--precision is 'none', but must be a percentage above 0 and up to 100");
  CHECK(complaint({"sweep", "--axis", "granularity"}) ==
        "--axis 'granularity' is not of the form axis=1,2,4");
  CHECK(complaint({"sweep", "--set", "granularity"}) == "--set: 'granularity' is not of the form name=value");
  CHECK(complaint({"sweep", "--cache", "warm"}) == "--cache is 'warm', but must be one of hot, cold");
  CHECK(complaint({"sweep", "--size", "tiny", "--problem", "n=3"}) ==
        "--size and --problem exclude each other");
  CHECK(complaint({"sweep", "--out", "a", "--resume", "b"}) == "--out and --resume exclude each other");
  CHECK(complaint({"sweep", "--resume", "b", "--dwarf", "lud"}) ==
        "--resume continues with the options of the run and cannot be combined with --dwarf; allowed are "
        "--budget, "
        "--point-timeout, --host and --new-part");
  CHECK(complaint({"sweep", "--new-part"}) == "--new-part is for a run that is continued: it needs --resume");
  CHECK(complaint({"sweep", "--colour"}) ==
        "there is no option '--colour'; 'dwarfsweep sweep -h' lists the options");
  CHECK(complaint({"table", "--as-device", "x"}) ==
        "'table' does not take the option '--as-device', which is for list; 'dwarfsweep table -h' lists its "
        "options");
  CHECK(complaint({"selftest", "lud"}).find("takes options only; usage: dwarfsweep selftest") !=
        std::string::npos);
  CHECK(complaint({"sweep", "lud"})
            .find("takes options only, and folders of earlier runs with --plan "
                  "transfer; usage: dwarfsweep sweep") != std::string::npos);
  CHECK(complaint({"sweep", "--plan", "transfer"}).find("name their folders; usage: dwarfsweep sweep") !=
        std::string::npos);
  CHECK(parse_options({"sweep", "--plan", "transfer", "one", "two"}).runs ==
        std::vector<std::string>{"one", "two"});
}

TEST_CASE("help has the options that a command takes, and no other", "[unit]") {
  std::set<std::string> all;
  for (const Command& command : commands()) {
    for (const CommandOption& option : command.options) all.emplace(option.name);
  }
  all.erase(std::string(operands));
  for (const Command& command : commands()) {
    INFO(command.name);
    const std::string name(command.name);
    std::set<std::string> taken = {"help", "version"};
    for (const std::string& option : all) {
      std::string refusal;
      try {
        (void)parse_command_line({name, "--" + option + "=1"});
      } catch (const UsageError& error) {
        refusal = error.what();
      }
      if (refusal.find("does not take the option") == std::string::npos) taken.insert(option);
    }
    CHECK(taken.size() < all.size());
    CHECK(options_in(*requested_text({name, "-h"})) == taken);
    std::set<std::string> explained = options_in(*requested_text({name, "--help"}));
    explained.insert({"help", "version"});
    CHECK(explained == taken);
  }
}

TEST_CASE("help and version are found anywhere, but not behind a double dash", "[unit]") {
  const std::string help = *requested_text({"sweep", "-h"});
  CHECK(requested_text({"-h", "sweep"}) == help);
  CHECK(requested_text({"sweep", "--budget", "nonsense", "-h"}) == help);
  CHECK(requested_text({"help", "sweep"}) == requested_text({"sweep", "--help"}));
  CHECK(requested_text({}) == requested_text({"help"}));
  CHECK(requested_text({"table", "run", "-V"}) == requested_text({"--version"}));
  CHECK_FALSE(requested_text({"table", "--", "-h"}));
  CHECK_FALSE(requested_text({"sweep"}));
  CHECK_THROWS_AS(requested_text({"help", "swep"}), UsageError);
}
