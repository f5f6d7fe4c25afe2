// The check of a result of fem against the steps in double precision. Shares no code with the kernels or with
// the host version; kernels_cl/fem/fem.cl has the formulas.
//
// Roundings of a force, u = 2^-24. Whatever a variant does (gradients from the nodes' positions in each step,
// or a matrix assembled before), a force is a sum of terms K_ab u_b, in each of which every difference of
// positions counts with its absolute value: |K|. A variant that recomputes rounds a term: edges and normals 4
// times, displacements' differences and their products with normals, three terms, 4; the stress 8; its
// product with a normal, three terms, 8; the fourth corner's sum 2; the scale 4, and by the volume 8 |V| / V,
// where |V| has all its terms without sign: less than 32 + 8 |V| / V. A sum over the elements of a node adds
// their number. A matrix rounds entry, product, and the sum of three terms for each of its blocks. So the
// force of a node errs by at most u 1.01 R |K| |u|, R = 32 + 8 max |V| / V + elements + 3 blocks + 3.
//
// The variant edges has K_ij (u_j - u_i) for each edge of node i, and no block K_ii. It rounds entry,
// difference, product and the sum of three terms 5 times, and the sum over edges once less than the node has
// edges, which is one less than blocks. So its force errs by at most u 1.01 S (|K| |u| + D |u|), S = 3 +
// blocks, where D_i is the sum of all |K_ij| with j not i. D |u| is not always below a multiple of |K| |u|:
// the larger of both bounds holds for any variant.
//
// Each value. With dv = |v' - v|, a step's own errors and those of the values it starts from give
//   v: E_v + dt / m (|K| E_u + u 1.01 R |K| (|u| + E_u)) + 4 u dv + u |v'|
//   u: E_u + dt E_v' + u (2 dt |v'| + |u'|)
// where R |K| |u| stands for the larger of the two, and E_v' is new; the second-order terms are in the 1.01
// and in one u more for each.
//
// All values together. |K| / m has no row sum above L, and dt is 1.8 / sqrt(L), but for its rounding: the
// head of input.cpp. A step keeps Q = v M v + u K u - dt v K u, which is at least (1 - 0.9) (v M v + u K u):
// no eigenvalue of K / m is above L. In the norm sqrt(v M v), written |v|, the roundings of a step are at
// most
//   r_v = u (1.02 R dt L |u| + 10 |v|)   of v (dv is at most |v| + |v'|),   r_u = u (3 dt |v| + |u|)   of u,
// with the largest norms of any step. They add r_v + sqrt(L) r_u to sqrt(Q). After n steps the errors are at
// most
//   v: 3.3 n (r_v + 1.8 / dt r_u),   u: n (dt times that + r_u).
// That is also enough for edges. No row of D / m sums to more than L, so that no column sums to more than the
// 3 L of all nine entries, and |D / m| is at most sqrt(3) L. Its r_v has (1 + sqrt(3)) S in place of R, which
// is larger.
#include "dwarfs/fem/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace dwarfsweep::fem {
namespace {

constexpr double unit = 0x1p-24;
// Bounds of single values grow exponentially. Beyond this they stay: those of all values together are
// smaller.
constexpr double beyond_any = 1e100;

using Vector = std::array<double, 3>;

/// Gradients of the four shape functions, and |.| of the terms that they are made of; the volume.
struct Shape {
  Vector gradient[4] = {}, terms[4] = {};
  double volume = 0, volume_terms = 0;
};

Shape shape_of(const Mesh& mesh, const Corners& corners) {
  // The rows of the inverse of the matrix of edges, by cofactors.
  double edge[3][3];
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      edge[k][axis] = double{mesh.nodes[static_cast<std::size_t>(corners[k + 1])][axis]} -
                      double{mesh.nodes[static_cast<std::size_t>(corners[0])][axis]};
  }
  Shape shape;
  double determinant = 0;
  double determinant_terms = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto& a = edge[(k + 1) % 3];
    const auto& b = edge[(k + 2) % 3];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t p = (axis + 1) % 3;
      const std::size_t q = (axis + 2) % 3;
      shape.gradient[k + 1][axis] = a[p] * b[q] - a[q] * b[p];
      shape.terms[k + 1][axis] = std::abs(a[p] * b[q]) + std::abs(a[q] * b[p]);
      if (k > 0) continue;
      determinant += edge[0][axis] * shape.gradient[1][axis];
      determinant_terms += std::abs(edge[0][axis]) * shape.terms[1][axis];
    }
  }
  const double inverse = 1 / determinant;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t k = 1; k < 4; ++k) {
      shape.gradient[k][axis] *= inverse;
      shape.terms[k][axis] *= inverse;
      shape.gradient[0][axis] -= shape.gradient[k][axis];
      shape.terms[0][axis] += shape.terms[k][axis];
    }
  }
  shape.volume = determinant / 6;
  shape.volume_terms = determinant_terms / 6;
  return shape;
}

/// An element's part of K x, for each corner; of |K| x, if `g` are the terms of gradients.
void element_product(const Lame& lame, const Corners& corners, double volume, const Vector* g,
                     const std::vector<double>& x, Vector* force) {
  double h[3][3] = {};  // the displacement's gradient: h[p][q], of component p in direction q
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t p = 0; p < 3; ++p) {
      for (std::size_t q = 0; q < 3; ++q)
        h[p][q] += x[3 * static_cast<std::size_t>(corners[a]) + p] * g[a][q];
    }
  }
  const double pressure = volume * double{lame.lambda} * (h[0][0] + h[1][1] + h[2][2]);
  const double mu = volume * double{lame.mu};
  double stress[3][3];
  for (std::size_t p = 0; p < 3; ++p)
    for (std::size_t q = 0; q < 3; ++q) stress[p][q] = mu * (h[p][q] + h[q][p]) + (p == q ? pressure : 0);
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t p = 0; p < 3; ++p)
      force[a][p] = stress[p][0] * g[a][0] + stress[p][1] * g[a][1] + stress[p][2] * g[a][2];
}

/// How often forces are rounded: R and S of the header.
struct Roundings {
  double all = 0, edges = 0;
};

/// Products with K and |K|: of elements, on all cores, and then the sums of each node.
class Products {
 public:
  explicit Products(const Body& body)
      : body_(body),
        incidence_(body.mesh),
        corners_(std::make_unique_for_overwrite<Corner[]>(4 * body.mesh.elements.size())),
        roundings_(count_roundings()),
        others_(sums_of_others()) {}

  /// force = K x, error = the bound of its error, for x with the errors x_error.
  void compute(const std::vector<double>& x, const std::vector<double>& x_error, std::vector<double>& force,
               std::vector<double>& error) {
    const Mesh& mesh = body_.mesh;
    std::vector<double> magnitude(x.size());
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < x.size(); ++i) magnitude[i] = std::abs(x[i]) + x_error[i];
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < mesh.elements.size(); ++i) {
      const Shape shape = shape_of(mesh, mesh.elements[i]);
      Vector of_corner[4], terms_of_corner[4], error_of_corner[4];
      element_product(body_.lame[i], mesh.elements[i], shape.volume, shape.gradient, x, of_corner);
      element_product(body_.lame[i], mesh.elements[i], shape.volume, shape.terms, magnitude, terms_of_corner);
      element_product(body_.lame[i], mesh.elements[i], shape.volume, shape.terms, x_error, error_of_corner);
      for (std::size_t a = 0; a < 4; ++a)
        corners_[4 * i + a] = {of_corner[a], terms_of_corner[a], error_of_corner[a]};
    }
#pragma omp parallel for schedule(static)
    for (std::size_t node = 0; node < mesh.nodes.size(); ++node) {
      Corner sum{};
      for (std::int32_t k = incidence_.offsets[node]; k < incidence_.offsets[node + 1]; ++k) {
        const auto place = static_cast<std::size_t>(incidence_.corners[static_cast<std::size_t>(k)]);
        for (std::size_t p = 0; p < 3; ++p) {
          sum.force[p] += corners_[place].force[p];
          sum.terms[p] += corners_[place].terms[p];
          sum.error[p] += corners_[place].error[p];
        }
      }
      for (std::size_t p = 0; p < 3; ++p) {
        double of_edges = sum.terms[p];
        for (std::size_t q = 0; q < 3; ++q) of_edges += others_[node][p][q] * magnitude[3 * node + q];
        force[3 * node + p] = sum.force[p];
        error[3 * node + p] =
            sum.error[p] + unit * 1.01 * std::max(roundings_.all * sum.terms[p], roundings_.edges * of_edges);
      }
    }
  }

  [[nodiscard]] const Roundings& roundings() const {
    return roundings_;
  }

 private:
  struct Corner {
    Vector force, terms, error;
  };
  using Matrix = std::array<Vector, 3>;

  [[nodiscard]] Roundings count_roundings() const;
  /// D of the header.
  [[nodiscard]] std::vector<Matrix> sums_of_others() const;

  const Body& body_;
  Incidence incidence_;
  std::unique_ptr<Corner[]> corners_;  ///< 4 * element + corner
  Roundings roundings_;
  std::vector<Matrix> others_;
};

Roundings Products::count_roundings() const {
  const Mesh& mesh = body_.mesh;
  std::size_t largest = 0;
  std::size_t most_blocks = 0;
#pragma omp parallel reduction(max : largest, most_blocks)
  {
    std::vector<std::int32_t> around;
#pragma omp for schedule(static)
    for (std::size_t node = 0; node < mesh.nodes.size(); ++node) {
      around.clear();
      const auto begin = static_cast<std::size_t>(incidence_.offsets[node]);
      const auto end = static_cast<std::size_t>(incidence_.offsets[node + 1]);
      for (std::size_t k = begin; k < end; ++k) {
        const Corners& corners = mesh.elements[static_cast<std::size_t>(incidence_.corners[k] / 4)];
        around.insert(around.end(), corners.begin(), corners.end());
      }
      std::sort(around.begin(), around.end());
      const auto blocks =
          static_cast<std::size_t>(std::unique(around.begin(), around.end()) - around.begin());
      largest = std::max(largest, end - begin + 3 * blocks);
      most_blocks = std::max(most_blocks, blocks);
    }
  }
  double flattest = 1;
#pragma omp parallel for schedule(static) reduction(max : flattest)
  for (std::size_t i = 0; i < mesh.elements.size(); ++i) {
    const Shape shape = shape_of(mesh, mesh.elements[i]);
    flattest = std::max(flattest, shape.volume_terms / shape.volume);
  }
  return {35 + 8 * flattest + static_cast<double>(largest), 3 + static_cast<double>(most_blocks)};
}

std::vector<Products::Matrix> Products::sums_of_others() const {
  const Mesh& mesh = body_.mesh;
  std::vector<Matrix> sums(mesh.nodes.size());
#pragma omp parallel for schedule(static)
  for (std::size_t node = 0; node < sums.size(); ++node) {
    for (std::int32_t k = incidence_.offsets[node]; k < incidence_.offsets[node + 1]; ++k) {
      const auto corner = static_cast<std::size_t>(incidence_.corners[static_cast<std::size_t>(k)]);
      const Shape shape = shape_of(mesh, mesh.elements[corner / 4]);
      const Vector& own = shape.terms[corner % 4];
      Vector other{};
      double both = 0;
      for (std::size_t q = 0; q < 3; ++q) {
        for (std::size_t b = 0; b < 4; ++b)
          if (b != corner % 4) other[q] += shape.terms[b][q];
        both += own[q] * other[q];
      }
      const double lambda = shape.volume * double{body_.lame[corner / 4].lambda};
      const double mu = shape.volume * double{body_.lame[corner / 4].mu};
      for (std::size_t p = 0; p < 3; ++p)
        for (std::size_t q = 0; q < 3; ++q)
          sums[node][p][q] += lambda * own[p] * other[q] + mu * own[q] * other[p] + (p == q ? mu * both : 0);
    }
  }
  return sums;
}

double norm_of(const Body& body, const std::vector<double>& x) {
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (std::size_t i = 0; i < x.size(); ++i) sum += double{body.mass[i / 3]} * x[i] * x[i];
  return std::sqrt(sum);
}

std::vector<double> flat(const std::vector<Node>& nodes) {
  std::vector<double> values;
  for (const Node& node : nodes) values.insert(values.end(), node.begin(), node.end());
  return values;
}

}  // namespace

void Verifier::compute_expected() const {
  u_ = flat(start_.u);
  v_ = flat(start_.v);
  const std::size_t count = u_.size();
  u_error_.assign(count, 0);
  v_error_.assign(count, 0);
  const double dt = body_.dt;
  Products products(body_);
  const double rounds = products.roundings().all;
  std::vector<double> force(count), error(count);
  double largest_u = norm_of(body_, u_);
  double largest_v = norm_of(body_, v_);
  for (int step = 0; step < body_.steps; ++step) {
    products.compute(u_, u_error_, force, error);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < count; ++i) {
      const double scale = dt / double{body_.mass[i / 3]};
      const double change = -scale * force[i];
      v_[i] += change;
      v_error_[i] += scale * error[i] + unit * (5 * std::abs(change) + 2 * (std::abs(v_[i]) + v_error_[i]));
      u_[i] += dt * v_[i];
      u_error_[i] += dt * v_error_[i] +
                     unit * (3 * dt * (std::abs(v_[i]) + v_error_[i]) + 2 * (std::abs(u_[i]) + u_error_[i]));
      v_error_[i] = std::min(v_error_[i], beyond_any);
      u_error_[i] = std::min(u_error_[i], beyond_any);
    }
    largest_u = std::max(largest_u, norm_of(body_, u_));
    largest_v = std::max(largest_v, norm_of(body_, v_));
  }
  const double row_sum = 1.8 * 1.8 / (dt * dt);
  const double of_v = unit * (1.02 * rounds * dt * row_sum * largest_u + 10 * largest_v);
  const double of_u = unit * (3 * dt * largest_v + largest_u);
  // The norms of what is computed exceed the reference's by the errors themselves: for the share x that these
  // are of the norm, 1 / (1 - x) of the bound. At the most steps that the dwarf takes x is below 0.9.
  v_norm_ = 3.3 * body_.steps * (of_v + 1.8 / dt * of_u);
  v_norm_ /= std::max(0.1, 1 - v_norm_ / largest_v);
  u_norm_ = 1.01 * body_.steps * (dt * v_norm_ + of_u);
  for (std::size_t i = 0; i < count; ++i) {
    const double root = std::sqrt(double{body_.mass[i / 3]});
    u_error_[i] = std::min(u_error_[i], u_norm_ / root) + 0x1p-100;
    v_error_[i] = std::min(v_error_[i], v_norm_ / root) + 0x1p-100;
  }
}

Check Verifier::check(const Motion& result) const {
  std::call_once(once_, [this] { compute_expected(); });
  Check check{true, 0, 0, ""};
  struct Compared {
    const char* name;
    std::vector<double> got;
    const std::vector<double>&wanted, &allowed;
    double norm;
  };
  for (Compared& compared : std::array<Compared, 2>{
           {{"u", flat(result.u), u_, u_error_, u_norm_}, {"v", flat(result.v), v_, v_error_, v_norm_}}}) {
    for (std::size_t i = 0; i < compared.got.size(); ++i) {
      const double error = std::abs(compared.got[i] - compared.wanted[i]);
      check.max_error = std::max(check.max_error, error);
      check.tolerance = std::max(check.tolerance, compared.allowed[i]);
      if (error <= compared.allowed[i]) {
        compared.got[i] = error;
        continue;
      }
      check.ok = false;  // also for a NaN
      check.message =
          fmt::format("{}[{}, {}]: got {}, wanted {}, off by {:.3g} where {:.3g} is allowed", compared.name,
                      i / 3, i % 3, compared.got[i], compared.wanted[i], error, compared.allowed[i]);
      return check;
    }
    const double norm = norm_of(body_, compared.got);
    if (norm <= compared.norm) continue;
    check.ok = false;
    check.message =
        fmt::format("the errors of all of {} together have the norm {:.3g} where {:.3g} is allowed",
                    compared.name, norm, compared.norm);
    return check;
  }
  return check;
}

}  // namespace dwarfsweep::fem
