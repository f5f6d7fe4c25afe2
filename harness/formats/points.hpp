// Points for kmeans: a table of features.
//
// Binary or text is recognised by the first eight bytes: a zero byte among them means binary, as text has
// none and the binary header always has one (two little-endian int32, the second below 2^24).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dwarfsweep {

struct Points {
  std::int64_t points = 0;
  std::int64_t features = 0;
  std::vector<float> values;  // points x features, row-major
};

/// text: one point per line; the first token is an identifier and dropped, the rest are its features, split
/// on spaces, commas and tabs, repeated ones counting once; every line has as many as the first. binary:
/// int32 points, int32 features, then float32 row-major, little-endian. Throws InputError.
Points read_points(const std::filesystem::path& file);
Points read_points(std::string_view bytes, const std::string& name);

}  // namespace dwarfsweep
