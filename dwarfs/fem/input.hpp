// The body that fem sets in motion: its mesh, material, and motion before the first step; the check of a
// result.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "dwarfs/fem/mesh.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/problem.hpp"

namespace dwarfsweep::fem {

/// Lame's parameters of an isotropic material.
struct Lame {
  float lambda = 0, mu = 0;
};

struct Body {
  Mesh mesh;
  std::vector<Lame> lame;   ///< of each element
  std::vector<float> mass;  ///< of each node: a quarter of that of each element around it
  float dt = 0;
  int steps = 1;
};

/// Displacement and velocity of each node.
struct Motion {
  std::vector<Node> u, v;
};

/// The expected motion and the bounds of its errors, computed at the first check.
class Verifier {
 public:
  /// Both must outlive the verifier.
  Verifier(const Body& body, const Motion& start) : body_(body), start_(start) {}
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  [[nodiscard]] Check check(const Motion& result) const;

 private:
  void compute_expected() const;

  const Body& body_;
  const Motion& start_;
  mutable std::once_flag once_;
  mutable std::vector<double> u_, v_, u_error_, v_error_;  ///< expected, and allowed for each
  mutable double u_norm_ = 0, v_norm_ = 0;                 ///< of all errors together
};

class FemInput final : public Input {
 public:
  FemInput(Body body, Motion start)
      : body_(std::move(body)), start_(std::move(start)), verifier_(body_, start_) {}

  [[nodiscard]] const Body& body() const { return body_; }
  [[nodiscard]] const Motion& start() const { return start_; }
  [[nodiscard]] Check check(const Motion& result) const { return verifier_.check(result); }

 private:
  Body body_;
  Motion start_;
  Verifier verifier_;
};

/// A body of this mesh: Young's modulus exp(beta z) and density exp(beta z / 2), where z is from 0 to 1 over
/// the mesh, and a time step of 0.9 of a bound of the longest stable one.
Body make_body(Mesh mesh, const Problem& problem);

/// Uniform in [-1, 1).
Motion random_motion(std::size_t nodes, std::uint64_t seed);

std::shared_ptr<const FemInput> generate_body(const Problem& problem, std::uint64_t seed);

/// A mesh from a Gmsh file. Throws UsageError, InputError, PointFailure.
Loaded load_body(const DwarfInfo& info, const ValueMap& request, const std::string& file);

}  // namespace dwarfsweep::fem
