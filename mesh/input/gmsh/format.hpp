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
  bool is_4 = false; ///< 4.1, else 2.2
  msh_place body;    ///< behind $EndMeshFormat
};

/// Throws a usage_error whose line names the file, the place in it, and the error there.
/// @param on_all_ranks  all ranks throw it together
[[noreturn]] void refuse_msh(file_window const& file, msh_place const& at, std::string_view why,
                             bool on_all_ranks = false);

/// Text of the file for an error line: control characters are replaced, the end is cut off.
std::string shown(std::string_view found);

/// Reads the head of a file.
/// @throws usage_error  the file does not begin with a $MeshFormat that can be read
/// Local.
msh_format read_msh_format(file_window& file);

} // namespace seam::detail
