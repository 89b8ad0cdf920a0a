/// The head of a Gmsh file, which tells its format.
#pragma once

#include <seam/mesh/input/file_window.hpp>

#include <string_view>

namespace seam::detail {

/// A place in a file, at which the next record or line begins.
struct msh_place {
  std::int64_t offset = 0; ///< [bytes]
  std::int64_t line = 0;   ///< from 1; 0 in a binary file
};

struct msh_format {
  bool is_binary = false;
  bool is_4 = false;   ///< 4.0 or 4.1, else 2.0 to 2.2, which have the same records
  msh_place body;      ///< behind $EndMeshFormat
  bool is_4_0 = false; ///< 4.0

  /// The bytes of a node's or element's id in a binary file.
  int id_width() const noexcept { return is_4 && !is_4_0 ? 8 : 4; }
  /// The coordinates of an entity's bounds.
  int num_bounds(int dimension) const noexcept { return dimension == 0 && !is_4_0 ? 3 : 6; }
};

/// Throws a usage_error whose line names the file, the place in it, and the error there.
/// @param on_all_ranks  all ranks throw it together
[[noreturn]] void refuse_msh(file_window const& file, msh_place const& at, std::string_view why,
                             bool on_all_ranks = false);

/// Text of the file for an error line: control characters are replaced, the end is cut off.
std::string shown(std::string_view found);

/// Moves `at` over the blank lines of a text that begin before `end`. A line of very many blanks
/// does not count as one.
void pass_blank_lines(file_window& file, msh_place& at, std::int64_t end);

/// Reads the head of a file.
/// @throws usage_error  the file does not begin with a $MeshFormat that can be read
/// Local.
msh_format read_msh_format(file_window& file);

} // namespace seam::detail
