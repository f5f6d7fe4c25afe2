#include "suite/worker/requests.hpp"

#include <type_traits>
#include <utility>

#include "harness/space/error.hpp"
#include "suite/record/json.hpp"
#include "suite/record/json_fields.hpp"

namespace dwarfsweep {

// --- what requests and answers are made of

BOTH_WAYS(ProgramText, file, text, options)

BOTH_WAYS(PointRequest, dwarf, problem, files, seed, config, kernels, host_threads)
BOTH_WAYS(FindMeter, device)
BOTH_WAYS(MeasurePeaks, limit_ms)
BOTH_WAYS(LoadProblem, point)
BOTH_WAYS(BuildPoint, point)
BOTH_WAYS(PreparePoint, point)
BOTH_WAYS(VerifyPoint, point)
BOTH_WAYS(MeasureEnergy, point, seconds)
BOTH_WAYS(DigestPoint, point)
BOTH_WAYS(DumpPoint, point, folder)
NLOHMANN_JSON_SERIALIZE_ENUM(Leftovers, {{Leftovers::poison, "poison"},
                                         {Leftovers::kept, "kept"},
                                         {Leftovers::noise, "noise"}})
BOTH_WAYS(StagePoint, point, leftovers, seed)
BOTH_WAYS(CollectOutput, file)
BOTH_WAYS(CheckOutput, point, file)
BOTH_WAYS(ListPrograms, device, kernels, points)
BOTH_WAYS(OpenBuilder, device, kernels)
BOTH_WAYS(BuildProgram, program)
BOTH_WAYS(FindNeeds, program)
BOTH_WAYS(OpenCounter, kernels)
BOTH_WAYS(CountPoint, point)

BOTH_WAYS(OpenedDevice, timer, progress)
BOTH_WAYS(MeasuredBlock, samples, clock)
BOTH_WAYS(BuildTime, build_ns, end_ns)
BOTH_WAYS(StagedPoint, program_id, work, input_bytes)
BOTH_WAYS(CollectedOutput, guard)
BOTH_WAYS(CheckedOutput, check, bytes, poison)
BOTH_WAYS(ProgramNeeds, registers, local_bytes)
BOTH_WAYS(InstructionCounts, instructions, threads, regions)
BOTH_WAYS(DeferredFailure, key, reason)

static void to_json(Json& json, const OpenDevice& request) {
  json = {{"device", request.device},
          {"kernels", request.kernels},
          {"cache", request.cache == CacheState::cold ? "cold" : "hot"},
          {"half_width", request.half_width},
          {"peaks", request.peaks}};
  if (request.timer) json["timer"] = *request.timer;
}

static void from_json(const Json& json, OpenDevice& request) {
  json.at("device").get_to(request.device);
  json.at("kernels").get_to(request.kernels);
  request.cache = json.at("cache") == "cold" ? CacheState::cold : CacheState::hot;
  request.half_width = json.value("half_width", request.half_width);
  request.peaks = json.value("peaks", request.peaks);
  if (json.contains("timer")) request.timer = json.at("timer").get<TimerReport>();
}

static void to_json(Json& json, const MeasureBlock& request) {
  json = {{"point", request.point},
          {"baseline", request.baseline ? Json(*request.baseline) : Json()},
          {"pairs", request.pairs},
          {"seed", request.seed}};
}

static void from_json(const Json& json, MeasureBlock& request) {
  json.at("point").get_to(request.point);
  if (const Json& baseline = json.at("baseline"); !baseline.is_null())
    request.baseline = baseline.get<PointRequest>();
  json.at("pairs").get_to(request.pairs);
  json.at("seed").get_to(request.seed);
}

static void to_json(Json& json, const FinishPoint& request) {
  json = {{"point", request.point}, {"forget", request.forget}};
}

static void from_json(const Json& json, FinishPoint& request) {
  json.at("point").get_to(request.point);
  request.forget = json.value("forget", false);
}

static void to_json(Json& json, const Done&) {
  json = Json::object();
}

static void from_json(const Json&, Done&) {}

NLOHMANN_JSON_SERIALIZE_ENUM(LastOutput,
                             {{LastOutput::not_ready, "not_ready"}, {LastOutput::verified, "verified"}})

static void to_json(Json& json, const ProgramList& list) {
  json = {{"programs", list.programs}, {"points", Json::array()}, {"reasons", list.reasons}};
  for (const auto& places : list.points) json["points"].push_back(places ? Json(*places) : Json());
}

static void from_json(const Json& json, ProgramList& list) {
  json.at("programs").get_to(list.programs);
  json.at("reasons").get_to(list.reasons);
  for (const Json& places : json.at("points")) {
    list.points.emplace_back();
    if (!places.is_null()) list.points.back() = places.get<std::vector<std::size_t>>();
  }
}

// --- requests

template <typename Request>
std::string write_request(const Request& request) {
  Json json = Json::object();
  if constexpr (!std::is_empty_v<Request>) json = request;
  json["do"] = Request::name;
  return json_text(json);
}

namespace {

template <typename Request>
Request fields_of(const Json& json) {
  if constexpr (std::is_empty_v<Request>)
    return {};
  else
    return json.get<Request>();
}

template <typename... Request>
void read_as_any(const Json& json, std::variant<Request...>& found) {
  const auto name = json.at("do").get<std::string>();
  const auto read = [&](auto* type) {
    using Each = std::remove_pointer_t<decltype(type)>;
    if (name != Each::name) return false;
    found = fields_of<Each>(json);
    return true;
  };
  if (!(read(static_cast<Request*>(nullptr)) || ...))
    throw UsageError("this process does not know the request '" + name + "'");
}

}  // namespace

template <typename Requests>
Requests read_request(const std::string& line) {
  Requests found;
  read_as_any(parse_json(line), found);
  return found;
}

template WorkerRequest read_request<WorkerRequest>(const std::string& line);
template BuilderRequest read_request<BuilderRequest>(const std::string& line);
template CounterRequest read_request<CounterRequest>(const std::string& line);

// --- answers

namespace {

template <typename Answer>
Json to_wire(const Answer& answer) {
  return answer;
}

Json to_wire(const std::optional<MeteredEnergy>& energy) {
  return energy ? Json{{"meter", energy->meter}, {"use", energy->use}} : Json::object();
}

Json to_wire(const LastOutput& output) {
  return {{"output", output}};
}

template <typename Answer>
void from_wire(const Json& json, Answer& answer) {
  json.get_to(answer);
}

void from_wire(const Json& json, std::optional<MeteredEnergy>& energy) {
  if (json.contains("use")) energy = {json.at("meter"), json.at("use").get<EnergyUse>()};
}

void from_wire(const Json& json, LastOutput& output) {
  json.at("output").get_to(output);
}

}  // namespace

template <typename Request>
JsonAnswer write_answer(const typename Request::Answer& answer) {
  return std::make_shared<const Json>(to_wire(answer));
}

template <typename Request>
typename Request::Answer read_answer(const Json& json) {
  typename Request::Answer answer{};
  from_wire(json, answer);
  return answer;
}

#define INSTANTIATE(Request)                                         \
  template std::string write_request(const Request&);                \
  template JsonAnswer write_answer<Request>(const Request::Answer&); \
  template Request::Answer read_answer<Request>(const Json& answer);

INSTANTIATE(ListDevices)
INSTANTIATE(OpenDevice)
INSTANTIATE(FindMeter)
INSTANTIATE(TestHarness)
INSTANTIATE(MeasurePeaks)
INSTANTIATE(LoadProblem)
INSTANTIATE(BuildPoint)
INSTANTIATE(PreparePoint)
INSTANTIATE(VerifyPoint)
INSTANTIATE(MeasureBlock)
INSTANTIATE(MeasureEnergy)
INSTANTIATE(FinishPoint)
INSTANTIATE(DigestPoint)
INSTANTIATE(DumpPoint)
INSTANTIATE(StagePoint)
INSTANTIATE(LaunchStaged)
INSTANTIATE(CollectOutput)
INSTANTIATE(CheckOutput)
INSTANTIATE(DropAll)
INSTANTIATE(ListPrograms)
INSTANTIATE(OpenBuilder)
INSTANTIATE(BuildProgram)
INSTANTIATE(FindNeeds)
INSTANTIATE(OpenCounter)
INSTANTIATE(CountPoint)

#undef INSTANTIATE

// --- envelopes

std::string write_envelope(const Envelope& envelope) {
  Json json;
  if (const auto* error = std::get_if<ReportedError>(&envelope.content)) {
    json = {{"error", error->sentence}, {"status", error->status}};
  } else {
    json["result"] = *std::get<JsonAnswer>(envelope.content);
  }
  json["late"] = envelope.deferred;
  return json_text(json);
}

std::optional<Envelope> read_envelope(const std::string& line) {
  const Json json = parse_json_if_valid(line);
  try {
    Envelope envelope;
    envelope.deferred = json.value("late", envelope.deferred);
    if (json.contains("error"))
      envelope.content = ReportedError{json.at("status"), json.at("error")};
    else
      envelope.content = std::make_shared<const Json>(json.at("result"));
    return envelope;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace dwarfsweep
