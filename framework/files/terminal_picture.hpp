/// Pictures in the terminal: two pixels in each character, in 24-bit colors.
#pragma once

#include <seam/framework/files/picture.hpp>
#include <seam/framework/program/terminal.hpp>

#include <cstdint>
#include <string>

namespace seam::detail {

/// Draws numbers as large as they fit into the terminal, by whole factors; one row stays free.
/// @throws usage_error  as draw()
/// Local.
picture draw_for_terminal(shown_numbers const& numbers, picture_options options,
                          terminal_size const& size);

/// The lines that show a picture: each character is the upper half of a block, whose color is the
/// upper pixel's, on the lower one's. Each ends with a line break.
/// Local.
std::string half_blocks(picture const& drawn);

/// The number of lines that half_blocks() has.
constexpr std::int64_t num_lines_of(picture const& drawn) { return (drawn.height + 1) / 2; }

} // namespace seam::detail
