#include "harness/formats/fasta.hpp"

#include <fmt/format.h>

#include <utility>

#include "harness/formats/file_bytes.hpp"
#include "harness/formats/token_reader.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

bool is_residue(char character) {
  return (character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z') || character == '*';
}

/// At a '>' that begins a line: takes the name and the rest of the line.
std::string read_name(TokenReader& tokens) {
  std::string name(tokens.text().substr(1));
  if (name.empty() && tokens.next_in_line()) name = tokens.text();
  while (tokens.next_in_line()) continue;
  return name;
}

void require_letters(const TokenReader& tokens, const std::vector<FastaRecord>& records) {
  if (!records.empty() && records.back().letters.empty()) {
    tokens.fail_expecting(fmt::format("the letters of record {}", excerpt(records.back().name)));
  }
}

std::vector<FastaRecord> exactly(std::size_t wanted, const std::filesystem::path& file) {
  auto records = read_fasta(file);
  if (records.size() != wanted) {
    throw InputError(
        file.string(), "",
        fmt::format("expected {} FASTA record{}, found {}; an alignment takes one file with two records, "
                    "or two files with one each",
                    wanted, wanted == 1 ? "" : "s", records.size()));
  }
  return records;
}

}  // namespace

std::vector<FastaRecord> read_fasta(std::string_view bytes, const std::string& name) {
  TokenReader tokens(bytes, name);
  std::vector<FastaRecord> records;
  while (tokens.next()) {
    const std::string_view word = tokens.text();
    if (word.front() == '>' && tokens.token_begins_line()) {
      require_letters(tokens, records);
      records.push_back({read_name(tokens), ""});
      continue;
    }
    if (records.empty()) tokens.fail_expecting("'>' and the name of a FASTA record");
    for (const char& letter : word) {
      if (is_residue(letter)) continue;
      tokens.fail(fmt::format("expected the letters of a sequence (A to Z, a to z or '*'), found {}",
                              excerpt({&letter, 1})));
    }
    records.back().letters += word;
  }
  if (records.empty()) tokens.fail_expecting("'>' and the name of a FASTA record");
  require_letters(tokens, records);
  return records;
}

std::vector<FastaRecord> read_fasta(const std::filesystem::path& file) {
  return read_fasta(read_text(file), file.string());
}

std::array<FastaRecord, 2> read_sequence_pair(const std::vector<std::filesystem::path>& files) {
  if (files.size() == 1) {
    auto records = exactly(2, files[0]);
    return {std::move(records[0]), std::move(records[1])};
  }
  if (files.size() != 2) {
    throw UsageError(
        fmt::format("an alignment takes one file with two records, or two files; {} given", files.size()));
  }
  return {std::move(exactly(1, files[0])[0]), std::move(exactly(1, files[1])[0])};
}

}  // namespace dwarfsweep
