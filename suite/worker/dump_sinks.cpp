#include "suite/worker/dump_sinks.hpp"

#include <nlohmann/json.hpp>
#include <vector>

#include "harness/formats/file_bytes.hpp"
#include "harness/formats/npy.hpp"
#include "harness/space/text.hpp"
#include "harness/statistics/random.hpp"
#include "suite/record/json.hpp"
#include "suite/record/sha256.hpp"

namespace dwarfsweep {
namespace {

// Hashing takes about a second for 200 MB, and a run must not take longer for its digests: of a larger array
// so many blocks at even distances, the first and the last bytes included.
constexpr std::size_t max_hashed_bytes = std::size_t{16} << 20;
constexpr std::size_t hashed_blocks = 64;

std::string hash_of(std::string_view bytes) {
  if (bytes.size() <= max_hashed_bytes) return sha256(bytes);
  constexpr std::size_t block = max_hashed_bytes / hashed_blocks;
  Sha256 hash;
  for (std::size_t i = 0; i < hashed_blocks; ++i)
    hash.add(bytes.substr((bytes.size() - block) / (hashed_blocks - 1) * i, block));
  return hash.finish();
}

void write_array(const std::filesystem::path& folder, const std::string& name, NpyValues values,
                 const DumpSink::Shape& shape) {
  write_npy(folder / (name + ".npy"), values, std::vector<std::int64_t>(shape.begin(), shape.end()));
}

Json object_of(const ValueMap& map) {
  Json object = Json::object();
  for (const auto& [name, value] : map.entries()) object[name] = value;
  return object;
}

}  // namespace

// --- digests

template <typename T>
ArrayDigest DigestSink::digest_of(const std::string& name, const char* type, std::span<const T> data) const {
  ArrayDigest digest{type, data.size(), {}, {}};
  if (checks_.may_differ(name, type)) {
    Random random(seed_of_part(seed_, fnv1a(name)));
    for (std::size_t i = 0; i < digest_elements && !data.empty(); ++i)
      digest.elements.push_back(static_cast<double>(data[random.below(data.size())]));
  } else {
    digest.sha256 = hash_of({reinterpret_cast<const char*>(data.data()), data.size_bytes()});
  }
  return digest;
}

template <typename T>
void DigestSink::add(const std::string& name, const char* type, std::span<const T> data) {
  if (checks_.is_result(name)) {
    digests_.results[name] = digest_of(name, type, data);
    return;
  }
  const auto [known, is_new] = known_.try_emplace(name);
  if (is_new) known->second = digest_of(name, type, data);
  digests_.inputs[name] = known->second;
}

void DigestSink::array(const std::string& name, std::span<const std::uint8_t> data, const Shape&) {
  add(name, "uint8", data);
}
void DigestSink::array(const std::string& name, std::span<const std::int32_t> data, const Shape&) {
  add(name, "int32", data);
}
void DigestSink::array(const std::string& name, std::span<const std::uint32_t> data, const Shape&) {
  add(name, "uint32", data);
}
void DigestSink::array(const std::string& name, std::span<const std::int64_t> data, const Shape&) {
  add(name, "int64", data);
}
void DigestSink::array(const std::string& name, std::span<const float> data, const Shape&) {
  add(name, "float32", data);
}

// --- files

void FolderSink::array(const std::string& name, std::span<const std::uint8_t> data, const Shape& shape) {
  write_array(folder_, name, data, shape);
}
void FolderSink::array(const std::string& name, std::span<const std::int32_t> data, const Shape& shape) {
  write_array(folder_, name, data, shape);
}
void FolderSink::array(const std::string& name, std::span<const std::uint32_t> data, const Shape& shape) {
  write_array(folder_, name, data, shape);
}
void FolderSink::array(const std::string& name, std::span<const std::int64_t> data, const Shape& shape) {
  write_array(folder_, name, data, shape);
}
void FolderSink::array(const std::string& name, std::span<const float> data, const Shape& shape) {
  write_array(folder_, name, data, shape);
}

void FolderSink::text(const std::string& file_name, const std::function<std::string()>& content) {
  write_bytes(folder_ / file_name, content(), {});
}

void FolderSink::finish(const std::string& dwarf, const Problem& problem, const Config& config) {
  Json content = object_of(problem.values);
  content.update(object_of(notes_));
  content["dwarf"] = dwarf;
  content["size"] = problem.size;
  content["config"] = object_of(config);
  text("problem.json", [&] { return json_text(content, 2) + "\n"; });
}

}  // namespace dwarfsweep
