#include "suite/record/draft_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace dwarfsweep {

DraftFile::DraftFile(const std::filesystem::path& path)
    : path_(path), draft_(path.string() + ".part"), file_(std::fopen(draft_.c_str(), "wb")) {
  if (file_ == nullptr) fail(errno);
}

DraftFile::~DraftFile() {
  if (file_ != nullptr) std::fclose(file_);
  std::error_code ignored;
  if (!finished_) std::filesystem::remove(draft_, ignored);
}

void DraftFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail(errno);
}

void DraftFile::finish() {
  if (std::fclose(std::exchange(file_, nullptr)) != 0) fail(errno);
  if (std::rename(draft_.c_str(), path_.c_str()) != 0) fail(errno);
  finished_ = true;
}

void DraftFile::fail(int reason) const {
  throw std::runtime_error(fmt::format("cannot write {}: {}", path_.string(), std::strerror(reason)));
}

}  // namespace dwarfsweep
