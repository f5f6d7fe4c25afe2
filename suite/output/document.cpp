#include "suite/output/document.hpp"

#include <utility>

namespace dwarfsweep {

Block heading(std::string text) {
  return {.kind = Block::Kind::heading, .text = std::move(text)};
}
Block subheading(std::string text) {
  return {.kind = Block::Kind::subheading, .text = std::move(text)};
}
Block paragraph(std::string text) {
  return {.kind = Block::Kind::paragraph, .text = std::move(text)};
}
Block items(std::vector<std::string> items) {
  return {.kind = Block::Kind::items, .items = std::move(items)};
}

}  // namespace dwarfsweep
