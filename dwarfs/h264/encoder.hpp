// The part of an H.264 encoder that follows the search for motion: it chooses how each macroblock is divided,
// predicts it, transforms and quantises what is left, and writes a Baseline stream, together with what a
// decoder makes of it.
//
// The first picture is of raw samples (I_PCM), each other of macroblocks predicted from the picture before
// (P_L0_16x16, 16x8, 8x16, P_8x8 with all divisions of its quarters). Vectors are of whole pixels. No
// macroblock is skipped, and there is no deblocking. One slice per picture.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dwarfs/h264/bits.hpp"
#include "dwarfs/h264/transform.hpp"

namespace dwarfsweep::h264 {

/// 4:2:0, 8 bits. Edges are multiples of 16.
struct Picture {
  std::int64_t rows = 0, cols = 0;
  std::vector<std::uint8_t> planes[3];  ///< Y, Cb, Cr

  [[nodiscard]] std::int64_t pitch(int plane) const { return plane == 0 ? cols : cols / 2; }
  [[nodiscard]] std::int64_t height(int plane) const { return plane == 0 ? rows : rows / 2; }
};

/// A macroblock has 41 partitions, each kind row by row: 16 of 4 x 4, 8 of 8 wide and 4 high, 8 of 4 wide and
/// 8 high, 4 of 8 x 8, 2 of 16 wide and 8 high, 2 of 8 wide and 16 high, 1 of 16 x 16.
constexpr std::int64_t partitions = 41;
constexpr int first_8x4 = 16, first_4x8 = 24, first_8x8 = 32, first_16x8 = 36, first_8x16 = 38, whole = 40;

struct Vector {
  std::int32_t dy = 0, dx = 0;  ///< in pixels
};

class Encoder {
 public:
  /// For pictures of that size. The decoder shows `rows` x `cols` of them, both even. qp: 0 to 51. A bit
  /// costs as much as `lambda` units of absolute difference.
  Encoder(std::int64_t rows, std::int64_t cols, int qp, std::int32_t lambda);

  /// The first picture, and those behind it: for each macroblock 41 vectors (dy, dx) and costs.
  void add_first(const Picture& source);
  void add(const Picture& source, std::span<const std::int16_t> vectors, std::span<const std::int32_t> costs);

  [[nodiscard]] const std::string& stream() const { return stream_; }
  /// The last picture as a decoder has it.
  [[nodiscard]] const Picture& reconstruction() const { return last_; }

 private:
  struct Motion {
    Vector vector;  // in quarters of a pixel
    bool known = false;
  };
  struct Part {
    int y, x, height, width;  // in the macroblock, in 4 x 4 blocks
    int partition;
  };

  void write_parameter_sets();
  void begin_slice(BitWriter& slice, bool first) const;
  void macroblock(BitWriter& slice, const Picture& source, std::int64_t row, std::int64_t col,
                  const std::int16_t* vectors, const std::int32_t* costs);
  void motion(BitWriter& slice, std::int64_t row, std::int64_t col, const std::int16_t* vectors,
              const std::int32_t* costs);
  void part(BitWriter& slice, std::int64_t row, std::int64_t col, const Part& part,
            const std::int16_t* vectors, int shape);
  [[nodiscard]] Vector predicted(std::int64_t y, std::int64_t x, const Part& part, int shape) const;
  [[nodiscard]] const Motion* motion_at(std::int64_t y, std::int64_t x) const;
  void predict(int plane, std::int64_t y, std::int64_t x, std::int64_t size, const Vector& vector);
  void residual(BitWriter& slice, const Picture& source, std::int64_t row, std::int64_t col);
  [[nodiscard]] int count_at(int plane, std::int64_t y, std::int64_t x) const;
  int write_block(BitWriter& slice, const Block& levels, int plane, std::int64_t y, std::int64_t x);
  void add_to(int plane, std::int64_t y, std::int64_t x, const Block& differences);

  std::int64_t shown_rows_, shown_cols_;
  int qp_;
  std::int32_t lambda_;
  std::uint32_t pictures_ = 0;
  std::string stream_;
  Picture last_, current_;
  std::vector<Motion> motions_;         // of the 4 x 4 blocks of the picture
  std::vector<std::int8_t> counts_[3];  // coefficients of each plane's 4 x 4 blocks, -1: not yet coded
};

}  // namespace dwarfsweep::h264
