// Fuzz target of read_envelope and read_answer: what a worker, whose process a driver may have damaged,
// sends.
#include <nlohmann/json.hpp>

#include "suite/record/json.hpp"
#include "suite/worker/requests.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

namespace {

template <typename Request>
void read_as(const Json& answer) {
  try {
    (void)read_answer<Request>(answer);
  } catch (const Json::exception&) {     // no answer to such a request
  } catch (const std::runtime_error&) {  // a number out of range
  }
}

template <typename... Request>
void read_as_each(const Json& answer, std::variant<Request...>* /*requests*/) {
  (read_as<Request>(answer), ...);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::string_view bytes) {
    const std::optional<Envelope> envelope = read_envelope(std::string(bytes));
    if (!envelope) return;
    if (const auto* answer = std::get_if<JsonAnswer>(&envelope->content)) {
      read_as_each(**answer, static_cast<WorkerRequest*>(nullptr));
      read_as_each(**answer, static_cast<BuilderRequest*>(nullptr));
      read_as_each(**answer, static_cast<CounterRequest*>(nullptr));
    }
    fuzz::require(read_envelope(write_envelope(*envelope)).has_value());
  });
}
