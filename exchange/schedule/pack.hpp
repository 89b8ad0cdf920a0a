/// Moving blocks of memory: into the wire format, out of it, and from array to array.
#pragma once

#include <seam/exchange/schedule/detail/region.hpp>
#include <seam/exchange/schedule/reduction.hpp>

namespace seam::detail {

/// Writes the rows of `from` one after another at `wire`. Returns the byte after them. Local.
std::byte* pack(block const& from, std::byte* wire);

/// Takes the rows of `into` one after another from `wire`. Returns the byte after them. Local.
std::byte const* unpack(std::byte const* wire, block const& into,
                        combiner const& combine = nullptr);

/// Moves the rows of `from` to `into`, which has as many bytes but may have other rows. Local.
void copy(block const& from, block const& into, combiner const& combine = nullptr);

/// Moves the rows of two blocks in turn, if they are short and alike: rows of the two faces across
/// the contiguous axis share cache lines, which are then fetched once. Otherwise does nothing and
/// returns false. Local.
bool copy_together(block const& from, block const& into, block const& other_from,
                   block const& other_into);

} // namespace seam::detail
