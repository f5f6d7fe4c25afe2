// FASTA: sequences of letters for needle.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dwarfsweep {

struct FastaRecord {
  std::string name;     // the first token after '>'; may be empty
  std::string letters;  // A to Z, a to z and '*', in the case they were written in
};

/// Every record of the file: a line that begins with '>', then lines of letters until the next. A record
/// without letters, letters before the first record, or a file without records throws InputError.
std::vector<FastaRecord> read_fasta(const std::filesystem::path& file);
std::vector<FastaRecord> read_fasta(std::string_view bytes, const std::string& name);

/// The two sequences of an alignment: one file with two records, or two files with one each. Throws
/// InputError; UsageError for another number of files.
std::array<FastaRecord, 2> read_sequence_pair(const std::vector<std::filesystem::path>& files);

}  // namespace dwarfsweep
