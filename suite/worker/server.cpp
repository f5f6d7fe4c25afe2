#include "suite/worker/server.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <variant>

#include "harness/device/opencl.hpp"
#include "harness/program/program_cache.hpp"
#include "harness/space/error.hpp"
#include "suite/worker/host_limits.hpp"

namespace dwarfsweep {
namespace {

// To be called before the driver is loaded. NVIDIA's driver keeps its cache in the folder of the program
// cache, if there is one and the user has not chosen another: so the worker finds there what builders
// compiled, and a user who removes the one removes the other, too. PoCL's lies where POCL_CACHE_DIR says, and
// is shared as it is.
void share_driver_caches() {
  const auto folder = program_cache_folder();
  if (folder.empty()) return;
  constexpr int keep_what_is_set = 0;
  ::setenv("CUDA_CACHE_PATH", std::filesystem::absolute(folder / "nvidia").c_str(), keep_what_is_set);
  ::setenv("CUDA_CACHE_MAXSIZE", "1073741824", keep_what_is_set);
}

std::variant<JsonAnswer, ReportedError> answer_or_error(
    const std::function<JsonAnswer(const std::string&)>& result, const std::string& line) {
  std::variant<JsonAnswer, ReportedError> answer;
  const auto error = [&](const std::string& status, const std::string& sentence) {
    answer = ReportedError{status, sentence};
  };
  try {
    answer = result(line);
  } catch (const PointFailure& failure) {
    error(std::string(to_string(failure.status())), failure.what());
  } catch (const cl::Error& failure) {
    error(std::string(to_string(status_of(failure))), describe(failure));
  } catch (const NoDeviceError& failure) {
    error("no_device", failure.what());
  } catch (const UsageError& failure) {
    error("usage", failure.what());
  } catch (const std::length_error&) {
    error("out_of_memory", "this point needs arrays longer than any host can hold");
  } catch (const std::bad_alloc&) {
    error("out_of_memory", "the host has not enough memory for this point: " + describe_own_memory());
  } catch (const std::exception& failure) {
    error("launch_failed", failure.what());
  }
  return answer;
}

bool write_all(int fd, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = ::write(fd, text.data() + done, text.size() - done);
    if (written <= 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

int serve_lines(const std::function<JsonAnswer(const std::string& line)>& result,
                const ServerDuties& duties) {
  // A child must not outlive its parent: it may be in a kernel that never ends.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit_own_memory();
  share_driver_caches();
  std::FILE* requests = ::fdopen(worker_request_fd, "r");
  if (!requests) return 1;
  char* line = nullptr;
  std::size_t capacity = 0;
  while (::getline(&line, &capacity, requests) > 0) {
    Envelope answer;
    answer.content = answer_or_error(result, line);
    if (const auto* const error = std::get_if<ReportedError>(&answer.content); error && !duties.is_usable()) {
      // The parent takes this for a crash of the point, and continues with a new process.
      std::fprintf(stderr, "the device no longer answers this process after: %s\n", error->sentence.c_str());
      std::_Exit(1);
    }
    answer.deferred = duties.deferred();
    if (!write_all(worker_answer_fd, write_envelope(answer) + "\n")) break;
  }
  std::free(line);
  std::fflush(nullptr);
  // Drivers are known to crash in their own destructors at exit; all answers have been given.
  std::_Exit(0);
}

}  // namespace dwarfsweep
