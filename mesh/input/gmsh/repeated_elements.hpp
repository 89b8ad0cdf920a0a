/// Repeated elements: files of 2.2 have an element once for each physical group that it belongs to.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mesh/input/mesh_input.hpp>

namespace seam::detail {

/// Keeps of several elements on the same nodes the first one, and others with its tag: so that an
/// element counts for the first of its groups, as in 4.1. Two elements with one tag are no
/// repetition, and stay.
/// @param list  in the order of the file, over all ranks
/// Collective: over `over`.
/// Memory: 20 bytes for each element.
void drop_repeated_elements(Communicator const& over, element_list& list);

} // namespace seam::detail
