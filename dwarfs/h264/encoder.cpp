#include "dwarfs/h264/encoder.hpp"

#include <algorithm>
#include <array>

#include "dwarfs/h264/cavlc.hpp"

namespace dwarfsweep::h264 {
namespace {

constexpr int profile_baseline = 66;
constexpr int level_5_1 = 51;
constexpr int nal_slice = 1, nal_idr = 5, nal_sequence = 7, nal_picture = 8;
constexpr int frame_number_bits = 8;
constexpr std::uint32_t pcm_type = 25;
enum Shape : std::uint8_t { shape_16x16, shape_16x8, shape_8x16, shape_8x8 };

// Table 9-4, for inter prediction: the coded block pattern of each number.
constexpr std::array<std::uint8_t, 48> pattern_of_number = {
    0,  16, 1,  2,  4,  8,  32, 3,  5,  10, 12, 15, 47, 7,  11, 13, 14, 6,  9,  31, 35, 37, 42, 44,
    33, 34, 36, 40, 39, 43, 45, 46, 17, 18, 20, 24, 19, 21, 26, 28, 23, 27, 29, 30, 22, 25, 38, 41};

std::uint32_t number_of_pattern(int pattern) {
  const auto found = std::find(pattern_of_number.begin(), pattern_of_number.end(), pattern);
  return static_cast<std::uint32_t>(found - pattern_of_number.begin());
}

std::int32_t median(std::int32_t a, std::int32_t b, std::int32_t c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

// The four ways to divide a quarter, sub_mb_type 0 to 3: their sizes and partitions, whose numbers grow by
// row and column of the macroblock.
struct Division {
  int height, width;  // in 4 x 4 blocks
  int first;          // partition
  int row_length;     // partitions in a row of the macroblock
};
constexpr Division divisions[] = {
    {2, 2, first_8x8, 2}, {1, 2, first_8x4, 2}, {2, 1, first_4x8, 4}, {1, 1, 0, 4}};
constexpr int bits_of_division[] = {1, 3, 3, 5};

int partition_of(const Division& division, int y, int x) {
  return division.first + y / division.height * division.row_length + x / division.width;
}

std::uint8_t clipped(std::int32_t value) {
  return static_cast<std::uint8_t>(std::clamp(value, 0, 255));
}

}  // namespace

Encoder::Encoder(std::int64_t rows, std::int64_t cols, int qp, std::int32_t lambda)
    : shown_rows_(rows), shown_cols_(cols), qp_(qp), lambda_(lambda) {
  last_.rows = (rows + 15) / 16 * 16;
  last_.cols = (cols + 15) / 16 * 16;
  for (int plane = 0; plane < 3; ++plane)
    last_.planes[plane].resize(static_cast<std::size_t>(last_.height(plane) * last_.pitch(plane)));
  current_ = last_;
  write_parameter_sets();
}

// 7.3.2.1 and 7.3.2.2.
void Encoder::write_parameter_sets() {
  BitWriter sequence;
  sequence.bits(profile_baseline, 8);
  sequence.bits(0xc0, 8);  // it obeys the constraints of the Baseline and of the Main profile
  sequence.bits(level_5_1, 8);
  sequence.unsigned_golomb(0);
  sequence.unsigned_golomb(frame_number_bits - 4);
  sequence.unsigned_golomb(2);  // pictures are shown in the order of decoding
  sequence.unsigned_golomb(1);  // one reference
  sequence.bits(0, 1);
  sequence.unsigned_golomb(static_cast<std::uint32_t>(last_.cols / 16 - 1));
  sequence.unsigned_golomb(static_cast<std::uint32_t>(last_.rows / 16 - 1));
  sequence.bits(1, 1);  // frames only
  sequence.bits(1, 1);
  const bool crops = last_.rows != shown_rows_ || last_.cols != shown_cols_;
  sequence.bits(crops ? 1 : 0, 1);
  if (crops) {
    sequence.unsigned_golomb(0);
    sequence.unsigned_golomb(static_cast<std::uint32_t>((last_.cols - shown_cols_) / 2));
    sequence.unsigned_golomb(0);
    sequence.unsigned_golomb(static_cast<std::uint32_t>((last_.rows - shown_rows_) / 2));
  }
  sequence.bits(0, 1);
  sequence.end();
  stream_ += sequence.nal_unit(3, nal_sequence);

  BitWriter picture;
  picture.unsigned_golomb(0);
  picture.unsigned_golomb(0);
  picture.bits(0, 2);          // CAVLC
  picture.unsigned_golomb(0);  // one slice group
  picture.unsigned_golomb(0);
  picture.unsigned_golomb(0);
  picture.bits(0, 3);
  picture.signed_golomb(qp_ - 26);
  picture.signed_golomb(0);
  picture.signed_golomb(0);
  picture.bits(4, 3);  // slices say whether they are deblocked
  picture.end();
  stream_ += picture.nal_unit(3, nal_picture);
}

// 7.3.3.
void Encoder::begin_slice(BitWriter& slice, bool first) const {
  slice.unsigned_golomb(0);
  slice.unsigned_golomb(first ? 7 : 5);
  slice.unsigned_golomb(0);
  slice.bits(pictures_ % (1U << frame_number_bits), frame_number_bits);
  if (first) {
    slice.unsigned_golomb(0);
  } else {
    slice.bits(0, 2);
  }
  slice.bits(0, first ? 2 : 1);
  slice.signed_golomb(0);
  slice.unsigned_golomb(1);  // no deblocking
}

void Encoder::add_first(const Picture& source) {
  BitWriter slice;
  begin_slice(slice, true);
  for (std::int64_t row = 0; row < source.rows / 16; ++row) {
    for (std::int64_t col = 0; col < source.cols / 16; ++col) {
      slice.unsigned_golomb(pcm_type);
      slice.align();
      for (int plane = 0; plane < 3; ++plane) {
        const std::int64_t edge = plane == 0 ? 16 : 8;
        for (std::int64_t i = 0; i < edge * edge; ++i)
          slice.bits(
              source.planes[plane][(row * edge + i / edge) * source.pitch(plane) + col * edge + i % edge], 8);
      }
    }
  }
  slice.end();
  stream_ += slice.nal_unit(3, nal_idr);
  last_ = source;
  ++pictures_;
}

void Encoder::add(const Picture& source, std::span<const std::int16_t> vectors,
                  std::span<const std::int32_t> costs) {
  motions_.assign(static_cast<std::size_t>(source.rows / 4 * (source.cols / 4)), {});
  for (int plane = 0; plane < 3; ++plane)
    counts_[plane].assign(static_cast<std::size_t>(source.height(plane) / 4 * (source.pitch(plane) / 4)), -1);
  BitWriter slice;
  begin_slice(slice, false);
  const std::int64_t across = source.cols / 16;
  for (std::int64_t i = 0; i < source.rows / 16 * across; ++i)
    macroblock(slice, source, i / across, i % across, vectors.data() + 2 * partitions * i,
               costs.data() + partitions * i);
  slice.end();
  stream_ += slice.nal_unit(2, nal_slice);
  std::swap(last_, current_);
  ++pictures_;
}

void Encoder::macroblock(BitWriter& slice, const Picture& source, std::int64_t row, std::int64_t col,
                         const std::int16_t* vectors, const std::int32_t* costs) {
  slice.unsigned_golomb(0);  // none is skipped before it
  motion(slice, row, col, vectors, costs);
  residual(slice, source, row, col);
}

// Chooses the division with the least cost, and writes its types and vectors.
void Encoder::motion(BitWriter& slice, std::int64_t row, std::int64_t col, const std::int16_t* vectors,
                     const std::int32_t* costs) {
  int division_of[4];
  std::int32_t quarters = 5 * lambda_;
  for (int quarter = 0; quarter < 4; ++quarter) {
    const int y = quarter / 2 * 2;
    const int x = quarter % 2 * 2;
    std::int32_t best = INT32_MAX;
    for (int d = 0; d < 4; ++d) {
      std::int32_t cost = lambda_ * bits_of_division[d];
      for (int i = 0; i < 2; i += divisions[d].height)
        for (int j = 0; j < 2; j += divisions[d].width)
          cost += costs[partition_of(divisions[d], y + i, x + j)];
      if (cost >= best) continue;
      best = cost;
      division_of[quarter] = d;
    }
    quarters += best;
  }
  const std::int32_t of_shape[] = {costs[whole] + lambda_,
                                   costs[first_16x8] + costs[first_16x8 + 1] + 3 * lambda_,
                                   costs[first_8x16] + costs[first_8x16 + 1] + 3 * lambda_, quarters};
  const auto shape = static_cast<int>(std::min_element(of_shape, of_shape + 4) - of_shape);
  slice.unsigned_golomb(static_cast<std::uint32_t>(shape));
  switch (shape) {
    case shape_16x16:
      return part(slice, row, col, {0, 0, 4, 4, whole}, vectors, shape);
    case shape_16x8:
      for (int i = 0; i < 2; ++i) part(slice, row, col, {2 * i, 0, 2, 4, first_16x8 + i}, vectors, shape);
      return;
    case shape_8x16:
      for (int i = 0; i < 2; ++i) part(slice, row, col, {0, 2 * i, 4, 2, first_8x16 + i}, vectors, shape);
      return;
    default:
      break;
  }
  for (const int d : division_of) slice.unsigned_golomb(static_cast<std::uint32_t>(d));
  for (int quarter = 0; quarter < 4; ++quarter) {
    const Division& division = divisions[division_of[quarter]];
    for (int i = 0; i < 2; i += division.height) {
      for (int j = 0; j < 2; j += division.width) {
        const int y = quarter / 2 * 2 + i;
        const int x = quarter % 2 * 2 + j;
        part(slice, row, col, {y, x, division.height, division.width, partition_of(division, y, x)}, vectors,
             shape);
      }
    }
  }
}

// Writes the part's vector as the difference from its prediction, and predicts its samples.
void Encoder::part(BitWriter& slice, std::int64_t row, std::int64_t col, const Part& part,
                   const std::int16_t* vectors, int shape) {
  const std::int64_t y = 4 * row + part.y;
  const std::int64_t x = 4 * col + part.x;
  const Vector vector = {4 * vectors[2 * part.partition], 4 * vectors[2 * part.partition + 1]};
  const Vector expected = predicted(y, x, part, shape);
  slice.signed_golomb(vector.dx - expected.dx);
  slice.signed_golomb(vector.dy - expected.dy);
  for (std::int64_t i = y; i < y + part.height; ++i) {
    for (std::int64_t j = x; j < x + part.width; ++j) {
      motions_[static_cast<std::size_t>(i * (last_.cols / 4) + j)] = {vector, true};
      predict(0, 4 * i, 4 * j, 4, vector);
      for (const int plane : {1, 2}) predict(plane, 2 * i, 2 * j, 2, vector);
    }
  }
}

const Encoder::Motion* Encoder::motion_at(std::int64_t y, std::int64_t x) const {
  if (y < 0 || x < 0 || x >= last_.cols / 4) return nullptr;
  const Motion& motion = motions_[static_cast<std::size_t>(y * (last_.cols / 4) + x)];
  return motion.known ? &motion : nullptr;
}

// 8.4.1.3: by the neighbours to the left, above, and above to the right, or where that is not coded yet, to
// the left.
Vector Encoder::predicted(std::int64_t y, std::int64_t x, const Part& part, int shape) const {
  const Motion* left = motion_at(y, x - 1);
  const Motion* above = motion_at(y - 1, x);
  const Motion* corner = motion_at(y - 1, x + part.width);
  if (!corner) corner = motion_at(y - 1, x - 1);
  if (shape == shape_16x8 && part.y == 0 && above) return above->vector;
  if (shape == shape_16x8 && part.y != 0 && left) return left->vector;
  if (shape == shape_8x16 && part.x == 0 && left) return left->vector;
  if (shape == shape_8x16 && part.x != 0 && corner) return corner->vector;
  // With none above, the left one stands for all; with one only, it is the prediction.
  const int known = (left ? 1 : 0) + (above ? 1 : 0) + (corner ? 1 : 0);
  if (known == 1) return (left ? left : above ? above : corner)->vector;
  const auto vector_of = [](const Motion* motion) { return motion ? motion->vector : Vector{}; };
  const Vector a = vector_of(left);
  const Vector b = vector_of(above);
  const Vector c = vector_of(corner);
  return {median(a.dy, b.dy, c.dy), median(a.dx, b.dx, c.dx)};
}

// 8.4.2.2: the previous picture continues beyond its border. Vectors are of whole pixels of luma, so that
// chroma lies at whole or half ones.
void Encoder::predict(int plane, std::int64_t y, std::int64_t x, std::int64_t size, const Vector& vector) {
  const std::int64_t height = last_.height(plane);
  const std::int64_t pitch = last_.pitch(plane);
  const auto sample = [&](std::int64_t i, std::int64_t j) -> std::int32_t {
    return last_.planes[plane][std::clamp<std::int64_t>(i, 0, height - 1) * pitch +
                               std::clamp<std::int64_t>(j, 0, pitch - 1)];
  };
  const int unit = plane == 0 ? 4 : 8;
  const std::int64_t down = vector.dy >= 0 ? vector.dy / unit : -((-vector.dy + unit - 1) / unit);
  const std::int64_t right = vector.dx >= 0 ? vector.dx / unit : -((-vector.dx + unit - 1) / unit);
  const auto low = static_cast<std::int32_t>(vector.dy - down * unit);
  const auto far = static_cast<std::int32_t>(vector.dx - right * unit);
  for (std::int64_t i = y; i < y + size; ++i) {
    for (std::int64_t j = x; j < x + size; ++j) {
      const std::int64_t from_y = i + down;
      const std::int64_t from_x = j + right;
      std::int32_t value = sample(from_y, from_x);
      if (plane != 0) {
        value =
            ((8 - low) * ((8 - far) * value + far * sample(from_y, from_x + 1)) +
             low * ((8 - far) * sample(from_y + 1, from_x) + far * sample(from_y + 1, from_x + 1)) + 32) >>
            6;
      }
      current_.planes[plane][i * pitch + j] = static_cast<std::uint8_t>(value);
    }
  }
}

int Encoder::count_at(int plane, std::int64_t y, std::int64_t x) const {
  if (y < 0 || x < 0) return -1;
  return counts_[plane][static_cast<std::size_t>(y * (last_.pitch(plane) / 4) + x)];
}

int Encoder::write_block(BitWriter& slice, const Block& levels, int plane, std::int64_t y, std::int64_t x) {
  std::int32_t ordered[16];
  for (int i = 0; i < 16; ++i) ordered[i] = levels[zigzag[i]];
  const int context = expected_coefficients(count_at(plane, y, x - 1), count_at(plane, y - 1, x));
  const std::span<const std::int32_t> all(ordered);
  return write_coefficients(slice, plane == 0 ? all : all.subspan(1), context);
}

void Encoder::add_to(int plane, std::int64_t y, std::int64_t x, const Block& differences) {
  for (std::int64_t i = 0; i < 16; ++i) {
    std::uint8_t& sample = current_.planes[plane][(4 * y + i / 4) * last_.pitch(plane) + 4 * x + i % 4];
    sample = clipped(sample + differences[i]);
  }
}

// What prediction leaves, 7.3.5.3; y and x are in 4 x 4 blocks.
void Encoder::residual(BitWriter& slice, const Picture& source, std::int64_t row, std::int64_t col) {
  const auto coefficients = [&](int plane, std::int64_t y, std::int64_t x) {
    Block differences;
    for (std::int64_t i = 0; i < 16; ++i) {
      const std::int64_t at = (4 * y + i / 4) * last_.pitch(plane) + 4 * x + i % 4;
      differences[i] = source.planes[plane][at] - current_.planes[plane][at];
    }
    return transformed(differences);
  };
  const auto is_zero = [](const auto& levels) {
    return std::all_of(levels.begin(), levels.end(), [](std::int32_t level) { return level == 0; });
  };
  Block luma[16];
  int pattern = 0;
  // In the order of the stream: quarters, and the blocks of each.
  const auto y_of = [&](int i) { return 4 * row + i / 8 * 2 + i % 4 / 2; };
  const auto x_of = [&](int i) { return 4 * col + i / 4 % 2 * 2 + i % 2; };
  for (int i = 0; i < 16; ++i) {
    luma[i] = quantised(coefficients(0, y_of(i), x_of(i)), qp_, 0);
    if (!is_zero(luma[i])) pattern |= 1 << (i / 4);
  }
  const int chroma_quantiser = chroma_qp(qp_);
  Block chroma[2][4];
  ChromaDc dc[2];
  int chroma_pattern = 0;
  for (int plane = 1; plane <= 2; ++plane) {
    ChromaDc first;
    for (int i = 0; i < 4; ++i) {
      const Block all = coefficients(plane, 2 * row + i / 2, 2 * col + i % 2);
      first[i] = all[0];
      chroma[plane - 1][i] = quantised(all, chroma_quantiser, 1);
      if (!is_zero(chroma[plane - 1][i])) chroma_pattern = 2;
    }
    dc[plane - 1] = quantised_dc(first, chroma_quantiser);
    if (!is_zero(dc[plane - 1])) chroma_pattern = std::max(chroma_pattern, 1);
  }
  pattern += 16 * chroma_pattern;
  slice.unsigned_golomb(number_of_pattern(pattern));
  if (pattern != 0) slice.signed_golomb(0);  // the quantiser stays
  for (int i = 0; i < 16; ++i) {
    const bool coded = (pattern >> (i / 4) & 1) != 0;
    const int count = coded ? write_block(slice, luma[i], 0, y_of(i), x_of(i)) : 0;
    counts_[0][static_cast<std::size_t>(y_of(i) * (last_.cols / 4) + x_of(i))] =
        static_cast<std::int8_t>(count);
    if (coded) add_to(0, y_of(i), x_of(i), restored(scaled(luma[i], qp_)));
  }
  if (chroma_pattern != 0) {
    for (const ChromaDc& levels : dc) write_coefficients(slice, levels, chroma_dc_context);
  }
  for (int plane = 1; plane <= 2; ++plane) {
    const ChromaDc firsts = scaled_dc(dc[plane - 1], chroma_quantiser);
    for (int i = 0; i < 4; ++i) {
      const std::int64_t y = 2 * row + i / 2;
      const std::int64_t x = 2 * col + i % 2;
      const Block& levels = chroma[plane - 1][i];
      const int count = chroma_pattern == 2 ? write_block(slice, levels, plane, y, x) : 0;
      counts_[plane][static_cast<std::size_t>(y * (last_.cols / 8) + x)] = static_cast<std::int8_t>(count);
      if (chroma_pattern == 0) continue;
      Block values = scaled(levels, chroma_quantiser);
      values[0] = firsts[i];
      add_to(plane, y, x, restored(values));
    }
  }
}

}  // namespace dwarfsweep::h264
