// What a point's dump says of its launches is enough to launch the same by other means.
#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "dwarfs/registry.hpp"
#include "harness/run/measure.hpp"
#include "tests/catch.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;
using namespace dwarfsweep::test;
using Json = nlohmann::json;

namespace {

Dump whole_dump(const Dwarf& dwarf, const ValueMap& problem, const Config& config) {
  MeasureOptions options;
  options.warm_up_ns = 0;
  MeasuredPoint point(test_session(), dwarf, generated(dwarf, problem), config, options);
  point.make_ready();
  Dump dump;
  point.dump(dump);
  return dump;
}

std::string from_hexadecimal(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2)
    bytes += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
  return bytes;
}

cl::NDRange range_of(const Json& sizes) {
  if (sizes.empty()) return cl::NullRange;
  if (sizes.size() == 1) return {sizes[0].get<std::size_t>()};
  if (sizes.size() == 2) return {sizes[0].get<std::size_t>(), sizes[1].get<std::size_t>()};
  return {sizes[0].get<std::size_t>(), sizes[1].get<std::size_t>(), sizes[2].get<std::size_t>()};
}

// Launches what was dumped, with nothing but the dump.
class Replay {
 public:
  explicit Replay(const Dump& dump)
      : dump_(dump),
        queue_(test_session().queue()),
        context_(queue_.getInfo<CL_QUEUE_CONTEXT>()),
        commands_(Json::parse(dump.texts.at("launches.json")).at("commands")) {
    for (std::size_t i = 0; dump.bytes.count(name(i, "before")) > 0; ++i) {
      const std::string& bytes = dump.bytes.at(name(i, "before"));
      buffers_.emplace_back(context_, CL_MEM_READ_WRITE, bytes.size());
      queue_.enqueueWriteBuffer(buffers_.back(), CL_TRUE, 0, bytes.size(), bytes.data());
    }
  }

  void run() {
    for (const Json& command : commands_) {
      const Json& arguments = command.at("arguments");
      command.contains("kernel") ? launch(command, arguments) : fill(command, arguments);
    }
    queue_.finish();
  }

  // The first buffer that does not hold what it should; none: empty.
  std::string different() {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const std::string& wanted = dump_.bytes.at(name(i, "after"));
      std::string got(wanted.size(), '\0');
      queue_.enqueueReadBuffer(buffers_[i], CL_TRUE, 0, got.size(), got.data());
      if (got != wanted) return name(i, "after");
    }
    return "";
  }

 private:
  static std::string name(std::size_t number, const char* when) {
    return fmt::format("buffer_{}_{}", number, when);
  }

  cl::Program program(std::size_t number) const {
    const std::string prefix = fmt::format("program_{}_", number);
    const auto source = dump_.texts.lower_bound(prefix);
    const std::string stem = source->first.substr(0, source->first.rfind('.'));
    cl::Program built(context_, dump_.texts.at(stem + ".cl"));
    built.build(dump_.texts.at(stem + ".options").c_str());
    return built;
  }

  void launch(const Json& command, const Json& arguments) {
    cl::Kernel kernel(program(command.at("program")), command.at("kernel").get<std::string>().c_str());
    for (cl_uint i = 0; i < arguments.size(); ++i) {
      const Json& each = arguments[i];
      if (each.contains("buffer")) {
        kernel.setArg(i, buffers_.at(each["buffer"]));
      } else if (each.contains("value")) {
        const std::string value = from_hexadecimal(each["value"]);
        kernel.setArg(i, value.size(), value.data());
      } else {
        kernel.setArg(i, each.at("local_bytes").get<std::size_t>(), nullptr);
      }
    }
    queue_.enqueueNDRangeKernel(kernel, cl::NullRange, range_of(command.at("global")),
                                range_of(command.at("local")));
  }

  void fill(const Json& command, const Json& arguments) {
    const std::string pattern = from_hexadecimal(arguments[1].at("value"));
    std::string content;
    while (content.size() < command.at("filled_bytes")) content += pattern;
    queue_.enqueueWriteBuffer(buffers_.at(arguments[0].at("buffer")), CL_TRUE, 0, content.size(),
                              content.data());
  }

  const Dump& dump_;
  cl::CommandQueue queue_;
  cl::Context context_;
  Json commands_;
  std::vector<cl::Buffer> buffers_;
};

}  // namespace

TEST_CASE("launching what a point's dump has gives what its own run gave", "[device]") {
  int replayed = 0;
  for (const Dwarf* dwarf : built_in_dwarfs()) {
    const ValueMap problem = dwarf->info().checks.odd_problems.front();
    const Config config =
        dwarf->space().default_config(dwarf->space().find("variant").values.back().string());
    const Loaded loaded = generated(*dwarf, problem);
    if (dwarf->space().why_rejected({config, loaded.problem, test_session().device().capabilities})) continue;
    INFO(dwarf->info().name << " " << config.to_string());
    const Dump dump = whole_dump(*dwarf, problem, config);
    const Json launches = Json::parse(dump.texts.at("launches.json"));
    if (!launches.at("complete")) continue;
    if (dwarf->info().name == "rc5_72") continue;  // its matches come in any order
    Replay replay(dump);
    replay.run();
    CHECK(replay.different() == "");
    ++replayed;
  }
  CHECK(replayed > 0);
}

TEST_CASE("a dump says where launches are not all of a run", "[device]") {
  const Dwarf& kmeans = find_dwarf("kmeans");
  const auto complete = [&](const ValueMap& settings) {
    const Config config =
        kmeans.space().set(kmeans.space().baseline(), settings, test_session().device().capabilities);
    const Dump dump = whole_dump(kmeans, {{"points", 100}, {"features", 3}, {"clusters", 2}}, config);
    return Json::parse(dump.texts.at("launches.json")).at("complete").get<bool>();
  };
  CHECK(complete({{"variant", "reduce"}, {"finish", "device"}}));
  CHECK_FALSE(complete({{"variant", "reduce"}, {"finish", "host"}}));
}
