// The check of a search and of the pictures. Shares no code with the kernels or with the host version: for
// each offset it takes the differences of whole frames, adds them up by 4 x 4 blocks, and those to the larger
// partitions by their places and sizes. Costs and vectors are integers and must be equal.
//
// What is decoded differs from the source by what quantisation leaves of each coefficient: at most 5/6 of a
// step of 0.625 * 2^(qp / 6), since a sixth of a step is what rounds up. The transform's rows are orthogonal
// and their lengths are in the multipliers, which are rounded by less than 0.3 %. So the mean square error
// is at most (5/6 * step)^2; rounding to integers adds at most 1 to an error, and clipping only brings a
// sample nearer to its source. The first picture is raw: it must be equal.
#include "dwarfs/h264/video.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

namespace dwarfsweep::h264 {
namespace {

struct Place {
  int y, x, height, width;  // in 4 x 4 blocks of the macroblock
};

std::vector<Place> places() {
  std::vector<Place> result;
  const std::pair<int, int> sizes[] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}, {2, 4}, {4, 2}, {4, 4}};
  for (const auto& [height, width] : sizes)
    for (int y = 0; y < 4; y += height)
      for (int x = 0; x < 4; x += width) result.push_back({y, x, height, width});
  return result;
}

// Sums of the absolute differences of each 4 x 4 block of a row of macroblocks.
void sum_blocks(const Picture& current, const Picture& reference, std::int64_t row, std::int64_t dy,
                std::int64_t dx, std::vector<std::int32_t>& sums) {
  sums.assign(static_cast<std::size_t>(current.cols), 0);
  for (std::int64_t y = 16 * row; y < 16 * row + 16; ++y) {
    const std::int64_t from = std::clamp<std::int64_t>(y + dy, 0, current.rows - 1);
    for (std::int64_t x = 0; x < current.cols; ++x) {
      const std::int64_t column = std::clamp<std::int64_t>(x + dx, 0, current.cols - 1);
      const int difference =
          current.planes[0][y * current.cols + x] - reference.planes[0][from * current.cols + column];
      sums[(y % 16 / 4) * (current.cols / 4) + x / 4] += std::abs(difference);
    }
  }
}

void search_row(const Frames& frames, std::int64_t f, std::int64_t row, Motion& motion) {
  static const std::vector<Place> all = places();
  const std::int64_t across = frames.across();
  const std::int64_t first = ((f - 1) * frames.macroblocks() + row * across) * partitions;
  for (std::int64_t i = first; i < first + across * partitions; ++i)
    motion.costs[i] = std::numeric_limits<std::int32_t>::max();
  std::vector<std::int32_t> sums;
  for (std::int64_t dy = -(frames.search / 2); dy < frames.search - frames.search / 2; ++dy) {
    for (std::int64_t dx = -(frames.search / 2); dx < frames.search - frames.search / 2; ++dx) {
      sum_blocks(frames.pictures[f], frames.pictures[f - 1], row, dy, dx, sums);
      for (std::int64_t col = 0; col < across; ++col) {
        std::int64_t from_y = 0;
        std::int64_t from_x = 0;
        if (frames.predicts && f > 1) {
          const std::int64_t before =
              ((f - 2) * frames.macroblocks() + row * across + col) * partitions + partitions - 1;
          from_y = motion.vectors[2 * before];
          from_x = motion.vectors[2 * before + 1];
        }
        const std::int32_t bits = frames.lambda * (bits_of(dy - from_y) + bits_of(dx - from_x));
        for (std::size_t p = 0; p < all.size(); ++p) {
          std::int32_t cost = bits;
          for (int i = 0; i < all[p].height; ++i)
            for (int j = 0; j < all[p].width; ++j)
              cost += sums[(all[p].y + i) * 4 * across + 4 * col + all[p].x + j];
          const std::int64_t to = first + col * partitions + static_cast<std::int64_t>(p);
          if (cost >= motion.costs[to]) continue;
          motion.costs[to] = cost;
          motion.vectors[2 * to] = static_cast<std::int16_t>(dy);
          motion.vectors[2 * to + 1] = static_cast<std::int16_t>(dx);
        }
      }
    }
  }
}

}  // namespace

Motion search_again(const Frames& frames) {
  Motion motion;
  motion.vectors.resize(2 * frames.results());
  motion.costs.resize(frames.results());
  for (std::int64_t f = 1; f < frames.count(); ++f) {
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t row = 0; row < frames.macroblocks() / frames.across(); ++row)
      search_row(frames, f, row, motion);
  }
  return motion;
}

Check check_motion(const Frames& frames, const Motion& expected, const Motion& found,
                   const Encoded& encoded) {
  Check check;
  const auto fail = [&](const std::string& message) {
    check.ok = false;
    check.max_error = 1;
    check.message = message;
    return check;
  };
  for (std::size_t i = 0; i < expected.costs.size(); ++i) {
    const bool same = found.vectors[2 * i] == expected.vectors[2 * i] &&
                      found.vectors[2 * i + 1] == expected.vectors[2 * i + 1] &&
                      found.costs[i] == expected.costs[i];
    if (same) continue;
    const auto macroblock = static_cast<std::int64_t>(i) / partitions;
    return fail(fmt::format(
        "partition {} of macroblock {} of frame {} has the vector ({}, {}) at cost {}, wanted ({}, {}) at {}",
        static_cast<std::int64_t>(i) % partitions, macroblock % frames.macroblocks(),
        macroblock / frames.macroblocks() + 1, found.vectors[2 * i], found.vectors[2 * i + 1], found.costs[i],
        expected.vectors[2 * i], expected.vectors[2 * i + 1], expected.costs[i]));
  }
  const double step = 0.625 * std::exp2(frames.qp / 6.0);
  for (std::int64_t f = 0; f < frames.count(); ++f) {
    double squares = 0;
    for (std::int64_t i = 0; i < frames.rows * frames.cols; ++i) {
      const Picture& source = frames.pictures[f];
      const double error =
          encoded.planes[0][f * frames.rows * frames.cols + i] -
          static_cast<double>(source.planes[0][i / frames.cols * source.cols + i % frames.cols]);
      squares += error * error;
    }
    const double error = std::sqrt(squares / static_cast<double>(frames.rows * frames.cols));
    // If a picture does not consist of whole macroblocks, errors may accumulate in the part that is shown.
    const double whole_picture = static_cast<double>(frames.macroblocks() * 256);
    const double shown = static_cast<double>(frames.rows * frames.cols);
    const double allowed = f == 0 ? 0 : (1.003 * 5 / 6 * step + 1) * std::sqrt(whole_picture / shown);
    if (error <= allowed) continue;
    return fail(fmt::format("picture {} is off by {} on average, at most {} are allowed", f, error, allowed));
  }
  check.ok = true;
  return check;
}

}  // namespace dwarfsweep::h264
