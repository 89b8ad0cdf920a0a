/// Drawing: the script that makes pictures of the violations, in Python with Matplotlib.
#pragma once

#include "campaign/folder.hpp"

namespace guidelines {

/// How pictures are drawn.
struct drawing_options {
  std::string format = "svg"; ///< or "png"
  std::string python;         ///< the interpreter; empty: Debian's, or python3
};

/// Draws the pictures of analysis/plots.json into plots/, with a contact sheet.
/// @throws usage_error  Python or Matplotlib is missing, or the script fails; the line names what
///         to install
void draw(path const& folder, drawing_options const& how);

} // namespace guidelines
