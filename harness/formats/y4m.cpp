#include "harness/formats/y4m.hpp"

#include <fmt/format.h>

#include <charconv>

#include "harness/formats/file_bytes.hpp"
#include "harness/formats/token_reader.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

constexpr std::string_view magic = "YUV4MPEG2";
constexpr std::string_view frame_magic = "FRAME";
constexpr std::int64_t most_edge = 1 << 16;

class Y4mReader {
 public:
  Y4mReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  Video read() {
    Video video;
    header(video);
    const auto luma = static_cast<std::size_t>(video.rows * video.cols);
    const auto chroma = static_cast<std::size_t>((video.rows + 1) / 2 * ((video.cols + 1) / 2));
    while (at_ < bytes_.size()) {
      frame_header();
      const std::size_t size = luma + 2 * chroma;
      if (bytes_.size() - at_ < size) {
        fail(at_, fmt::format("expected {} bytes of frame {}, found {}", size, video.frames.size(),
                              bytes_.size() - at_));
      }
      const std::string_view samples = bytes_.substr(at_, size);
      video.frames.emplace_back(samples.begin(), samples.end());
      at_ += size;
    }
    if (video.frames.empty()) fail(at_, "expected a frame, but the file ends here");
    return video;
  }

 private:
  [[noreturn]] void fail(std::size_t at, const std::string& message) const {
    throw InputError(name_, fmt::format("byte {}", at), message);
  }

  // Up to the end of the line; `at_` moves behind it.
  std::string_view line(std::string_view begins_with) {
    constexpr std::size_t longest = 1024;
    const std::string_view rest = bytes_.substr(at_, longest);
    if (!rest.starts_with(begins_with))
      fail(at_,
           fmt::format("expected {}, found {}", begins_with, excerpt(rest.substr(0, begins_with.size()))));
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos)
      fail(at_, fmt::format("expected the end of the {} line within {} bytes", begins_with, longest));
    at_ += end + 1;
    return rest.substr(0, end);
  }

  void header(Video& video) {
    const std::size_t begin = at_;
    const std::string_view text = line(magic);
    std::string_view chroma = "420";
    for (std::size_t i = magic.size(); i < text.size();) {
      const std::size_t end = std::min(text.find(' ', i), text.size());
      const std::string_view word = text.substr(i, end - i);
      if (word.starts_with('W')) video.cols = edge(word, begin + i);
      if (word.starts_with('H')) video.rows = edge(word, begin + i);
      if (word.starts_with('C')) chroma = word.substr(1);
      i = end + 1;
    }
    // Where chroma samples lie exactly does not matter here.
    if (chroma != "420" && chroma != "420jpeg" && chroma != "420mpeg2" && chroma != "420paldv")
      fail(begin,
           fmt::format("expected C420 with 8 bits per sample, found {}", excerpt("C" + std::string(chroma))));
    if (video.rows == 0 || video.cols == 0)
      fail(begin, "expected the width W and the height H in the first line");
  }

  std::int64_t edge(std::string_view word, std::size_t at) const {
    std::int64_t value = 0;
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data() + 1, end, value);
    if (error != std::errc() || stop != end || value < 1 || value > most_edge)
      fail(at, fmt::format("expected {} and an integer from 1 to {}, found {}", word[0], most_edge,
                           excerpt(word)));
    return value;
  }

  void frame_header() {
    const std::size_t begin = at_;
    const std::string_view text = line(frame_magic);
    if (text.size() > frame_magic.size() && text[frame_magic.size()] != ' ')
      fail(begin, fmt::format("expected FRAME, found {}", excerpt(text)));
  }

  std::string_view bytes_;
  const std::string& name_;
  std::size_t at_ = 0;
};

}  // namespace

Video read_y4m(std::string_view bytes, const std::string& name) {
  return Y4mReader(bytes, name).read();
}

Video read_y4m(const std::filesystem::path& file) {
  return read_y4m(read_text(file), file.string());
}

}  // namespace dwarfsweep
