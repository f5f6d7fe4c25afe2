// Work-groups that wait for each other: kernels_cl/ordering.cl by litmus tests, and the test of forward
// progress.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "harness/program/kernel_source.hpp"
#include "harness/run/launcher.hpp"
#include "harness/run/self_test.hpp"
#include "harness/run/workspace.hpp"
#include "tests/catch.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;

namespace {

constexpr std::size_t groups = 64;
constexpr cl_uint rounds = 200;
constexpr cl_uint patient = 200'000'000;  // a wait that takes so many reads has failed
constexpr int trials = 10;

// `data` is of another type than flags, and messages are rewritten in a loop: where a compiler is free to, it
// keeps them in a register until the loop ends.
const char* const litmus_kernels = R"(
#include "progress.cl"

// Message passing: the first of a pair writes a message and then the flag, the second reads the flag and then the
// message, and answers by a flag alone.
kernel void pass_messages(global flag_t* flags, global float* data, const uint rounds, const uint polls) {
  const uint own = draw_number(flags + NEXT_ID);
  global float* const message = data + (own / 2) * LINE;
  if (!meets_other(lines_of(flags, own & ~1u) + MEETING, own & 1, polls)) return;
  if (own & 1) draw_number(flags + PAIRS_MET);
  global flag_t* const sent = lines_of(flags, own & ~1u) + ANSWERS;
  global flag_t* const answered = lines_of(flags, own | 1) + ANSWERS;
  if (!(own & 1)) {
    for (uint round = 1; round <= rounds; ++round) {
      *message = round;
      publish(sent, round);
      if (!await_for_a_while(answered, round, flags, polls)) return;
    }
  } else {
    for (uint round = 1; round <= rounds; ++round) {
      if (!await_for_a_while(sent, round, flags, polls)) return;
      if (*message != round) draw_number(flags + WRONG);
      publish(answered, round);
    }
  }
}

// Each group adds 1 under a lock, `rounds` times; data[0] is the sum.
kernel void count_under_lock(global flag_t* flags, global float* data, const uint rounds, const uint polls) {
  for (uint round = 0; round < rounds; ++round) {
    while (!try_lock(flags + GROUPS_BEGIN)) {
    }
    data[0] += 1;
    unlock(flags + GROUPS_BEGIN);
  }
}

// A chain: each group waits for the one that started before it, and adds 1 to what that left.
kernel void add_in_chain(global flag_t* flags, global float* data, const uint rounds, const uint polls) {
  const uint own = draw_number(flags + NEXT_ID);
  if (own > 0 && !await_for_a_while(lines_of(flags, own - 1) + CHAIN, 1, flags, polls)) return;
  data[0] += 1;
  if (data[0] != own + 1) draw_number(flags + WRONG);
  publish(lines_of(flags, own) + CHAIN, 1);
}
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  REQUIRE(text.find(from) != std::string::npos);
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// The operations without any order.
std::string unordered() {
  std::string text = kernel_text("ordering", "");
  text = replaced(text, "memory_order_release, memory_scope_device", "RELAXED");
  text = replaced(text, "memory_order_acq_rel, memory_scope_device", "RELAXED");
  text = replaced(text, "1u, memory_order_acquire, memory_scope_device", "1u, RELAXED");
  text = replaced(
      text, "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);", "");
  return replaced(text, R"(asm volatile("membar.gl;" ::: "memory"))", "");
}

// A kernel of those above; what it leaves is in `flags` and `data`.
class Litmus {
 public:
  explicit Litmus(const std::string& kernel, const std::vector<KernelSource>& planted = {})
      : session_(test::test_session().device(), SessionOptions{"", with_litmus(planted), {}}),
        workspace_(session_),
        launcher_(session_),
        flags_(workspace_.allocate<cl_uint>("flags", progress_words::count(groups), Role::scratch)),
        data_(workspace_.allocate<cl_float>("data", groups * progress_words::line, Role::scratch)),
        kernel_(workspace_.kernel("litmus", Macros().define("WORK_GROUP", 1).allow_inter_group_sync(), kernel,
                                  kernel)) {}

  void run(cl_uint polls = patient) {
    workspace_.fill<cl_uint>(flags_, 0);
    workspace_.fill<cl_float>(data_, 0);
    launcher_.run(kernel_, groups, 1, flags_, data_, rounds, polls);
    flags.resize(flags_.count);
    data.resize(data_.count);
    launcher_.read(flags_, flags.data(), flags.size());
    launcher_.read(data_, data.data(), data.size());
  }

  std::vector<cl_uint> flags;
  std::vector<float> data;

 private:
  static std::vector<KernelSource> with_litmus(std::vector<KernelSource> kernels) {
    kernels.push_back({"litmus", litmus_kernels});
    return kernels;
  }

  Session session_;
  Workspace workspace_;
  Launcher launcher_;
  Buffer<cl_uint> flags_;
  Buffer<cl_float> data_;
  Kernel kernel_;
};

bool groups_may_wait() {
  const DeviceInfo& device = test::test_session().device();
  if (device.groups_may_wait()) return true;
  SUCCEED("groups must not wait here: " + device.why_groups_must_not_wait());
  return false;
}

}  // namespace

TEST_CASE("what a group wrote before a flag is seen behind the flag", "[device][ordering]") {
  if (!groups_may_wait()) return;
  Litmus messages("pass_messages");
  Litmus chain("add_in_chain");
  for (int trial = 0; trial < trials; ++trial) {
    messages.run();
    CHECK(messages.flags[progress_words::gave_up] == 0);
    CHECK(messages.flags[progress_words::wrong] == 0);
    chain.run();
    CHECK(chain.flags[progress_words::gave_up] == 0);
    CHECK(chain.flags[progress_words::wrong] == 0);
    CHECK(chain.data[0] == groups);
  }
}

TEST_CASE("what a group wrote under a lock is seen by the next that holds it", "[device][ordering]") {
  if (!groups_may_wait()) return;
  Litmus count("count_under_lock");
  for (int trial = 0; trial < trials; ++trial) {
    count.run();
    CHECK(count.data[0] == static_cast<float>(groups * rounds));
  }
}

// Where a flag is read as a plain word, a compiler reads it once, before the loop that waits for it. Pairs
// may not meet, where other programs have the cores.
TEST_CASE("litmus tests with plain flags: a group waits in vain", "[device][ordering]") {
  if (!groups_may_wait()) return;
  const std::string text = kernel_text("progress", "");
  const std::string plain = replaced(text, "if (peek(flag) >= least)", "if (*(global uint*)flag >= least)");
  Litmus messages("pass_messages", {{"progress", plain}});
  cl_uint pairs = 0;
  cl_uint in_vain = 0;
  for (int trial = 0; trial < trials && in_vain == 0; ++trial) {
    messages.run();
    pairs += messages.flags[progress_words::pairs_met];
    in_vain += messages.flags[progress_words::gave_up];
  }
  CHECK((in_vain > 0 || pairs == 0));
}

// Without order. x86 reorders neither stores nor loads, and no compiler here moved the message past a relaxed
// flag, so that what is missed there shows on other processors alone; and need not show.
TEST_CASE("litmus tests without order", "[device][ordering]") {
  if (!groups_may_wait()) return;
  const std::vector<KernelSource> planted = {{"ordering", unordered()}};
  Litmus messages("pass_messages", planted);
  Litmus count("count_under_lock", planted);
  cl_uint pairs = 0;
  cl_uint late = 0;
  int lost = 0;
  for (int trial = 0; trial < trials; ++trial) {
    messages.run();
    pairs += messages.flags[progress_words::pairs_met];
    late += messages.flags[progress_words::wrong];
    count.run();
    lost += count.data[0] == static_cast<float>(groups * rounds) ? 0 : 1;
  }
  const DeviceInfo& device = test::test_session().device();
  fmt::print("{}: without order {} messages of {} pairs were late, {} of {} sums under a lock were wrong\n",
             device.name, late, pairs, lost, trials);
  CHECK(messages.flags[progress_words::gave_up] == 0);
}

TEST_CASE("groups that have started continue to run, or the device says why they must not wait",
          "[device][ordering]") {
  const DeviceInfo& device = test::test_session().device();
  const ProgressReport report = test_progress(test::test_session());
  INFO(report.fault);
  CHECK(report.tested);
  CHECK(report.fault.empty());
  CHECK((report.groups > 0) == device.capabilities.orders_groups());
  // PoCL and Intel's runtime build OpenCL C 3.0; the others here have no order among groups.
  const bool ordered = device.platform == "Portable Computing Language" || device.vendor.starts_with("Intel");
  if (ordered) CHECK(device.groups_may_wait());
  if (device.platform == "rusticl" || device.checks_bounds) {
    CHECK_THAT(device.why_groups_must_not_wait(), test::contains("acquire and release"));
  }
}

TEST_CASE("a device on which groups wait in vain, or see old data, does not let them", "[device][ordering]") {
  if (!groups_may_wait()) return;
  const std::string text = kernel_text("progress", "");
  const auto fault_with = [&](const std::string& from, const std::string& to) {
    Session session(test::test_session().device(),
                    SessionOptions{"", {{"progress", replaced(text, from, to)}}, {}});
    session.set_progress(test_progress(session));
    CHECK(session.device().progress.tested);
    CHECK(session.device().groups_may_wait() == session.device().progress.fault.empty());
    return session.device().progress.fault;
  };
  CHECK(fault_with("rounds", "rounds").empty());
  CHECK_THAT(fault_with("publish(lines_of(flags, own) + CHAIN, 1);", ""), test::contains("stops running"));
  CHECK_THAT(fault_with("chain[own - 1] + 1;", "chain[own - 1] + 2;"), test::contains("does not see"));
  CHECK_THAT(fault_with("chain[own - 1] + 1;", "chain[own - 1] + ;"),
             test::contains("the test of that failed"));
}
