// Figures as SVG: scales, markers that differ by shape as well as by colour, and links to points.
#pragma once

#include <string>
#include <vector>

#include "suite/report/html.hpp"

namespace dwarfsweep {

/// Positions on a logarithmic axis from `low` to `high`, both widened to leave some room.
class LogScale {
 public:
  /// `begin` and `end` in pixels. Values that are not positive and finite are ignored.
  LogScale(const std::vector<double>& values, double begin, double end);
  [[nodiscard]] double at(double value) const;
  /// 1, 2, 5, 10 ... as many as have room.
  [[nodiscard]] std::vector<double> ticks() const;

 private:
  double low_ = 1, high_ = 10, begin_ = 0, end_ = 1;
};

/// A coordinate: at most one decimal.
std::string pixel(double value);

/// A marker of the series: circle, square, diamond, triangle ..., coloured by class `s0`, `s1` ...
Html marker(std::size_t series, double x, double y, bool hollow = false);

/// `shape` as a link to the row of a point: reached by the keyboard, explained by `title`.
Html point_link(std::size_t row, std::string_view title, const Html& shape);

struct Figure {
  std::string title = {};
  std::string description = {};  ///< for those who do not see it
  double width = 720, height = 200;
  Html content = {};
};
/// With its title as caption, scrollable where the page is narrower.
Html to_html(const Figure& figure);

/// Vertical lines at the ticks, that at 1 in bold where it is the baseline, with their numbers below at
/// `bottom`, and a name for the axis.
Html x_axis(const LogScale& scale, double top, double bottom, std::string_view name,
            bool one_is_baseline = true);
/// Horizontal ones, with their numbers to the left.
Html y_axis(const LogScale& scale, double left, double right, std::string_view name);

/// "0.01", "1", "5000": without superfluous zeros.
std::string tick_text(double value);

}  // namespace dwarfsweep
