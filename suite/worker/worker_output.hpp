// What a worker and its drivers print: the end of it tells why the worker crashed.
#pragma once

#include <cstdint>
#include <string>

namespace dwarfsweep {

class WorkerOutput {
 public:
  /// `file`: what the worker prints to; empty: it prints to standard error, and nothing is known of it.
  explicit WorkerOutput(std::string file) : file_(std::move(file)) {}

  [[nodiscard]] const std::string& file() const { return file_; }
  /// Only what is printed from now on belongs to the request under way.
  void begin_request();
  /// The last 400 characters or so that were printed during the request, on one line, without control
  /// characters and the folders of paths.
  [[nodiscard]] std::string end() const;

 private:
  std::string file_;
  std::int64_t begin_ = 0;  // size of the file when the request was made
};

}  // namespace dwarfsweep
