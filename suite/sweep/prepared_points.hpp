// The points that a worker holds ready on its device, so that a block can be measured without building and
// uploading again.
#pragma once

#include <list>
#include <memory>
#include <string>
#include <utility>

#include "dwarfs/registry.hpp"
#include "harness/measure.hpp"
#include "harness/session.hpp"
#include "suite/plan/point_request.hpp"

namespace dwarfsweep {

class PreparedPoints {
 public:
  /// The device of the points to come; null for the host's own CPU.
  void use(std::unique_ptr<Session> session, const MeasureOptions& options);
  [[nodiscard]] Session* session() { return session_.get(); }

  /// Generates or reads the data of a point, and keeps them until other data are asked for.
  const Loaded& data(const PointRequest& request);
  /// The point, built, verified and warmed up where it is not ready yet. Valid until two other points have
  /// been asked for. Throws PointFailure and what data() throws.
  MeasuredPoint& get(const PointRequest& request);
  /// The point where it is ready; else null.
  MeasuredPoint* find(const PointRequest& request);
  void drop();
  /// Points whose last output was wrong when they had to make room: [{"key", "reason"}...]. Each is told
  /// once.
  Json take_late() { return std::exchange(late_, Json::array()); }

 private:
  struct Prepared {
    std::string key;
    std::unique_ptr<MeasuredPoint> point;
  };

  std::list<Prepared>::iterator locate(const PointRequest& request);
  void make_room();

  std::unique_ptr<Session> session_;
  MeasureOptions options_;
  std::string data_key_;
  Loaded data_;
  std::list<Prepared> points_;  // the points used last in front; those at the back make room
  Json late_ = Json::array();
};

}  // namespace dwarfsweep
