// What builders are to do next, and what is known of the programs of each point. Plain data: no processes, no
// threads.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/program/kernel_source.hpp"
#include "harness/space/error.hpp"
#include "suite/plan/point_request.hpp"
#include "suite/worker/requests.hpp"

namespace dwarfsweep {

/// What became of a program, or of the point that needs it.
struct BuildOutcome {
  Status status = Status::ok;
  std::string reason;
  std::string note;  ///< a remark where it is ok
};

/// Points come in groups that share their data, so that one process generates the data once and lists the
/// programs of all. Programs are built in the order in which the points will be prepared; a program of
/// several points is built once.
class BuildQueue {
 public:
  enum class State {
    unknown,    ///< a builder does not know, or cannot find out, what it needs: the worker builds it
    unlisted,   ///< its programs will be listed, or are being listed
    waiting,    ///< a program that it needs has not been begun, and none has failed
    under_way,  ///< all have been begun, but not all are built
    ready,
    failed,
  };

  struct Job {
    std::vector<PointRequest> to_list;  ///< a group's points whose programs are asked for; empty: build
    ProgramText to_build;
    std::size_t number = 0;       ///< of the group or the program
    bool in_new_process = false;  ///< it killed a builder that had done other things before
  };

  /// The most groups that are listed at a time before they are preferred; 0: only preferred ones.
  explicit BuildQueue(std::size_t groups_ahead) : groups_ahead_(groups_ahead) {}

  /// The points of a group. `early`: the number of them that come before the others of all groups.
  void add(const std::vector<PointRequest>& points, std::size_t early);
  /// These points come before all others, from now on until others are preferred.
  void prefer(const std::vector<std::string>& keys);
  /// The most urgent job, which counts as begun; nothing where there is none at present.
  std::optional<Job> next();
  /// The worker builds this point itself: programs that no builder has begun are left to it.
  void leave_to_worker(const std::string& key);

  void listed(const Job& job, const ProgramList& list);
  void cannot_list(const Job& job);
  void built(const Job& job);
  /// The builder died. If it had built something else before (not `first_in_process`), another builder is
  /// tried.
  void crashed(const Job& job, const BuildOutcome& outcome, bool first_in_process);
  void failed(const Job& job, const BuildOutcome& outcome);
  /// A builder cannot say what is wrong with the program, so the worker tries to build it.
  void cannot_build(const Job& job);
  /// This builder cannot do the job now; another one may take it.
  void give_back(const Job& job);

  [[nodiscard]] State state_of(const std::string& key) const;
  /// Of a point that is ready or has failed.
  [[nodiscard]] BuildOutcome outcome_of(const std::string& key) const;

 private:
  enum class Stage { waiting, under_way, done, left_to_worker };
  struct Group {
    std::vector<std::string> keys;
    std::vector<PointRequest> points;
    Stage stage = Stage::waiting;
  };
  struct Point {
    std::size_t group = 0;
    std::size_t rank = 0;  ///< the least goes first
    std::optional<std::vector<std::size_t>> programs;
  };
  struct Program {
    ProgramText text;
    Stage stage = Stage::waiting;
    BuildOutcome outcome;
    std::string first_crash;
  };

  [[nodiscard]] std::optional<std::size_t> group_to_list() const;
  [[nodiscard]] std::optional<std::size_t> program_to_build() const;
  [[nodiscard]] std::size_t number_of(const ProgramText& text);

  std::size_t groups_ahead_;
  std::vector<Group> groups_;
  std::map<std::string, Point> points_;  // by key
  std::vector<std::string> order_;       // keys by rank
  std::vector<std::string> preferred_;
  std::vector<Program> programs_;
  std::map<std::string, std::vector<std::size_t>> by_id_;  // numbers of the programs of an id
};

}  // namespace dwarfsweep
