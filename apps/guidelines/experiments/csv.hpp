/// Tables in text: comma-separated values below a head of comments.
///
///     # library: Open MPI v4.1.4         an entry of the head
///     setup,bytes                        the names of the columns, in any order
///     Alltoall,256                       a row for each line
///     # end: 1                           an entry behind the rows
///
/// Errors name file, line and column, and what was expected there.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace guidelines {

/// A place in a file; lines and columns count from 1.
struct text_place {
  std::string file;
  int line = 0, column = 0;
};

/// Throws a usage_error that begins with "file:line:column: ". Local.
[[noreturn]] void refuse_at(text_place const& place, std::string_view why);

/// A word of a file, and its place.
struct placed_word {
  std::string text;
  text_place place;

  /// Throws a usage_error: "file:line:column: 'text' (expected ...)".
  [[noreturn]] void refuse(std::string_view expected) const;
};

/// The words of a line, which spaces separate; those from '#' on are a comment.
/// @param number  of the line
std::vector<placed_word> words_of(std::string_view line, std::string const& file, int number);

/// The lines of a text, without the ends of the lines.
std::vector<std::string_view> lines_of(std::string_view text);

/// An entry of a table's head: "# key: value".
struct head_entry {
  std::string key;
  placed_word value;
};

/// A table that has been read.
struct csv_table {
  std::vector<head_entry> entries;            ///< in the order of the file
  std::vector<std::vector<placed_word>> rows; ///< [rows][columns], in the order that was asked for
  int num_lines = 0;

  /// The entry with this key; nullptr if there is none.
  head_entry const* find(std::string_view key) const;
};

/// The treatment of a last row that is not whole.
enum class last_row { must_be_whole, may_be_cut };

/// Reads a table that has each of the columns once, and no others.
/// @param name  of the file, for errors
/// @param cut   may_be_cut drops a last line that has too few fields or no end
/// @throws usage_error  a column is unknown or missing, or a row has other fields than columns
/// Local.
csv_table parse_csv(std::string_view text, std::string const& name,
                    std::span<std::string_view const> columns,
                    last_row cut = last_row::must_be_whole);

} // namespace guidelines
