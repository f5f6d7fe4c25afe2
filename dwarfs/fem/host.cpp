// Forces of elements, which are stored, and the nodes' sums of them.
#include "dwarfs/fem/fem.hpp"

namespace dwarfsweep::fem {
namespace {

Node difference(const Node& a, const Node& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Node cross(const Node& a, const Node& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

class FemHostCase final : public HostCase {
 public:
  FemHostCase(std::shared_ptr<const FemInput> input, int threads)
      : input_(std::move(input)),
        body_(input_->body()),
        threads_(threads),
        incidence_(body_.mesh),
        forces_(4 * body_.mesh.elements.size()) {}

  void reset() override { motion_ = input_->start(); }

  void run() override {
#pragma omp parallel num_threads(threads_)
    for (int step = 0; step < body_.steps; ++step) {
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < body_.mesh.elements.size(); ++i) element_forces(i);
#pragma omp for schedule(static)
      for (std::size_t node = 0; node < motion_.u.size(); ++node) advance(node);
    }
  }

  [[nodiscard]] Check check() const override {
    return input_->check(motion_);
  }

 private:
  void element_forces(std::size_t i) {
    const Corners& corners = body_.mesh.elements[i];
    const auto position = [&](std::size_t a) {
      return body_.mesh.nodes[static_cast<std::size_t>(corners[a])];
    };
    const auto moved = [&](std::size_t a) { return motion_.u[static_cast<std::size_t>(corners[a])]; };
    Node edge[3];
    Node strain[3] = {};  // times six volumes: the displacement's gradient, a row for each component
    for (std::size_t k = 0; k < 3; ++k) edge[k] = difference(position(k + 1), position(0));
    Node normal[3];
    for (std::size_t k = 0; k < 3; ++k) {
      normal[k] = cross(edge[(k + 1) % 3], edge[(k + 2) % 3]);
      const Node w = difference(moved(k + 1), moved(0));
      for (std::size_t p = 0; p < 3; ++p)
        for (std::size_t q = 0; q < 3; ++q) strain[p][q] += w[p] * normal[k][q];
    }
    const float volumes = edge[0][0] * normal[0][0] + edge[0][1] * normal[0][1] + edge[0][2] * normal[0][2];
    const float scale = 1 / (6 * volumes);
    const float mu = body_.lame[i].mu * scale;
    const float pressure = body_.lame[i].lambda * scale * (strain[0][0] + strain[1][1] + strain[2][2]);
    Node* forces = forces_.data() + 4 * i;
    forces[0] = {};
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t p = 0; p < 3; ++p) {
        float force = pressure * normal[k][p];
        for (std::size_t q = 0; q < 3; ++q) force += mu * (strain[p][q] + strain[q][p]) * normal[k][q];
        forces[k + 1][p] = -force;
        forces[0][p] += force;
      }
    }
  }

  void advance(std::size_t node) {
    Node force{};
    for (std::int32_t k = incidence_.offsets[node]; k < incidence_.offsets[node + 1]; ++k) {
      const Node& corner = forces_[static_cast<std::size_t>(incidence_.corners[static_cast<std::size_t>(k)])];
      for (std::size_t p = 0; p < 3; ++p) force[p] += corner[p];
    }
    for (std::size_t p = 0; p < 3; ++p) {
      motion_.v[node][p] += body_.dt / body_.mass[node] * force[p];
      motion_.u[node][p] += body_.dt * motion_.v[node][p];
    }
  }

  std::shared_ptr<const FemInput> input_;
  const Body& body_;
  int threads_;
  Incidence incidence_;
  std::vector<Node> forces_;
  Motion motion_;
};

}  // namespace

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const FemInput> input, int threads) {
  return std::make_unique<FemHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::fem
