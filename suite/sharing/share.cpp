#include "suite/sharing/share.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "harness/formats/file_bytes.hpp"
#include "harness/space/error.hpp"
#include "harness/space/text.hpp"
#include "suite/record/json.hpp"
#include "suite/record/row_csv.hpp"
#include "suite/record/run_log.hpp"
#include "suite/record/run_rows.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

constexpr const char* removed_path = "(path)";
constexpr const char* removed_name = "(removed)";

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Where a path ends: at blanks and quotes, and at what stands between or after paths in lists and messages.
bool ends_path(char c) {
  return std::string_view(" \t\n\r\"'`:;,()[]{}<>|=").find(c) != std::string_view::npos;
}

// A path begins with '/' (after no word, so that "GB/s" is none), "~/", "./" or "../".
std::size_t path_begin(std::string_view text, std::size_t from) {
  for (std::size_t slash = text.find('/', from); slash != std::string_view::npos;
       slash = text.find('/', slash + 1)) {
    std::size_t begin = slash;
    while (begin > from && (text[begin - 1] == '.' || text[begin - 1] == '~')) --begin;
    const bool after_word = begin > 0 && (is_word(text[begin - 1]) || text[begin - 1] == ')');
    const bool before_word = slash + 1 < text.size() && !ends_path(text[slash + 1]);
    if (!after_word && before_word) return begin;
  }
  return std::string_view::npos;
}

std::string without_paths(const std::string& text) {
  std::string kept;
  std::size_t done = 0;
  while (true) {
    const std::size_t begin = path_begin(text, done);
    if (begin == std::string::npos) return kept + text.substr(done);
    std::size_t end = begin;
    while (end < text.size() && !ends_path(text[end])) ++end;
    kept += text.substr(done, begin - done) + removed_path;
    done = end;
  }
}

// As a word of its own, in any case.
std::string replaced(const std::string& text, const std::string& name, const std::string& substitute) {
  const std::string folded = lower(text), sought = lower(name);
  std::string kept;
  std::size_t done = 0;
  for (std::size_t at = folded.find(sought); at != std::string::npos; at = folded.find(sought, at + 1)) {
    const std::size_t end = at + sought.size();
    if (at < done || (at > 0 && is_word(text[at - 1]) && is_word(text[at])) ||
        (end < text.size() && is_word(text[end]) && is_word(text[end - 1])))
      continue;
    kept += text.substr(done, at - done) + substitute;
    done = end;
  }
  return kept + text.substr(done);
}

// The users whom the environment names, and those in whose folders the log's paths lie.
std::set<std::string> user_names(const std::string& log) {
  std::set<std::string> names;
  for (const char* const variable : {"USER", "LOGNAME"}) {
    if (const char* const value = std::getenv(variable)) names.insert(value);
  }
  if (const passwd* const user = ::getpwuid(::getuid())) names.insert(user->pw_name);
  for (const std::string_view home : {"/home/", "/Users/"}) {
    for (std::size_t at = log.find(home); at != std::string::npos; at = log.find(home, at + 1)) {
      const std::size_t begin = at + home.size();
      std::size_t end = begin;
      while (end < log.size() && (is_word(log[end]) || log[end] == '-' || log[end] == '.')) ++end;
      names.insert(log.substr(begin, end - begin));
    }
  }
  // These name nobody, and are words of many texts.
  for (const char* const common : {"", "root", "user", "nobody"}) names.erase(common);
  return names;
}

std::vector<Json> lines_of(const fs::path& file, const std::string& text) {
  std::vector<Json> lines;
  std::istringstream stream(text);
  // An incomplete last line is what a killed run has left: it says nothing.
  for (std::string line; std::getline(stream, line) && !stream.eof();) {
    lines.push_back(parse_json_if_valid(line));
    if (lines.back().is_discarded() || !lines.back().is_object())
      throw InputError(file.string(), fmt::format("line {}", lines.size()), "is not a record of a run");
  }
  return lines;
}

bool begins_part(const Json& line) {
  const std::string type = line.value("type", "");
  return type == "run" || type == "part";
}

Redaction redaction_of(const std::vector<Json>& lines, const std::string& text,
                       const PrivateArguments& private_arguments) {
  Redaction redaction;
  // A run is often called after its device, by --out.
  for (const Json& line : lines) {
    if (begins_part(line)) redaction.keep(line.at("host").at("processor").get<std::string>());
    if (line.value("type", "") != "device") continue;
    for (const char* const key : {"name", "platform", "vendor"})
      redaction.keep(line.at("info").at(key).get<std::string>());
  }
  for (const Json& line : lines) {
    if (!begins_part(line)) continue;
    redaction.add_host(line.at("host").at("name").get<std::string>());
    const auto arguments = line.at("arguments").get<std::vector<std::string>>();
    for (const std::size_t place : private_arguments(arguments)) redaction.add_file(arguments[place]);
  }
  for (const std::string& name : user_names(text)) redaction.add_user(name);
  return redaction;
}

void remove_private_arguments(Json& line, const PrivateArguments& private_arguments) {
  auto arguments = line.at("arguments").get<std::vector<std::string>>();
  for (const std::size_t place : private_arguments(arguments)) {
    const std::size_t equals = arguments[place].starts_with("--") ? arguments[place].find('=') + 1 : 0;
    arguments[place].replace(equals, std::string::npos, removed_name);
  }
  line["arguments"] = arguments;
}

// A known point's origin names runs and files of the user.
void remove_origins(Json& line) {
  for (const char* const key : {"origin", "other_origin"}) {
    if (line.contains(key) && line[key] != "") line[key] = removed_name;
  }
  if (line.contains("transferred")) {
    for (Json& each : line["transferred"]) each["origin"] = removed_name;
  }
}

std::vector<std::string> what_stays(const RunLog& log) {
  std::vector<std::string> lines;
  for (const RunLog* const part : parts_of(log)) {
    const HostInfo& host = part->run.host;
    lines.push_back(
        fmt::format("run {} of {}, revision {}", part->run.run_id, part->run.timestamp, part->run.revision));
    lines.push_back(fmt::format("  machine: {}, {} threads, {} GiB; {}", host.processor, host.threads,
                                host.memory_bytes >> 30, host.system));
    lines.push_back(fmt::format("  command: {}", fmt::join(part->run.arguments, " ")));
    for (const auto& [name, value] : part->run.environment)
      lines.push_back(fmt::format("  environment: {}={}", name, value));
    for (const auto& [id, device] : part->devices)
      lines.push_back(
          fmt::format("  device: {}, driver {}, identity {}", device.info.name, device.info.driver, id));
  }
  return lines;
}

struct SharedRun {
  std::string id;
  std::map<std::string, std::string> files;
  std::vector<std::string> stays, removed;
};

SharedRun share_run(const fs::path& folder, const PrivateArguments& private_arguments) {
  const fs::path file = folder / log_name;
  if (!fs::exists(file))
    throw UsageError(
        fmt::format("'{}' has no {}, of which a bundle is made; give the folder of a run as it was "
                    "measured",
                    folder.string(), log_name));
  (void)read_log(file);  // a complaint about the user's own log names its line
  const std::string text = read_text(file);
  const std::vector<Json> lines = lines_of(file, text);
  const Redaction redaction = redaction_of(lines, text, private_arguments);
  std::string shared;
  SharedRun run;
  for (Json line : lines) {
    const std::string type = line.value("type", "");
    if (begins_part(line)) {
      run.removed.push_back(fmt::format("host name '{}'", line["host"]["name"].get<std::string>()));
      remove_private_arguments(line, private_arguments);
    }
    if (type == "known") remove_origins(line);
    shared += json_text(redaction.redacted(line)) + "\n";
  }
  std::istringstream stream(shared);
  const RunLog log = read_log(file, stream);
  run.id = log.run.run_id;
  run.files = files_of_log(log);
  run.files[log_name] = std::move(shared);
  run.stays = what_stays(log);
  return run;
}

}  // namespace

void Redaction::add(const std::string& name, const std::string& substitute) {
  if (name.empty() || std::ranges::find(words_, name, &Word::name) != words_.end()) return;
  if (replaced(kept_, name, "") != kept_) return;
  const auto shorter = [&](const Word& word) { return word.name.size() < name.size(); };
  words_.insert(std::ranges::find_if(words_, shorter), {name, substitute});
}

void Redaction::add_host(const std::string& name) {
  if (name == "host" || std::ranges::find(words_, name, &Word::name) != words_.end()) return;
  ++hosts_;
  const std::string substitute = hosts_ == 1 ? "host" : fmt::format("host-{}", hosts_);
  add(name, substitute);
  // As new_run_id() writes it, and without its domain.
  std::string in_id = name;
  std::ranges::replace_if(
      in_id, [](char c) { return !is_word(c) && c != '-'; }, '_');
  add(in_id, substitute);
  if (const std::size_t dot = name.find('.'); dot != std::string::npos && dot > 2)
    add(name.substr(0, dot), substitute);
}

void Redaction::add_user(const std::string& name) {
  add(name, "user");
}

// Short names and plain words may be anything else in the log, such as the name of a dwarf. What looks like a
// path or like the name of a run is not.
void Redaction::add_file(const std::string& name) {
  std::string value =
      name.starts_with("--") && name.find('=') != std::string::npos ? name.substr(name.find('=') + 1) : name;
  while (value.ends_with('/')) value.pop_back();
  if (value.find_first_of("/.-_0123456789") == std::string::npos || value.size() < 4) return;
  add(value, removed_name);
  if (const std::string last = fs::path(value).filename().string();
      last.size() >= 4 && last.find_first_of(".-_0123456789") != std::string::npos)
    add(last, removed_name);
}

std::string Redaction::redacted(std::string text) const {
  text = without_paths(text);
  for (const Word& word : words_) text = replaced(text, word.name, word.substitute);
  return text;
}

Json Redaction::redacted(const Json& json) const {
  if (json.is_string()) return redacted(json.get<std::string>());
  if (json.is_array()) {
    Json changed = Json::array();
    for (const Json& each : json) changed.push_back(redacted(each));
    return changed;
  }
  if (!json.is_object()) return json;
  Json changed = Json::object();
  for (const auto& [key, value] : json.items()) changed[redacted(key)] = redacted(value);
  return changed;
}

std::map<std::string, std::string> files_of_log(const RunLog& log) {
  const RunRows rows = make_rows(log);
  Json digests = Json::array();
  for (const RunLog* const part : parts_of(log)) {
    for (const auto& [key, digest] : part->digests) digests.push_back(digest);
  }
  return {{"measurements.csv", to_csv(rows.measurements)},
          {"samples.csv", to_csv(rows.samples)},
          {"run.json", json_text(describe_run(log), 2) + "\n"},
          {"digests.json", json_text(digests, 1) + "\n"}};
}

SharedRuns share_runs(const std::vector<fs::path>& runs, const PrivateArguments& private_arguments) {
  std::vector<SharedRun> shared;
  for (const fs::path& run : runs) shared.push_back(share_run(run, private_arguments));
  std::ranges::sort(shared, {},
                    [](const SharedRun& run) { return std::pair(run.id, run.files.at(log_name)); });
  SharedRuns all;
  std::size_t number = 0;
  for (SharedRun& run : shared) {
    ++number;
    for (auto& [name, content] : run.files)
      all.bundle.files[fmt::format("{}/{}", number, name)] = std::move(content);
    all.stays.insert(all.stays.end(), run.stays.begin(), run.stays.end());
    all.removed.insert(all.removed.end(), run.removed.begin(), run.removed.end());
  }
  return all;
}

}  // namespace dwarfsweep
