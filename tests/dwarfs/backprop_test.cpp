// backprop: every axis over odd shapes, on devices and on the host; the gradient against finite differences;
// momentum.
#include <cmath>
#include <limits>

#include "dwarfs/backprop/input.hpp"
#include "dwarfs/registry.hpp"
#include "harness/run/launcher.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"
#include "tests/catch.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;
using namespace dwarfsweep::test;

namespace {

using backprop::Network;

const Dwarf& dwarf() {
  return find_dwarf("backprop");
}

ValueMap shape(int inputs, int hidden, int outputs) {
  return {{"inputs", inputs}, {"hidden", hidden}, {"outputs", outputs}};
}

Loaded loaded_of(Network network) {
  const backprop::Shape& its = network.shape;
  Problem problem =
      make_problem("backprop", dwarf().info().keys,
                   {"custom", {{"inputs", its.inputs}, {"hidden", its.hidden}, {"outputs", its.outputs}}});
  return {std::move(problem), std::make_shared<backprop::BackpropInput>(std::move(network))};
}

// Half the squared distance of the output from its target, by these weights.
double loss(const Network& network, const std::vector<double>& first, const std::vector<double>& second) {
  const auto hidden_units = static_cast<std::size_t>(network.shape.hidden);
  const auto outputs = static_cast<std::size_t>(network.shape.outputs);
  std::vector<double> hidden(first.begin(), first.begin() + network.shape.hidden);
  for (std::size_t i = 0; i < network.inputs.size(); ++i) {
    for (std::size_t j = 0; j < hidden_units; ++j)
      hidden[j] += network.inputs[i] * first[(i + 1) * hidden_units + j];
  }
  double sum_of_squares = 0;
  for (std::size_t k = 0; k < outputs; ++k) {
    double sum = second[k];
    for (std::size_t j = 0; j < hidden_units; ++j)
      sum += std::tanh(hidden[j] / 2) * second[(j + 1) * outputs + k] / 2 + second[(j + 1) * outputs + k] / 2;
    const double distance = network.targets[k] - (std::tanh(sum / 2) + 1) / 2;
    sum_of_squares += distance * distance;
  }
  return sum_of_squares / 2;
}

// Of the loss, by central differences, at one of the weights.
double slope(const Network& network, std::vector<double>& weights, std::size_t at,
             const std::vector<double>& first, const std::vector<double>& second) {
  constexpr double step = 1e-4;
  const double weight = weights[at];
  weights[at] = weight + step;
  const double above = loss(network, first, second);
  weights[at] = weight - step;
  const double below = loss(network, first, second);
  weights[at] = weight;
  return (above - below) / (2 * step);
}

std::vector<double> doubles(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

// With the last changes of all weights, and sums that are rounded.
Network network_with_changes() {
  Network network = backprop::random_network({37, 6, 2}, 5);
  network.exact = false;
  network.changes_1.resize(network.weights_1.size());
  network.changes_2.resize(network.weights_2.size());
  Random random(3);
  for (auto* values : {&network.inputs, &network.weights_1, &network.changes_1, &network.changes_2})
    random.fill_uniform(*values, -0.5F, 0.5F);
  return network;
}

}  // namespace

TEST_CASE("backprop: every axis varied, at odd sizes", "[device][backprop][variants]") {
  // Three kernels a point take long to compile: what both variants share is varied in one of them.
  const Loaded loaded = generated(dwarf(), shape(61, 13, 3));
  const Space& space = dwarf().space();
  const ValueMap small{{"work_group", 64}, {"finish", "device"}, {"vector_width", 2}};
  std::vector<ValueMap> all = {
      {}, {{"variant", "strided"}}, small.with("variant", "strided").with("groups", 2)};
  for (const Axis& axis : space.axes()) {
    if (axis.name == "variant" || axis.name == "groups") continue;
    for (const Value& value : axis.values) {
      const ValueMap unrolled = axis.name == "unroll" ? small.with("granularity", 8) : small;
      all.push_back(unrolled.with(axis.name, value));
    }
  }
  int ran = 0;
  for (const ValueMap& settings : all) {
    const Outcome outcome = run_point(dwarf(), loaded, space.set(space.baseline(), settings));
    INFO(settings.to_string() << ": " << outcome.reason);
    CHECK((outcome.status == Status::ok || outcome.status == Status::rejected));
    ran += outcome.status == Status::ok ? 1 : 0;
  }
  CHECK(ran > 25);
  CHECK(run_point(dwarf(), shape(1, 1, 1), {}).status == Status::ok);
  CHECK(run_point(dwarf(), shape(1, 1, 1), {{"variant", "strided"}}).status == Status::ok);
}

TEST_CASE("backprop: wide layers, many outputs, no whole groups", "[device][backprop][heavy]") {
  for (const ValueMap& problem : {shape(5, 300, 70), shape(3001, 17, 1), shape(1024, 16, 16)}) {
    for (const char* variant : {"blocks", "strided"}) {
      const Outcome outcome = run_point(dwarf(), problem, {{"variant", variant}});
      INFO(problem.to_string() << " " << variant << ": " << outcome.reason);
      CHECK(outcome.status == Status::ok);
    }
  }
}

TEST_CASE("backprop: random points", "[device][backprop][heavy]") {
  check_random_points(dwarf(), shape(333, 13, 3), 4);
}

TEST_CASE("backprop: the full space, at tiny and at an odd size", "[device][backprop][heavy][long]") {
  check_full_space(dwarf(), shape(333, 13, 3), 100);
}

TEST_CASE("backprop: on the host", "[backprop]") {
  for (const ValueMap& problem : {shape(1, 1, 1), shape(333, 13, 3), shape(5, 300, 70)})
    check_host(dwarf(), problem);
}

TEST_CASE("backprop: the kernel's parameter table", "[backprop]") {
  check_parameter_table(dwarf());
}

TEST_CASE("backprop: what is no problem is refused", "[backprop]") {
  for (const char* key : {"inputs", "hidden", "outputs"})
    CHECK_THROWS_AS(generated(dwarf(), {{key, 0}}), UsageError);
}

TEST_CASE("backprop: a second layer beyond the kernel's indices is refused", "[backprop]") {
  const auto reason = [](int hidden, int outputs, const char* finish) {
    const Config config = dwarf().space().set(dwarf().space().baseline(), {{"finish", finish}});
    const Problem problem =
        make_problem("backprop", dwarf().info().keys, {"custom", shape(1, hidden, outputs)});
    Capabilities device;
    device.work_group_items = 1024;
    for (auto& size : device.work_item_sizes) size = 1024;
    device.local_bytes = 1U << 16U;
    return dwarf().space().why_rejected({config, problem, device}).value_or("");
  };
  const std::string beyond =
      "finish=device requires fewer than 2^32 weights in the second layer: the kernel counts them in 32 bits";
  CHECK(reason(65'536, 65'536, "device") == beyond);
  CHECK(reason(65'535, 65'535, "device") != beyond);
  CHECK(reason(65'536, 65'536, "host") != beyond);
}

TEST_CASE("backprop: changes follow the gradient, by finite differences", "[device][backprop]") {
  const Loaded loaded = generated(dwarf(), shape(7, 5, 3));
  const Network& network = std::static_pointer_cast<const backprop::BackpropInput>(loaded.input)->network();
  const Dump dump = dumped(dwarf(), loaded, dwarf().space().baseline());
  std::vector<double> first = doubles(network.weights_1);
  std::vector<double> second = doubles(network.weights_2);
  const auto check = [&](std::vector<double>& weights, const std::vector<float>& after) {
    for (std::size_t at = 0; at < weights.size(); ++at) {
      const double change = after[at] - weights[at];
      // The differences are off by the square of the step; a weight of at most 1 rounds by 2^-24.
      CHECK(change == Approx(-0.3 * slope(network, weights, at, first, second)).margin(1.5e-7));
    }
  };
  check(first, dump.floats.at("weights_1"));
  check(second, dump.floats.at("weights_2"));
}

TEST_CASE("backprop: momentum adds a part of the last change", "[device][backprop]") {
  const Loaded loaded = loaded_of(network_with_changes());
  for (const char* finish : {"host", "device"}) {
    for (const char* variant : {"blocks", "strided"}) {
      const Outcome outcome =
          run_point(dwarf(), loaded,
                    dwarf().space().set(
                        dwarf().space().baseline(),
                        {{"variant", variant}, {"finish", finish}, {"padding", 16}, {"vector_width", 2}}));
      INFO(variant << " " << finish << ": " << outcome.reason);
      CHECK(outcome.status == Status::ok);
    }
  }
}

TEST_CASE("backprop: a second step continues with the changes of the first", "[device][backprop]") {
  Network network = network_with_changes();
  const Loaded loaded = loaded_of(network);
  for (const char* finish : {"host", "device"}) {
    Workspace workspace(test_session());
    const auto one = dwarf().prepare(workspace, loaded,
                                     dwarf().space().set(dwarf().space().baseline(), {{"finish", finish}}));
    Launcher launcher(test_session());
    one->upload();
    one->reset();
    one->launch(launcher);
    one->launch(launcher);
    launcher.finish();
    one->download();
    Dump dump;
    one->dump(dump);
    // The step that the check expects, twice.
    Network after = network;
    for (int step = 0; step < 2; ++step) {
      const Network before = after;
      const backprop::Step its = backprop::reference_step(before);
      const std::size_t hidden = its.hidden.size();
      for (std::size_t i = 0; i < after.weights_1.size(); ++i) {
        const double value = i < hidden ? 1 : before.inputs[i / hidden - 1];
        const auto changed = backprop::new_weight(before, before.weights_1[i], before.changes_1[i],
                                                  its.hidden_errors[i % hidden], {value, 0});
        after.weights_1[i] = static_cast<float>(changed.value);
        after.changes_1[i] = after.weights_1[i] - before.weights_1[i];
      }
      const std::size_t outputs = its.output.size();
      for (std::size_t i = 0; i < after.weights_2.size(); ++i) {
        const backprop::Bounded value = i < outputs ? backprop::Bounded{1, 0} : its.hidden[i / outputs - 1];
        const auto changed = backprop::new_weight(before, before.weights_2[i], before.changes_2[i],
                                                  its.output_errors[i % outputs], value);
        after.weights_2[i] = static_cast<float>(changed.value);
        after.changes_2[i] = after.weights_2[i] - before.weights_2[i];
      }
    }
    INFO(finish);
    for (std::size_t i = 0; i < after.weights_1.size(); ++i)
      CHECK(dump.floats.at("weights_1")[i] == Approx(after.weights_1[i]).margin(1e-6));
    for (std::size_t i = 0; i < after.weights_2.size(); ++i)
      CHECK(dump.floats.at("weights_2")[i] == Approx(after.weights_2[i]).margin(1e-6));
  }
}

TEST_CASE("backprop: generated sums are exact, and units are not saturated", "[backprop]") {
  for (const int inputs : {1, 300, 65'536, 1 << 20}) {
    const Network network = backprop::random_network({inputs, 3, 1}, 9);
    CHECK(network.exact);
    const backprop::Step step = backprop::reference_step(network);
    for (const backprop::Bounded& unit : step.hidden) {
      CHECK(unit.value > 0.02);
      CHECK(unit.value < 0.98);
      CHECK(unit.error < 13 * 0x1p-24);
    }
    // Added from the last to the first in single precision.
    float sum = 0;
    for (std::size_t i = network.inputs.size(); i-- > 0;)
      sum += network.inputs[i] * network.weights_1[(i + 1) * 3];
    sum += network.weights_1[0];
    CHECK(1 / (1 + std::exp(-static_cast<double>(sum))) == Approx(step.hidden[0].value).epsilon(1e-14));
  }
}

TEST_CASE("backprop: a weight that is slightly wrong is seen", "[backprop]") {
  const Loaded loaded = generated(dwarf(), shape(333, 13, 3));
  const auto input = std::static_pointer_cast<const backprop::BackpropInput>(loaded.input);
  const Network& network = input->network();
  const backprop::Step step = backprop::reference_step(network);
  const auto floats = [](const std::vector<backprop::Bounded>& values) {
    std::vector<float> result;
    for (const auto& each : values) result.push_back(static_cast<float>(each.value));
    return result;
  };
  std::vector<float> first = network.weights_1;
  std::vector<float> second = network.weights_2;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double value = i < 13 ? 1 : network.inputs[i / 13 - 1];
    first[i] = static_cast<float>(
        backprop::new_weight(network, first[i], 0, step.hidden_errors[i % 13], {value, 0}).value);
  }
  for (std::size_t i = 0; i < second.size(); ++i) {
    const backprop::Bounded value = i < 3 ? backprop::Bounded{1, 0} : step.hidden[i / 3 - 1];
    second[i] = static_cast<float>(
        backprop::new_weight(network, second[i], 0, step.output_errors[i % 3], value).value);
  }
  const std::vector<float> hidden = floats(step.hidden);
  const std::vector<float> output = floats(step.output);
  CHECK(input->check({hidden, output, first, second}).ok);
  first[700] += 4e-7F;  // several roundings of a weight of at most 1
  const Check check = input->check({hidden, output, first, second});
  CHECK_FALSE(check.ok);
  CHECK(check.message.find("weights_1[700] is ") == 0);
  first[700] = std::numeric_limits<float>::quiet_NaN();
  CHECK_FALSE(input->check({hidden, output, first, second}).ok);
}
